"""Complaints about what is decided before anybody plays: tests and levels that bounds settle, counts of nothing, lines that nothing comes to.

All of it is seen in one system as it stands. What a hack changes, or a rule gives another bound, is left alone: there only play can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from te_forge.check.lint_flow import OPPOSITE, first_end
from te_forge.check.lint_view import View
from te_forge.diagnostics import Diagnostic, Label
from te_forge.keys import slug
from te_forge.model.rules import (
    Amount,
    Bound,
    Compare,
    Condition,
    Contribute,
    DiceSpec,
    Divide,
    DivideUp,
    EndWith,
    Every,
    Expr,
    Give,
    GoBack,
    If,
    Int,
    Limit,
    Limited,
    Lock,
    Number,
    On,
    Pick,
    Repeat,
    Roll,
    Sentence,
    Stat,
    Thing,
)
from te_forge.model.system import Entry
from te_forge.source import Span


class Reach(NamedTuple):
    """From where to where a number can go; None where nothing stops it."""

    low: int | None = None
    high: int | None = None

    def within(self, other: Reach) -> bool:
        low = other.low is None or (self.low is not None and self.low >= other.low)
        return low and (other.high is None or (self.high is not None and self.high <= other.high))

    def and_(self, other: Reach) -> Reach:
        lows = [one for one in (self.low, other.low) if one is not None]
        highs = [one for one in (self.high, other.high) if one is not None]
        return Reach(max(lows, default=None), min(highs, default=None))

    @property
    def empty(self) -> bool:
        return self.low is not None and self.high is not None and self.low > self.high


ANYWHERE = Reach()


class Reaches:
    """How far each number goes, where nothing but its own bounds has a say in that."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.moved: set[str] = set()
        """The numbers and kinds of numbers that something changes for a time, gives other bounds, or patches."""
        self.any = False
        for _, _, node in view.every(Contribute, Lock, Give):
            match node:
                case (
                    Contribute(target=Stat(_, stat)) | Lock(target=Stat(_, stat)) | Give(target=Bound(Stat(_, stat), _)) | Give(target=Bound(stat, _))
                ):
                    self.move(stat)
                case _:
                    pass
        self.moved.update(patch.target for entry in view.system.entries.values() for patch in entry.patches)
        self.found: dict[str, Reach] = {}

    def move(self, stat: Expr) -> None:
        if isinstance(stat, Thing):
            self.moved.add(stat.id)
        else:
            self.any = True

    def of(self, expr: Expr) -> Reach:
        match expr:
            case Int(value):
                return Reach(value, value)
            case Number():
                return Reach(0, None)
            case Stat(_, Thing(id)):
                if id not in self.found:
                    self.found[id] = self.bounds(id)
                return self.found[id]
            case _:
                return ANYWHERE

    def bounds(self, id: str) -> Reach:
        number = self.view.system.entries.get(id)
        kind = self.view.known.kind_entry(number.kind) if number is not None else None
        if number is None or self.any or id in self.moved or (kind is not None and kind.id in self.moved):
            return ANYWHERE
        return Reach(self.view.known.bound(number, "least"), self.view.known.bound(number, "most"))


def taken(test: Condition | None) -> tuple[Expr, Reach] | None:
    """What a test looks at, and where it must lie, for a test of one thing against a plain number."""
    if not isinstance(test, Compare) or not isinstance(test.right, Int):
        return None
    op, value = (OPPOSITE.get(test.op, "") if test.negated else test.op), test.right.value
    match op:
        case "above":
            return test.left, Reach(value + 1, None)
        case "below":
            return test.left, Reach(None, value - 1)
        case "at least":
            return test.left, Reach(value, None)
        case "at most":
            return test.left, Reach(None, value)
        case "is":
            return test.left, Reach(value, value)
        case _:
            return None


# ---------------------------------------------------------------- tests and levels


def always_the_same(view: View) -> Iterator[Diagnostic]:
    """A test that bounds answer, that asks a thing for itself, or whose parts exclude each other; a level that is never reached."""
    reaches = Reaches(view)
    for entry, span, test in view.mine(Compare, where=lambda test: not (isinstance(test.left, Int) and isinstance(test.right, Int))):
        if entry.kind != "example":
            yield from compared(view, reaches, test, span)
    for entry, span, both in view.mine(Every):
        if entry.kind != "example":
            yield from exclusive(both.tests, span)
    for entry, span, on in view.mine(On, where=lambda on: on.event.what == "level"):
        if entry.kind != "example":
            yield from level(view, reaches, on, span)
    yield from more_than_rolled(view)


