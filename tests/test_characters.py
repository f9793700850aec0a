"""Characters: made by the steps of any pack, kept through stops and kills, held against every rule, printed for paper. Nothing that a file holds does
harm.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from beginnings import as_played, as_written
from browser import Browser, hosted
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from te_forge.characters import Character, as_yaml, into_state, load_character
from te_forge.characters.checking import check_character
from te_forge.characters.making import Run, finished, in_words, make, understood
from te_forge.characters.policies import decide_by
from te_forge.characters.roster import Roster
from te_forge.characters.sheet import as_text, sheet_of
from te_forge.characters.solving import find, possible, target_of
from te_forge.check import check
from te_forge.cli import cli
from te_forge.diagnostics import Diagnostic
from te_forge.engine.effects import Share, shares
from te_forge.engine.index import Rules
from te_forge.engine.policies import NAMES
from te_forge.engine.reading import Reading
from te_forge.engine.state import State
from te_forge.model.pack import PackInfo
from te_forge.model.system import System, plain
from te_forge.packs import load
from te_forge.render.sheet import as_html
from te_forge.report import width
from te_forge.source import Source

ROOT = Path(__file__).parents[1]
MODEST = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
OTHER = """# Dusk

## kind: hero
- Is: an actor
- Made By: Birth

| label | holds               | default | text       |
|-------|---------------------|---------|------------|
| Mood  | one of Glad or Grim | Glad    | these days |

## kind: body
- Is: a number of a hero
- Plural: "bodies"
- Starts: 1
- At Most: 20

| body  | text     |
|-------|----------|
| Might | Lifting. |
| Wits  | Knowing. |
| Nerve | Staying. |

## kind: pool
- Is: a number

## pool: Luck
- Of: a hero
- Starts: 2
- At Least: 0

## kind: gift
- Is: a trait of a hero

## gift: Fay
Not quite from here.
- Cost: 1 Luck
- Wink: the owner may pay: the owner says "look over there"

## gift: Oath
Something was promised.
- Asks: "what, and to whom"

## procedure: Birth
- Roles: a hero as the newborn

| value | holds | default | text      |
|-------|-------|---------|-----------|
| roll  | dice  | nothing | the stars |

1. Stars. What the sky held.
   - Dice: the newborn rolls 2 d6 as the roll
   - Might: the newborn's Might becomes sum of the newborn's roll
2. Way.
   - Way: the newborn chooses one as the way:
     - Bold: the newborn's Nerve becomes the newborn's Nerve + 2
     - Wary: the newborn's Wits becomes the newborn's Wits + 2
3. First.
   - Points: the newborn divides exactly 2 among bodies
4. Second.
   - Points: the newborn divides up to 3 among the newborn's Wits and the newborn's Nerve
5. Gift.
   - Buy: the newborn may pay 1 Luck:
     - Which: the newborn chooses a gift as the gift
     - Take: the newborn takes the gift
6. Age.
   - Age: the newborn chooses a number from 1 to 3 as the age
   - Luck: the newborn gains Luck equal to the age
