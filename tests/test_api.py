"""The public names of te_forge: which there are, what they say of themselves, what they do, and that what goes wrong is an exception with
diagnostics.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import te_forge
import te_forge.installed
import te_forge.packs
from te_forge.api import entry, errors, game, results

ROOT = Path(__file__).parents[1]
PUBLIC = [
    "Character", "Diagnostic", "Difference", "Entry", "Export", "Game", "Installed", "Odds", "PackError", "Refused", "Rolled", "Row", "Step", "discover", "load", "verify",
]  # fmt: skip
GIVEN = {"actor": "Ann", "Tension": 2, "attribute": "Vigor", "skill": "Athletics"}
ANN = ["Ann: a Warrior with Vigor 3"]


@cache
def srd() -> te_forge.Game:
    return te_forge.load("srd-core")


# ---------------------------------------------------------------- the names


def test_the_public_names() -> None:
    """A name more is a promise more; one less breaks somebody's program."""
    assert te_forge.__all__ == PUBLIC
    assert set(PUBLIC) <= set(dir(te_forge))
    for name in PUBLIC:
        assert getattr(te_forge, name).__name__ == name


def test_each_name_stands_on_the_page() -> None:
    page = (ROOT / "site/docs/python.md").read_text(encoding="utf-8")
    assert [name for name in PUBLIC if f"`{name}" not in page] == []
    members = [name for name in dir(te_forge.Game) if not name.startswith("_")] + [name for name in dir(te_forge.Entry) if not name.startswith("_")]
    assert [name for name in members if not re.search(rf"[`.]{name}\b", page)] == []


def members() -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for kind in (
        entry.Entry,
        entry.Row,
        game.Game,
        *(one for one in vars(results).values() if inspect.isclass(one) and one.__module__ == results.__name__),
        errors.PackError,
        errors.Refused,
    ):
        found.append((kind.__name__, kind))
        found += [
            (f"{kind.__name__}.{name}", one)
            for name, one in vars(kind).items()
            if not name.startswith("_") and (callable(one) or hasattr(one, "fget") or hasattr(one, "attrname"))
        ]
    return [*found, *((name, getattr(te_forge, name)) for name in ("load", "discover", "verify"))]


@pytest.mark.parametrize(("name", "one"), members(), ids=[name for name, _ in members()])
def test_each_says_what_it_is_and_has_types(name: str, one: object) -> None:
    assert len(inspect.getdoc(one) or "") > 15, name
    function = getattr(one, "fget", None) or getattr(one, "func", None) or one
    if inspect.isfunction(function):
        arguments = [key for key in inspect.signature(function).parameters if key != "self"]
        assert set(arguments) <= set(function.__annotations__), name
        assert "return" in function.__annotations__, name
    if inspect.isclass(one) and hasattr(one, "__dataclass_fields__"):
        assert get_type_hints(one)


def test_importing_it_costs_nothing() -> None:
    script = "import sys, te_forge; te_forge.load; print(*sys.modules)"
    loaded = set(subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split())
    assert loaded & {"lark", "pydantic", "yaml", "jinja2", "mkdocs", "click", "te_forge.check", "te_forge.engine"} == set()


def test_a_name_that_there_is_not() -> None:
    with pytest.raises(AttributeError, match="te_forge has no `lode`; what it offers is"):
        te_forge.lode  # noqa: B018


# ---------------------------------------------------------------- loading


def test_three_lines_from_source_and_from_one_file(tmp_path: Path) -> None:
    path = tmp_path / "srd.tepack.json"
    raw = srd().compile(path)
    again = te_forge.load(path)
    assert path.read_bytes() == raw == again.compile()
    assert list(again) == list(srd())
    assert json.loads(raw)["pack"]["id"] == again.id == "srd-core"
    assert (again.title, again.version, again.packs) == (srd().title, "1.0.0", ("srd-core",))


def test_a_game_says_what_is_owed() -> None:
    assert any("CC BY 4.0" in notice for notice in srd().attribution)
    assert (
        te_forge.load("party-first").on == ("Morale", "Party Skill", "Status Effects", "Time Tables", "The Old Road")
        or te_forge.load("party-first").on
    )


