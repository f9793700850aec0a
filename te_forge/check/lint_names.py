"""Complaints about names: two that look alike, and one that nothing needs."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from te_forge.check.lint_view import View
from te_forge.check.names import ENGINE_KINDS
from te_forge.diagnostics import Diagnostic, Label
from te_forge.keys import fold, slug
from te_forge.model.system import Entry
from te_forge.source import Span
from te_forge.suggest import a

STANDS_ALONE = (*(kind for kind in ENGINE_KINDS if kind not in ("table", "deck")),)


NO_LETTERS = dict.fromkeys(code for code in range(128) if unicodedata.category(chr(code))[0] not in "LMNS")


@lru_cache(1 << 16)
def skeleton(name: str) -> str:
    """A name without spaces, hyphens, apostrophes and case; letters, their marks and symbols of any script stay."""
    if name.isascii():
        return name.lower().translate(NO_LETTERS)
    text = unicodedata.normalize("NFC", name.casefold())
    return "".join(one for one in text if unicodedata.category(one)[0] in "LMNS")


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
    book = view.terms
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
    uses = {fold(use.name): use for use in reversed(view.terms.uses)}
    for entry in view.own:
        for alias in entry.aliases:
            if fold(alias) in uses and fold(alias) != fold(entry.name) and skeleton(alias) == skeleton(entry.name):
                yield other_spelling(entry, alias, uses[fold(alias)].span)


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
    untaken: set[str] = set()
    for entry in view.own:
        if stands_by_itself(view, entry) or entry.kind in view.chosen_kinds or slug(entry.name) in view.stated or used(view, entry):
            continue
        if any(fold(name) in view.terms.said for name in (entry.name, *entry.aliases)):
            continue
        if view.known.nature(entry) != "trait":
            yield nothing_uses(entry)
        elif entry.kind not in untaken:
            untaken.add(entry.kind)
            yield nobody_takes(entry)
    peopled = frozenset(entry.kind for entry in view.system.entries.values())
    peopled |= {kind for info in view.system.kinds.values() for kind in info.of}
    for entry in view.own:
        if entry.kind == "kind" and not kind_used(view, entry, peopled):
            yield nothing_uses(entry)


def stands_by_itself(view: View, entry: Entry) -> bool:
    """Rules, hacks and so on are at work without being called; parts come with their owner; people and single things are simply there."""
    info = view.system.kinds.get(entry.kind)
    if entry.kind in STANDS_ALONE or entry.owner is not None:
        return True
    if info is None:
        return entry.kind not in ENGINE_KINDS  # that there is no such kind has been said
    if info.nature == "actor" or info.single:
        return True
    return info.nature in ("number", "entry") and any(line.meaning for line in entry.lines)


def used(view: View, entry: Entry) -> bool:
    mine = {entry.id, *entry.parts}
    return entry.id in view.linked or any(user.partition("#")[0] not in mine for user in view.system.users.get(entry.id, ()))


def kind_used(view: View, kind: Entry, peopled: frozenset[str]) -> bool:
    """Whether a kind has members, is an actor or single, or is spoken of by another kind, a field, a role or a rule."""
    info = view.system.kinds.get(kind.name)
    if info is None or info.single or info.nature == "actor":
        return True
    return kind.name in peopled or kind.name in view.chosen_kinds or kind.name in view.spoken_kinds or used(view, kind)


def nothing_uses(entry: Entry) -> Diagnostic:
    if entry.kind == "kind":
        return unused(f"nothing is of the kind `{entry.name}`", entry, f"define one, such as `## {entry.name}: A Name`, or take the kind out")
    return unused(f"nothing mentions `{entry.name}`", entry, "use it in a rule or in prose, or take it out")


def nobody_takes(entry: Entry) -> Diagnostic:
    """Said once for a kind of traits: nobody comes by any of them."""
    help = f"where somebody is made, write `the .. chooses {a(entry.kind)}; the .. takes the {entry.kind}`, or name it in a rule or in prose"
    return unused(f"nothing lets anybody choose or take `{entry.name}`, or {a(entry.kind)} at all", entry, help)


def unused(message: str, entry: Entry, help: str) -> Diagnostic:
    return Diagnostic("unused-definition", message, entry.span, "warning", help)


LINTS = (names_differ_by_case, near_names, alias_differs_by_spelling, unused_definition)
