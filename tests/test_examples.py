"""Examples are played: all of the SRD's come out, a wrong one of each kind fails at its line with both sides printed, and the command, the book and
pytest agree.
"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
import pytest
from beginnings import as_written
from click.testing import CliRunner, Result
from test_srd_ledger import LEDGER

from te_forge.check import check
from te_forge.cli import cli
from te_forge.compose import compose
from te_forge.diagnostics import Diagnostic
from te_forge.engine.cues import Cue, Cues, Unanswered
from te_forge.engine.effects import Choose, Draw, Keep, Number, Offer, Roll, Several, Share
from te_forge.engine.script import play_example
from te_forge.examples import Result as Outcome
from te_forge.examples import Table, examples_of, play_all
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.options import at_this_table, sat_down
from te_forge.packs import load
from te_forge.source import Source, Span
from te_forge.tried import Tried

HERE = Path(__file__).parent
PRELUDE = Source("prelude.te", (HERE / "prelude.te").read_text(encoding="utf-8"))


ROOT = Path(__file__).parents[1]


def srd() -> System:
    return as_written("srd-core")


@cache
def outcomes() -> tuple[Table, dict[str, Outcome]]:
    table = Table(srd())
    return table, {example.name: table.play(example) for example in examples_of(srd())}


def small(page: str) -> System:
    system, found = check([PRELUDE, Source("page.te", page)], PackInfo(id="small", title="A Small Game", version="1.0.0"))
    assert system is not None and [one for one in found if one.severity == "error"] == []
    return system


def said(page: str) -> list[Diagnostic]:
    return [one for result in play_all(small(page)) for one in result.diagnostics]


# ---------------------------------------------------------------- the SRD


def test_every_example_of_the_srd_comes_out() -> None:
    _, found = outcomes()
    assert len(found) > 100
    assert {name: one.diagnostics[0].message for name, one in found.items() if one.diagnostics} == {}


def test_examples_run_every_definition_of_the_srd() -> None:
    table, _ = outcomes()
    assert [f"{one.sort} {one.name}" for one in table.unrun()] == []


@pytest.mark.parametrize("row", [row for row, kind in LEDGER.items() if kind in "ME"])
def test_every_row_that_can_be_played_is_played(row: str) -> None:
    """By an example that cites it; what only a whole pack can show is tested below as well, and names its row."""
    assert [example.name for example in examples_of(srd()) if row in example.cites]


TURNED = {
    "environment-tie": ("Nobody Wins a Draw", ["The World Wins a Draw", "Ann Wins a Draw"]),
    "retry-price": ("The Bomb", ["A Point for the Second Try"]),
    "points-land": ("As Soon As They Lie There", ["Paid When It Is Over"]),
    "tension-floor": ("Not Below the Floor", ["Pushed for Nothing"]),
    "tension-start": ("One Player", ["One for One"]),
    "players-counted": ("Four Players", ["The Gm Is a Player", "Heads, Not Hands"]),
    "explosion-crossing": ("Nine and One, Eight and Three", ["Only Ten Is Ten"]),
    "reroll-face": ("The Right Blade", ["What It Showed First"]),
    "small-pool": ("Next to Nothing", ["One Die for Everybody"]),
    "attribute-points": ("Ben Is Made", ["Two at Most"]),
    "skill-points": ("Ben Is Made", ["Ten at Least"]),
    "pool-points": ("Ben Is Made", ["Four of Five"]),
    "party-point": ("Bandages", ["The Company Pays", "The Point That Courage Is"]),
    "careful-when": ("Three Ones Add One", ["Seen and Regretted"]),
    "ace-defends": ("Exactly One", ["The Needle"]),
    "sorcery-damage": ("Too Much to Ask", ["It Hurts First"]),
    "lowest-tie": ("A Cough", ["Everybody Coughs"]),
    "regenerating-scope": ("It Closes", ["Strike, and It Heals"]),
    "regenerating-failure": ("It Closes", ["It Likes to See Them Fail"]),
    "regenerating-cap": ("It Closes", ["It Grows"]),
    "quick-actions": ("Whose Turn", ["Three Turns"]),
    "adversary-tie": ("A Blade and a Thief", ["By a Hair", "And Again"]),
    "whole-tension": ("All the Weight of the Night", ["The Whole of It"]),
}
"""For each ruling that a table can turn: an example of the rule as it is written, and one of each other reading."""


@pytest.mark.parametrize("slug", TURNED)
def test_a_ruling_is_played_both_ways(slug: str) -> None:
    usual, others = TURNED[slug]
    table, found = outcomes()
    readings = {entry.id for entry in srd().of_kind("reading") if f"srd-core:ruling/{slug}" in ids(entry.fields["answers"].value)}
    assert readings, "no reading answers it"
    assert found[usual].diagnostics == () and not readings & table.on(found[usual].example)
    turned = [table.on(found[name].example) & readings for name in others]
    assert all(len(one) == 1 for one in turned) and frozenset().union(*turned) == readings


def ids(value: tuple[object, ...]) -> list[str]:
    return [getattr(atom, "id", "") for atom in value]


@pytest.mark.parametrize(
    ("usual", "on"),
    [
        ("Nobody Wins a Draw", "the-world-holds"), ("Nine and One, Eight and Three", "only-on-the-point"),
        ("The Right Blade", "every-face-pays"), ("Next to Nothing", "never-without-a-die"), ("Ben Is Made", "points-left-over"), ("One Player", "a-quiet-beginning"),
        ("Exactly One", "a-needle-in-the-sleeve"), ("A Cough", "all-who-are-weakest"), ("It Closes", "it-feeds-on-failure"), ("As Soon As They Lie There", "paid-at-the-end"),
        ("All the Weight of the Night", "before-paying"), ("Whose Turn", "as-often-as-it-is-paid"), ("A Blade and a Thief", "once-again-with-feeling"),
    ],
)  # fmt: skip
def test_an_example_of_the_rule_as_written_fails_under_another_reading(usual: str, on: str) -> None:
    """So the example tells the two readings apart."""
    example = outcomes()[1][usual].example
    assert Table(sat_down(srd(), Tried(hacks=(on,)))).play(example).diagnostics


# ---------------------------------------------------------------- rows that need more than an example


def make_ben(rows: str, script: str, system: System) -> Diagnostic | None:
    """What is wrong with a script for making a character, in the SRD with further rules."""
    page = f"# More\n\n{rows}\n\n## example: Ben\n- Ben: a character\n\n1. Made.\n   - do Make A Character with Ben as the newcomer\n{script}"
    made, found = check([Source("more.te", page)], PackInfo(id="more", title="More", version="1.0.0"), system)
    assert made is not None and [one.message for one in found if one.severity == "error"] == []
    return next((one for result in play_all(made) for one in result.diagnostics), None)


def test_no_attribute_above_five_and_no_skill_above_five() -> None:
    """SRD-01, SRD-02: with a class of +2 the two free points would make a six; five points and one make a six."""
    giant = "## class: Giant\n- Gives: Vigor +2, Aim +1\n- Health: 9\n- Willpower: 1"
    assert make_ben(giant, "   - Ben picks Giant; Ben picks 1, 1, 0, 0\n   - expect Ben's Vigor is 5 and 10 is offered\n", srd()) is None
    wrong = make_ben(giant, "   - Ben picks Giant; Ben picks 2, 0, 0, 0\n", srd())
    assert wrong is not None and wrong.code == "example-script" and "Vigor (at most 1)" in wrong.message
    skill = "   - Ben picks Giant; Ben picks 1, 1, 0, 0; Ben picks 5, 0, 0, 0, 0, 0, 0, 0, 0, 0\n"
    wrong = make_ben(giant, skill, srd())
    assert wrong is not None and "Aim (at most 4)" in wrong.message


def test_a_table_of_ones_own_and_one_that_is_too_short() -> None:
    """SRD-31: a few lines make a table; with five rows for six faces it is refused."""
    rows = "\n".join(f"| {face} | Fog{face}. | the gm gains 1 Tension |" for face in range(1, 7))
    table = f"# Fog\n\n## table: Fog\n\n| d6 | text | effect |\n|---|---|---|\n{rows}\n"
    assert [
        one.code for one in check([Source("fog.te", table)], PackInfo(id="fog", title="Fog", version="1.0.0"), srd())[1] if one.severity == "error"
    ] == []
    short = table.replace("| 6 | Fog6. | the gm gains 1 Tension |\n", "")
    assert "range-gap" in [one.code for one in check([Source("fog.te", short)], PackInfo(id="fog", title="Fog", version="1.0.0"), srd())[1]]


def test_party_skill_wants_morale_and_quarrels_with_keep_for_points() -> None:
    """SRD-47, SRD-51."""
    hack = "srd-core:hack/"
    assert {one.code for one in compose(srd(), [f"{hack}party-skill"]).diagnostics if one.severity == "error"} == {"missing-hack"}
    both = [one for one in compose(srd(), [f"{hack}morale", f"{hack}party-skill", f"{hack}keep-for-points"]).diagnostics if one.severity == "error"]
    assert both and all("Keep For Points" in one.message and "Party Skill" in one.message for one in both)


# ---------------------------------------------------------------- wrong examples

HEAD = "## example: Wrong\n- Ann: a character with Vigor 2 and Health 3 and Adventure 1\n- Ben: a character\n\n1. Step.\n"
BLOW = "   - do Damage with Ann as the target, Ben as the dealer\n"
TEST = "   - do Test with Ann as the actor\n"
CASES = {
    "number": (BLOW + "   - expect Ann's Health is 1\n", "example-differs", 2, ["expected that Ann's Health is 1", "Ann's Health is 2"]),
    "number below": (
        BLOW + "   - expect Ann's Health is below 2\n",
        "example-differs",
        2,
        ["Ann's Health is below 2", "by the rules Ann's Health is 2"],
    ),
    "two numbers": ("   - expect Ann's Health is Ben's Vigor\n", "example-differs", 1, ["Ann's Health is 3", "Ben's Vigor is 1"]),
    "trait": ("   - expect Ann has Lame\n", "example-differs", 1, ["expected that Ann has Lame", "by the rules Ann has nothing"]),
    "outcome": (
        TEST.replace("\n", " as the result\n") + "   - Ann shows 6, 1\n   - expect the result is Failure\n",
        "example-differs",
        3,
        ["the result is Failure", "the result is Success"],
    ),
    "not offered": (TEST + "   - expect Rest is offered\n", "example-differs", 2, ["expected that Rest is offered, and it is not"]),
    "nothing began": ("   - expect Rest is not offered\n", "example-script", 1, ["nothing has begun in this step"]),
    "stops early": (TEST, "example-script", 1, ["the rules ask Ann to roll 2 d6", "`Ann shows 3, 3`"]),
    "one die": (TEST + "   - Ann shows 6\n", "example-script", 2, ["here stands `Ann shows 6`", "the rules ask Ann to roll 2 d6"]),
    "no such face": (TEST + "   - Ann shows 6, 7\n", "example-script", 2, ["here stands `Ann shows 6`"]),
    "somebody else": (TEST + "   - Ben shows 6, 1\n", "example-script", 2, ["here stands `Ben shows 6`", "Ann to roll"]),
    "nobody asks": (BLOW + "   - Ann shows 6\n", "example-script", 2, ["here stands `Ann shows 6`, but nothing asks for it"]),
    "no option": (
        "   - do Beginning with Ann as the newcomer\n   - Ann picks Slow\n",
        "example-script",
        2,
        ["here stands `Ann picks Slow`", "choose the feature: Big, Small"],
    ),
    "cannot be begun": (
        "   - Ann takes Big\n   - Ann picks Breathe\n",
        "example-script",
        2,
        ["here stands `Ann picks Breathe`, but it cannot be begun now"],
    ),
    "rules stop": ("   - Ann gains Adventure equal to 1 / (Ann's Adventure - 1) rounded down\n", "example-stops", 1, ["this divides by 0"]),
}
RULES = """## feature: Big
- Cost: 2 Adventure
- Breathe: the owner may pay: the gm gains 1 Tension
## feature: Small
## condition: Lame
- Still: the owner cannot gain Adventure
## condition: Slow
## rule: Pause
- Rest: before Damage with a character as the target: the gm may: the gm gains 1 Tension
"""


@pytest.mark.parametrize("case", CASES)
def test_a_wrong_example_fails_at_its_line_with_both_sides(case: str) -> None:
    script, code, line, parts = CASES[case]
    found = said(RULES + HEAD + script)
    assert [(one.code, one.span.line - (RULES + HEAD).count("\n")) for one in found] == [(code, line)], found
    text = f"{found[0].message} ({found[0].help})"
    assert [part for part in parts if part not in text] == [], text


def test_a_right_example_of_the_same_rules() -> None:
    """An offer that waits for no event is begun by a pick; one that is not named is let pass; an expectation may stand in the middle."""
    script = (
        "   - Ann picks Breathe\n   - expect Tension is 1 and Ann's Adventure is 1\n"
        + TEST
        + "   - expect Ann's Adventure is 1\n   - Ann shows 6, 1\n   - expect Ann's Adventure is 1\n"
    )
    assert (
        said(RULES + HEAD.replace("Adventure 1", "Adventure 3 and Big") + script + BLOW + "   - the gm picks Rest\n   - expect Tension is 2\n") == []
    )


def test_a_stretch_of_time_goes_on_until_it_is_done_again() -> None:
    rules = """## procedure: Evening
