"""`te-forge conflicts` and `te-forge explain`: what is told of hacks agrees with what composing them gives."""

from __future__ import annotations

import json
import re
import time
from itertools import combinations
from pathlib import Path

import pytest
from beginnings import as_written, run, said
from test_compose import BASE, INFO, LUCK, QUARRELS, hack, system_of

from te_forge.check import check
from te_forge.compose import compose
from te_forge.compose.conflicts import overruled, quarrel, quarrels_of
from te_forge.compose.finding import NotFound, find
from te_forge.compose.history import Chain, Historian, at_place
from te_forge.compose.operations import Operation, operations
from te_forge.compose.order import order_of, parts_of
from te_forge.compose.survey import Survey, survey
from te_forge.model.system import System
from te_forge.source import Source


def core() -> System:
    return as_written("srd-core")


def names(system: System, ids: tuple[str, ...]) -> set[str]:
    return {system.entries[id].name for id in ids}


# ---------------------------------------------------------------- conflicts


def crowd() -> str:
    """Each side of every quarrel as a hack."""
    numbers = enumerate(side for sides in QUARRELS.values() for side in sides)
    return "".join(hack(f"H{number:02}", text) for number, text in numbers)


def test_pairs_are_those_that_composing_refuses() -> None:
    """Composing every two of many hacks is the slow way to ask the same thing."""
    system = system_of(crowd())
    ids = [entry.id for entry in system.of_kind("hack")]
    refused = {pair for pair in combinations(ids, 2) if any(one.code == "patch-conflict" for one in compose(system, pair).diagnostics)}
    assert {(one.one, one.other) for one in survey(system).conflicts} == refused
    assert len(refused) >= len(QUARRELS)


def test_meetings_miss_no_quarrel() -> None:
    for system in (system_of(crowd()), core()):
        switches = [entry for entry in system.entries.values() if entry.kind in ("hack", "reading")]
        order = order_of(system, [entry.id for entry in switches])
        found = [one for entry in switches for one in operations(entry, system)]
        parts = {one.target: parts_of(system, one.target) for one in found if one.verb == "delete"}

        def together(one: Operation, other: Operation, parts: dict[str, frozenset[str]] = parts) -> bool:
            return one.target == other.target or other.target in parts.get(one.target, ()) or one.target in parts.get(other.target, ())

        slow = {
            frozenset(pair) for pair in combinations(found, 2) if together(*pair) and order.unordered(pair[0].hack, pair[1].hack) and quarrel(*pair)
        }
        assert {frozenset(pair) for pair in quarrels_of(found, parts, order)} == slow
        assert slow


def of_hacks(text: str) -> tuple[System, Survey]:
    system = system_of(text)
    return system, survey(system)


def test_who_settles_and_who_is_out_too() -> None:
    two = hack("Ann", LUCK + "- Starts: 1\n- At Most: 5\n") + hack("Ben", LUCK + "- Starts: 2\n- At Most: 6\n")
    text = (
        two
        + hack("Cid", LUCK + "- Starts: 9\n- At Most: 9\n", "Ann, Ben")
        + hack("Dan", LUCK + "- Starts: 9\n", "Ann, Ben")
        + hack("Eve", LUCK + "- At Least: 1\n", "Ann")
    )
    system, found = of_hacks(text)
    [one] = found.conflicts
    assert (names(system, one.settled_by), names(system, one.also)) == ({"Cid"}, {"Dan", "Eve"})
    assert [(each.place, each.one.says, each.other.says) for each in one.contests] == [
        ("`Starts` of Luck", "1", "2"),
        ("`At Most` of Luck", "5", "6"),
    ]
    assert compose(system, [id for id in system.entries if id.startswith("small:hack/") and not id.endswith("dan")]).diagnostics == []


