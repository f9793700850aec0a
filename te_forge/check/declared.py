"""What is said of a value that does not read, in a field that a kind declares: only its declaration knows what stands there."""

from __future__ import annotations

import re

from te_forge.check.below import label_of
from te_forge.check.names import Names
from te_forge.diagnostics import Diagnostic, Findings
from te_forge.model.rules import UNKNOWN, Type
from te_forge.source import Span
from te_forge.suggest import a, nearest
from te_forge.syntax.tree import Node, Rule

VAGUE = ("unexpected-word", "lower-case-name", "unfinished-line", "pronoun", "missing-the", "wrong-type")
"""What is said of a line by its words alone, without knowing what it could hold; or as if it were a field of the language."""
BOUNDS = ("Starts", "At Least", "At Most")
"""Fields of a number that are numbers themselves."""
NO_NUMBERS = {
    "dice_value": "these are dice", "text": "this is text", "price": "this is a price", "limit_value": "this says how often", "each_value": "this says when",
    "span": "this is a range",
}  # fmt: skip
"""Values that are no numbers, as a message calls them."""
CHANGED = r"(?:[+-]? ?(\d+) )?([^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*)(?::? ?[+-]? ?(\d+))?"
COUNTED = re.compile(r"(-?\d+) ?[^\W\d_]+\.?")


def said_by_type(rule: Rule, kind: str, names: Names, findings: Findings) -> None:
    """Put what the declared field takes in the place of what was said about the words of its value."""
    label = label_of(rule)
    slot = names.slots.get(kind, {}).get(label)
    if slot is None or slot.holds == UNKNOWN:
        return
    for at, one in enumerate(findings):
        if one.code in VAGUE and (one.span.file, one.span.line) == (rule.span.file, rule.span.line):
            said = rule.text.partition(":")[2].strip()
            start = rule.span.column + len(rule.text.rstrip()) - len(said)
            findings[at] = not_taken(label, said, slot.holds, Span(rule.span.file, rule.span.line, start, start + max(len(said), 1)), names)


def not_taken(label: str, said: str, wanted: Type, span: Span, names: Names) -> Diagnostic:
    return Diagnostic("wrong-type", f"`{label}` does not take this", span, "error", takes(said, wanted, names))


def takes(said: str, wanted: Type, names: Names) -> str:
    """What a field of this type takes, and what was probably meant."""
    known: list[str] = list(wanted.words)
    match wanted.name:
        case "choice":
            what = f"it takes {wanted}"
        case "actor" | "entry" | "group" if wanted.kind:
            known = [names.title[id] for id, kind in names.kind_of.items() if kind == wanted.kind and id in names.title]
            what = (
                f"it takes names of {wanted.kind}s with commas between them" if wanted.name == "group" else f"it takes the name of {a(wanted.kind)}"
            )
        case "change":
            meant = re.fullmatch(CHANGED, said)
            made = f"`{meant[2]} {'-' if '-' in said else '+'}{meant[1] or meant[3]}`" if meant is not None and (meant[1] or meant[3]) else ""
            what = (
                f"a change has its sign: write {made}"
                if made
                else "it takes a change: the name of a number and what is added to it, such as `Luck +1`"
            )
        case "dice":
            what = "it takes dice, such as `2 d6`; what is added to them is said where they are rolled"
        case "number":
            counted = COUNTED.fullmatch(said)
            return (
                f"it takes a number: write `{counted[1]}`, and what it is counted in where the field is explained"
                if counted
                else "it takes a number, such as `3`"
            )
        case "text":
            return f'it takes words in quotation marks: `"{said}"`'
        case _:
            return f"it takes {wanted}"
    same = next((one for one in known if one.casefold() == said.casefold()), None) or nearest(said.title(), known)
    return f"write `{same}`; {what}" if same else what


def no_number(node: Node, label: str) -> tuple[str, str]:
    """What is wrong with dice, words and the like where a number stands, and what to write."""
    said = f"{NO_NUMBERS[node.data]}, and {f'`{label}` is' if label else 'here stands'} a number"
    if node.data != "dice_value":
        return said, "write a whole number, or a formula; words about it are prose"
    dice = " ".join(str(token) for token in node.tokens())
    match label:
        case "Starts":
            return said, f"dice are rolled when somebody is made: `the newcomer rolls {dice} as the die; the newcomer's .. becomes sum of the die`"
        case "At Least" | "At Most" | "Copies":
            return said, "write a whole number, or a formula"
        case _:
            return said, "write a number; a field for dice has `dice` below `holds` in its `label` table"