## procedure: Night
- Part Of: Evening
## feature: Big
- Roar: once per Evening: the owner may: the gm gains 1 Tension
- Snore: once per Night: the owner may: the gm gains 1 Tension
"""
    once = "   - Ann picks Roar; Ann picks Snore\n   - expect Roar is not offered and Snore is not offered\n"
    night = "   - do Night\n   - expect Roar is not offered and Snore is offered\n"
    evening = "   - do Evening\n   - expect Roar is offered and Snore is offered\n   - expect Tension is 2\n"
    assert said(rules + HEAD.replace("Adventure 1", "Big") + "   - do Evening\n   - do Night\n" + once + night + evening) == []


# ---------------------------------------------------------------- cues

SPAN = Span("page.te", 1, 1, 1)


def cues(*what: str | int, verb: str = "picks") -> Cues:
    from te_forge.engine.index import Rules

    return Cues(Rules(small("")), [Cue("Ann", verb, one, SPAN) for one in what])


@pytest.mark.parametrize(
    ("effect", "what", "answer"),
    [
        (Offer("Ann", ("Rest", "Pause")), ["Rest"], True),
        (Offer("Ann", ("Rest", "Pause")), ["No"], False),
        (Offer("Ann", ("Rest", "Pause")), ["Run"], False),
        (Choose("Ann", "way", ("Bold", "Wary", None), ("Bold", "Wary", "nothing")), ["Wary"], "Wary"),
        (Choose("Ann", "way", ("Bold", "Wary", None), ("Bold", "Wary", "nothing")), ["nothing"], None),
        (Number("Ann", "extra", 0, 3), [2], 2),
        (Keep("Ann", "keeps", ((6, 6), (5, 6), (5, 6)), 2, 2), [5, 5], ((5, 6), (5, 6))),
        (Keep("Ann", "rerolls", ((6, 6), (5, 6)), 0, 2), ["nothing"], ()),
        (Share("Ann", 2, True, ("A", "B"), (2, 1)), [1, 1], (1, 1)),
        (Several("Ann", "any", ("A", "B", "C")), ["C", "A"], ("A", "C")),
        (Several("Ann", "any", ("A", "B", "C")), ["nothing"], ()),
    ],
)
def test_a_cue_answers(effect: object, what: list[str | int], answer: object) -> None:
    assert cues(*what).answer(effect) == answer


@pytest.mark.parametrize(
    ("effect", "what"),
    [
        (Choose("Ann", "way", ("Bold", "Wary"), ("Bold", "Wary")), ["Rest"]),
        (Number("Ann", "extra", 0, 3), [4]),
        (Keep("Ann", "keeps", ((6, 6), (5, 6), (5, 6)), 2, 2), [6, 6]),
        (Share("Ann", 2, True, ("A", "B"), (2, 1)), [0, 2]),
        (Share("Ann", 2, True, ("A", "B"), (2, 1)), [1]),
        (Number("Ben", "extra", 0, 3), [1]),
    ],
)
def test_a_cue_that_does_not_answer_is_left(effect: object, what: list[str | int]) -> None:
    made = cues(*what)
    with pytest.raises(Unanswered):
        made.answer(effect)
    assert [one.what for one in made.left] == what


def test_dice_explode_and_cards_are_drawn() -> None:
    assert cues(6, 2, 6, 3, verb="shows").answer(Roll("Ann", ((2, 6, (6,)),))) == ((6, 6), (6, 6), (3, 6), (2, 6))
    assert cues("Queen", verb="shows").answer(Draw("Ann", "deck", ("King", "Queen"))) == ("Queen",)
    assert cues("Queen", "King", verb="shows").answer(Draw("Ann", "deck", ("King", "Queen", "Queen"), 2)) == ("King", "Queen")
    with pytest.raises(Unanswered):
        cues("Queen", "Queen", verb="shows").answer(Draw("Ann", "deck", ("King", "Queen"), 2))
    with pytest.raises(Unanswered):
        cues(6, 2, verb="shows").answer(Roll("Ann", ((2, 6, (6,)),)))


# ---------------------------------------------------------------- command, book, pytest


def te_forge(*words: str) -> Result:
    result = CliRunner().invoke(cli, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack with a right and a wrong example, seen from the folder that it lies in."""
    monkeypatch.chdir(tmp_path)
    rules = tmp_path / "small" / "rules"
    rules.mkdir(parents=True)
    (tmp_path / "small/pack.yaml").write_text("id: small\ntitle: A Small Game\nversion: 1.0.0\n", encoding="utf-8")
    (rules / "01-game.te").write_text(PRELUDE.text, encoding="utf-8")
    (rules / "02-examples.te").write_text(
        "# Examples\n\n"
        + RULES
        + HEAD.replace("Wrong", "Right")
        + BLOW
        + "   - expect Ann's Health is 2\n\n"
        + HEAD
        + BLOW
        + "   - expect Ann's Health is 1\n",
        encoding="utf-8",
    )
    return tmp_path / "small"


