"""Complaints about numbers: bounds that cannot be, formulas that bite their tail, dice that never stop."""

from __future__ import annotations

from collections.abc import Iterator

from te_forge.check.const import FIELD_OF, NUMBERS, Known, Need, Path, expression, holds
from te_forge.check.lint_chains import cycles, ring_words
from te_forge.check.lint_view import View
from te_forge.check.spoken import in_words
from te_forge.diagnostics import Diagnostic, Label
from te_forge.keys import slug
from te_forge.model.rules import (
    Atom,
    Bonus,
    Bound,
    Change,
    DiceSpec,
    Expr,
    Int,
    Range,
    Showing,
    Thing,
)
from te_forge.model.system import Entry, Field, Line, Ref
from te_forge.model.walk import nodes
from te_forge.source import Span

LABEL = {"start": "Starts", "most": "At Most", "least": "At Least"}

# ---------------------------------------------------------------- stated against computed


def stated_value_differs(view: View) -> Iterator[Diagnostic]:
    """A number that is stated, where a rule gives another one."""
    for entry in view.own:
        if view.known.nature(entry) == "number" or ruled(view, entry):
            continue
        for key, field in entry.fields.items():
            match field.value:
                case (Int(stated),) if (rule := view.known.formula(entry, key)) is not None:
                    yield from differs(view, entry, key, field, stated, rule)
                case _:
                    pass


def ruled(view: View, entry: Entry) -> bool:
    """Whether a ruling speaks of this entry, or the entry of a ruling: then the printed number stands."""
    if not view.rulings:
        return False
    mentioned = [user.partition("#")[0] for user in view.system.users.get(entry.id, ())]
    mentioned += [word.id for prose in entry.prose for word in prose.words if isinstance(word, Ref)]
    return not view.rulings.isdisjoint(mentioned)


def differs(view: View, entry: Entry, key: str, field: Field, stated: int, rule: tuple[Expr, Entry]) -> Iterator[Diagnostic]:
    if isinstance(rule[0], Int) or (isinstance(rule[0], Thing) and not leans(rule[0], view.known, entry.kind)):
        return
    computed = view.known.value(rule[0], entry, Path(frozenset({(entry.id, key)}), 0, (entry.id, key)))
    if computed is None or computed == stated:
        return
    formula = in_words(rule[0], view.system)
    yield Diagnostic(
        "stated-value-differs",
        f"`{entry.name}` states {field.label} {stated}; {formula} is {computed}",
        field.span,
        "warning",
        f"write {computed}, or let a ruling mention `{entry.name}` if the printed number is meant to win",
        (Label(rule_place(rule[1], key), f"{field.label} is {formula}"),),
    )


def leans(expr: Expr, known: Known, kind: str) -> bool:
    """Whether it is a formula at all: a plain default may be departed from."""
    return any(True for _ in known.needs(expr, kind))


def rule_place(rule: Entry, key: str) -> Span:
    if "starts" in rule.fields and rule.kind != "kind":
        return rule.fields["starts"].span
    slot = next((slot for slot in rule.slots.values() if slug(slot.name) == key), None)
    return slot.span if slot else rule.fields["starts"].span if "starts" in rule.fields else rule.span


# ---------------------------------------------------------------- circles


def definitions(view: View) -> Iterator[tuple[Need, Expr, str, Span]]:
    """Every formula: what it defines, itself, whose it is, where it stands."""
    for entry in view.system.entries.values():
        info = view.system.kinds.get(entry.kind)
        if info is not None and info.nature == "number":
            for which, key in FIELD_OF.items():
                made = expression(entry.fields[key].value) if key in entry.fields else None
                if made is not None:
                    yield (entry.id, which), made, bearer(entry, info.of), entry.fields[key].span
        if entry.kind == "kind":
            for slot in entry.slots.values():
                made = expression(slot.default) if slot.default else None
                if made is not None:
                    yield (entry.id, slug(slot.name)), made, entry.name, slot.span


def bearer(number: Entry, of: tuple[str, ...]) -> str:
    own = [atom.type.kind for atom in holds(number) if atom.type.kind]
    return next(iter(own or of), "")


def circular_definition(view: View) -> Iterator[Diagnostic]:
    """Formulas that need themselves."""
    edges: dict[str, dict[str, Span]] = {}
    words: dict[str, str] = {}
    for need, made, kind, span in definitions(view):
        words[" ".join(need)] = need_words(view, need)
        if need[1] in ("least", "most") and any(node == Thing(need[0]) for node in nodes(made, Bound)):
            yield circle(span, [words[" ".join(need)], view.system.entries[need[0]].name, words[" ".join(need)]], span)
        for other in view.known.needs(made, kind):
            edges.setdefault(" ".join(need), {})[" ".join(other)] = span
    for path in cycles(edges, set()):
        if path[0].partition(":")[0] == view.pack:
            ring = [*path, path[0]]
            yield circle(edges[path[0]][ring[1]], [words.get(node, node) for node in ring], edges[path[-1]][path[0]])