def test_needs_said_and_unsaid() -> None:
    text = (
        "## hack: Magic\n### pool: Power\n- Of: a hero\n- Starts: 1\n"
        + "## hack: Thirst\n### rule: Drain\n- Drain: after gain of Doom: each hero loses 1 Power\n"
        + hack("More", "### changes pool: Power\n- Starts: 2\n")
        + hack("Most", "### changes pool: Power\n- At Most: 9\n", "Magic")
    )
    system, found = of_hacks(text)
    told = {(system.entries[one.hack].name, system.entries[one.needs].name, one.how) for one in found.needs}
    assert told == {("Thirst", "Magic", "unstated"), ("More", "Magic", "waits"), ("Most", "Magic", "stated")}
    assert [one.code for one in compose(system, ["small:hack/thirst"]).diagnostics if one.severity == "error"] == ["missing-hack"]


def test_what_goes_together_without_a_word_is_told() -> None:
    leap = '### changes procedure: Leap\n- Go:\n  - {} after Way: the gm says "{}"\n'
    text = (
        hack("Ann", LUCK + "- Starts: 5\n- At Most: 7\n" + leap.format("Ape", "a"))
        + hack("Ben", LUCK + "- Starts: 2 more\n- At Most: 7\n" + leap.format("Bee", "b"))
        + hack("Cid", "### changes pool: Doom\n- Starts: 1 more\n")
        + hack("Dan", "### changes pool: Doom\n- Starts: 2 times as much\n")
    )
    _, found = of_hacks(text)
    told = {(one.place, one.how, tuple(side.says for side in one.sides)) for one in found.together}
    assert told == {
        ("`Starts` of Luck", "set, then changed", ("5", "2 more")),
        ("`At Most` of Luck", "same", ("7", "7")),
        ("`Starts` of Doom", "changed together", ("1 more", "2 times as much")),
        ("`Ape` of Leap", "one after the other", ('the gm says "a"', 'the gm says "b"')),
    }
    assert found.conflicts == ()


def test_answers_to_one_ruling_are_no_conflicts() -> None:
    text = "".join(f"## reading: {name}\n- Answers: A Question\n{LUCK}- Starts: {number}\n" for name, number in (("Yes", 1), ("No", 2)))
    system, found = of_hacks(text)
    assert found.conflicts == ()
    assert [names(system, readings) for readings in found.answers.values()] == [{"Yes", "No"}]


def test_the_example_of_the_guide() -> None:
    guide = (Path(__file__).parents[1] / "site/docs/hacks.md").read_text(encoding="utf-8")
    [page] = re.findall(r"<!-- te-hacks -->\n```te\n(.*?)```", guide, re.S)
    system, found = of_hacks(page)
    [one] = found.conflicts
    assert names(system, (one.one, one.other)) == {"Cold Nights", "Warm Nights"}
    assert names(system, one.settled_by) == {"Seasons"}


def test_conflicts_of_a_large_pack_are_found_at_once() -> None:
    """Many hacks on one procedure, each with lines of its own: time grows with what they say, not with its square."""
    seconds: list[float] = []
    for size in (150, 600):
        text = "".join(
            hack(
                f"N{n}",
                f'### changes procedure: Leap\n- Go:\n  - L{n} after {"Way" if n % 2 else "Deep"}: the gm says "x"\n### changes pool: Luck\n- Starts: {n + 1} more\n',
            )
            for n in range(size)
        )
        system, _ = check([Source("base.te", BASE), Source("hacks.te", "# Hacks\n" + text)], INFO)
        assert system is not None
        switches = list(system.of_kind("hack"))
        order = order_of(system, [entry.id for entry in switches])
        found = [one for entry in switches for one in operations(entry, system)]
        begun = time.perf_counter()
        assert quarrels_of(found, {}, order) == []
        assert overruled(found, order) == set()
        seconds.append(time.perf_counter() - begun)
    assert seconds[1] < 0.5


def test_conflicts_of_the_shipped_pack() -> None:
    result = run("conflicts", "srd-core")
    assert result.exit_code == 0
    text = said(result)
    assert text.startswith(
        "Keep For Points and Party Skill cannot be on together `Sixes` of Adventure From Sixes Keep For Points: before Add in Keeping"
    )
    assert "Party Skill With Kept Dice settles it" in text and "Party Skill needs Morale" in text
    assert text.endswith("13 pairs of hacks cannot be on together")
    first = json.loads(run("conflicts", "srd-core", "--format", "json").stdout)["conflicts"][0]
    assert first["hacks"] == ["srd-core:hack/keep-for-points", "srd-core:hack/party-skill"]
    assert [[side["line"] > 1 for side in one["sides"]] for one in first["contests"]] == [[True, True], [True, True]]