def compared(view: View, reaches: Reaches, node: Compare, span: Span) -> Iterator[Diagnostic]:
    if node.left == node.right:
        yield same("both sides of this test are the same", span, "name what it is to be compared with")
        return
    found = taken(node)
    if found is None:
        return
    reach = reaches.of(found[0])
    if reach != ANYWHERE and (reach.within(found[1]) or reach.and_(found[1]).empty):
        never = not reach.within(found[1])
        yield same(f"{bounded(view, found[0], reach)}, so this is {'never' if never else 'always'} so", span, "change the test, or the bound")


def bounded(view: View, expr: Expr, reach: Reach) -> str:
    name = view.system.entries[expr.stat.id].name if isinstance(expr, Stat) and isinstance(expr.stat, Thing) else "a number of things"
    words = [f"at least {reach.low}"] if reach.low is not None else []
    words += [f"at most {reach.high}"] if reach.high is not None else []
    return f"{name} is {' and '.join(words)}"


def exclusive(tests: tuple[Condition, ...], span: Span) -> Iterator[Diagnostic]:
    together: dict[Expr, Reach] = {}
    for test in tests:
        if (found := taken(test)) is not None:
            together[found[0]] = together.get(found[0], ANYWHERE).and_(found[1])
            if together[found[0]].empty:
                yield same("these tests exclude each other, so this is never so", span, "write `or`, or change one of the numbers")
                return


def level(view: View, reaches: Reaches, node: On, span: Span) -> Iterator[Diagnostic]:
    if node.event.what != "level" or not isinstance(node.event.level, Int):
        return
    at = node.event.level.value
    number = Stat(Thing(node.event.id), Thing(node.event.id))
    reach = reaches.of(number)
    if node.event.multiple and at < 1:
        yield same(f"no number ever reaches a multiple of {at}", span, "write `1` or more")
    elif reach.and_(Reach(at, at)).empty or (reach.high is not None and reach.high < at) or (reach.low is not None and at < reach.low):
        yield same(f"{bounded(view, number, reach)}, so it never reaches {at}", span, "change the level, or the bound")


def more_than_rolled(view: View) -> Iterator[Diagnostic]:
    """`keeps the highest 3 of` a roll of 2 dice."""
    for entry in view.having(Pick):
        rolled = dice_rolled(view, entry) if entry.kind != "example" else {}
        for span, node in view.meaning(entry) if rolled else ():
            if not (isinstance(node, Pick) and node.verb == "keeps" and isinstance(node.count, Int)):
                continue
            word = getattr(node.source, "word", "")
            count = rolled.get(word)
            if (
                count is not None
                and node.count.value > count
                and all(one is entry for one, _, other in view.every(Roll, Pick) if getattr(other, "word", "") == word)
            ):
                said = f"{count} {'die is' if count == 1 else 'dice are'} rolled, so there are never {node.count.value} to keep"
                yield same(said, view.places.get(id(node), span), "roll more dice, or keep fewer")


def dice_rolled(view: View, entry: Entry) -> dict[str, int | None]:
    """How many dice each word of the rules of an entry holds; None where that is not always the same."""
    found: dict[str, int | None] = {}
    for _, node in view.meaning(entry):
        if isinstance(node, Roll | Pick) and node.word:
            dice = node.dice if isinstance(node, Roll) else ()
            count = sum(one.count.value for one in dice if isinstance(one, DiceSpec) and isinstance(one.count, Int))
            known = bool(dice) and all(isinstance(one, DiceSpec) and isinstance(one.count, Int) and not one.exploding for one in dice)
            found[node.word] = count if known and found.get(node.word, count) == count else None
    return found


def same(said: str, span: Span, help: str) -> Diagnostic:
    return Diagnostic("always-the-same", said, span, "warning", help)


# ---------------------------------------------------------------- counts of nothing


def counts_nothing(view: View) -> Iterator[Diagnostic]:
    """A number of times, dice or points that is 0: the line does nothing."""
    for entry, span, node in view.mine(Limited, Repeat, DiceSpec, Amount, DivideUp, Pick, Contribute, where=counts_none):
        if entry.kind == "example" or (count := counted(node)) is None:
            continue
        here = view.places.get(id(node), span)
        yield nothing_counted(
            f"this is done {count} times" if isinstance(node, Limited | Repeat) else f"this is {count}, so the line does nothing", here
        )
    for _, field, limit in view.own_stating(Limit):
        if limit.times < 1:
            yield nothing_counted("this is done 0 times", field.span)


def counts_none(node: object) -> bool:
    count = counted(node)
    return count is not None and count <= 0


def nothing_counted(said: str, span: Span) -> Diagnostic:
    return Diagnostic("counts-nothing", said, span, "warning", "write `1` or more, or take the line out")


def counted(node: object) -> int | None:
    """How often or how much, where a plain number says so."""
    match node:
        case Amount(how="fixed", number=Int(count)):
            return count
        case Limited(limit=limit):
            return limit.times
        case Repeat(times=Int(count)) | DiceSpec(count=Int(count)) | DivideUp(amount=Int(count)) | Pick(count=Int(count)):
            return count
        case Contribute(how="more" | "less", amount=Int(count)):
            return count
        case _:
            return None


