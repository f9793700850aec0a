"""Complaints about when a value is given, changed, read and replaced: the rules of section 2 and 4 of `meaning.md` that can be seen without playing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from te_forge.check.lint_flow import ends
from te_forge.check.lint_text import entry_tables
from te_forge.check.lint_view import View, within
from te_forge.diagnostics import Diagnostic, Label
from te_forge.frozen import frozen
from te_forge.model.rules import (
    Body,
    Bound,
    ChooseOne,
    Compare,
    Contribute,
    EndWith,
    Event,
    Expr,
    Filter,
    ForEach,
    Give,
    GoBack,
    Hung,
    If,
    InNext,
    Int,
    Limited,
    Local,
    Lock,
    May,
    On,
    Sentence,
    Stat,
    Thing,
    Until,
    While,
)
from te_forge.model.system import Entry, Line, Step
from te_forge.model.walk import nodes
from te_forge.source import Span

# ---------------------------------------------------------------- before and after a procedure settles


@frozen
class Settling:
    """A procedure with a `Settles:` line: the number of that step, and the numbers that settle there (declared values, and words of its own)."""

    procedure: Entry
    step: int
    values: frozenset[str]
    words: frozenset[str]

    @property
    def name(self) -> str:
        return self.procedure.steps[self.step].name


def settling(view: View) -> Iterator[Settling]:
    for entry in view.system.entries.values():
        field = entry.fields.get("settles") if entry.kind == "procedure" else None
        step = field.value[0] if field is not None and field.value else None
        ids = [one.id for one in entry.steps]
        if isinstance(step, Thing) and step.id in ids:
            values = {word for one in cases(view, entry) for word, slot in one.slots.items() if slot.holds.name in ("number", "change")}
            words = {word for word, type in entry.locals.items() if type.name in ("number", "change")}
            yield Settling(entry, ids.index(step.id), frozenset(values), frozenset(words))


def cases(view: View, entry: Entry) -> list[Entry]:
    """The procedure with all that it counts as: they share one frame."""
    found = {entry.id: entry}
    todo = [entry]
    while todo:
        field = todo.pop().fields.get("counts-as")
        for atom in field.value if field is not None else ():
            above = view.system.entries.get(atom.id) if isinstance(atom, Thing) else None
            if above is not None and above.id not in found:
                found[above.id] = above
                todo.append(above)
    return list(found.values())


Moment = tuple[Entry, Span, object, int]
"""Something that runs in a procedure: whose line it is, where, the node, and before which step it has run (their number: after all of them)."""


def moments(view: View, procedure: Entry) -> Iterator[Moment]:
    """What the steps of the procedure do, and what hooks on it and on its steps do."""
    for number, step in enumerate(procedure.steps):
        for line in step.lines:
            for span, node in placed(view, line.span, line.meaning):
                yield procedure, span, node, number + 1
    numbers = {step.id: number for number, step in enumerate(procedure.steps)}
    for entry, span, on in hooks(view, procedure):
        first, last = numbers.get(on.event.id, 0), numbers.get(on.event.id, len(numbers) - 1)
        for place, node in placed(view, span, on.body):
            yield entry, place, node, first if on.when == "before" else last + 1


def hooks(view: View, procedure: Entry) -> Iterator[tuple[Entry, Span, On]]:
    for entry, span, node in view.hooks.get(procedure.id, ()):
        if node.when != "instead":
            yield entry, span, node


def placed(view: View, span: Span, body: Body) -> Iterator[tuple[Span, object]]:
    """Every node of `body` with the line that it stands on, but nothing inside hooks."""
    for one in body:
        here = view.places.get(id(one), span)
        if isinstance(one, On):
            continue
        inner = getattr(one, "body", None)
        options = one.options if isinstance(one, ChooseOne) else ()
        yield here, one
        if isinstance(one, If | While) and one.condition is not None:
            yield from ((here, node) for node in nodes(one.condition))
        if isinstance(one, ForEach):
            yield from ((here, node) for node in nodes(one.members))
        for option in options:
            yield from placed(view, here, option.body)
        if isinstance(inner, tuple):
            yield from placed(view, here, inner)


def compared_too_early(view: View) -> Iterator[Diagnostic]:
    """A declared value that decides something while it can still change."""
    for at in settling(view):
        for entry, span, node, step in moments(view, at.procedure):
            if isinstance(node, Compare | Filter) and step <= at.step and entry.pack == view.pack:
                sides = (node.left, node.right) if isinstance(node, Compare) else (node.key, node.value)
                word = next((one.word for one in nodes(sides) if isinstance(one, Hung) and one.word in at.values), None)
                if word is not None:
                    yield Diagnostic(
                        "compared-too-early",
                        f"`{word}` is compared here, but it can still change until `{at.name}`",
                        span,
                        "error",
                        f"compare it in `{at.name}` or later, or let the procedure settle sooner: `- Settles: ..`",
                        (Label(at.procedure.fields["settles"].span, "it settles where this line says"),),
                    )


def changed_too_late(view: View) -> Iterator[Diagnostic]:
    """A number that is changed after it has settled, or after the last step that looks at it."""
    settled = {at.procedure.id: at for at in settling(view)}
    for procedure in view.system.entries.values():
        at = settled.get(procedure.id)
        if procedure.kind != "procedure" or (procedure.pack != view.pack and at is None and not any(True for _ in hooks(view, procedure))):
            continue
        used = Used(procedure)
        for entry, span, node, step in moments(view, procedure):
            if not isinstance(node, Contribute | Lock) or entry.pack != view.pack:
                continue
            if at is not None and step > at.step and (word := changed(node.target, at)) is not None:
                yield too_late(span, word, f"it settled when `{at.name}` began", at.name, at.procedure.fields["settles"].span)
            elif entry is not procedure and (found := read_by_then(view, used, node.target, step)) is not None:
                word, reader = found
                yield too_late(span, word, f"`{reader.name}` has used it by then", reader.name, reader.span)


def read_by_then(view: View, used: Used, target: Expr, step: int) -> tuple[str, Step] | None:
    """The word of a value whose last reader comes before this step, and that reader."""
    if isinstance(target, Local):
        reader = used.lost(target.word, step)
    elif isinstance(target, Hung) and step == len(used.procedure.steps) and only_there(view, used.procedure, target.word):
        reader = used.last_reader(target.word)
    else:
        return None
    return (target.word, reader) if reader is not None else None


def only_there(view: View, procedure: Entry, word: str) -> bool:
    """Whether the procedure declares this value, and nothing but its own steps looks at it: no caller, no other rule."""
    if not any(word in one.slots for one in cases(view, procedure)):
        return False
    targets = {id(node.target) for _, _, node in view.every(Contribute, Lock, Give) if isinstance(node, Contribute | Lock | Give)}
    return all(entry is procedure for entry, _, node in view.every(Hung) if node.word == word and id(node) not in targets)


class Used:
    """In which steps of a procedure its words are looked at, and in which they get a value."""

    def __init__(self, procedure: Entry) -> None:
        self.procedure = procedure
        self.steps = procedure.steps
        self.read: list[set[str]] = []
        self.given: list[set[str]] = []
        self.hung: list[set[str]] = []
        for step in procedure.steps:
            found = [node for line in step.lines for node in nodes(line.meaning)]
            targets = [node.target for node in found if isinstance(node, Give | Contribute | Lock)]
            kept = {id(one) for one in targets}
            self.read.append({node.word for node in found if isinstance(node, Local) and id(node) not in kept})
            self.hung.append({node.word for node in found if isinstance(node, Hung) and id(node) not in kept})
            self.given.append({node.target.word for node in found if isinstance(node, Give) and isinstance(node.target, Local)})

    def last_reader(self, word: str) -> Step | None:
        """The last step that looks at a value of this name that hangs on somebody."""
        return next((self.steps[number] for number in range(len(self.steps) - 1, -1, -1) if word in self.hung[number]), None)

    def lost(self, word: str, step: int) -> Step | None:
        """The step that used `word` before `step`, where nothing uses it or gives it a value from `step` on."""
        if any(word in one for one in (*self.read[step:], *self.given[step:])):
            return None
        return next((self.steps[number] for number in range(step - 1, -1, -1) if word in self.read[number]), None)


def too_late(span: Span, word: str, why: str, step: str, place: Span) -> Diagnostic:
    return Diagnostic(
        "changed-too-late",
        f"`{word}` is changed here, but {why}",
        span,
        "error",
        f"change it before `{step}`, or say `becomes` in the procedure itself",
        (Label(place, "here"),),
    )


def changed(target: Expr, at: Settling) -> str | None:
    if (isinstance(target, Hung) and target.word in at.values) or (isinstance(target, Local) and target.word in at.words):
        return target.word
    return None


# ---------------------------------------------------------------- changes that nothing ends


def change_without_end(view: View) -> Iterator[Diagnostic]:
    """`X's Strength is 1 more` where something happens: nothing says for how long."""
    sentences = [said for said in view.with_any(Contribute, Lock) if any(True for _ in at_a_moment(view, said.places[0][2], (said.sentence,), True))]
    spans = {span for said in sentences for _, _, span in said.places}
    entries = {entry.id for said in sentences for _, entry, _ in said.places}
    for entry in (entry for entry in view.own if entry.id in entries) if entries else ():
        standing = entry.kind not in ("procedure", "example", "hack", "reading")
        for line in view.lines(entry):
            if line.span not in spans:
                continue
            at_once = not standing and line not in entry.lines
            yield from (endless(view, span, node) for span, node in at_a_moment(view, line.span, line.meaning, at_once))
        for table in entry_tables(entry):
            for row in table.rows:
                for cell in row.cells.values():
                    yield from (endless(view, span, node) for span, node in at_a_moment(view, row.span, cell.meaning, True))


def at_a_moment(view: View, span: Span, body: Body, at_once: bool) -> Iterator[tuple[Span, Contribute | Lock]]:
    """The changes of stored numbers that no `until`, `while` or `in the next` holds; `at_once` is True where `body` happens rather than holds."""
    for one in body:
        here = view.places.get(id(one), span)
        inner = getattr(one, "body", ())
        options = one.options if isinstance(one, ChooseOne) else ()
        if at_once and isinstance(one, Contribute | Lock) and isinstance(one.target, Stat | Bound):
            yield here, one
        lasts = isinstance(one, Until | InNext | While)
        for block in (inner, *(option.body for option in options)):
            if block:
                yield from at_a_moment(view, here, block, not lasts and (at_once or isinstance(one, On)))


def endless(view: View, span: Span, node: Contribute | Lock) -> Diagnostic:
    until = f"`until {view.span} ends: ..`" if view.span else "`while ..: ..`"
    verb = {"more": "gains", "less": "loses"}.get(node.how) if isinstance(node, Contribute) else None
    amount = node.amount.value if isinstance(node, Contribute) and isinstance(node.amount, Int) else ".."
    good = f"; for good, write `{verb} {amount} ..`" if verb else "; for good, write `becomes ..`" if isinstance(node, Contribute) else ""
    return Diagnostic("change-without-end", "nothing says how long this change lasts", span, "error", f"write {until} before it{good}")


# ---------------------------------------------------------------- two bases


def two_bases(view: View) -> Iterator[Diagnostic]:
    """`the x is ..` twice on one way through a step: neither line knows of the other."""
    for entry in view.having(Give):
        for block in ways(view, entry):
            pairs: list[tuple[Span, Span, Give]] = []
            bases(view, [(line.span, one) for line in block for one in line.meaning], (), pairs)
            yield from (base_again(*pair) for pair in pairs)


def ways(view: View, entry: Entry) -> Iterator[tuple[Line, ...]]:
    """Lines that are all passed on one way. Those that a patch puts into one line of another place may be options there, of which one is taken."""
    inside = list(within(entry))
    known = {id(node) for line in inside for node in line.meaning}
    for block in view.blocks[entry.id]:
        if not any(id(node) in known for line in block for node in line.meaning):
            yield block
    yield from ((line,) for line in inside)


Bases = dict[Expr, tuple[Span, Give]]


def bases(view: View, block: Iterable[tuple[Span, Sentence]], above: tuple[Bases, ...], pairs: list[tuple[Span, Span, Give]]) -> Bases:
    """The bases that `block` gives on any way through it; clashes with each other, or with those in `above`, go into `pairs`."""
    given: Bases = {}
    branches: Bases = {}  # of the chain of `if` at hand: they exclude each other
    for span, one in block:
        here = view.places.get(id(one), span)
        if not (isinstance(one, If) and one.chained):
            given |= branches
            branches = {}
        if isinstance(one, Give) and one.how == "is":
            before = next((layer[one.target] for layer in (given, *above) if one.target in layer), None)
            if before is not None and before[1].value != one.value:
                pairs.append((before[0], here, one))
            given[one.target] = (here, one)
        elif isinstance(one, On):
            bases(view, [(here, two) for two in one.body], (), pairs)
        else:
            for inner in (*(option.body for option in getattr(one, "options", ())), getattr(one, "body", ())):
                found = bases(view, [(here, two) for two in inner], (given, *above), pairs)
                if not leaves(inner):
                    branches |= {key: value for key, value in found.items() if not (isinstance(one, ForEach) and about(key, one.word))}
    return given | branches


def leaves(body: Body) -> bool:
    return any(isinstance(one, EndWith | GoBack) for one in body)


def about(target: Expr, word: str) -> bool:
    """Whether the value belongs to the member that a loop stands at: another one in each round."""
    return any(isinstance(node, Local) and node.word == word for node in nodes(target))


def base_again(first: Span, second: Span, give: Give) -> Diagnostic:
    word = getattr(give.target, "word", "") or "this"
    return Diagnostic(
        "two-bases",
        f"`{word}` has got a value in this step already",
        second,
        "error",
        "write `becomes` for a step forward, `is .. more` for a change, or begin the line with `otherwise:`",
        (Label(first, "here it got its value"),) if first != second else (),
    )


# ---------------------------------------------------------------- instead of


def replacements(view: View) -> Iterator[tuple[Entry, Span, On]]:
    for entry, span, node in view.mine(On, where=lambda on: on.when == "instead"):
        yield entry, view.places.get(id(node), span), node


def no_outcome(view: View) -> Iterator[Diagnostic]:
    """`instead of` a procedure that has several outcomes, with a way through that names none."""
    for _, span, on in replacements(view):
        target = view.system.entries.get(on.event.id)
        outcomes = target.fields.get("outcomes") if target is not None else None
        if target is not None and outcomes is not None and len(outcomes.value) > 1 and not ends(guarded(on.body)[0], target):
            yield Diagnostic(
                "no-outcome",
                f"this stands in for `{target.name}` and can end without one of its outcomes",
                span,
                "error",
                "say which one it comes to, in every case: `end with ..`",
                (Label(outcomes.span, "these outcomes are promised"),),
            )


def guarded(body: Body) -> tuple[Body, bool]:
    """What runs behind the conditions, limits and offers directly behind an event, and whether there are any."""
    guard = False
    while len(body) == 1 and isinstance(body[0], If | May | Limited | Until):
        body, guard = body[0].body, True
    return body, guard


def two_replacements(view: View) -> Iterator[Diagnostic]:
    """Two `instead of` for one event that both must be followed, whenever it comes."""
    taken: dict[tuple[Event, str], Span] = {}
    for entry, span, on in replacements(view):
        if guarded(on.body)[1]:
            continue
        always = entry.kind in ("procedure", "rule")
        key = (on.event, "" if always else entry.id)
        if key in taken and taken[key] != span:
            yield Diagnostic(
                "two-replacements",
                "another line stands in for the same thing, and both must be followed",
                span,
                "error",
                "make one an offer (`.. may:`), give it a condition, or delete it",
                (Label(taken[key], "the other one is here"),),
            )
        taken.setdefault(key, span)


LINTS = (compared_too_early, changed_too_late, change_without_end, two_bases, no_outcome, two_replacements)