def packs(folder: Path) -> None:
    """Two packs on the SRD that know nothing of each other."""
    for name, line in (("one", "- Starts: 5"), ("two", "- Starts: 6")):
        (folder / name / "rules").mkdir(parents=True)
        (folder / name / "pack.yaml").write_text(
            f"id: {name}\ntitle: {name.title()}\nversion: 1.0.0\nrequires: {{srd-core: '>=1,<2'}}\nhacks: [{name.title()} Way]\n", encoding="utf-8"
        )
        (folder / name / "rules/01.te").write_text(f"# Page\n\n## hack: {name.title()} Way\n### changes pool: Tension\n{line}\n", encoding="utf-8")


def test_conflicts_of_several_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packs(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run("check", "one").exit_code == run("check", "two").exit_code == 0
    both = said(run("conflicts", "one", "two"))
    assert "One Way and Two Way cannot be on together `Starts` of Tension One Way: 5 (one/rules/01.te:5) Two Way: 6 (two/rules/01.te:5)" in both
    assert both == said(run("conflicts", "two", "one"))
    assert run("conflicts", "one", "no-such-pack").exit_code == 2


def test_who_builds_on_a_pack_has_the_last_word_over_its_hacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packs(tmp_path)
    (tmp_path / "two/pack.yaml").write_text("id: two\ntitle: Two\nversion: 1.0.0\nrequires: {one: '>=1,<2'}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    text = said(run("conflicts", "two"))
    assert (
        "`Starts` of Tension: the second has the last word, since its pack builds on that of the first One Way: 5 (one/rules/01.te:5) Two Way: 6 (two/rules/01.te:5)"
        in text
    )
    assert "One Way and Two Way" not in text
    explained = said(run("explain", "two", "Tension.Starts", "--hack", "Two Way"))
    assert "One Way: 5 (one/rules/01.te:5) until Two Way, which has the last word Two Way: 6 (two/rules/01.te:5)" in explained


# ---------------------------------------------------------------- explain

TALE = (
    hack("Ann", LUCK + "- Starts: 1\n- At Most: 8\n")
    + hack("Ben", LUCK + "- Starts: 4 more\n")
    + hack("Cid", LUCK + "- Starts: 2 times as much\n")
    + hack("Dan", LUCK + "- Starts: 7\n", "Ann")
    + hack("Eve", LUCK + "- Starts: 9\n")
    + hack("Fay", "### changes kind: gift\n- Starts: 3\n### changes gift: Wit\n- Starts: 1 more\n")
    + hack(
        "Gus",
        '### changes procedure: Leap\n- Go:\n  - Way:\n    - High: the gm gains 5 Doom\n  - New after Way: the gm says "x"\n### changes table: Weather\n\n| row | text | effect |\n|---|---|---|\n| Sun | Hot. | - |\n',
    )
    + hack("Hal", '### renames trick: Jump\n- To: "Bound"\n### deletes trick: Whisper\n')
)


def told(what: str, *on: str) -> Chain:
    historian = Historian(system_of(TALE), [f"small:hack/{name}" for name in on])
    found = find(what, historian)
    return historian.chain(found.entry, found.path, found.label) if found.path is not None else historian.whole(found.entry)


def steps(chain: Chain) -> list[tuple[str, str, str]]:
    return [(one.by.partition("/")[2], one.says, one.after) for one in chain.events]


def test_a_chain_has_the_value_after_each_step() -> None:
    assert steps(told("Luck.Starts", "ann", "ben", "cid")) == [
        ("luck", "", "3"),
        ("ann", "1", "1"),
        ("ben", "4 more", "5"),
        ("cid", "2 times as much", "10"),
    ]
    assert [one.span.line for one in told("Luck.Starts", "ann", "ben").events] == [BASE[: BASE.index("- Starts: 3")].count("\n") + 1, 4, 8]


def test_who_has_the_last_word() -> None:
    chain = told("Luck.Starts", "ann", "dan")
    assert steps(chain)[1:] == [("ann", "1", "1"), ("dan", "7", "7")]
    assert [one.overruled_by for one in chain.events] == ["", "small:hack/dan", ""]


def test_what_is_off_and_what_it_would_do() -> None:
    chain = told("Luck.Starts", "ann")
    off = {one.by.partition("/")[2]: (one.says, one.after, one.against.partition("/")[2]) for one in chain.off}
    assert off == {"ben": ("4 more", "5", ""), "cid": ("2 times as much", "2", ""), "dan": ("7", "7", ""), "eve": ("9", "", "ann")}


def test_what_the_kind_says_for_all() -> None:
    assert steps(told("Wit.Starts")) == [("gift", "", "2")]
    assert steps(told("gift/wit.Starts", "fay")) == [("gift", "", "2"), ("fay", "3", "3"), ("fay", "1 more", "4")]
    assert steps(told("Might.Starts", "fay")) == [("gift", "", "2"), ("fay", "3", "3")]


def test_lines_steps_values_and_rows() -> None:
    assert steps(told("Leap.Go.Way.High", "gus")) == [("leap", "", "the gm gains 1 Doom"), ("gus", "the gm gains 5 Doom", "the gm gains 5 Doom")]
    assert steps(told("Leap.Go.New", "gus"))[-1] == ("gus", 'the gm says "x"', 'the gm says "x"')
    assert "New: the gm says" in told("Leap.Go", "gus").value
    assert told("Leap.height").value == "a number, 1 by default"
    for row in ("Weather.Sun", "weather.4", "small:table/weather#sun"):
        assert steps(told(row, "gus")) == [
            ("weather", "", "3-5 Sun: Warm. | each hero gains 1 Luck"),
            ("gus", "3-5 Sun: Hot. | each hero gains 1 Luck", "3-5 Sun: Hot. | each hero gains 1 Luck"),
        ]


def test_renamed_and_deleted_things() -> None:
    assert steps(told("Bound", "hal")) == [("jump", "", "Jump"), ("hal", 'called "Bound"', "Bound")]
    assert steps(told("trick/whisper", "hal"))[-1] == ("hal", "deleted", "nothing")
    assert [(one.by, one.says) for one in told("Whisper").off] == [("small:hack/hal", "deleted")]


def test_what_is_told_is_what_is_played() -> None:
    """The last value of every chain of every entry is what stands in the composed system."""
    for system, on in (
        (system_of(TALE), [f"small:hack/{name}" for name in ("ann", "ben", "cid", "dan", "fay", "gus")]),
        (
            core(),
            [
                f"srd-core:hack/{name}"
                for name in (
                    "morale",
                    "party-skill",
                    "keep-for-points",
                    "party-skill-with-kept-dice",
                    "bonus-points",
                    "status-effects",
                    "time-tables",
                    "advancement",
                )
            ],
        ),
    ):
        made = compose(system, on)
        assert [one for one in made.diagnostics if one.severity == "error"] == []
        historian, compared = Historian(system, on), 0
        for id in sorted({one.target for one in historian.found} & set(made.system.entries)):
            for chain in historian.chains(system.entries[id]):
                here = at_place(made.system.entries[id], chain.path)
                assert here is None or here == chain.value, (id, chain.path)
                compared += here is not None and len(chain.events) > 1
        assert compared >= 4


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("Lukc", "nothing is called `Lukc`; did you mean `Luck`?"),
        ("Luck.Start", "did you mean `Luck.Starts`?"),
        ("Leap.Go.Wey", "did you mean `Leap.Go.Way`?"),
        ("Weather.9", "it has Rain, Sun, Snow"),
        ("small:trick/jumps", "did you mean `small:trick/jump`?"),
    ],
)
def test_unknown_names(what: str, says: str) -> None:
    with pytest.raises(NotFound) as caught:
        told(what)
    assert says in str(caught.value)


