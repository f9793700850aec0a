"""Small games at random: a procedure that two play, one that it runs, and a gift whose rules listen. No sense in them, and every construct beside
every other.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar

from beginnings import PLAYERS

Made = TypeVar("Made")

HEAD = f"""# Small
{PLAYERS}| Coins | 2      | 0        | 4       | What one has |
| Luck  | 1      | 0        | 3       | More of it   |

## kind: gift
- Is: a trait of a player

"""
VALUES = """
| value | holds    | default | text         |
|-------|----------|---------|--------------|
| roll  | dice     | nothing | What fell    |
| score | a number | 0       | What it is   |
| aim   | a number | 0       | What it must |
"""
EVENTS = (
    "after gain of Coins by the owner", "after loss of Coins by the owner", "before Sub with the owner as the one", "after Sub with the owner as the one",
    "instead of Sub with the owner as the one", "after Main ending in Good", "after reaching 0 of Coins by the owner", "after a roll by the owner",
    "before Cast in Sub with the owner as the one", "while the owner's Coins is above 2",
)  # fmt: skip
LOOP = "repeat until sum of the extra is 2: the owner rolls 1 d2 as the extra; the owner gains 1 Luck"


class Steps:
    """Writes the steps of one procedure, with the words that surely have a value where it has come to."""

    sorts: tuple[str, ...] = (*("simple",) * 9, *("if",) * 3, *("until",) * 3, "times", "each", "end", "may", "once", "back", "will")
    """What the lines are, each as often as it stands here."""
    given: tuple[str, ...] = ()
    """The roles that Sub has besides."""

    def __init__(self, rng: Random, name: str, numbers: set[str], hung: bool) -> None:
        self.rng, self.name, self.hung = rng, name, hung
        self.numbers, self.dice, self.results = numbers, set[str](), set[str]()
        self.behind: list[str] = []
        self.labels = self.deep = 0

    def any(self, *of: str) -> str:
        return self.rng.choice(of)

    def label(self, indent: int) -> str:
        self.labels += 1
        return f"{'  ' * indent} - L{self.labels}: "

    # ------------------------------------------------------------ numbers and conditions

    def who(self) -> str:
        return self.any("the one", "the one", "the other") if self.name == "Main" else "the one"

    def some_dice(self) -> str:
        known = [f"the {word}" for word in sorted(self.dice)] + (["the one's roll", "the other's roll"] if self.hung else [])
        return self.any(*known) if known else ""

    def number(self, deep: int = 0) -> str:
        found = [
            str(self.rng.randint(0, 4)),
            f"{self.who()}'s {self.any('Coins', 'Luck')}",
            *(f"the {self.any(*sorted(self.numbers))}" for _ in range(3)),
        ]
        if dice := self.some_dice():
            found += [f"({what} of {dice})" for what in ("sum", "sum", "highest", "lowest", "number")]
            found.append(f"(number of dice showing {self.any('1', 'at least 2', '1 or 2')} in {dice})")
        if self.results:
            found += [f"the {self.any(*sorted(self.results))}'s face"] * 2
        if self.hung:
            found.append(f"{self.who()}'s score")
        if deep < 2 and self.rng.random() < 0.4:
            one, other = self.number(deep + 1), self.number(deep + 1)
            return self.any(
                f"({one} + {other})", f"({one} - {other})", f"({one} x {other})", f"({one} / 2 rounded up)", f"(greater of {one} and {other})"
            )
        return self.any(*found)

    def condition(self, deep: int = 0) -> str:
        if not deep and self.rng.random() < 0.2:
            return f"{self.condition(1)} {self.any('and', 'or')} {self.condition(1)}"
        if self.results and self.rng.random() < 0.2:
            return f"the {self.any(*sorted(self.results))} is {self.any('', 'not ')}{self.any('Good', 'Bad')}"
        return f"{self.number(1)} is {self.any('at least ', 'at most ', 'above ', 'below ', '', 'not ')}{self.number(1)}"

    # ------------------------------------------------------------ sentences

    def simple(self) -> str:
        who, dice = self.who(), self.some_dice()
        counter = self.any("counted", "tally")
        number = self.any(*sorted(self.numbers))
        made: list[Callable[[], str]] = [
            lambda: self.rolled(who), lambda: self.rolled(who), lambda: self.rolled(who),
            lambda: f"the {number} becomes {self.number()}", lambda: f"the {number} becomes {self.number()}",
            lambda: f"the {counter} becomes the {counter} {self.any('+', '+', '-')} {self.any('1', '2', self.number(1))}",
            lambda: f"{who} {self.any('gains', 'loses')} {self.any('1', '2')} {self.any('Coins', 'Luck')}",
            lambda: f"{who} {self.any('takes', 'drops')} Lucky",
            lambda: f"the {self.any(number, counter)} is {self.any('1 more', '1 less', 'at most 3', 'at least 1', '2 times as much')}",
        ]  # fmt: skip
        if self.name == "Main":
            made += [lambda: self.done(who)] * 3
        if dice:
            made += [lambda: self.kept(who, dice), lambda: f"{who} rerolls {self.any('up to 1', 'all', 'the lowest 1')} of {dice}"]
        if self.hung:
            made += [lambda: f"{who} rolls 1 d3 as the roll", lambda: f"{who}'s score becomes {who}'s score + {self.any('1', self.number(1))}"]
        return self.rng.choice(made)()

    def rolled(self, who: str) -> str:
        word = self.any("red", "blue", "green")
        self.dice.add(word)
        return f"{who} rolls {self.any('1', '1', '2')} {self.any('d2', 'd3')} as the {word}"

    def kept(self, who: str, dice: str) -> str:
        self.dice.add("best")
        return f"{who} keeps {self.any('the highest', 'the lowest', 'up to')} 1 of {dice} as the best"

    def done(self, who: str) -> str:
        handed = self.handed()
        self.results.add("first")
        return f"do Sub with {who} as the one{handed} as the first"

    def handed(self) -> str:
        """What Sub is given besides."""
        return ""

    def line(self, indent: int) -> list[str]:
        start = self.label(indent)
        within = self.deep < 3
        match self.rng.choice(self.sorts):
            case "if" if within:
                found = [f"{start}if {self.condition()}:", *self.apart(indent)]
                return [*found, f"{self.label(indent)}otherwise:", *self.apart(indent)] if self.rng.random() < 0.5 else found
            case "until" if within:
                self.deep += 1
                body = [one for _ in range(self.rng.choice((1, 2, 3))) for one in self.line(indent + 1)]
                self.deep -= 1
                return [f"{start}repeat until {self.condition()}:", *body]
            case "times" if within:
                return [f"{start}repeat up to {self.any('2', self.number(1))} times:", *self.apart(indent)]
            case "each" if within:
                return [f"{start}for each player as the guest:", *self.apart(indent)]
            case "end":
                return [f"{start}if {self.condition()}: end with {self.any('Good', 'Bad')}"]
            case "may":
                return [f"{start}{self.who()} may: {self.forgotten(self.simple)}"]
            case "once":
                return [f"{start}{self.any('once', '2 times')} per {self.name}: {self.forgotten(self.simple)}"]
            case "again" if self.behind:
                often = self.any("once", "2 times", "3 times")
                return [f"{start}{often} per {self.name}: {self.who()} may: {self.forgotten(self.simple)}; go back to {self.any(*self.behind)}"]
            case "option":
                return [f"{start}{self.who()} chooses one:", *(f"{self.label(indent + 1)}{self.forgotten(self.simple)}" for _ in range(2))]
            case "back" if self.behind:
                return [f"{start}if {self.condition()}: once per {self.name}: go back to {self.any(*self.behind)}"]
            case "will" if self.hung:
                return [f"{start}the one's aim will be the other's score + 1"]
            case _:
                return [start + "; ".join(self.simple() for _ in range(self.rng.choice((1, 1, 2))))]

    def apart(self, indent: int) -> list[str]:
        self.deep += 1
        found = self.forgotten(lambda: [one for _ in range(self.rng.choice((1, 2))) for one in self.line(indent + 1)])
        self.deep -= 1
        return found

    def forgotten(self, make: Callable[[], Made]) -> Made:
        """What has a value in there may have none behind it."""
        before = set(self.numbers), set(self.dice), set(self.results)
        made = make()
        self.numbers, self.dice, self.results = before
        return made

    def lines(self, number: int, name: str) -> list[str]:
        found = [f"{number}. {name}.", *(one for _ in range(self.rng.choice((1, 2, 3))) for one in self.line(1))]
        self.behind.append(name)
        return found


class Choices(Steps):
    """Steps in which much is chosen and gone back to, and that end."""

    sorts = (*("simple",) * 5, *("if",) * 2, "times", "each", "end", *("may",) * 2, *("option",) * 3, *("again",) * 3, *("back",) * 2, "will")
    given = ("a number as the stake",)

    def handed(self) -> str:
        return f", {self.number()} as the stake"


def gift(rng: Random) -> list[str]:
    found = ["## gift: Lucky"]
    for number in range(rng.choice((1, 2))):
        event = rng.choice(EVENTS)
        if event.startswith("while"):
            body = "the owner's Luck is 1 more"
        elif event.startswith("instead"):
            body = "the owner loses 1 Luck; end with Bad"
        else:
            body = rng.choice(("", "once per Main: ", "if the owner's Luck is above 0: ")) + rng.choice(
                (LOOP, "the owner may: the owner gains 1 Luck", "the owner loses 1 Luck")
            )
        found.append(f"- H{number}: {event}: {body}")
    return [*found, ""]


def small_pack(seed: int, steps: type[Steps] = Steps) -> str:
    rng = Random(seed)
    sub = steps(rng, "Sub", {"face", *("stake" for _ in steps.given)}, hung=False)
    found = [
        *gift(rng),
        "## procedure: Sub",
        f"- Roles: {', '.join(('a player as the one', *steps.given))}",
        "- Outcomes: Good, Bad",
        "",
        "1. Begin.",
    ]
    found += ["   - Zero: the face is 0; the counted is 0; the tally is 0", *sub.lines(2, "Cast"), f"   - Face: the face becomes {sub.number()}"]
    found += ["3. Last.", "   - Good: if the face is at least 2: end with Good", "   - Bad: otherwise: end with Bad", ""]
    main = steps(rng, "Main", {"here", "there"}, hung=rng.random() < 0.6)
    found += ["## procedure: Main", "- Roles: a player as the one, a player as the other", "- Outcomes: Good, Bad"]
    found += rng.choice(([], ["- Counts: Middle"], ["- Settles: Late"])) + ([VALUES] if main.hung else [""])
    found += [
        "1. Begin.",
        "   - Zero: the here is 0; the there is 1; the counted is 0; the tally is 0",
        *rng.choice(([], ["   - Gift: the one takes Lucky"])),
    ]
    found += [*main.lines(2, "Early"), *main.lines(3, "Middle"), *main.lines(4, "Late")]
    found += [f"   - Good: if {main.condition()}: end with Good", "   - Bad: otherwise: end with Bad", ""]
    return HEAD + "\n".join(found)
