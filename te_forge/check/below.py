"""What stands below a heading: its rule lines, steps and tables, and what a line is called, also one that does not read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from te_forge.check.fields import ENGINE_FIELDS
from te_forge.check.names import Names
from te_forge.keys import fold
from te_forge.suggest import nearest
from te_forge.syntax.tree import Heading, Rule, Step, Table, Token

DIE = re.compile(r"(\d*)d(\d+)$")
CAPITAL_NAME = re.compile(r"[^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*")
READING_HEADS = ("label", "value", "at", "row")
PROCEDURE_FIELDS = ("Roles", "Outcomes", "Part Of", "Counts As")
"""Fields on which the lines of a procedure hang."""


def rules_of(heading: Heading) -> list[Rule]:
    return heading.parts.rules


def steps_of(heading: Heading) -> list[Step]:
    return heading.parts.steps


def tables_of(heading: Heading) -> list[Table]:
    return heading.parts.tables


def label_of(rule: Rule) -> str:
    """The label of a line, also of one that does not read."""
    if rule.tree is not None:
        label = rule.tree.label
        return fold(cast(Token, label.children[0])) if label else ""
    found = re.match(rf"({CAPITAL_NAME.pattern}): ", rule.text + " ")
    return found[1] if found else ""


def strings(rule: Rule) -> list[str]:
    if rule.tree is None:
        return re.findall(r'"([^"\n]*)"', rule.text)
    return [str(token)[1:-1] for token in rule.tree.tokens() if token.type == "STRING"]


def names_in(rule: Rule) -> list[str]:
    """Names on the line behind its label."""
    if rule.tree is None:
        return CAPITAL_NAME.findall(rule.text.partition(":")[2])
    return [fold(str(token)) for node in rule.tree.nodes() if node.data != "label" for token in node.tokens() if token.type == "NAME"]


def outcomes_in(rule: Rule) -> list[str]:
    """The outcomes that a line lists, also where they stand in quotation marks or are written in small letters."""
    if rule.tree is not None or '"' in rule.text:
        return strings(rule) or names_in(rule)
    return [part.strip().title() for part in re.split(r"[,;/|]|\b(?:and|or)\b", rule.text.partition(":")[2]) if part.strip()]


def walk(rules: list[Rule]) -> Iterator[Rule]:
    for rule in rules:
        yield rule
        if rule.rules:
            yield from walk(rule.rules)


def flat(rules: list[Rule]) -> list[Rule]:
    return list(walk(rules))


def field_meant(rule: Rule) -> str:
    """The label of a line; where it is nearly a field on which others hang (as has been said), that one."""
    label = label_of(rule)
    if label in ENGINE_FIELDS or (rule.tree is not None and rule.tree.node("values") is None):
        return label
    return nearest(label, PROCEDURE_FIELDS, 0.85) or label


def kind_meant(heading: Heading, names: Names) -> str:
    """The kind of a heading that does not say one, by what stands below it; empty where nothing tells."""
    labels = {label_of(rule) for rule in rules_of(heading)}
    heads = {table.head[0].text for table in tables_of(heading)}
    if steps_of(heading) or "value" in heads or labels & {*PROCEDURE_FIELDS, "Counts", "Settles"}:
        return "procedure"
    if "label" in heads or "Is" in labels:
        return "kind"
    if any(DIE.fullmatch(head) for head in heads):
        return "table"
    if labels & {"Of", "Starts", "At Least", "At Most"}:
        numbers = [kind for kind in names.kinds.values() if kind.nature == "number"]
        return next((kind.name for kind in numbers if not kind.of or "Of" not in labels), "")
    return ""