def test_what_is_wrong_is_an_exception_with_diagnostics(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "pack.yaml").write_text("id: it\ntitle: It\nversion: 1.0.0\n", encoding="utf-8")
    (tmp_path / "rules/01.te").write_text("# It\n\n## hero: Ann\nSomebody.\n", encoding="utf-8")
    with pytest.raises(te_forge.PackError) as caught:
        te_forge.load(tmp_path)
    (found,) = [one for one in caught.value.diagnostics if one.severity == "error"]
    assert found.code == "unknown-kind"
    assert (found.span.line, found.span.column) == (3, 4)
    assert str(found.span) in str(caught.value)
    assert found.message in str(caught.value)


@pytest.mark.parametrize("name", ["no-such-pack-at-all", "nowhere.tepack.json", ""])
def test_no_pack(name: str) -> None:
    with pytest.raises(te_forge.PackError) as caught:
        te_forge.load(name)
    assert [one.code for one in caught.value.diagnostics] == ["no-such-pack"]


def test_discover_reads_entry_points_and_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = tmp_path / "te_pack_small"
    (pack / "rules").mkdir(parents=True)
    (pack / "__init__.py").write_text("raise SystemExit('this must never run')\n", encoding="utf-8")
    (pack / "pack.yaml").write_text("id: small-one\ntitle: Small\nversion: 1.0.0\n", encoding="utf-8")
    (pack / "rules/01.te").write_text("# Small\n\n## kind: hero\nSomebody.\n- Is: an actor\n", encoding="utf-8")
    info = tmp_path / "te_pack_small-1.0.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: te-pack-small\nVersion: 1.0.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[te_forge.packs]\nsmall-one = te_pack_small\nlost-one = te_pack_lost\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    te_forge.installed.packages.cache_clear()
    try:
        found = {one.id: one for one in te_forge.discover()}
        assert found["srd-core"].source == "shipped"
        assert found["small-one"].source == "te-pack-small 1.0.0"
        assert found["small-one"].trouble == ""
        assert "install it anew" in found["lost-one"].trouble
        assert te_forge.load("small-one").title == "Small"
        assert "te_pack_small" not in sys.modules
    finally:
        te_forge.installed.packages.cache_clear()


# ---------------------------------------------------------------- looking


def test_entries() -> None:
    golem = srd()["Callous Golem"]
    assert (golem.kind, golem.id, golem.pack) == ("adversary", "srd-core:adversary/callous-golem", "srd-core")
    assert golem.fields["Power"] == "3"
    assert golem.number("power") == 3
    assert golem.number("Size") is None
    assert golem == srd()["adversary/callous-golem"] == srd()[golem.id]
    assert golem in srd().find("golem")
    assert srd()["Forbidden Ritual"].owner == srd()["class/wizard"]
    assert srd()["Forbidden Ritual"] in srd()["class/wizard"].parts
    assert srd()["Environment Conflict"].steps[0] == "Declare"
    assert any(line.startswith("Shell: before Damage") for line in srd()["Armored"].rules)
    table = next(one for one in srd() if one.kind == "table")
    assert (table.die, table.rows[0].low, table.rows[-1].high) == ("d6", 1, 6)
    assert [sum(row.covers(face) for row in table.rows) for face in range(8)] == [0, 1, 1, 1, 1, 1, 1, 0]
    assert golem.die == ""
    assert {"skill", "table"} <= set(srd().kinds)


@pytest.mark.parametrize(
    ("what", "there"),
    [("Vigor", True), ("vigor", True), ("skill/athletics", True), ("srd-core:skill/athletics", True), ("Vigour", False), ("", False), (7, False)],
)
def test_in_says_what_brackets_give(what: object, there: bool) -> None:
    assert (what in srd()) is there


def test_an_entry_is_in_its_game() -> None:
    assert srd()["Vigor"] in srd()
    assert srd()["Vigor"] not in te_forge.load("vdp")


def test_one_name_by_itself_is_one_name() -> None:
    assert srd().compose("Keep For Points").on == te_forge.load("srd-core", hacks="Keep For Points").on == ("Keep For Points",)
    assert srd().roll("Environment Conflict", GIVEN, who=ANN[0], seed=1) == srd().roll("Environment Conflict", GIVEN, who=ANN, seed=1)


def test_find_puts_the_name_itself_first() -> None:
    assert srd().find("vigor")[0].name == "Vigor"
    assert all(one.kind == "skill" for one in srd().find(kind="skill"))
    assert srd().find("nothing of the kind at all") == []