def test_the_command_prints_a_line_for_each_and_the_place_of_what_is_wrong(pack: Path) -> None:
    result = te_forge("test", "small")
    assert result.exit_code == 1
    assert "ok     Right\nwrong  Wrong\n" in result.output
    assert (
        "error[example-differs]: expected that Ann's Health is 1; by the rules Ann's Health is 2\n  --> small/rules/02-examples.te:26:6\n  26 |    - expect Ann's Health is 1\n"
        in result.output
    )
    assert result.output.endswith("2 examples: 1 comes out, 1 does not\n")


def test_the_command_takes_a_name(pack: Path) -> None:
    assert te_forge("test", "small", "-k", "righ").stdout == "ok     Right\n1 example: 1 comes out\n"
    nobody = te_forge("test", "small", "-k", "nobody")
    assert (nobody.exit_code, nobody.stdout.splitlines()[0]) == (1, "no example contains `nobody`")
    assert te_forge("test", "no-such-pack").exit_code == 2


def test_coverage_lists_what_no_example_has_run(pack: Path) -> None:
    text = te_forge("test", "small", "--coverage").output
    assert "  procedure  Test  (small/rules/01-game.te:" in text and "  line       Still of Lame  (small/rules/02-examples.te:" in text
    assert "procedure  Damage" not in text