"""


def srd() -> System:
    return as_played("srd-core")


@cache
def other() -> System:
    system, found = check([Source("rules/01.te", OTHER)], PackInfo(id="dusk", title="Dusk", version="1.2.0"), None, ())
    assert system is not None
    assert [one for one in found if one.severity == "error"] == []
    return system


@cache
def roster_in(pack: str, kind: str) -> Roster:
    return Roster(Rules(as_written(pack)), kind)


def roster_of(name: str) -> Roster:
    return Roster(Rules(srd() if name == "srd-core" else other()), "character" if name == "srd-core" else "hero")


def run_of(roster: Roster, decide: Any, name: str = "Ann") -> Run:
    assert roster.maker is not None
    run = make(roster, roster.maker, name, decide)
    assert run.failure == ""
    return run


def made(roster: Roster, decide: Any, name: str = "Ann") -> Character:
    pack = roster.rules.system.pack
    character = finished(run_of(roster, decide, name), Character(name, pack.id, pack.version, roster.kind))
    asked = {id: "a few words" for id in character.traits if "asks" in roster.rules.entries[id].fields}
    return replace(character, notes=asked)


def codes(found: list[Diagnostic]) -> list[str]:
    return sorted(one.code for one in found)


def written(character: Character, roster: Roster, folder: Path) -> Character:
    """The character, put into a file and read again."""
    path = folder / "somebody.yaml"
    path.write_text(as_yaml(character, roster), encoding="utf-8")
    read, found = load_character(path, roster.rules.system)
    assert found == []
    assert read is not None
    return read


def by_hand(character: Character) -> Character:
    """The same without the answers of its making."""
    return replace(character, making=None)


# ---------------------------------------------------------------- what is made checks clean


def drawn(data: st.DataObject) -> Any:
    """Any answer that the rules allow."""

    def decide(question: Any, run: Run) -> Any:
        if isinstance(question, Share):
            total = question.total if question.exactly else data.draw(st.integers(0, question.total))
            left, answer = min(total, sum(question.most)), []
            for at, most in enumerate(question.most):
                room = sum(question.most[at + 1 :])
                answer.append(data.draw(st.integers(max(0, left - room), min(most, left))))
                left -= answer[-1]
            return tuple(answer)
        options = list(possible(question))
        fresh = [one for one in options if one not in run.taken]
        return data.draw(st.sampled_from(fresh or options))

    return decide


@pytest.mark.parametrize("pack", ["srd-core", "dusk"])
@MODEST
@given(data=st.data())
def test_whoever_is_made_by_the_rules_checks_clean(pack: str, data: st.DataObject, tmp_path: Path) -> None:
    roster = roster_of(pack)
    character = made(roster, drawn(data))
    read = written(character, roster, tmp_path)
    assert read == character
    assert check_character(read, roster.rules.system) == []
    assert check_character(by_hand(read), roster.rules.system) == []


@pytest.mark.parametrize("pack", ["srd-core", "dusk"])
@pytest.mark.parametrize("policy", NAMES)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_policies_make_sound_characters_and_the_same_ones_again(pack: str, policy: str, seed: int) -> None:
    roster = roster_of(pack)
    character = made(roster, decide_by(policy, seed))
    assert character == made(roster, decide_by(policy, seed))
    assert check_character(character, roster.rules.system) == []


@MODEST
@given(data=st.data())
def test_an_answer_in_words_is_understood_again(data: st.DataObject) -> None:
    for one in run_of(roster_of("dusk"), drawn(data)).asked:
        assert understood(one.question, in_words(one.question, one.answer)) == one.answer


@MODEST
@given(name=st.text(min_size=1, max_size=30), note=st.text(max_size=200))
def test_any_name_and_note_come_back_from_the_file(name: str, note: str, tmp_path: Path) -> None:
    from te_forge.engine.people import bad_name
    from te_forge.keys import fold

    roster = roster_of("srd-core")
    if not fold(name) or bad_name(fold(name)) or not note.isprintable():
        return
    character = Character(fold(name), "srd-core", "1.0.0", "character", notes={"Plan": note} if note else {})
    assert written(character, roster, tmp_path) == character


def test_two_shares_of_the_same_numbers_are_told_apart() -> None:
    """All ways to spend 2 exactly and then up to 3 are found backwards, and one point more is seen."""
    roster = roster_of("dusk")
    assert roster.maker is not None
    base = made(roster, decide_by("plain", 1))
    ways = {"dusk:body/might": base.numbers["dusk:body/might"] - 2}
    might, nerve = ways["dusk:body/might"], 3
    for first in shares(2, True, (2, 2, 2)):
        for second in list(shares(3, False, (3, 3)))[::5]:
            numbers = {
                **base.numbers,
                "dusk:body/might": might + first[0],
                "dusk:body/wits": 1 + first[1] + second[0],
                "dusk:body/nerve": nerve + first[2] + second[1],
            }
            character = by_hand(replace(base, numbers=numbers))
            assert find(roster, roster.maker, target_of(character, roster)).way.distance == 0, numbers


def test_numbers_of_any_size_take_no_longer(tmp_path: Path) -> None:
    """A pack may come from a stranger: millions of points and thousands of dice end in time, with an answer or a plain word."""
    text = (
        OTHER.replace("divides exactly 2 among bodies", "divides exactly 90000000 among bodies")
        .replace("- At Most: 20\n", "")
        .replace("2 d6", "9000 d6")
    )
    system = check([Source("rules/01.te", text)], PackInfo(id="dusk", title="Dusk", version="1.2.0"), None, ())[0]
    assert system is not None
    roster = Roster(Rules(system), "hero")
    for policy in NAMES:
        character = made(roster, decide_by(policy, 1))
        assert check_character(character, system) == []
    assert codes(check_character(by_hand(character), system, most_runs=20)) in ([], ["making-unclear"])


# ---------------------------------------------------------------- every broken rule

GOOD = """name: Ann
pack: srd-core
version: 1.0.0
class: Warrior
advantages: [Weaponmaster, Careful]
numbers:
  Vigor: 4
  Presence: 4
  Aim: 5
  Athletics: 5
  Melee: 3
  Socialize: 1
  Health: 10
  Willpower: 5
  Adventure: 1
most:
  Health: 10
  Willpower: 5
notes:
  Weaponmaster: halberds
"""
MAKING = """making:
  - Class: Warrior
  - Attributes: {Vigor: 1, Presence: 1}
  - Skills: {Aim: 4, Athletics: 4, Melee: 2}
  - Advantages: Careful
  - Pools: {Health's most: 3, Willpower's most: 2}