def test_explain_and_diff() -> None:
    hacked = srd().compose(["Keep For Points"])
    assert hacked.on == ("Keep For Points",)
    assert srd().on == ()
    steps = hacked.explain("Tension From Ones.Ones")
    assert [step.by for step in steps] == ["srd-core:rule/tension-from-ones", "srd-core:hack/keep-for-points"]
    assert steps[-1].place.line > 0
    changed = {one.name for one in srd().diff(hacked)}
    assert {"Keep For Points", "Tension From Ones"} <= changed
    assert srd().diff(srd()) == []


def test_compose_with_a_lock(tmp_path: Path) -> None:
    lock = tmp_path / "pack.lock"
    lock.write_text("{}", encoding="utf-8")
    with pytest.raises(te_forge.PackError) as caught:
        srd().compose(lock=lock)
    assert [one.code for one in caught.value.diagnostics] == ["bad-lock"]


def test_hacks_that_do_not_go_together() -> None:
    with pytest.raises(te_forge.PackError) as caught:
        srd().compose(["Party Skill", "Keep For Points"], without=[]).compose(["No Such Thing"] * 0)
    assert caught.value.diagnostics


# ---------------------------------------------------------------- playing


def test_a_roll_with_given_dice() -> None:
    done = srd().roll("Environment Conflict", GIVEN, who=ANN, dice=[[2, 1], [5, 3, 2, 2]], seed=1)
    assert done.outcome == "Success"
    assert done.dice == (((2, 6), (1, 6)), ((5, 6), (3, 6), (2, 6), (2, 6)))
    assert done.numbers["Ann's total"] == 8
    assert ("Ann", "Vigor", "") in [(who, srd().system.entries[str(what)].name if ":" in str(what) else what, by) for who, what, by in done.choices]
    assert any("The gm rolls 2 dice" in line for line in done.lines)
    assert srd().roll("Environment Conflict", GIVEN, who=ANN, dice=[[2, 1], [5, 3, 2, 2]], seed=1) == done


def test_a_roll_by_a_seed_and_a_policy() -> None:
    one, other = (srd().roll("Environment Conflict", {"actor": "Ann", "Tension": 2}, who=ANN, seed=7, policy="random") for _ in range(2))
    assert one == other
    assert srd().roll("Environment Conflict", GIVEN, who=ANN).seed