def test_a_ruling_is_turned_in_one_word() -> None:
    assert te_forge("test", "srd-core", "-k", "nobody wins", "--ruling", "environment-tie=as-written").exit_code == 0
    turned = te_forge("test", "srd-core", "-k", "nobody wins", "--ruling", "environment-tie=the-world-holds")
    assert turned.exit_code == 1 and "by the rules the result is Failure" in turned.output


@pytest.mark.parametrize(
    ("ruling", "says"),
    [
        ("environment-ties=the-world-holds", "there is no ruling called `environment-ties`; did you mean `Environment Tie`?"),
        (
            "environment-tie=the-moon",
            "there is no reading of Environment Tie called `the-moon`; there is the-character-holds, the-world-holds, as-written",
        ),
        (
            "environment-tie",
            "say how to read it: --ruling environment-tie=READING, where READING is one of the-world-holds, the-character-holds, as-written",
        ),
    ],
)
def test_a_ruling_that_cannot_be_turned(ruling: str, says: str) -> None:
    result = te_forge("test", "srd-core", "--ruling", ruling)
    assert result.exit_code == 2 and says in " ".join(result.output.split())


def test_the_book_tells_what_happened_and_a_wrong_example_stops_it(pack: Path) -> None:
    assert te_forge("check", "small").exit_code == 0
    wrong = te_forge("build", "small", "-o", "book")
    assert wrong.exit_code == 1 and "error[example-differs]" in wrong.output and not Path("book").exists()
    page = pack / "rules/02-examples.te"
    page.write_text(page.read_text(encoding="utf-8").replace("Health is 1", "Health is 2"), encoding="utf-8")
    assert te_forge("build", "small", "-o", "book").exit_code == 0
    assert re.search(r'<p class="played">.*What happens.*Ann loses 1 Health \(now 2\)\.', Path("book/examples.html").read_text(encoding="utf-8"))