"""


def said_of(text: str, folder: Path, system: System | None = None) -> list[Diagnostic]:
    path = folder / "ann.yaml"
    path.write_text(text, encoding="utf-8")
    character, found = load_character(path, system or srd())
    return [*found, *(check_character(character, system or srd()) if character is not None else [])]


def line_of(text: str, what: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if what in line)


@pytest.mark.parametrize("making", ["", MAKING])
def test_a_good_one_has_nothing_against_it(making: str, tmp_path: Path) -> None:
    assert said_of(GOOD + making, tmp_path) == []


BROKEN = [
    ("Vigor: 4", "Vigor: 6", ["above-most", "too-many-points"], "Vigor: 6"),
    ("Presence: 4", "Presence: 3", ["points-left"], "numbers:"),
    ("Presence: 4", "Presence: 2", ["not-from-making", "points-left"], "Presence"),
    ("Melee: 3", "Melee: 5", ["too-many-points"], "numbers:"),
    ("Adventure: 1", "Adventure: 3", ["not-from-making"], "Adventure"),
    ("Adventure: 1", "Adventure: -1", ["below-least"], "Adventure"),
    ("Health: 10", "Health: 9", ["not-from-making"], "Health: 9"),
    ("Willpower: 5\nnotes", "Willpower: 7\nnotes", ["too-many-points"], "most:"),
    ("[Weaponmaster, Careful]", "[Weaponmaster, Careful, Healer]", ["extra-trait"], "Healer"),
    ("[Weaponmaster, Careful]", "[Careful]", ["missing-trait"], "advantages"),
    ("[Weaponmaster, Careful]", "[Weaponmaster]", ["missing-trait"], "advantages"),
    ("[Weaponmaster, Careful]", "[Weaponmaster, Weaponmaster]", ["missing-trait", "trait-twice"], "Weaponmaster"),
    ("class: Warrior", "class: [Warrior, Wizard]", ["extra-trait"], "Wizard"),
    ("  Weaponmaster: halberds", "  Plan: brave", ["note-missing"], "Weaponmaster"),
    ("Melee: 3", "Mele: 3", ["unknown-name"], "Mele:"),
    ("Melee: 3", "Melee: 3\n  Melee: 4", ["yaml-twice"], "Melee: 4"),
    ("Melee: 3", "Melee: three", ["bad-number"], "three"),
    ("Melee: 3", "Melee: 3.5", ["bad-number"], "3.5"),
    ("Melee: 3", f"Melee: {'9' * 400}", ["bad-number"], "Melee"),
    ("Melee: 3", "Melee: 3\n  Power: 2", ["wrong-kind"], "Power"),
    ("Melee: 3", "Melee: 3\n  Careful: 2", ["wrong-kind"], "Careful: 2"),
    ("Melee: 3", "Melee: 3\n  Spot Hidden: 60", ["unknown-name"], "Spot Hidden"),
    ("Careful]", "Carefull]", ["unknown-name"], "Carefull"),
    ("notes:", "notess:", ["unknown-character-field"], "notess"),
    ("pack: srd-core", "pack: dusk", ["other-pack"], "pack"),
    ("version: 1.0.0", "version: 3.1.0", ["other-version"], "version"),
    ("version: 1.0.0", "version: 1.0.0\nunfinished: yes", ["unfinished-character"], "unfinished"),
    ("version: 1.0.0", "version: 1.0.0\nkind: charakter", ["unknown-kind"], "charakter"),
    ("version: 1.0.0", "version: 1.0.0\nfields: {Zone: 3}", ["unknown-field"], "Zone"),
    ("name: Ann", "name: [Ann]", ["bad-character-field"], "name"),
]


@pytest.mark.parametrize(("old", "new", "wanted", "where"), BROKEN, ids=[new[:25] for _, new, _, _ in BROKEN])
def test_a_broken_rule_is_named_where_it_is_broken(old: str, new: str, wanted: list[str], where: str, tmp_path: Path) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    found = said_of(text, tmp_path)
    assert set(wanted) <= set(codes(found)), [one.message for one in found]
    assert line_of(text, where) in [one.span.line for one in found]
    assert all(one.help and len(one.message) < 200 for one in found)


def test_every_broken_rule_is_named_at_once(tmp_path: Path) -> None:
    text = (
        GOOD.replace("Vigor: 4", "Vigor: 6")
        .replace("Melee: 3", "Melee: 5")
        .replace("Careful]", "Healer, Sorcery]")
        .replace("halberds", '""')
        .replace("Presence: 4", "Presence: 2")
    )
    text = text.replace("Willpower: 5", "Willpower: 2").replace("Health: 10", "Health: 15")
    found = said_of(text, tmp_path)
    assert [(one.span.line, one.code) for one in found] == [
        (5, "extra-trait"), (6, "too-many-points"), (6, "too-many-points"), (7, "above-most"), (8, "not-from-making"), (14, "not-from-making"),
        (16, "too-many-points"), (18, "not-from-making"), (20, "note-missing"),
    ]  # fmt: skip
    said = " | ".join(one.message for one in found)
    for words in (
        "attributes: 3 points are spent, and the rules give exactly 2",
        "skills: 12 points are spent, and the rules give at most 10",
        "Vigor 6 is above its most, 5",
        "Presence is 2; its making gives 3",
    ):
        assert words in said


WRONG_ANSWERS = [
    ("- Class: Warrior", "- Class: Warior", "did you mean `Warrior`"),
    ("{Vigor: 1, Presence: 1}", "{Vigor: 3}", "3 points are spent, and the rules give exactly 2"),
    ("{Vigor: 1, Presence: 1}", "{Vigor: 1}", "1 point is spent, and the rules give exactly 2"),
    ("{Vigor: 1, Presence: 1}", "{Power: 1, Presence: 1}", "`Power` is not offered here"),
    ("Aim: 4, Athletics: 4, Melee: 2", "Aim: 5, Athletics: 4, Melee: 1", "`Aim` can take 4 more at most"),
    ("  - Advantages: Careful\n", "", "`Advantages` is not answered"),
    ("  - Advantages: Careful\n", "  - Advantages: Careful\n  - Hair: red\n", "nothing asks for `Hair` here"),
    ("- Skills: {", "- Skills: [", None),
]


@pytest.mark.parametrize(("old", "new", "words"), WRONG_ANSWERS, ids=[new[:25] or "nothing" for _, new, _ in WRONG_ANSWERS])
def test_a_wrong_answer_of_the_making_is_named(old: str, new: str, words: str | None, tmp_path: Path) -> None:
    assert old in MAKING
    found = said_of(GOOD + MAKING.replace(old, new, 1), tmp_path)
    assert codes(found) == (["bad-answer"] if words else ["bad-yaml"])
    assert words is None or words in found[0].message


def test_numbers_that_do_not_come_of_the_answers_are_told_from_numbers_that_break_a_rule(tmp_path: Path) -> None:
    found = said_of((GOOD + MAKING).replace("  Aim: 5", "  Aim: 4").replace("  Melee: 3", "  Melee: 4"), tmp_path)
    assert [one.message for one in found] == ["Aim is 4; the answers of its making give 5", "Melee is 4; the answers of its making give 3"]
    assert codes(said_of((GOOD + MAKING).replace("  Melee: 3", "  Melee: 5"), tmp_path)) == ["too-many-points"]


def test_what_cannot_be_found_out_is_said_and_nobody_is_accused() -> None:
    roster = roster_of("dusk")
    character = by_hand(made(roster, decide_by("random", 7)))
    numbers = {**character.numbers, "dusk:pool/luck": 9}
    odd = replace(character, numbers=numbers)
    assert codes(check_character(odd, other(), most_runs=3)) == ["making-unclear"]
    assert codes(check_character(odd, other())) == ["not-from-making"]


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize("making", ["", MAKING])
def test_a_file_that_was_cut_off_anywhere_is_read_or_refused(making: str, tmp_path: Path) -> None:
    text = GOOD + making
    for at in range(0, len(text), 7):
        path = tmp_path / "cut.yaml"
        path.write_text(text[:at], encoding="utf-8")
        character, found = load_character(path, srd())
        assert character is not None or found


HOSTILE = {
    "binary": bytes(range(256)) * 20,
    "empty": b"",
    "utf-16": GOOD.encode("utf-16"),
    "latin-1": GOOD.replace("Ann", "Renée").encode("latin-1"),
    "huge": b"name: " + b"a" * 600_000,
    "bombs": b"a: &a [x, x]\nb: [*a, *a]\n",
    "tags": b"name: !!python/object/apply:os.system ['true']\npack: srd-core\n",
    "deep": b"name: " + b"[" * 5000,
    "list": b"- name\n- pack\n",
    "no pack": b"name: Ann\n",
    "path for a pack": b"name: Ann\npack: ../../../etc\n",
    "pack that is not here": b"name: Ann\npack: dusk-and-dawn\n",
    "numbers of lists": b"name: Ann\npack: srd-core\nnumbers: [Vigor]\nmost: 3\ntraits: {a: b}\nnotes: x\nmaking: {Class: Warrior}\nclass: [[Warrior]]\n",
    "answers": b"name: Ann\npack: srd-core\nmaking: [x, [y], {}, {a: 1, b: 2}, {Class: }, {Class: [Warrior, Wizard]}, {Attributes: {Vigor: -1, Presence: 3}}]\n",
}


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("words", [["check"], ["sheet"], ["sheet", "--html", "-o", "out.html"], ["new", "--resume"]], ids=" ".join)
def test_hostile_files_get_a_sentence(what: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ann.yaml").write_bytes(HOSTILE[what])
    result = called("character", *words, "ann.yaml")
    assert result.exit_code in (1, 2), result.output
    assert 10 < len(result.output) < 6000
    assert Path("ann.yaml").read_bytes() == HOSTILE[what]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ann.yaml"]


def called(*words: str, typed: str = "") -> Result:
    result = CliRunner().invoke(cli, list(words), input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def test_commands_refuse_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ann.yaml").write_text(GOOD, encoding="utf-8")
    for words, part in (
        (["new"], "which rules?"),
        (["new", "srd-cor"], "did you mean `srd-core`"),
        (["new", "srd-core", "--policy", "rndom"], "did you mean `random`"),
        (["new", "srd-core", "--seed", "1", "-o", "ann.yaml"], "is there already, and is left as it is"),
        (["new", "srd-core", "--kind", "adversary", "--seed", "1"], "does not say how an adversary is made"),
        (["new", "--resume", "ann.yaml"], "is finished"),
        (["new", "srd-core", "--name", "a\nb", "--seed", "1", "-o", "no/where/x.yaml"], "cannot be written"),
        (["check", "bob.yaml"], "there is no file bob.yaml"),
        (["sheet", "ann.yaml", "--html", "-o", "ann.yaml"], "is there already and is no sheet"),
    ):
        result = called("character", *words)
        assert result.exit_code == 2, words
        assert part in " ".join(result.output.split()), (words, result.output)
    assert Path("ann.yaml").read_text(encoding="utf-8") == GOOD


# ---------------------------------------------------------------- the talk

TALK = ["brave", "1", "Vigor 1, Presence 1", "Aim 4", "Athletics 4 Melee 2", "", "halberds", "Careful", "health 3, will 2"]


def test_a_talk_makes_a_character(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = called("character", "new", "srd-core", typed="\n".join(["Ann", *TALK]) + "\n")
    assert result.exit_code == 0, result.output
    assert "10 points to spend" in result.output
    assert "You have Weaponmaster." in result.output
    text = Path("ann.yaml").read_text(encoding="utf-8")
    assert MAKING in text
    assert "Weaponmaster: halberds" in text
    assert called("character", "check", "ann.yaml").stdout == "no mistakes found\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ann.yaml"]


def test_a_refused_answer_shows_nothing_anew_but_the_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = ["Vigour 1", "Vigor 9", "nonsense"]
    good = called("character", "new", "srd-core", typed="\n".join(["Ann", *TALK]) + "\n").output
    made = called("character", "new", "srd-core", typed="\n".join(["Bo", *TALK[:2], *wrong, *TALK[2:]]) + "\n").output
    assert made.count("Comprehension") == good.count("Comprehension") > 0
    assert made.count("points to spend") + made.count(" left (") == good.count("points to spend") + good.count(" left (") + len(wrong)


def test_one_step_back_wrong_answers_and_help_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    typed = [
        "back",
        "brave",
        "9",
        "Warlock",
        "Wizard",
        "?",
        "back",
        "Warrior",
        "Vigor 3",
        "Vigour 1",
        "Vigor",
        "Vigor 1",
        "Presence 1",
        "back",
        *TALK[2:],
    ]
    result = called("character", "new", "srd-core", "--name", "Ann", "-o", "ann.yaml", typed="\n".join(typed) + "\n")
    assert result.exit_code == 0, result.output
    for words in ("There is nothing before this", "`Warlock` is not offered here", "3 points are spent", "One step back", "3 of 8"):
        assert words in result.output
    assert MAKING in Path("ann.yaml").read_text(encoding="utf-8")


def test_the_same_command_makes_a_character_of_any_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dusk/rules").mkdir(parents=True)
    Path("dusk/pack.yaml").write_text("id: dusk\ntitle: Dusk\nversion: 1.2.0\n", encoding="utf-8")
    Path("dusk/rules/01.te").write_text(OTHER, encoding="utf-8")
    result = called("character", "new", "dusk", "--name", "Ida", typed="Bold\nNerve 2\ndone\ny\n2\nto mend it\n3\n")
    assert result.exit_code == 0, result.output
    text = Path("ida.yaml").read_text(encoding="utf-8")
    assert "gift: Oath" in text
    assert "Oath: to mend it" in text
    assert called("character", "check", "ida.yaml").stdout == "no mistakes found\n"
    assert "Luck" in called("character", "sheet", "ida.yaml").output


def process(*words: str, folder: Path) -> subprocess.Popen[bytes]:
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r}); sys.argv[0] = 'te-forge'; from te_forge.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-P", "-u", "-c", script, "character", *words],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_for(path: Path, words: str, child: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if path.exists() and words in path.read_text(encoding="utf-8"):
            return
        assert child.poll() is None, child.communicate()
        time.sleep(0.05)
    raise AssertionError(f"{words} never came")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "kill"])
def test_a_making_that_was_stopped_goes_on(stop: int, tmp_path: Path) -> None:
    child = process("new", "srd-core", "--name", "Ann", folder=tmp_path)
    assert child.stdin is not None
    child.stdin.write("\n".join(TALK[:3]).encode() + b"\n")
    child.stdin.flush()
    wait_for(tmp_path / "ann.yaml.part", "Attributes", child)
    child.send_signal(stop)
    _, error = child.communicate(timeout=30)
    assert b"Traceback" not in error
    if stop == signal.SIGINT:
        assert child.returncode == 130
        assert b"go on with: te-forge character new --resume ann.yaml" in error
    assert not (tmp_path / "ann.yaml").exists()
    child = process("new", "--resume", "ann.yaml", folder=tmp_path)
    out, error = child.communicate("\n".join(TALK[3:]).encode() + b"\n", timeout=60)
    assert child.returncode == 0, (out, error)
    assert b"Traceback" not in error
    assert MAKING in (tmp_path / "ann.yaml").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ann.yaml"]


def test_nothing_that_is_there_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ann.yaml.part").write_text("mine", encoding="utf-8")
    result = called("character", "new", "srd-core", "--name", "Ann", typed="x\n")
    assert result.exit_code == 2
    assert "holds a making that was begun" in " ".join(result.output.split())
    assert Path("ann.yaml.part").read_text(encoding="utf-8") == "mine"


# ---------------------------------------------------------------- the sheet


class Hosts(HTMLParser):
    """What a page would ask of others, and which of its tags run something."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "img", "iframe", "link", "object", "embed", "form", "b2"):
            self.asked.append(tag)
        self.asked += [f"{name}={value}" for name, value in attrs if name.startswith("on") or name in ("src", "href", "style")]

    def handle_data(self, data: str) -> None:
        self.text += data