def test_odds_are_exact() -> None:
    odds = srd().odds("Environment Conflict", GIVEN, who=ANN)
    assert sum(odds.outcomes.values()) + odds.missing == 1
    assert list(odds.outcomes) == [one for one in srd()["Environment Conflict"].fields["Outcomes"].split(", ") if one in odds.outcomes]
    assert odds.outcomes["Success"] == Fraction(33793, 46656)
    assert odds.mean("gm's total") is None or odds.mean("the gm's total") == 7 if "gm's total" in odds.numbers else odds.mean("the gm's total") == 7
    best = srd().odds("Environment Conflict", GIVEN, who=ANN, best="Success")
    assert best.best is not None
    assert best.best >= odds.outcomes["Success"]


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: srd()["Athletic"], "did you mean `Athletics`"),
    (lambda: srd()["skill/atletics"], "^no skill is called `atletics`; did you mean `skill/athletics`"),
    (lambda: srd()["skill/zz"], "^no skill is called `zz`; there are skill/aim, "),
    (lambda: srd().find("luck", kind="skil"), "^there is no kind `skil` in .*; did you mean `skill`"),
    (lambda: srd().find(pack="srd"), "^there is no pack `srd` in .*; there are srd-core"),
    (lambda: srd().compose("Nothing"), "^there is no hack called `Nothing`"),
    (lambda: te_forge.load("srd-core", without="Nothing"), "`Nothing`"),
    (lambda: srd().roll("Environment Conflict", GIVEN), r'say who that is with who=\["Ann: a character"\]'),
    (lambda: srd().roll("Environment Conflict", GIVEN, who=ANN, dice=[2, 1]), r"write dice=\[\[2, 1\]\]"),  # type: ignore[list-item]
    (lambda: srd().explain("Vigor.Start"), "no field, step, line or row"),
    (lambda: srd().compose(["Nothing"]), "^there is no hack called `Nothing`"),
    (lambda: te_forge.load("srd-core", hacks=["Nothing"]), "^there is no hack called `Nothing`"),
    (lambda: srd().compose(rulings={"Nothing": "x"}), "Nothing"),
    (lambda: srd().roll("Nothing"), "no procedure is called `Nothing`"),
    (lambda: srd().roll("Environment Conflict"), "needs a character as the actor"),
    (lambda: srd().roll("Environment Conflict", GIVEN, who=["Ann: a Warior"]), "Warior"),
    (lambda: srd().roll("Environment Conflict", {**GIVEN, "colour": "red"}, who=ANN), "colour"),
    (lambda: srd().roll("Environment Conflict", GIVEN, who=ANN, dice=[[7, 1]]), "the gm rolls: it is 2 d6"),
    (lambda: srd().roll("Environment Conflict", GIVEN, who=ANN, dice=[[]]), "no dice"),
    (lambda: srd().roll("Environment Conflict", GIVEN, who=ANN, dice=[[2, 1], [5, 3, 2, 2], [1]]), "1 of the given rolls"),
    (lambda: srd().roll("Environment Conflict", GIVEN, who=ANN, policy="clever"), "clever"),
    (lambda: srd().odds("Environment Conflict", GIVEN, who=ANN, policy="clever"), "clever"),
    (lambda: srd().odds("Environment Conflict", GIVEN, who=ANN, best="glory"), "glory"),
    (lambda: srd().character(""), "a name is needed"),
    (lambda: srd().character("Ann", kind="adversary"), "adversary"),
    (lambda: srd().compile("it.json"), "ends in .tepack.json"),
    (lambda: srd().export("paper", "out"), "there is no exporter `paper`"),
    (lambda: te_forge.verify(ROOT / "site"), "no export that is known"),
    (lambda: te_forge.load("srd-core", hacks=3), "hacks must be a list of texts, and 3 is none"),  # type: ignore[arg-type]
    (lambda: te_forge.load("srd-core", hacks=[3]), "each of hacks must be text"),  # type: ignore[list-item]
    (lambda: te_forge.load("srd-core", rulings=["a"]), "rulings must be a mapping"),  # type: ignore[arg-type]
    (lambda: te_forge.load(None), "a pack must be a path"),  # type: ignore[arg-type]
    (lambda: srd().compose(without=b"Morale"), "without must be a list"),  # type: ignore[arg-type]
    (lambda: srd().compose(lock=3), "lock must be a path"),  # type: ignore[arg-type]
    (lambda: srd()[3], "a name must be text, and 3 is none"),  # type: ignore[index]
    (lambda: srd().explain(None), "what is explained must be text"),  # type: ignore[arg-type]
    (lambda: srd().find(3), "what is looked for must be text"),  # type: ignore[arg-type]
    (lambda: srd().diff("srd-core"), "'srd-core' is none; `te_forge.load`"),  # type: ignore[arg-type]
    (lambda: srd().roll(None), "a procedure must be text"),  # type: ignore[arg-type]
    (lambda: srd().roll("Environment Conflict", "actor=Ann", who=ANN), "given must be a mapping"),  # type: ignore[arg-type]
    (lambda: srd().roll("Environment Conflict", {**GIVEN, "Ann.Vigor": 10**5000}, who=ANN), "too many digits"),
    (lambda: srd().roll("Environment Conflict", {**GIVEN, "attribute": ["Vigor"]}, who=ANN), "must be text or a whole number"),
    (lambda: srd().roll("Environment Conflict", GIVEN, who=None), "who must be a list of texts"),  # type: ignore[arg-type]
    (lambda: srd().roll("Environment Conflict", GIVEN, who=ANN, dice=[5, 3]), "list of faces for each roll"),  # type: ignore[list-item]
    (lambda: srd().roll("Environment Conflict", GIVEN, who=ANN, dice=[[5.0, 3.0]]), "a list of faces for each roll"),  # type: ignore[list-item]
    (lambda: srd().roll("Environment Conflict", GIVEN, who=ANN, dice="53"), "a list of faces for each roll"),
    (lambda: srd().roll("Environment Conflict", GIVEN, who=ANN, seed="\udcff"), "'seed' cannot be written"),
    (lambda: srd().roll("Environment Conflict", GIVEN, who=ANN, policy=3), "policy must be text"),  # type: ignore[arg-type]
    (lambda: srd().odds("Environment Conflict", GIVEN, who=ANN, best=3), "best must be text"),  # type: ignore[arg-type]
    (lambda: srd().character(3), "a name must be text"),  # type: ignore[arg-type]
    (lambda: srd().compile("a\0.tepack.json"), "the file must be a path"),
    (lambda: srd().export("csv", "a\0b"), "the folder must be a path"),
    (lambda: srd().export("foundry", "out", core=[13]), "must be text or a whole number"),  # type: ignore[arg-type]
    (lambda: te_forge.verify(None), "the folder of an export must be a path"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("ask", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_makes_no_sense_is_refused_in_words(ask: Callable[[], object], words: str) -> None:
    with pytest.raises(te_forge.Refused, match=words):
        ask()


NAMES = [
    "srd-core",
    "Vigor",
    "Environment Conflict",
    "Ann",
    ANN[0],
    "Keep For Points",
    "Success",
    "total >= 9",
    "random",
    "csv",
    "adversary",
    "skill/aim",
    "Vigor.Starts",
    "#",
    "--who",
    "actor=Ann",
]


class Mute:
    """A thing that fails to say what it is."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


def junk() -> st.SearchStrategy[Any]:
    plain = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.binary(max_size=3)
        | st.text(st.characters(blacklist_characters="/\\"), max_size=6)
        | st.sampled_from(NAMES)
    )
    odd = st.sampled_from(["a" * 5000, "\ud800", "\0", "\u202e", Mute, 1j, Fraction(1, 2), ..., b"\xff", [[1] * 9999], Path("nowhere")])
    return st.recursive(
        plain | odd,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | st.sampled_from(NAMES), inner, max_size=3) | st.tuples(inner)
        ),
        max_leaves=5,
    )


@cache
def somebody() -> te_forge.Character:
    return srd().character("Ann", seed=1)


PROCEDURE = "Environment Conflict"
CALLS: dict[str, Callable[[Any], object]] = {
    "load": lambda it: te_forge.load(it),
    "load with hacks": lambda it: te_forge.load("tension-tests", hacks=it),
    "load with rulings": lambda it: te_forge.load("tension-tests", rulings=it),
    "load without": lambda it: te_forge.load("tension-tests", without=it),
    "verify": te_forge.verify,
    "verify as": lambda it: te_forge.verify(".", it),
    "brackets": lambda it: srd()[it],
    "in": lambda it: it in srd(),
    "find": lambda it: srd().find(it),
    "find of a kind": lambda it: srd().find(kind=it),
    "find of a pack": lambda it: srd().find(pack=it),
    "explain": lambda it: srd().explain(it),
    "diff": lambda it: srd().diff(it),
    "compose": lambda it: srd().compose(it),
    "compose without": lambda it: srd().compose(without=it),
    "compose with rulings": lambda it: srd().compose(rulings=it),
    "compose with a lock": lambda it: srd().compose(lock=it if it is not None else 0),
    "compile": lambda it: srd().compile(it if it is not None else 0),
    "export": lambda it: srd().export(it, "out"),
    "export to": lambda it: srd().export("csv", it if not isinstance(it, str) else "a\0"),
    "export with": lambda it: srd().export("foundry", "foundry", core=it),
    "roll": lambda it: srd().roll(it),
    "roll given": lambda it: srd().roll(PROCEDURE, it if it is not None else 0, who=ANN),
    "roll with a number": lambda it: srd().roll(PROCEDURE, {**GIVEN, "Tension": it}, who=ANN),
    "roll with an answer": lambda it: srd().roll(PROCEDURE, {**GIVEN, "attribute": it}, who=ANN),
    "roll of": lambda it: srd().roll(PROCEDURE, {**GIVEN, "actor": it}, who=ANN),
    "roll who": lambda it: srd().roll(PROCEDURE, GIVEN, who=it),
    "roll dice": lambda it: srd().roll(PROCEDURE, GIVEN, who=ANN, dice=it),
    "roll by a seed": lambda it: srd().roll(PROCEDURE, GIVEN, who=ANN, seed=it),
    "roll by a policy": lambda it: srd().roll(PROCEDURE, GIVEN, who=ANN, policy=it),
    "odds": lambda it: srd().odds(it),
    "odds who": lambda it: srd().odds(PROCEDURE, {**GIVEN, "Tension": 99}, who=it),
    "odds best": lambda it: srd().odds(PROCEDURE, {**GIVEN, "Tension": 99}, who=ANN, best=it),
    "character": lambda it: srd().character(it),
    "character of a kind": lambda it: srd().character("Ann", kind=it),
    "character by a policy": lambda it: srd().character("Ann", policy=it),
    "character by a seed": lambda it: srd().character("Ann", seed=it),
    "read_character": lambda it: srd().read_character(it),
    "check_character": lambda it: srd().check_character(it),
    "character_file": lambda it: srd().character_file(it),
    **{f"a character's {name}": lambda it, name=name: srd().check_character(replace(somebody(), **{name: it})) for name in ("name", "kind", "numbers", "bounds", "traits", "now", "making", "hacks")},
    "mean": lambda it: te_forge.Odds("x:procedure/y", {}, {"total": {1: Fraction(1)}}).mean(it),
    "number": lambda it: srd()["Callous Golem"].number(it),
    "Game": te_forge.Game,
    "Entry": lambda it: te_forge.Entry(it, srd().system),
}  # fmt: skip


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("elsewhere"))
    yield
    os.chdir(before)


@pytest.mark.usefixtures("elsewhere")
@settings(max_examples=300, deadline=None)
@given(name=st.sampled_from(sorted(CALLS)), it=junk())
@example(name="character by a seed", it=-1)
@example(name="mean", it="totl")
def test_whatever_is_given_is_taken_or_refused(name: str, it: Any) -> None:
    """Also what is of no type that makes sense: never something from deep inside, and no message that is longer than a chat takes."""
    taken_or_refused(name, it)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("name", CALLS)
def test_what_cannot_even_be_shown_is_refused(name: str) -> None:
    for it in (10**5000, [[10**5000]], Mute(), {"Ann": Mute()}):
        taken_or_refused(name, it)


def taken_or_refused(name: str, it: Any) -> None:
    try:
        CALLS[name](it)
    except (te_forge.Refused, te_forge.PackError) as reason:
        assert 0 < len(str(reason)) < 6000
        assert "--" not in str(reason) or "--" in repr(it) or isinstance(reason, te_forge.PackError)
    except OSError as reason:
        assert name in ("compile", "export", "export to", "verify"), reason


def test_a_character_of_another_game_is_refused() -> None:
    vdp = te_forge.load("vdp")
    for ask in (vdp.check_character, vdp.character_file):
        with pytest.raises(te_forge.Refused, match="Ann is of srd-core"):
            ask(somebody())


def test_a_roll_that_was_stopped_says_why() -> None:
    with pytest.raises(te_forge.Refused, match="100000000 dice at once are too many"):
        srd().roll(PROCEDURE, {**GIVEN, "Tension": 10**8}, who=ANN)


def test_no_folder_is_searched_to_its_ground_before_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        (tmp_path / f"{number}/deep").mkdir(parents=True)
        (tmp_path / f"{number}/deep/file").touch()
    seen: list[str] = []
    walk = os.walk
    monkeypatch.setattr(os, "walk", lambda *words, **more: (seen.append(one[0]) or one for one in walk(*words, **more)))
    with pytest.raises(te_forge.Refused, match="holds 0/deep/file"):
        srd().export("csv", tmp_path)
    assert len(seen) < 10


# ---------------------------------------------------------------- characters, exports


def test_characters(tmp_path: Path) -> None:
    ann = srd().character("Ann", seed=3)
    assert ann == srd().character("Ann", seed=3)
    assert srd().check_character(ann) == []
    path = tmp_path / "ann.yaml"
    path.write_text(srd().character_file(ann), encoding="utf-8")
    assert srd().read_character(path) == ann
    path.write_text("name: Ann\npack: srd-core\nversion: 1.0.0\nnumbers:\n  Vigour: 9\n", encoding="utf-8")
    with pytest.raises(te_forge.PackError) as caught:
        srd().read_character(path)
    assert any("Vigour" in one.message for one in caught.value.diagnostics)


def test_an_export_tells_what_it_lost(tmp_path: Path) -> None:
    made = srd().export("csv", tmp_path / "csv")
    assert made.files
    assert len(made.full) + len(made.degraded) + len(made.dropped) >= len(srd())
    assert all(made.dropped.values())
    assert te_forge.verify(tmp_path / "csv")