def pytest_run(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", "pytest", "-p", "te_forge.testing", "-p", "no:cacheprovider", "-q", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=with_path()).stdout


def with_path() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": str(HERE.parent)}


def test_pytest_plays_the_examples_when_asked(pack: Path) -> None:
    asked = pytest_run(pack.parent, "--te-forge", "small")
    assert "1 failed, 1 passed" in asked
    assert "error[example-differs]: expected that Ann's Health is 1; by the rules Ann's Health is 2" in asked and "^^^^" in asked
    assert "no tests ran" in pytest_run(pack.parent)
    (pack.parent / "pytest.ini").write_text("[pytest]\nte_forge_packs = small\n", encoding="utf-8")
    assert "1 failed, 1 passed" in pytest_run(pack.parent)
    assert "1 passed" in pytest_run(pack.parent, "-k", "right")


def test_pytest_says_what_is_wrong_with_a_pack(pack: Path) -> None:
    (pack / "rules/03-broken.te").write_text(
        "# More\n\n## feature: Odd\n- Odd: after gain of Nothingness: the gm gains 1 Tension\n", encoding="utf-8"
    )
    assert "error[unknown-name]" in pytest_run(pack.parent, "--te-forge", "small")


def test_without_a_pack_the_plug_in_loads_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_light.py").write_text(
        "import sys\n\ndef test_light():\n    assert not [name for name in sys.modules if name.startswith('te_forge.') and name != 'te_forge.testing']\n",
        encoding="utf-8",
    )
    assert "1 passed" in pytest_run(tmp_path)