def need_words(view: View, need: Need) -> str:
    entry = view.system.entries[need[0]]
    if entry.kind == "kind":
        slot = view.known.slot(entry.name, need[1])
        return f"the {entry.name}'s {slot.name if slot else need[1]}"
    return f"{entry.name}'s {need[1]}"


def circle(span: Span, names: list[str], last: Span) -> Diagnostic:
    return Diagnostic(
        "circular-definition",
        "this number needs itself: " + ring_words(names),
        span,
        "error",
        "let one of them be a plain number",
        (Label(last, "here it comes back"),) if last != span else (),
    )


# ---------------------------------------------------------------- bounds


def impossible_bounds(view: View) -> Iterator[Diagnostic]:
    """A start or a least above the most, a start below the least, a range that runs backwards, a stated number outside."""
    for _, field, among in view.own_stating(Range):
        yield from backwards(view, field, among)
    for entry in view.own:
        if view.known.nature(entry) == "number":
            yield from crossed(entry, {which: view.known.bound(entry, which) for which in FIELD_OF})
        elif entry.kind == "kind":
            yield from crossed(entry, {which: own_bound(view, entry, which) for which in FIELD_OF})
        else:
            yield from outside(view, entry)
        if entry.patches:
            yield from hacked(view, entry)


def hacked(view: View, hack: Entry) -> Iterator[Diagnostic]:
    """The bounds that a hack leaves a number or a kind of numbers with."""
    by_target: dict[str, dict[str, Line]] = {}
    for patch in hack.patches:
        for line in patch.lines if patch.verb == "changes" else ():
            which = next((which for which, key in FIELD_OF.items() if key == line.id and len(line.value) == 1), None)
            if which is not None:
                by_target.setdefault(patch.target, {})[which] = line
    for id, lines in by_target.items():
        target = view.system.entries.get(id)
        if target is None:
            continue
        bounds = {which: own_bound(view, target, which) if target.kind == "kind" else view.known.bound(target, which) for which in FIELD_OF}
        bounds |= {which: changed(bounds[which], line.value[0], view) for which, line in lines.items()}
        for low, high in (("least", "most"), ("start", "most"), ("least", "start")):
            a, b = bounds[low], bounds[high]
            mine = [lines[which] for which in (low, high) if which in lines]
            if mine and a is not None and b is not None and a > b:
                yield bad_bounds(
                    f"with this, `{target.name}` has {LABEL[low]} {a} above {LABEL[high]} {b}",
                    mine[0].span,
                    "change the other one as well, or stay within it",
                )
                break