NASTY = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }}",
    "a" * 100,
    "</style><b>",
    "松本 零士",
    "\\1 \\g<0>",
    "&amp; &lt;",
]


@pytest.mark.parametrize("name", NASTY)
def test_a_hostile_name_is_only_a_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    roster = roster_of("srd-core")
    character = made(roster, decide_by("plain", 0), name)
    noted = replace(character, notes={"srd-core:advantage/weaponmaster": name, "Plan": name})
    Path("ann.yaml").write_text(as_yaml(noted, roster), encoding="utf-8")
    assert called("character", "sheet", "ann.yaml", "--html", "-o", "ann.html").exit_code == 0
    page = Path("ann.html").read_text(encoding="utf-8")
    parser = Hosts()
    parser.feed(page)
    assert parser.asked == []
    assert name in parser.text
    assert not re.search(r"https?://(?!creativecommons)", page)
    assert called("character", "sheet", "ann.yaml", "--html", "-o", "ann.html").exit_code == 0, "a sheet may be printed again"


@pytest.mark.parametrize("name", ["Ann", *NASTY])
@pytest.mark.parametrize("seed", [1, 4])
def test_the_text_fits_eighty_columns(name: str, seed: int) -> None:
    roster = roster_of("srd-core")
    text = as_text(sheet_of(made(roster, decide_by("random", seed), name), roster))
    assert max(map(width, text.splitlines())) <= 80
    for words in ("ATTRIBUTES", "SKILLS", "POOLS", "ADVANTAGES", "[ ]"):
        assert words in text