def test_an_example_is_played_at_most_once_for_each_set_of_hacks() -> None:
    """Rules are made once for each set of hacks, not for each example."""
    table, found = outcomes()
    assert len(table.made) < len(found) / 2


def test_the_notes_of_an_example_belong_to_its_steps() -> None:
    table, found = outcomes()
    example = found["Ten, Twenty"].example
    played = play_example(table.rules(table.on(example)), example)  # type: ignore[arg-type]
    assert len(played.steps) == len(example.steps) and all(played.steps)


# ---------------------------------------------------------------- the page about examples

PAGE = (HERE.parent / "site/docs/examples.md").read_text(encoding="utf-8")


def documented() -> str:
    found = re.search(r"<!-- run -->\n```te\n(.*?)^```$", PAGE, re.M | re.S)
    assert found
    return found[1]


def bridges(folder: Path, text: str) -> Result:
    (folder / "my-game/rules").mkdir(parents=True)
    (folder / "my-game/pack.yaml").write_text("id: my-game\ntitle: My Game\nversion: 1.0.0\n", encoding="utf-8")
    (folder / "my-game/rules/01-bridges.te").write_text(text, encoding="utf-8")
    return te_forge("test", "my-game")


def test_the_example_of_the_page_comes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    output = bridges(tmp_path, documented()).stdout
    assert f"$ te-forge test my-game\n{output}```" in PAGE


def test_the_wrong_one_of_the_page_is_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    output = bridges(tmp_path, documented().replace("Ann's Coins is 2", "Ann's Coins is 3")).stdout
    assert output.rpartition("\n\n")[0] + "\n```" in PAGE


# ---------------------------------------------------------------- packs that build on others


