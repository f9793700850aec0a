"""Complaints about what is printed and never played: lines that wait for nothing, values that nobody reads, rules without a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from te_forge.check.lint_view import View
from te_forge.check.names import ENGINE_KINDS
from te_forge.diagnostics import Diagnostic, Label
from te_forge.keys import fold
from te_forge.model.rules import (
    Bound,
    Choose,
    ChooseOne,
    Contribute,
    Do,
    Expr,
    Forbid,
    ForEach,
    Give,
    Hung,
    If,
    Limited,
    Local,
    Lock,
    May,
    On,
    Pick,
    Roll,
    Sentence,
    Stat,
    Thing,
    While,
)
from te_forge.model.system import Entry, Line
from te_forge.source import Span

ONLY_PARTS = ("hack", "reading", "kind", "ruling")
"""Their own lines are never looked at in play: a hack and a reading have parts, the others have fields."""

# ---------------------------------------------------------------- lines that nothing sets off


def never_happens(view: View) -> Iterator[Diagnostic]:
    """A standing line that says what happens and not when, or that stands where no rule is played."""
    idle_ones = {id(said.sentence) for said in view.said.values() if idle(said.sentence)}
    for entry in view.own:
        if entry.kind not in ENGINE_KINDS and entry.kind not in view.system.kinds:
            continue  # nobody knows who owns what is of a kind that is not there
        if entry.kind == "example":
            yield from (above_steps(line, bool(entry.steps)) for line in entry.lines if line.meaning)
            continue
        for line in entry.lines:
            if line.meaning and entry.kind in ONLY_PARTS:
                yield out_of_play(entry, line)
            elif not idle_ones.isdisjoint(map(id, line.meaning)):
                yield without_event(line, entry.kind == "procedure")
        for patch in entry.patches:
            target = view.system.entries.get(patch.target)
            steps = {fold(step.name) for step in target.steps} if target is not None else set()
            for line in patch.lines:
                if (
                    patch.verb == "changes"
                    and line.words
                    and fold(line.label) not in steps
                    and line.place is None
                    and any(idle(one) for one in line.meaning)
                ):
                    yield without_event(line, bool(steps))
    yield from steps_of_others(view)


def idle(one: Sentence) -> bool:
    """Whether a standing sentence does nothing: it is no event, no offer, no ban and no change of a number that somebody has."""
    match one:
        case On() | May() | Forbid():
            return False
        case Contribute(target=target) | Lock(target=target):
            return not isinstance(target, Stat | Bound)
        case While(body=body) | Limited(body=body) | ForEach(body=body):
            return any(idle(inner) for inner in body)
        case If(condition=condition, body=body):
            return condition is None or any(idle(inner) for inner in body)
        case _:
            return True


OPENER = re.compile(r"(?:Before|After|Instead Of|While|If|Until|For Each)\b(?= )")
"""Begins a label that was meant as the sentence: `After Rest: ..`."""


def without_event(line: Line, stepped: bool) -> Diagnostic:
    help = f"write when: `{line.label or 'Label'}: after ..: ..` or `before ..: ..`"
    if opener := OPENER.match(line.label):
        help = f"a sentence begins with a small letter behind its label: write `Label: {opener[0].lower()}{line.label[opener.end() :]}: ..`"
    if stepped:
        help = f"set it in below a step; in a hack, write the step, `- Step:`, and below it `{line.label or 'Label'} after ..: ..`"
    return Diagnostic("never-happens", "nothing says when this happens, so it would never be played", line.span, "error", help)


def out_of_play(entry: Entry, line: Line) -> Diagnostic:
    part = f"### rule: {line.label}" if entry.kind in ("hack", "reading") else f"## rule: {line.label}"
    said = f"this line belongs to the {entry.kind} itself, where no rule is played"
    return Diagnostic("never-happens", said, line.span, "error", f"put it below a heading of its own, such as `{part}`")


def above_steps(line: Line, stepped: bool) -> Diagnostic:
    help = "set it in below the step" if stepped else "an example is played step by step: write `1. What happens.`, and set it in below that"
    return Diagnostic("never-happens", "only who is there stands above the steps of an example; this is never played", line.span, "error", help)


def rule_without_lines(view: View) -> Iterator[Diagnostic]:
    """A rule that is nothing but prose, and an example that nobody plays."""
    for entry in view.own:
        if entry.kind == "example" and not (entry.steps or any(line.meaning for line in entry.lines)):
            help = "begin a step, `1. What happens.`, and set in below it what is done and what is expected, as `   - expect ..`"
            yield Diagnostic("rule-without-lines", f"`{entry.name}` has no step, so nothing of it is played", entry.span, "warning", help)
        if entry.kind == "rule" and not (entry.lines or entry.fields or entry.parts or entry.steps or entry.table):
            help = f"add a line such as `- Label: after ..: ..`, or make it a chapter: `# {entry.name}`"
            yield Diagnostic("rule-without-lines", f"`{entry.name}` has no line with a dash, so nothing of it is played", entry.span, "warning", help)


# ---------------------------------------------------------------- steps of another procedure


def steps_of_others(view: View) -> Iterator[Diagnostic]:
    """`after Step in Procedure`, where the step is another procedure's, and that one never runs in this one."""
    for _, span, on in view.mine(On, where=lambda on: on.event.what == "step"):
        event = on.event
        owner = view.system.entries.get(event.id.partition("#")[0])
        for id in event.inside if owner is not None else ():
            around = view.system.entries.get(id)
            if owner is not None and around is not None and around.steps and not may_run_in(view, owner, around):
                step = next((one.name for one in owner.steps if one.id == event.id), "this")
                said = f"`{step}` is a step of {owner.name}, which never runs in {around.name}"
                yield Diagnostic(
                    "never-happens",
                    said,
                    span,
                    "error",
                    f"write `{step} in {owner.name}`, or name a step of {around.name}",
                    (Label(owner.span, "it is here"),),
                )