def divided_by_nothing(view: View) -> Iterator[Diagnostic]:
    """A number that is divided by 0."""
    for _, span, node in view.mine(Divide):
        if node.right == Int(0):
            yield by_nothing(span)
    for _, field, formula in view.own_stating(Divide):
        if formula.right == Int(0) or (field.id.endswith("#starts") and starts_at_nothing(view, formula.right)):
            yield by_nothing(field.span)


def starts_at_nothing(view: View, expr: Expr) -> bool:
    """Whether a number is 0 for everybody at the start: nobody states another one, and no hack gives it another start."""
    number = view.known.number(expr) if isinstance(expr, Stat) else None
    if number is None or slug(number.name) in view.stated or view.known.bound(number, "start") != 0:
        return False
    return all(patch.target != number.id for entry in view.system.entries.values() for patch in entry.patches)


def by_nothing(span: Span) -> Diagnostic:
    return Diagnostic(
        "divided-by-nothing", "this divides by 0, which has no answer", span, "error", "divide by a number above 0, such as `greater of 1 and ..`"
    )


def impossible_bounds(view: View) -> Iterator[Diagnostic]:
    """`divides exactly 30 among skills`, where all of them together hold less."""
    reaches: Reaches | None = None
    for _, span, node in view.mine(DivideUp):
        if not (node.exactly and node.kind and isinstance(node.amount, Int)):
            continue
        reaches = reaches or Reaches(view)
        room = 0
        for number in view.system.of_kind(node.kind):
            least, high = reaches.bounds(number.id)
            start = view.known.bound(number, "start")
            if high is None or start is None:
                break
            room += max(0, high - min(start, start if least is None else least))
        else:
            if node.amount.value > room:
                yield Diagnostic(
                    "impossible-bounds",
                    f"these hold only {room} more, so {node.amount.value} are never shared out",
                    span,
                    "error",
                    f"write {room} or less, or `up to`",
                )


# ---------------------------------------------------------------- lines that nothing comes to


def never_reached(view: View) -> Iterator[Diagnostic]:
    """A line behind one that ends the procedure in any case, and a branch whose cases have all been taken before it."""
    for entry in view.having(EndWith, GoBack, If):
        if entry.kind == "example":
            continue
        labels = {line.span: line.label for line in view.lines(entry)}
        for body in sequences(view, entry):
            end = first_end(tuple(one for _, one in body), entry)
            if end is not None and end + 1 < len(body):
                first = first_of_chain(body, end)
                said = "the line above ends this in any case, so nothing ever comes to this one"
                yield unreached(said, body[end + 1][0], body[end][0], labels.get(first, "") if first != body[end + 1][0] else "")
            yield from shadowed(body)


def first_of_chain(body: list[tuple[Span, Sentence]], at: int) -> Span:
    """Where the `if` stands to which sentence number `at` belongs; the place of that itself, where it is no `otherwise`."""
    while at and isinstance(one := body[at][1], If) and one.chained:
        at -= 1
    return body[at][0]


def sequences(view: View, entry: Entry) -> Iterator[list[tuple[Span, Sentence]]]:
    """Whatever runs from its first sentence to its last: steps, and bodies inside lines."""
    for step in entry.steps:
        yield [(line.span, one) for line in step.lines for one in line.meaning]
    for span, one in view.sentences(entry):
        below = view.said[id(one)].nodes
        for node in below if any(isinstance(node, If | EndWith | GoBack) for node in below) else ():
            body = getattr(node, "body", None)
            if isinstance(body, tuple) and len(body) > 1:
                yield [(view.places.get(id(inner), span), inner) for inner in body]


def shadowed(body: list[tuple[Span, Sentence]]) -> Iterator[Diagnostic]:
    before: dict[Expr, list[tuple[Reach, Span]]] = {}
    for span, one in body:
        if not isinstance(one, If) or not one.chained:
            before = {}
        found = taken(one.condition) if isinstance(one, If) else None
        if found is not None:
            above = before.setdefault(found[0], [])
            cover = next((place for reach, place in above if found[1].within(reach)), None)
            if cover is not None:
                yield unreached("a test above takes all of these cases, so nothing ever comes to this one", span, cover)
            above.append((found[1], span))


def unreached(said: str, span: Span, above: Span, sooner: str = "") -> Diagnostic:
    help = f"take it out, or put it in front of `{sooner}`" if sooner else "take it out, or change the one above"
    return Diagnostic("never-reached", said, span, "warning", help, (Label(above, "here"),) if above != span else ())


LINTS = (always_the_same, counts_nothing, divided_by_nothing, impossible_bounds, never_reached)