def changed(base: int | None, value: Atom, view: View) -> int | None:
    """What a line of a patch makes of a number."""
    if isinstance(value, NUMBERS):
        return view.known.value(value, None)
    if base is None or not isinstance(value, Change):
        return None
    match value.op:
        case "more":
            return base + value.amount
        case "less":
            return base - value.amount
        case "times":
            return base * value.amount
        case "up":
            return -(-base * value.amount // 100)
        case "down":
            return base * value.amount // 100
        case "at least":
            return max(base, value.amount)
        case "at most":
            return min(base, value.amount)


def own_bound(view: View, kind: Entry, which: str) -> int | None:
    field = kind.fields.get(FIELD_OF[which])
    made = expression(field.value) if field else None
    return view.known.value(made, None) if made is not None else None


def backwards(view: View, field: Field, among: Range) -> Iterator[Diagnostic]:
    low, high = view.known.value(among.low, None), view.known.value(among.high, None)
    if low is not None and high is not None and low > high:
        yield bad_bounds(f"{low} to {high} runs backwards", field.span, f"write {high} to {low}")


def crossed(entry: Entry, bounds: dict[str, int | None]) -> Iterator[Diagnostic]:
    for low, high in (("least", "most"), ("start", "most"), ("least", "start")):
        a, b = bounds[low], bounds[high]
        mine = [which for which in (low, high) if FIELD_OF[which] in entry.fields]
        if a is None or b is None or a <= b or not mine:
            continue
        if low == "least" and high == "start" and bounds["most"] is not None and a > bounds["most"]:
            continue
        span = entry.fields[FIELD_OF[mine[0]]].span
        other = [entry.fields[FIELD_OF[which]].span for which in mine[1:]]
        said = f"`{entry.name}` has {LABEL[low]} {a} above {LABEL[high]} {b}"
        yield bad_bounds(said, span, "change one of the two", tuple(Label(place, "against this one") for place in other))


def outside(view: View, entry: Entry) -> Iterator[Diagnostic]:
    """Numbers stated for somebody, against the bounds of these numbers."""
    for key, field in entry.fields.items():
        match field.value:
            case (Int(stated),) if key in view.known.numbers:
                number = view.known.number_of(entry.kind, key)
            case _:
                continue
        if number is None or not view.known.carries(entry.kind, number):
            continue
        most, least = view.known.bound(number, "most"), view.known.bound(number, "least")
        if most is not None and stated > most:
            yield out_of_bounds(entry, field, stated, f"at most {most}", number)
        elif least is not None and stated < least:
            yield out_of_bounds(entry, field, stated, f"at least {least}", number)


def out_of_bounds(entry: Entry, field: Field, stated: int, bound: str, number: Entry) -> Diagnostic:
    said = f"`{entry.name}` states {field.label} {stated}, but `{number.name}` is {bound}"
    return bad_bounds(said, field.span, "change the number, or the bound", (Label(number.span, f"`{number.name}` is {bound}"),))


def bad_bounds(message: str, span: Span, help: str, labels: tuple[Label, ...] = ()) -> Diagnostic:
    return Diagnostic("impossible-bounds", message, span, "error", help, labels)


# ---------------------------------------------------------------- dice


def always_exploding(view: View) -> Iterator[Diagnostic]:
    """Dice of which every face explodes."""
    for _, span, node in view.mine(DiceSpec):
        yield from endless_dice(view, span, node)
    for _, field, dice in view.own_stating(DiceSpec):
        yield from endless_dice(view, field.span, dice)


def endless_dice(view: View, span: Span, node: DiceSpec) -> Iterator[Diagnostic]:
    if not node.exploding:
        return
    faces = {view.known.value(face, None) for face in node.exploding}
    if beyond := sorted(face for face in faces if face is not None and not 1 <= face <= node.sides):
        yield Diagnostic(
            "no-such-face",
            f"a d{node.sides} never shows {beyond[0]}, so it does not explode on it",
            span,
            "error",
            f"write a face from 1 to {node.sides}",
        )
    if faces >= set(range(1, node.sides + 1)):
        help = "leave out at least one face"
        yield Diagnostic("always-exploding", f"every face of this d{node.sides} explodes, so the roll never ends", span, "error", help)


def no_such_face(view: View) -> Iterator[Diagnostic]:
    """A face that is asked for and that no die of the game shows."""
    dice = {node.sides for _, _, node in view.every(DiceSpec)}
    dice |= {atom.sides for _, _, atom in view.stating(DiceSpec)}
    defaults = [slot.default for entry in view.system.entries.values() for slot in entry.slots.values() if slot.default]
    dice |= {atom.sides for value in defaults for atom in value if isinstance(atom, DiceSpec)}
    for _, span, node in view.mine(Showing) if dice else ():
        if (face := impossible(view, node, max(dice))) is not None:
            help = f"the largest die that is rolled is a d{max(dice)}"
            yield Diagnostic("no-such-face", f"no die ever shows {face}", view.places.get(id(node), span), "error", help)


def impossible(view: View, node: Showing, most: int) -> int | None:
    nearest = {"above": 1, "below": -1}.get(node.compare, 0)
    known = [face + nearest if (face := view.known.value(one, None)) is not None else None for one in node.faces]
    return next((face for face in known if face is not None and not 1 <= face <= most), None)


def change_twice(view: View) -> Iterator[Diagnostic]:
    """One list that changes a number twice: it adds up, and one of the two was probably meant for another number."""
    for entry, field in view.fields.get(Bonus, ()):
        changes = [atom for atom in field.value if isinstance(atom, Bonus)] if entry.pack == view.pack else []
        stats = [one.stat for one in changes]
        for stat in sorted({stat for at, stat in enumerate(stats) if stat in stats[:at] and stat in view.system.entries}):
            total = sum(one.amount for one in changes if one.stat == stat)
            name = view.system.entries[stat].name
            yield Diagnostic(
                "change-twice",
                f"{field.label} of {entry.name} changes {name} twice",
                field.span,
                "warning",
                f"name another number, or write `{name} {total:+}`",
            )


LINTS = (stated_value_differs, circular_definition, impossible_bounds, always_exploding, no_such_face, change_twice)