def test_the_sheet_says_what_the_rules_say() -> None:
    roster = roster_of("srd-core")
    text = " ".join(as_text(sheet_of(made(roster, decide_by("plain", 0)), roster)).split())
    assert "Health 10/10 [ ][ ][ ][ ][ ][ ][ ][ ][ ][ ]" in text
    assert "Once per Throwing: before Count in Throwing with Ann as the roller in Conflict" in text
    assert "licensed under CC BY 4.0" in text
    assert "Haste" not in text


def test_a_track_has_an_end_and_what_has_none_is_written_down() -> None:
    """Dice of an ability are refilled to it; Tension has no limit, and damage is never refilled."""
    roster = roster_in("vdp", "character")
    sheet = sheet_of(made(roster, decide_by("plain", 0)), roster)
    boxes = {number.name: number.boxes for group in sheet.groups for number in group.numbers}
    values = {number.name: number.value for group in sheet.groups for number in group.numbers}
    assert boxes["Physical Dice"] == values["Physical Ability"] > 0 and boxes["Actions"] == 2
    assert {boxes[name] for name in ("Tension", "Advantage", "Disadvantage", "Physical Damage", "Strides", "Physical Ability")} == {0}


def test_a_full_track_has_empty_boxes_and_a_cross_stands_for_what_is_lost() -> None:
    """In text and in HTML; where a number begins at 0, a cross stands for what is there."""
    roster = roster_of("srd-core")
    new = made(roster, decide_by("plain", 0))
    health = "srd-core:pool/health"
    hurt = replace(new, now=replace(new, numbers={**new.numbers, health: new.numbers[health] - 3}))
    by_hand = replace(new, numbers={**new.numbers, health: new.numbers[health] - 1})
    for character, crosses in ((new, 0), (hurt, 3), (by_hand, 1)):
        sheet = sheet_of(character, roster)
        [track] = [number for group in sheet.groups for number in group.numbers if number.name == "Health"]
        assert (track.ticked, track.boxes) == (crosses, 10)
        assert as_text(sheet).count("[x]") == as_html(asdict(sheet)).count('<i class="full">') == crosses


