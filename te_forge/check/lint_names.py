"""Complaints about names: two that look alike, and one that nothing needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from te_forge.check.lint_terms import Terms, terms
from te_forge.check.lint_view import View, is_shelf
from te_forge.check.names import ENGINE_KINDS, fold
from te_forge.diagnostics import Diagnostic, Label
from te_forge.model.rules import Choose, DivideUp, Filter, ForEach, Forbid, Holds, Members, Type
from te_forge.model.system import Entry
from te_forge.source import Span

STANDS_ALONE = (*(kind for kind in ENGINE_KINDS if kind not in ("table", "deck")),)


def skeleton(name: str) -> str:
    """A name without spaces, hyphens, apostrophes and case."""
    return re.sub(r"[\W_]+", "", name.casefold())


# ---------------------------------------------------------------- names that look alike


def names_differ_by_case(view: View) -> Iterator[Diagnostic]:
    """Two names that only capitals tell apart."""
    first: dict[str, Entry] = {}
    for entry in view.system.entries.values():
        if entry.kind == "kind":
            continue
        other = first.setdefault(fold(entry.name).casefold(), entry)
        if entry.pack == view.pack and fold(other.name) != fold(entry.name):
            yield only_case(entry, other)


def only_case(entry: Entry, other: Entry) -> Diagnostic:
    return Diagnostic(
        "names-differ-by-case",
        f"`{entry.name}` and `{other.name}` differ only in capitals",
        entry.span,
        "error",
        "write both alike, or choose another name",
        (Label(other.span, "the other one is here"),),
    )


def near_names(view: View) -> Iterator[Diagnostic]:
    """One name in two spellings: as two definitions, or as a definition and a word in the prose."""
    first: dict[str, Entry] = {}
    for entry in view.system.entries.values():
        if entry.kind == "kind":
            continue
        other = first.setdefault(skeleton(entry.name), entry)
        if entry.pack == view.pack and fold(other.name).casefold() != fold(entry.name).casefold():
            yield two_spellings(entry.name, entry.span, other)
    book = terms(view)
    seen: set[str] = set()
    for use in book.uses:
        name = fold(use.name)
        meant = first.get(skeleton(name))
        if meant is not None and name not in seen and not book.knows(name) and fold(meant.name).casefold() != name.casefold():
            seen.add(name)
            yield two_spellings(use.name, use.span, meant)


def two_spellings(name: str, span: Span, meant: Entry) -> Diagnostic:
    return Diagnostic(
        "near-names",
        f"`{name}` here, `{meant.name}` there: one name in two spellings",
        span,
        "warning",
        f'write `{meant.name}`, or add `- Also Called: "{name}"` to it',
        (Label(meant.span, f"`{meant.name}` is defined here"),),
    )


def alias_differs_by_spelling(view: View) -> Iterator[Diagnostic]:
    """A second spelling that is declared, and used."""
    uses = {fold(use.name): use.span for use in reversed(terms(view).uses)}
    for entry in view.own:
        for alias in entry.aliases:
            if fold(alias) in uses and fold(alias) != fold(entry.name) and skeleton(alias) == skeleton(entry.name):
                yield other_spelling(entry, alias, uses[fold(alias)])


def other_spelling(entry: Entry, alias: str, span: Span) -> Diagnostic:
    return Diagnostic(
        "alias-differs-by-spelling",
        f"`{alias}` is another spelling of `{entry.name}`",
        span,
        "note",
        f"write `{entry.name}` everywhere, unless the two spellings are meant",
        (Label(entry.span, f"`{entry.name}` is defined here"),),
    )


# ---------------------------------------------------------------- names that nothing needs


def unused_definition(view: View) -> Iterator[Diagnostic]:
    """A definition that no rule, table or sentence of prose mentions, and that nobody can choose."""
    open_kinds = chosen_kinds(view)
    said = terms(view).said
    for entry in view.own:
        if stands_by_itself(view, entry) or entry.kind in open_kinds or used(view, entry):
            continue
        if not any(fold(name) in said for name in (entry.name, *entry.aliases)):
            yield nothing_uses(entry)
    for entry in view.own:
        if entry.kind == "kind" and not kind_used(view, entry):
            yield nothing_uses(entry)


def stands_by_itself(view: View, entry: Entry) -> bool:
    """Rules, hacks and so on are at work without being called; parts come with their owner; people and single things are simply there."""
    info = view.system.kinds.get(entry.kind)
    if entry.kind in STANDS_ALONE or entry.owner is not None:
        return True
    if info is not None and (info.nature == "actor" or info.single):
        return True
    return info is not None and info.nature in ("number", "entry") and any(line.meaning for line in entry.lines)


def used(view: View, entry: Entry) -> bool:
    mine = {entry.id, *entry.parts}
    return any(user.partition("#")[0] not in mine for user in view.system.users.get(entry.id, ()))


def chosen_kinds(view: View) -> set[str]:
    """Kinds whose members somebody can choose, share points among, or is told about as a whole."""
    found: set[str] = set()
    for _, _, node in view.every():
        match node:
            case Choose(members=Members(kind=kind)) | DivideUp(kind=kind) | ForEach(members=Members(kind=kind)) | Members(of=None, kind=kind):
                found.add(kind)
            case Forbid(any=Members(kind=kind)):
                found.add(kind)
            case Filter() | _:
                pass
    return found - {""}


def kind_used(view: View, kind: Entry) -> bool:
    """Whether a kind has members, or is spoken of by another kind, a field, a role or a rule."""
    if any(entry.kind == kind.name for entry in view.system.entries.values()) or used(view, kind):
        return True
    if any(kind.name in info.of for info in view.system.kinds.values()) or kind.name in chosen_kinds(view):
        return True
    info = view.system.kinds.get(kind.name)
    return info is not None and info.nature == "actor" or any(kind.name == held.kind for held in spoken_types(view))


def spoken_types(view: View) -> Iterator[Type]:
    for entry in view.system.entries.values():
        for slot in entry.slots.values():
            yield slot.holds
        for field in entry.fields.values():
            yield from (atom.type for atom in field.value if isinstance(atom, Holds))
        yield from entry.locals.values()


def nothing_uses(entry: Entry) -> Diagnostic:
    what = "no definition is a" if entry.kind == "kind" else "nothing mentions"
    return Diagnostic(
        "unused-definition",
        f"{what} `{entry.name}`",
        entry.span,
        "warning",
        "use it in a rule or in prose, or take it out",
    )


LINTS = (names_differ_by_case, near_names, alias_differs_by_spelling, unused_definition)
__all__ = ["LINTS", "Terms", "is_shelf", "skeleton"]
