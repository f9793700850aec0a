"""Wordings with blanks: what the parser leaves to the game, and who fills it in."""

from __future__ import annotations

import pytest
from test_obeyed import CHARM, GOOD, SLY, WALKER, errors

from te_forge.blanks import Blank, Dice, Named, Outcome, Role, Who, filled, first_known, plain
from te_forge.diagnostics import Findings
from te_forge.source import Span
from te_forge.syntax.idioms import WRITTEN, compiled
from te_forge.syntax.retold import RETOLD
from te_forge.syntax.text import read_text
from te_forge.syntax.worded import worded


def known(blank: Blank) -> str | None:
    match blank:
        case Who("Luck"):
            return "the hero"
        case Dice():
            return "pool"
        case Named("Tired", "trait"):
            return "Tired"
    return None


def test_a_template_says_what_belongs_in_each_blank() -> None:
    made = worded("`{who:0} gains {1} {0}; {name}`, {role:2}, {outcome:2}, {dice}, {trait:0} or {called:0}", "Luck", "2", "Test", name="Ann")
    assert [one for one in made if not isinstance(one, str)] == [
        Who("Luck"), Role("Test"), Outcome("Test"), Dice(), Named("Luck", "trait"), Named("Luck"),
    ]  # fmt: skip
    assert plain(made) == "`the .. gains 2 Luck; Ann`, .., .., .., Luck or Luck"
    assert filled(made, known) == ("`the hero gains 2 Luck; Ann`, .., .., pool, Luck or Luck", False)


def test_the_first_wording_is_said_that_the_game_can_fill() -> None:
    choices = [worded(one, "Tired") for one in ("drops {role:0}", "takes {trait:0}", "gains 1 {number:0}", "{who} does")]
    assert plain(first_known(choices)) == "the .. does"
    assert filled(first_known(choices), known) == ("takes Tired", True)
    assert filled(first_known(choices[2:]), known) == ("the .. does", False)
    assert filled(first_known(choices[:1]), known) == ("drops ..", False)


@pytest.mark.parametrize(("pattern", "better"), [(pattern, better) for pattern, *better in (*RETOLD, *WRITTEN)])
def test_a_template_speaks_of_what_its_pattern_finds(pattern: str, better: list[str]) -> None:
    groups = [f"Group {number}" for number in range(compiled(pattern).groups)]
    assert all(plain(worded(one, *groups, last="", name="", short="")) for one in better)


def test_the_parser_alone_says_it_with_the_usual_words() -> None:
    findings = Findings()
    read_text("gain 1 Luck", "line", Span("page.te", 1, 1, 12), findings)
    (one,) = findings
    assert one.help == plain(one.wording) == "write `the .. gains 1 Luck`"


CLIMB = "## hack: Steep\n### changes procedure: Climb\n- Reach:\n  - Gain: %s\n"
THROW = f"## procedure: Toss\n{WALKER}\n1. Go.\n   - Dice: the walker rolls 2 d6 as the pebbles\n   - Fall: each character gains 1 Health\n   - Count: %s\n"
HELPS = {
    "who acts in a procedure that a hack changes": (CLIMB % "gain 1 Adventure", "write `the climber gains 1 Adventure`"),
    "who can have it": (CLIMB % "increase Tension by 1", "write `the gm gains 1 Tension`"),
    "whoever takes part in what it follows on": ("## rule: Wind\n- Cold: after Test: lose 1 Health\n", "write `the actor loses 1 Health`"),
    "each of several": ("## rule: Wind\n- Cold: after Scene: for each character: lose 1 Health\n", "write `the character loses 1 Health`"),
    "whose trait it is": (SLY % "- Dry: after Test by the owner: gain 1 Health", "write `the owner gains 1 Health`"),
    "nobody is known": ("## rule: Wind\n- Cold: after Scene: gain 1 Health\n", "write `the .. gains 1 Health`"),
    "the dice rolled last": (THROW % "add up the dice", "write `the total is sum of the pebbles`"),
    "no dice rolled": (
        CLIMB % "add up the dice",
        "write `the total is sum of the roll`, with the words of the game: `the roll` is what `rolls .. as the roll` calls the dice",
    ),
    "an outcome": (SLY % "- Dry: after Climb succeeds: the owner gains 1 Health", "write `after Climb ending in Up:`"),
    "what can end so": (SLY % "- Dry: on Failure: the owner gains 1 Health", "write `after Test ending in Failure`"),
    "what nothing alone can end so": (SLY % "- Dry: on Mishap: the owner gains 1 Health", "write `after Mishap`"),
    "an outcome of the procedure here": ("## hack: Steep\n### changes procedure: Test\n- Throw:\n  - Dry: if the actor's total is 9: Success\n", "write `end with Success`"),
    "a table": (CLIMB % "if the sum is 9: Weather", "write `the climber rolls Weather`"),
    "a kind of traits": (CLIMB % "pick any feature", "write `the climber chooses a feature as the feature; the climber takes the feature`"),
    "a kind of numbers": (CLIMB % "pick any skill", "write `the climber chooses a skill as the skill`"),
    "the trait in which it stands": (SLY % "- Dry: lasts until the end of the Scene", "how long it lasts is said where it ends: `after Scene: the owner drops Sly`"),
    "those of a kind": (CLIMB % "all characters lose 1 Adventure", "write `each character loses 1 Adventure`"),
    "those who alone can have it": (CLIMB % "everyone loses 1 Adventure", "write `each character loses 1 Adventure`"),
    "those of several kinds": (CLIMB % "everyone loses 1 Health", "write `each` and a kind, as one of it is called: `each .. loses 1 Health`"),
    "a trait": (SLY % "- Dry: after Test by the owner: the owner gains Thorny", "write `takes Thorny`"),
    "a number": (SLY % "- Dry: after Test by the owner: the owner gains Health", "write `gains 1 Health`"),
    "neither": (
        SLY % "- Dry: after Test by the owner: the owner gains Opal",
        "a trait is taken: write `takes Opal`; points are counted: `gains 1 Opal`",
    ),
    "a pronoun": (SLY % "- Dry: after Test by the owner: they lose 1 Health", "name the one: `the owner`, or `each` and a kind"),
}  # fmt: skip


@pytest.mark.parametrize("name", HELPS)
def test_the_game_fills_the_blanks(name: str) -> None:
    page, help = HELPS[name]
    (one,) = errors(f"{GOOD}\n{CHARM}{page}")
    assert one.help == help
    assert (one.wording, one.rather) == ((), None)