RISING = """# Game

## kind: hero
- Is: an actor

## kind: pool
- Is: a number of a hero
- At Least: 0

## pool: Harm
- Starts: 0
- At Most: 4

## pool: Luck
- Starts: 3
- At Most: 3

## pool: Fame
- Starts: 1
- At Most: 5

## rule: All Of It
- One: after Night: each hero gains 1 Harm; each hero loses 1 Luck; each hero gains 1 Fame

## procedure: Night
1. Night. It is dark.
"""


def test_a_track_that_begins_low_is_filled_and_one_that_begins_full_is_crossed_off(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "pack.yaml").write_text("id: game\ntitle: Game\nversion: 1.0.0\n", encoding="utf-8")
    (tmp_path / "rules/01.te").write_text(RISING, encoding="utf-8")
    system = load(str(tmp_path)).system
    assert system is not None
    roster = Roster(Rules(system), "hero")
    new = Character("Ann", "game", "1.0.0", "hero")
    later = replace(new, now=replace(new, numbers={f"game:pool/{name}": 2 for name in ("harm", "luck", "fame")}))
    ticked = [{one.name: one.ticked for group in sheet_of(who, roster).groups for one in group.numbers} for who in (new, later)]
    assert ticked == [{"Harm": 0, "Luck": 0, "Fame": 1}, {"Harm": 2, "Luck": 1, "Fame": 2}]


