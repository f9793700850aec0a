"""First pass: what a definition shows to others in its lines. Outcomes and steps of a procedure, options of a choice, labels, and who is in an example."""

from __future__ import annotations

from te_forge.check.below import CAPITAL_NAME, field_meant, label_of, names_in, outcomes_in, rules_of, steps_of, tables_of, walk
from te_forge.check.fields import ENGINE_FIELDS
from te_forge.check.holds import all_nodes
from te_forge.check.names import EVERYWHERE, Decl, Names, Procedure, Somebody
from te_forge.keys import fold, slug
from te_forge.syntax.tree import Heading, Rule, Table


def show(decl: Decl, names: Names) -> None:
    """Take into the names what the lines of a definition bring in."""
    heading = decl.heading
    if heading is None:
        return
    if decl.kind == "example":
        people(heading, names)
        return
    place = (decl.owner or decl).id
    for lines in (rules_of(heading), *(step.rules for step in steps_of(heading))):
        for rule in walk(lines):
            option_words(rule, place, names)
    for patch in decl.patches:
        if patch.kind == "example":
            people(patch, names)
            continue
        for rule in walk(rules_of(patch)):
            option_words(rule, place, names, patched=True)
        for table in tables_of(patch):
            cell_words(table, place, names)
    for table in tables_of(heading):
        cell_words(table, EVERYWHERE if decl.kind == "kind" else place, names)
    if decl.kind != "procedure":
        return
    made = Procedure(decl.id)
    names.procedures[decl.id] = made
    for name in (name for rule in rules_of(heading) if field_meant(rule) == "Outcomes" for name in outcomes_in(rule)):
        made.outcomes[fold(name)] = f"{decl.id}#{slug(name)}"
    names.say(made.outcomes, place)
    for step in steps_of(heading):
        made.steps[fold(step.name)] = f"{decl.id}#{step.id or slug(step.name)}"


def people(heading: Heading, names: Names) -> None:
    """Whom an example brings in, for the rules that speak of them and may not."""
    for rule in rules_of(heading):
        label = label_of(rule)
        values = rule.tree.node("values") if rule.tree is not None else None
        said = [node for node in values.nodes() if node.data in ("sheet", "holds")] if values is not None else []
        if said or (label and rule.tree is None and label not in ENGINE_FIELDS):
            what = next((str(token) for node in said for token in node.all("NAME", "WORD")), "")
            names.people.setdefault(label, Somebody(heading.name, rule.span, what))


def cell_words(table: Table, place: str, names: Names) -> None:
    """The options that a table declares, and the names of its rows."""
    heads = [cell.text for cell in table.head]
    for row in table.rows:
        for cell in row:
            if cell.text.startswith("one of "):
                names.say(CAPITAL_NAME.findall(cell.text), place)
        if "row" in heads:
            names.labels.add(fold(row[heads.index("row")].text))


def option_words(rule: Rule, place: str, names: Names, patched: bool = False) -> None:
    """The label of a line, and its options. What a patch puts below a line may be an option there."""
    label = label_of(rule)
    if label:
        names.labels.add(label)
    opens = rule.tree.node("opens") if rule.tree is not None else None
    if rule.rules and (patched or rule.tree is None or (opens is not None and any(node.data == "choose_one" for node in all_nodes(opens)))):
        names.say((label for below in rule.rules if (label := label_of(below))), place)
    if "one of " in rule.text:
        names.say(names_in(rule), place)