def may_run_in(view: View, procedure: Entry, around: Entry) -> bool:
    """Whether a procedure can run while another does. What something other than a procedure sets going may run anywhere."""
    callers: dict[str, set[str]] = {}
    for entry, _, node in view.every(Do):
        if entry.kind != "example":
            callers.setdefault(node.procedure, set()).add(entry.id)
    if procedure.id in lineage(view, around):
        return True
    seen, todo = set[str](), [procedure.id]
    while todo:
        id = todo.pop()
        caller = view.system.entries.get(id)
        if caller is None or caller.kind != "procedure":
            return True
        above = lineage(view, caller)
        if around.id in above:
            return True
        seen.add(id)
        todo += [one for each in above for one in callers.get(each, ()) if one not in seen]
    return False


def lineage(view: View, entry: Entry) -> set[str]:
    """The procedure with all that it is a part of or counts as."""
    found, todo = set[str](), [entry.id]
    while todo:
        id = todo.pop()
        if id not in found and id in view.system.entries:
            found.add(id)
            fields = view.system.entries[id].fields
            todo += [atom.id for key in ("part-of", "counts-as") if key in fields for atom in fields[key].value if isinstance(atom, Thing)]
    return found


# ---------------------------------------------------------------- values that nobody reads


def never_read(view: View) -> Iterator[Diagnostic]:
    """`the x is ..` in a procedure, where nothing ever asks for `the x`."""
    if not any(entry.kind == "procedure" for entry in view.having(Give)):
        return
    given = {id(node.target) for _, _, node in view.every(Give, Contribute, Lock) if isinstance(node, Give | Contribute | Lock)}
    read = {node.word for _, _, node in view.every(Local) if id(node) not in given}
    asked: dict[str, set[str]] = {}
    for _, _, hung in view.every(Hung):
        asked.setdefault(hung.word, set()).add(hung.of.word if isinstance(hung.of, Local) else "")
    for entry, span, node in view.mine(Give, where=lambda give: give.how == "is"):
        if entry.kind == "procedure" and isinstance(node.target, Local) and node.target.word not in read:
            people = {word for word, type in entry.locals.items() if type.name == "actor"}
            of = asked.get(node.target.word, set())
            if of <= people:  # of anything else, such as `the result`, the word itself may be asked for
                yield unread(entry, node.target.word, view.places.get(id(node), span), sorted(of))


def unread(entry: Entry, word: str, span: Span, people: list[str]) -> Diagnostic:
    return Diagnostic(
        "never-read",
        f"`the {word}` gets a value here, and nothing ever reads it",
        span,
        "warning",
        f"did you mean `the {people[0]}'s {word}`?" if people else "use it in a line, or take this one out",
        (Label(entry.slots[word].span, "everybody in the procedure has a value of this name"),) if people and word in entry.slots else (),
    )


# ---------------------------------------------------------------- values that are looked for where nobody puts them