def test_an_offer_says_what_it_costs_and_what_must_be_so() -> None:
    roster = roster_of("srd-core")
    new = made(roster, decide_by("plain", 0))
    thief = next(entry for entry in roster.traits if any("may pay agree" in plain(line.words) for line in entry.lines))
    text = " ".join(as_text(sheet_of(replace(new, traits=(thief.id,)), roster)).split())
    assert ': Ann may pay 1 Adventure, if it is so ("a lock to open' in text and "): end with Success." in text
    slow = next(entry for entry in roster.traits if any("may pay:" in plain(line.words) for line in entry.lines))
    assert "Ann may pay 1 Adventure: " in " ".join(as_text(sheet_of(replace(new, traits=(slow.id,)), roster)).split())


def test_a_sheet_without_traits_has_its_numbers_in_columns_and_curly_quotes() -> None:
    roster = roster_in("vdp", "character")
    character = replace(made(roster, decide_by("plain", 0)), traits=())
    alone = as_html(asdict(sheet_of(character, roster)))
    assert '<main class="alone">' in alone and '<div class="traits">' not in alone and "“Very Different Places" in alone
    carrying = as_html(asdict(sheet_of(replace(character, traits=("vdp:quirk/daydreamer",)), roster)))
    assert '<main class="many">' in carrying and '<div class="traits">' in carrying, "beside traits, too, many numbers stand in columns"
    srd = roster_of("srd-core")
    assert "<main>" in as_html(asdict(sheet_of(made(srd, decide_by("plain", 0)), srd)))


@pytest.mark.parametrize(("pack", "kind"), [("srd-core", "character"), ("vdp", "character"), ("tenebrous", "pc")])
def test_a_sheet_prints_on_one_side(pack: str, kind: str, tmp_path: Path) -> None:
    roster = roster_in(pack, kind)
    (tmp_path / "ann.html").write_text(as_html(asdict(sheet_of(made(roster, decide_by("plain", 0)), roster))), encoding="utf-8")
    with Browser() as browser, hosted(tmp_path) as address:
        tab = browser.tab()
        tab.go(f"{address}/ann.html")
        assert len(re.findall(rb"/Type\s*/Page\b", tab.pdf())) == 1