@pytest.fixture
def derived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game on top of the SRD that has a hack on and reads a ruling in another way."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine/rules").mkdir(parents=True)
    head = 'id: mine\ntitle: Mine\nversion: 1.0.0\nlicense: CC BY 4.0\nrequires:\n  srd-core: ">=1,<2"\nhacks:\n  - Bonus Points\nrulings:\n  environment-tie: the-world-holds\n'
    core = (ROOT / "systems/srd-core/pack.yaml").read_text(encoding="utf-8")
    owed = core[core.index("sources:") : core.index("    changes:")]
    (tmp_path / "mine/pack.yaml").write_text(head + owed, encoding="utf-8")
    draw = "   - do Environment Conflict with Ann as the actor as the result\n   - the gm shows 4, 3\n   - Ann picks Vigor, Athletics; Ann shows 4, 3, 3; Ann picks 0; Ann picks 4, 3\n"
    examples = (
        "# Mine\n\n## example: Ours\n- Ann: a Warrior with Vigor 2 and Athletics 1\n\n1. Equal.\n"
        + draw
        + "   - expect the result is Failure\n   - the gm picks Point\n   - expect Ann's Adventure is 2\n\n"
        + "## example: Theirs\n- With: The Character Holds\n- Ann: a Warrior with Vigor 2 and Athletics 1\n\n1. Equal.\n"
        + draw
        + "   - expect the result is Success\n"
    )
    (tmp_path / "mine/rules/01-mine.te").write_text(examples, encoding="utf-8")
    return tmp_path / "mine"


def test_what_a_pack_has_on_is_on_in_its_examples(derived: Path) -> None:
    """Its hacks and readings are on; an example's own reading counts for that example; the examples of the SRD are not its own."""
    result = te_forge("test", "mine")
    assert result.stdout == "ok     Ours\nok     Theirs\n2 examples: 2 come out\n"
    assert te_forge("test", "mine", "--ruling", "environment-tie=as-written").stdout.startswith("On: Bonus Points\nwrong  Ours\n")
    assert te_forge("test", "mine", "--ruling", "environment-tie=the-character-holds").stdout.startswith(
        "On: Bonus Points, Environment Tie: The Character Holds\nwrong  Ours\n"
    )


def test_a_book_on_top_of_another_tells_what_still_holds(derived: Path) -> None:
    built = te_forge("build", "mine", "-o", "book")
    assert built.exit_code == 0, built.output
    pages = "".join(path.read_text(encoding="utf-8") for path in Path("book").glob("*.html"))
    assert pages.count('class="played"') > 100
    assert not re.search(r'<section class="entry example">(?:(?!</section>).)*Nobody Wins a Draw', pages, re.S)
    assert re.search(r"\d+ examples? of theirs, which would come out otherwise", pages)


def test_hacks_of_an_example_that_do_not_go_together_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, derived: Path) -> None:
    page = derived / "rules/01-mine.te"
    page.write_text(page.read_text(encoding="utf-8").replace("- With: The Character Holds", "- With: Party Skill"), encoding="utf-8")
    result = te_forge("test", "mine")
    assert result.exit_code == 1 and "ok     Ours\nwrong  Theirs\n\nerror[missing-hack]" in result.output


def test_the_rules_of_a_table(derived: Path) -> None:
    system = load("mine").system
    assert system is not None
    tie = at_this_table(sat_down(system, Tried(rulings=("environment-tie=the-character-holds",)))).entries["srd-core:procedure/environment-conflict"]
    assert "the lead is 0" in str([line.words for line in tie.steps[-1].lines])
    with pytest.raises(click.UsageError, match="do not go together"):
        sat_down(system, Tried(rulings=("environment-tie=the-character-holds", "environment-tie=the-world-holds")))


@pytest.mark.parametrize("shipped", ["srd-core", "party-first", "night-ferry", "tension-tests", "tension-board", "tenebrous", "vdp"])
def test_the_examples_of_a_shipped_pack_run_all_of_it(shipped: str) -> None:
    result = te_forge("test", shipped, "--coverage")
    assert result.exit_code == 0 and result.output.endswith("every definition has been run by an example\n"), result.output[-500:]