def test_explain_on_the_command_line() -> None:
    result = run("explain", "srd-core", "tension.starts")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("pool Tension, srd-core:pool/tension  (") and lines[0].endswith("08-tension.te:6)")
    assert lines[2] == "Starts" and lines[3].startswith("  greater of number of players and 2  (")
    assert any(line.startswith("  not on, The Gm Counts: greater of (number of players + 1) and 2  (") for line in lines)
    settled = said(
        run(
            "explain",
            "srd-core",
            "Adventure From Sixes",
            "--hack",
            "Keep For Points",
            "--hack",
            "Morale",
            "--hack",
            "Party Skill",
            "--hack",
            "Party Skill With Kept Dice",
        )
    )
    assert "until Party Skill With Kept Dice, which has the last word" in settled
    part = said(run("explain", "srd-core", "pool/morale"))
    assert "a part of Morale, which is not on" in part
    made = json.loads(run("explain", "srd-core", "Healer.Cost", "--hack", "Morale", "--format", "json").stdout)
    assert made["on"] == ["srd-core:hack/morale"]
    assert [(one["by"], one["after"]) for one in made["places"][0]["chain"]] == [
        ("srd-core:advantage/healer", "1 Adventure"),
        ("srd-core:hack/morale", "1 Morale"),
    ]
    assert {one["by"]: one["against"] for one in made["places"][0]["off"]}["srd-core:reading/a-purse-of-its-own"] == "srd-core:hack/morale"
    wrong = run("explain", "srd-core", "Tensio")
    assert wrong.exit_code == 2 and "did you mean `Tension`?" in said(wrong)
    assert run("explain", "no-such-pack", "Tension").exit_code == 2