def test_below_the_name_stands_who_they_are_and_not_what_they_wear() -> None:
    roster = roster_in("tenebrous", "pc")
    assert sheet_of(replace(made(roster, decide_by("plain", 0)), traits=("tenebrous:weapon/fists",)), roster).what == "PC"
    srd = roster_of("srd-core")
    assert sheet_of(replace(made(srd, decide_by("plain", 0)), traits=("srd-core:class/warrior",)), srd).what == "Character, Warrior"


def test_facts_of_a_trait_are_told_as_rules_are() -> None:
    roster = roster_in("tenebrous", "pc")
    character = replace(made(roster, decide_by("plain", 0)), traits=("tenebrous:weapon/fists",))
    assert "Damage: 1d2" in as_text(sheet_of(character, roster))


def test_a_procedure_of_a_trait_is_told_without_its_machinery() -> None:
    roster = roster_in("tenebrous", "pc")
    holy = roster.rules.entries["tenebrous:weakness/holy-water"]
    character = replace(made(roster, decide_by("plain", 0)), traits=(holy.id,))
    text = as_text(sheet_of(character, roster))
    assert "    Splashing\n      A touch of it deals 1d2.\n" in text and "Part Of" not in text


# ---------------------------------------------------------------- in play


def test_a_character_stands_in_a_state() -> None:
    roster = roster_of("srd-core")
    character = made(roster, decide_by("plain", 0))
    state = into_state(roster.rules, into_state(roster.rules, State(), character), character)
    reading = Reading(roster.rules, state)
    assert {id: reading.stat("Ann", id) for id in character.numbers} == character.numbers
    assert reading.carried("Ann") == character.traits
    assert state.notes["Ann", "srd-core:advantage/weaponmaster"] == "a few words"
    assert reading.bounds("Ann", "srd-core:pool/health") == (0, 10)
    assert list(state.people) == ["Ann"]


# ---------------------------------------------------------------- other readings of the rules


def test_a_reading_that_a_table_has_chosen_goes_with_the_character(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spare = GOOD.replace("Presence: 4", "Presence: 3")
    Path("ann.yaml").write_text(spare, encoding="utf-8")
    assert "attributes: 1 point is spent" in called("character", "check", "ann.yaml").stdout
    Path("ann.yaml").write_text(spare + "rulings: {attribute-points: points-left-over}\n", encoding="utf-8")
    assert called("character", "check", "ann.yaml").stdout == "no mistakes found\n"
    made = called("character", "new", "srd-core", "--policy", "plain", "--ruling", "attribute-points=points-left-over")
    assert "rulings:\n  attribute-points: points-left-over\n" in made.stdout
    Path("ann.yaml").write_text(spare + "rulings: {attribute-pints: points-left-over}\n", encoding="utf-8")
    result = called("character", "check", "ann.yaml")
    assert result.exit_code == 1
    assert "error[cannot-be-on]" in result.output and "ann.yaml:21:11" in result.output
    assert "did you mean `attribute-points`" in " ".join(result.output.split())


# ---------------------------------------------------------------- which procedure makes one


@pytest.mark.parametrize(
    ("line", "code"),
    [("Made By: Birth", []), ("Made By: Brith", ["unknown-name"]), ("Made By: Wits", ["wrong-kind"]), ("Made By: Tryst", ["wrong-kind"])],
)
def test_a_kind_says_which_procedure_makes_one(line: str, code: list[str]) -> None:
    text = OTHER.replace("Made By: Birth", line) + "\n## procedure: Tryst\n- Roles: a hero as the one, a hero as the other\n\n1. Meet.\n"
    found = check([Source("rules/01.te", text)], PackInfo(id="dusk", title="Dusk", version="1.2.0"), None, ())[1]
    assert [one.code for one in found if one.severity == "error"] == code


# ---------------------------------------------------------------- the page of the site


def test_the_commands_of_the_guide_do_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "site/docs/characters.md").read_text(encoding="utf-8")
    ran, last = 0, ""
    found: dict[str, Any]
    for before, kind, text in re.findall(r"(?:^<!-- (.*?) -->\n)?^```([a-z]+)\n(.*?)^```$", page, re.M | re.S):
        if kind == "yaml":
            Path(before or "bo.yaml").write_text(text, encoding="utf-8")
        elif kind == "sh":
            for line in text.splitlines():
                words = line.removeprefix("te-forge ").split()
                result = called(*words)
                wanted = int(before.removeprefix("exit ")) if before.startswith("exit ") else 0
                assert result.exit_code == wanted, (line, result.output)
                ran, last = ran + 1, result.stdout
        elif kind == "python":
            exec(text, found := {})
            assert found["wrong"] == []
            assert found["bo"].name == "Bo Hallam"
        elif kind == "text":
            assert text in last, (text, last)
    assert ran >= 5