def value_of_nobody(view: View) -> Iterator[Diagnostic]:
    """`the x`, where x is declared, in lines without an owner: the value that is nobody's. It has only its default if all that gives x gives that of
    somebody (`X rolls .. as the x`), or a word of one procedure (`the x is ..`).
    """
    unowned = [(entry, span, node) for entry, span, node in view.mine(Hung, where=is_owners) if without_owner(view, entry)]
    if not unowned:
        return
    targets = {id(node.target) for _, _, node in view.every(Give, Contribute, Lock) if isinstance(node, Give | Contribute | Lock)}
    shared = {node.word for entry, _, node in view.every(Hung, where=is_owners) if id(node) in targets and without_owner(view, entry)}
    for entry, span, node in unowned:
        own = next(words_given(view, entry, node.word), None)
        if own is not None:
            yield another_word(node.word, span, *own)
        elif node.word not in shared and (people := givers(view, node.word)):
            yield of_nobody(node.word, span, next((who for who in people if who.removeprefix("the ") in entry.locals), people[0]))


def is_owners(hung: Hung) -> bool:
    return hung.of == Local("owner")


def without_owner(view: View, entry: Entry) -> bool:
    """Whether nobody is `the owner` in the lines of an entry. Of a patch its target says that."""
    around = [view.system.entries[id] for id in owners(view, entry)]
    return entry.kind not in ("hack", "reading", "example") and not any(view.known.nature(one) for one in around)


def words_given(view: View, entry: Entry, word: str) -> Iterator[tuple[Entry, Span]]:
    """Where a procedure around gives a word of its own that is called like the declared value."""
    around = lineage(view, entry) if entry.kind == "procedure" else ()
    for other, span, node in view.every(Give):
        if node.target == Local(word) and other is not entry and other.id in around:
            yield other, view.places.get(id(node), span)


def givers(view: View, word: str) -> list[str]:
    """By which words those are called who get the value, for example by rolling it."""
    found: dict[Expr, None] = {node.target.of: None for _, _, node in view.every(Give) if isinstance(node.target, Hung) and node.target.word == word}
    for said in view.with_any(Roll, Pick, Choose, ChooseOne):
        found |= {node.who: None for node in said.nodes if isinstance(node, Roll | Pick | Choose | ChooseOne) and node.word == word}
    return [f"the {who.word if isinstance(who, Local) else view.system.entries[who.id].name}" for who in found if isinstance(who, Local | Thing)]


def of_nobody(word: str, span: Span, who: str) -> Diagnostic:
    said = f"`the {word}` is nobody's here, so nothing ever gives it a value: each one has a `{word}` of their own"
    return Diagnostic("value-of-nobody", said, span, "error", f"say whose it is: `{who}'s {word}`")


def another_word(word: str, span: Span, other: Entry, place: Span) -> Diagnostic:
    return Diagnostic(
        "value-of-nobody",
        f"`the {word}` is not the one of `{other.name}`: what `is` gives there is a word of that procedure alone",
        span,
        "error",
        f"write `the {word} becomes ..` there, then both speak of one value; or hand it over as a role: `a number as the {word}`",
        (Label(place, "it is given here"),),
    )


# ---------------------------------------------------------------- numbers that nobody has


def number_of_nobody(view: View) -> Iterator[Diagnostic]:
    """A number of which neither it nor its kind says who has it."""
    for entry in view.own:
        info = view.system.kinds.get(entry.kind)
        if info is not None and info.nature == "number" and not info.of and "of" not in entry.fields:
            help = "add a line such as `- Of: a character`, with a kind of yours"
            yield Diagnostic("number-of-nobody", f"nothing says whose {entry.name} this is", entry.span, "error", help)


# ---------------------------------------------------------------- prices that nothing says


def missing_field(view: View) -> Iterator[Diagnostic]:
    """`may pay` without an amount, where nothing says what it costs."""
    patched = {patch.target for entry in view.system.entries.values() for patch in entry.patches if any(line.id == "cost" for line in patch.lines)}
    for entry, span, node in view.mine(May, where=lambda may: may.pays == "cost"):
        if entry.kind not in ONLY_PARTS and patched.isdisjoint(owners(view, entry)) and not priced(view, entry):
            help = (
                "add a line such as `- Cost: 1 Luck`, or say it here, `may pay 1 Luck`; where it costs nothing, write `may`"
                if view.known.nature(entry) in ("trait", "entry")
                else "say it here, `may pay 1 Luck`; where it costs nothing, write `may`"
            )
            yield Diagnostic("missing-field", "nothing says what this costs", view.places.get(id(node), span), "error", help)


def owners(view: View, entry: Entry) -> list[str]:
    """The entry, and what it is a part of."""
    return [entry.id, *(owners(view, view.system.entries[entry.owner]) if entry.owner is not None and entry.owner in view.system.entries else [])]


def priced(view: View, entry: Entry) -> bool:
    return any("cost" in view.system.entries[one].fields for one in owners(view, entry)) or view.known.slot(entry.kind, "cost") is not None


LINTS = (missing_field, never_happens, rule_without_lines, never_read, value_of_nobody, number_of_nobody)