def test_explain_shows_texts_whole_and_breaks_lines_between_words() -> None:
    result = run("explain", "srd-core", "Keeping", "--hack", "Party Skill", "--hack", "Morale")
    assert " ..." not in result.stdout and max(map(len, result.stdout.splitlines())) <= 120
    whole = said(result)
    assert "once per roll: press with all the Tension that is left after paying, or pay a point for each further die. (" in whole
    assert "Who works alone may dare as many as they like, and the gm gains a point of Tension for each." in whole


def test_diff_and_explain_name_one_line_for_the_text_of_a_step(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    head = "id: mine\ntitle: Mine\nversion: 1.0.0\nrequires:\n  srd-core: '>=1.0'\nhacks:\n  - Count\n"
    (tmp_path / "pack.yaml").write_text(head, encoding="utf-8")
    rules = "# Mine\n\n## hack: Count\n\n### changes procedure: Keeping\n- Add:\n  Fives count.\n  - Total: the roller's total is the bonus\n"
    (tmp_path / "rules/01.te").write_text(rules, encoding="utf-8")
    diff = run("diff", str(tmp_path)).stdout
    text, total = (next(line for line in diff.splitlines() if part in line) for part in ("the text: ", "Add, Total: "))
    assert "/01.te:7 (was " in text and "/01.te:8 (was " in total
    assert (
        "Count: Fives count. (" in said(run("explain", str(tmp_path), "Keeping.Add.text"))
        and "01.te:7)" in run("explain", str(tmp_path), "Keeping").stdout
    )


def test_explain_says_what_else_has_the_name() -> None:
    told = run("explain", "srd-core", "Morale").stdout
    assert told.startswith("pool Morale, ") and "the name could also be `hack/morale`" in told
    assert "could also be" not in run("explain", "srd-core", "pool/morale").output
    assert json.loads(run("explain", "srd-core", "Morale", "--format", "json").stdout)["others"] == ["srd-core:hack/morale"]


def test_explain_goes_on_where_hacks_quarrel() -> None:
    result = run("explain", "srd-core", "Tension From Ones.Ones", "--hack", "Keep For Points", "--hack", "Morale", "--hack", "Party Skill")
    assert result.exit_code == 0 and "Keep For Points: before Add in Keeping" in result.stdout
