"""A generated pack for the benchmarks: small definitions of eleven lines each, and the same content as YAML."""

from __future__ import annotations

from te_forge.source import Source

HEAD = """# The Parts

## kind: character
Somebody of the story.
- Is: an actor

## kind: trait
What an adversary is made of.
- Is: a number of a character
- Starts: 2

## kind: gear
What somebody carries.
- Is: a trait of a character

| label  | holds    | default | text           |
|--------|----------|---------|----------------|
| Weight | a number | 0       | how heavy it is |
| Harm   | a number | 0       | how much it hurts |

## procedure: Strike
Somebody is hit.
- Roles: a character as the dealer, a character as the target

1. Wound. The target loses what the blow is worth.
   - Loss: the target loses 1 Health

## trait: Health
What keeps somebody standing.

## trait: Luck
What helps when nothing else does.

"""


def name(number: int) -> str:
    """`Gear Aa`, `Gear Ab` ..: names are words."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(97 + rest) + letters
    return f"Thing {letters.title()}"


def lines_of(number: int) -> list[str]:
    """The rule lines of one definition, without their dashes. Every number differs a little, as in a real pack."""
    return [
        f"Weight: {number % 17}",
        f"Harm: {number * 7 + 1}",
        f"Bite: after Strike with the owner as the target: the dealer loses {number % 4 + 1} Health",
        f"Gift: before Strike with the owner as the dealer: the owner gains {number % 5 + 1} Luck; the owner takes {name(number // 2)}",
        f"Guard: while the owner's Health is below {number % 9 + 2}: the owner's Luck is 1 more",
    ]


def prose_of(number: int) -> list[str]:
    return [
        f"Number {{{name(number)}'s Weight}} on the list is kept in a chest below the stairs.",
        f"Nobody has asked for [[{name(number)}]] in years.",
    ]


def page(first: int, last: int) -> str:
    out: list[str] = []
    for number in range(first, last):
        out += [
            f"## gear: {name(number)} [GEN-{number}]",
            *prose_of(number),
            *(f"- {line}" for line in lines_of(number)),
            "<!-- generated -->",
            "",
            "",
        ]
    return "\n".join(out) + "\n"


def pages(count: int, each: int = 250) -> list[Source]:
    """The pack as the files that a designer would have: `each` definitions a file."""
    out = [Source("pack/rules/parts.te", HEAD)]
    out += [Source(f"pack/rules/{first:06}.te", page(first, min(first + each, count))) for first in range(0, count, each)]
    return out


def as_yaml(count: int, each: int = 250) -> list[str]:
    """The same definitions, one mapping each: kind, name, source, prose, and every rule line as a string under its label; as many documents as there
    are files.
    """
    out = []
    for first in range(0, count, each):
        text: list[str] = []
        for number in range(first, min(first + each, count)):
            text += [f"- kind: gear\n  name: {name(number)}\n  cites: [GEN-{number}]\n  prose:"]
            text += [f'  - "{line}"' for line in prose_of(number)]
            text += ["  rules:"]
            text += [f'    {label}: "{value}"' for label, _, value in (line.partition(": ") for line in lines_of(number))]
        out.append("\n".join(text) + "\n")
    return out
