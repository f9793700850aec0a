"""Complaints about procedures: cases that are not decided, and ends that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from te_forge.check.lint_chains import cycles, ring_words
from te_forge.check.lint_view import View
from te_forge.diagnostics import Diagnostic, Label
from te_forge.keys import slug
from te_forge.model.rules import (
    Body,
    Carry,
    ChooseOne,
    Compare,
    EndWith,
    Expr,
    GoBack,
    Holds,
    If,
    Int,
    Repeat,
    Sentence,
    Stat,
    Text,
    Thing,
    Type,
    Until,
)
from te_forge.model.system import Entry, Line
from te_forge.source import Span
from te_forge.suggest import a

# ---------------------------------------------------------------- ties

Pair = tuple[Expr, Expr]
REACH = {"above": ">", "below": "<", "is": "=", "at least": ">=", "at most": "<="}
OPPOSITE = {"above": "at most", "below": "at least", "at least": "below", "at most": "above"}


def reach(test: object) -> tuple[Pair, str] | None:
    """The two things that a condition compares, and which of `<`, `=`, `>` it takes, with the pair always in the same order."""
    if not isinstance(test, Compare) or test.op not in REACH:
        return None
    op: str = test.op
    if test.negated:
        if op == "is":
            return ordered(test, "<>")
        op = OPPOSITE[op]
    return ordered(test, REACH[op])


def ordered(test: Compare, signs: str) -> tuple[Pair, str]:
    if repr(test.left) <= repr(test.right):
        return (test.left, test.right), signs
    return (test.right, test.left), signs.translate(str.maketrans("<>", "><"))


def wrong_kind(view: View) -> Iterator[Diagnostic]:
    """A kind says which procedure makes one, and that procedure makes something else, or needs more than the new one."""
    for kind in view.own:
        made = kind.fields.get("made-by") if kind.kind == "kind" else None
        for atom in made.value if made is not None else ():
            entry = view.system.entries.get(atom.id) if isinstance(atom, Thing) else None
            if made is None or entry is None:
                continue
            roles = [one.type for one in entry.fields["roles"].value if isinstance(one, Holds)] if "roles" in entry.fields else []
            info = view.system.kinds.get(kind.name)
            if info is None or info.nature != "actor":
                yield Diagnostic(
                    "wrong-kind", f"`{kind.name}` is no kind of actor, so nobody makes one", made.span, help="say it of a kind with `- Is: an actor`"
                )
            elif len(roles) != 1 or roles[0].name != "actor" or roles[0].kind not in ("", "actor", kind.name):
                wanted = f"write `- Roles: {a(kind.name)} as the newcomer` there, or name another procedure"
                yield Diagnostic(
                    "wrong-kind",
                    f"`{entry.name}` does not take {a(kind.name)} as its only role",
                    made.span,
                    help=wanted,
                    labels=(Label(entry.span, "it is here"),),
                )


def block_sentences(lines: Iterable[Line]) -> Iterator[tuple[Span, Sentence]]:
    for line in lines:
        for one in line.meaning:
            yield line.span, one


def undecided_tie(view: View) -> Iterator[Diagnostic]:
    """Both sides have a branch and equality has none."""
    for entry in view.having(If):
        for block in view.blocks[entry.id]:
            yield from ties(list(block_sentences(block)))
        for span, node in view.meaning(entry):
            body = getattr(node, "body", None)
            if isinstance(body, tuple):
                yield from ties([(span, inner) for inner in body])


def ties(block: list[tuple[Span, Sentence]]) -> Iterator[Diagnostic]:
    if sum(isinstance(one, If) for _, one in block) < 2:
        return
    sides: dict[Pair, dict[str, Span]] = {}
    for at, (span, one) in enumerate(block):
        if isinstance(one, If):
            found = reach(one.condition)
            if (found and len(found[1]) == 1) or (found and "=" in found[1]):  # `is not` alone takes both sides on purpose
                for sign in found[1]:
                    sides.setdefault(found[0], {})[sign] = span
                if set(sides[found[0]]) == {"<", ">"} and not decided_later(block[at + 1 :], found[0]):
                    yield tie_without_winner(sides[found[0]])


def decided_later(rest: list[tuple[Span, Sentence]], pair: Pair) -> bool:
    """Whether a later neighbour takes the equal case: by name, by `otherwise`, or by ending in any case."""
    for at, (_, one) in enumerate(rest):
        if isinstance(one, EndWith):
            return True
        if isinstance(one, If):
            if one.condition is None and all(isinstance(two, If) and two.chained for _, two in rest[:at]):
                return True
            found = reach(one.condition)
            if found and found[0] == pair and "=" in found[1]:
                return True
    return False


def two_thresholds(view: View) -> Iterator[Diagnostic]:
    """One line says that something comes *at* a level, another that the same comes *above* it."""
    first: dict[tuple[str, str, str], tuple[str, Span]] = {}
    for entry, span, node in view.every(If, where=threshold):
        found = threshold(node)
        if found is None or entry.id.partition(":")[0] != view.pack:
            continue
        key, sign = found
        said, place = first.setdefault(key, (sign, span))
        if said != sign and said[:1] == sign[:1]:
            name = view.system.entries[key[2]].name
            here, there = ("as soon as two numbers are equal", "only when one is beyond the other")[:: 1 if "=" in sign else -1]
            yield Diagnostic(
                "two-thresholds", f"`{name}` comes here {here}, and elsewhere {there}",
                span, "warning", "let both lines say the same", labels=(Label(place, "the other line is here"),),
            )  # fmt: skip


def threshold(node: If) -> tuple[tuple[str, str, str], str] | None:
    """What two numbers decide which trait, whoever it is about; and on which side of equality."""
    test, body = node.condition, node.body
    if not isinstance(test, Compare) or len(body) != 1 or not isinstance(body[0], Carry) or not isinstance(body[0].trait, Thing):
        return None
    found, left, right = reach(test), which(test.left), which(test.right)
    if found is None or not left or not right or found[1] in ("=", "<>", "><"):
        return None
    numbers = (left, right) if found[0] == (test.left, test.right) else (right, left)
    return (*numbers, body[0].trait.id), found[1]


def which(number: Expr) -> str:
    """A number of anybody, by its name; empty if it is worked out."""
    if isinstance(number, Int):
        return str(number.value)
    return number.stat.id if isinstance(number, Stat) and isinstance(number.stat, Thing) else ""


def tie_without_winner(sides: dict[str, Span]) -> Diagnostic:
    first, second = sorted(sides.values())
    return Diagnostic(
        "undecided-tie",
        "nothing is said for when both are equal",
        second,
        "warning",
        "add a line that begins with `otherwise:`, or make one of the two `at least`",
        (Label(first, "the other side is here"),) if first != second else (),
    )


# ---------------------------------------------------------------- outcomes


def no_outcome(view: View) -> Iterator[Diagnostic]:
    """A procedure that promises outcomes and can come to its end without one."""
    for entry in view.own:
        if entry.kind == "procedure" and "outcomes" in entry.fields:
            body = [one for block in view.blocks[entry.id][1 : 1 + len(entry.steps)] for _, one in block_sentences(block)]
            if not ends(tuple(body), entry):
                yield falls_off(entry)


def falls_off(entry: Entry) -> Diagnostic:
    span = entry.steps[-1].span if entry.steps else entry.span
    return Diagnostic(
        "no-outcome",
        f"`{entry.name}` can come to its end without an outcome",
        span,
        "error",
        "let its last line end it in every case, for example `otherwise: end with ..`",
        (Label(entry.fields["outcomes"].span, "these outcomes are promised"),),
    )


def ends(body: Body, entry: Entry) -> bool:
    """Whether every way through `body` ends the procedure (or leaves it by going back)."""
    return first_end(body, entry) is not None


def first_end(body: Body, entry: Entry) -> int | None:
    """The number of the sentence with which every way through `body` has ended."""
    chain: list[If] = []
    taken: dict[Pair, set[str]] = {}
    picked: dict[Expr, set[str]] = {}
    for at, one in enumerate(body):
        chain = [*chain, one] if isinstance(one, If) and one.chained else [one] if isinstance(one, If) else []
        match one:
            case EndWith() | GoBack():
                return at
            case ChooseOne(optional=False, any=False, options=options) if options:
                if all(ends(option.body, entry) for option in options):
                    return at
            case Until(body=inner) | Repeat(times=None, body=inner) if ends(inner, entry):
                return at
            case If(condition=None) if chain and all(ends(two.body, entry) for two in chain):
                return at
            case If(condition=test) if ends(one.body, entry):
                if covers(test, taken, picked, entry):
                    return at
            case _:
                pass
    return None


def covers(test: object, taken: dict[Pair, set[str]], picked: dict[Expr, set[str]], entry: Entry) -> bool:
    """Whether with this branch all of less, equal and more, or all words of a choice, have ended."""
    found = reach(test)
    if found is None or not isinstance(test, Compare):
        return False
    taken.setdefault(found[0], set()).update(found[1])
    if taken[found[0]] >= {"<", "=", ">"}:
        return True
    if test.op == "is" and not test.negated and isinstance(test.right, Thing):
        picked.setdefault(test.left, set()).add(test.right.id)
        words = choice_words(test.left, entry)
        return bool(words) and len(picked[test.left]) == len(words)
    return False


def choice_words(expr: Expr, entry: Entry) -> tuple[str, ...]:
    word = getattr(expr, "word", "")
    slot = entry.slots.get(word)
    held: Type | None = slot.holds if slot else entry.locals.get(word)
    return held.words if held is not None and held.name == "choice" else ()


def unused_outcome(view: View) -> Iterator[Diagnostic]:
    """An outcome that nothing ends with, of a procedure that ends with others."""
    if not any(entry.kind == "procedure" and "outcomes" in entry.fields for entry in view.own):
        return
    used = {node.outcome for _, _, node in view.every(EndWith) if node.result is None}
    handed_on = {node.outcome for _, _, node in view.every(EndWith) if node.result is not None}
    for entry in view.own:
        stated = entry.fields["outcomes"] if entry.kind == "procedure" and "outcomes" in entry.fields else None
        names = [atom.text for atom in stated.value if isinstance(atom, Text)] if stated is not None else []
        unused = [name for name in names if f"{entry.id}#{slug(name)}" not in used]
        if stated is not None and len(unused) < len(names) and entry.id not in handed_on:
            for name in unused:
                yield Diagnostic(
                    "unused-outcome",
                    f"nothing ever ends with {name}",
                    stated.span,
                    "warning",
                    f"write a line such as `if ..: end with {name}`, or take it out",
                )


def duplicate_label(view: View) -> Iterator[Diagnostic]:
    """A role or an outcome that a procedure states twice."""
    for entry in view.own:
        for key in ("roles", "outcomes") if entry.kind == "procedure" else ():
            field = entry.fields.get(key)
            names = (
                [atom.word if isinstance(atom, Holds) else atom.text if isinstance(atom, Text) else "" for atom in field.value]
                if field is not None
                else []
            )
            twice = next((name for at, name in enumerate(names) if name and name in names[:at]), None)
            if field is not None and twice is not None:
                yield Diagnostic(
                    "duplicate-label", f"`{twice}` stands here twice", field.span, "error", "choose another word for one of them, or take it out"
                )


def circular_definition(view: View) -> Iterator[Diagnostic]:
    """A procedure that is a part of itself, or counts as itself."""
    for key, says in (("part-of", "a part of itself"), ("counts-as", "a case of itself")):
        above = {entry.id: entry.fields[key] for entry in view.system.entries.values() if entry.kind == "procedure" and key in entry.fields}
        edges = {id: {atom.id: field.span for atom in field.value if isinstance(atom, Thing)} for id, field in above.items()}
        for path in cycles(edges, set()):
            if path[0].partition(":")[0] == view.pack:
                names = [view.system.entries[id].name for id in (*path, path[0])]
                yield Diagnostic(
                    "circular-definition",
                    f"this procedure is {says}: {ring_words(names)}",
                    above[path[0]].span,
                    "error",
                    f"take the line `{above[path[0]].label}` out of one of them",
                )


# ---------------------------------------------------------------- comparisons that say nothing


def plain_comparison(view: View) -> Iterator[Diagnostic]:
    """A test of one plain number against another, which comes out the same every time."""
    for _, span, node in view.mine(Compare, where=lambda test: isinstance(test.left, Int) and isinstance(test.right, Int)):
        assert isinstance(node.left, Int) and isinstance(node.right, Int)
        yield nothing_compared(node.left.value, node.right.value, span)


def nothing_compared(left: int, right: int, span: Span) -> Diagnostic:
    said = f"this compares {left} with {right}, which comes out the same every time"
    return Diagnostic("plain-comparison", said, span, "error", "name what is compared, such as `the owner's Luck`")


LINTS = (undecided_tie, two_thresholds, no_outcome, unused_outcome, duplicate_label, circular_definition, wrong_kind, plain_comparison)
