"""What `the words` on a line may mean, and which of them surely have a value.

Definite assignment: a local is `sure` once every path to here gave it a value. A branch that ends (`end with`, `go back to`) does not count, since
nothing comes after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from te_forge.check.names import ENGINE_KINDS, Decl, Names, Procedure
from te_forge.frozen import mutable
from te_forge.model import rules as m
from te_forge.model.rules import UNKNOWN, Type


@mutable
class Scope:
    """What `the words` on a line may mean.

    `locals` are all words with a type; `sure` those that have got a value on every path up to here; `procedures` the ones whose values and roles are
    in reach, nearest first. `hooked` is True inside `before | after | instead of`: there, values of the hooked procedure may only be contributed to.
    """

    owner: Type | None = None
    locals: dict[str, Type] = field(default_factory=dict)
    sure: set[str] = field(default_factory=set)
    procedures: list[Procedure] = field(default_factory=list)
    hooked: bool = False
    foreign: set[str] = field(default_factory=set)
    example: bool = False
    unsure: bool = False
    """What the lines belong to is not there, as has been said: nobody can tell which words they may use."""
    people: dict[str, Type] = field(default_factory=dict)
    """Who an example brings in by name."""
    ended: set[str] = field(default_factory=set)
    """Words of `each` sentences, which have ended with them."""
    apart: str = ""
    """The word of whoever `each other` leaves out where nobody owns the rule: of the nearest `for each`, of the event, or of the first role."""

    def copy(self) -> Scope:
        return Scope(
            self.owner, dict(self.locals), set(self.sure), list(self.procedures), self.hooked, set(self.foreign), self.example, self.unsure, self.people, self.ended, self.apart
        )  # fmt: skip

    def roles(self, roles: Mapping[str, Type]) -> None:
        """Those who take part in a procedure; the first of them who acts is whom others are other than."""
        for word, type in roles.items():
            self.bring(word, type)
        self.apart = next((word for word, type in roles.items() if type.name == "actor"), "")

    def bring(self, word: str, type: Type) -> None:
        self.locals[word] = type
        self.sure.add(word)
        self.foreign.discard(word)


def owner_type(decl: Decl, names: Names) -> Type | None:
    """Whom `the owner` means in an entry."""
    info = names.kinds.get(decl.kind)
    if info is None and decl.kind not in ENGINE_KINDS:
        return UNKNOWN
    if info is None:
        return owner_type(decl.owner, names) if decl.owner is not None else None
    if info.nature == "trait":
        return Type("actor", info.of[0] if info.of and info.of[0] != "actor" else "")
    if info.nature == "number":
        of = names.numbers_of.get(decl.id, ())
        if not of:
            return Type("actor")
        carrier = names.kinds.get(of[0])
        return Type("actor" if carrier is None or carrier.nature == "actor" else "entry", "" if of[0] == "actor" else of[0])
    return Type("actor" if info.nature == "actor" else "entry", info.name)


def entry_scope(decl: Decl, names: Names) -> Scope:
    """What the lines of an entry start from."""
    scope = Scope(owner_type(decl, names))
    if decl.kind == "procedure":
        made = names.procedures[decl.id]
        scope.procedures = [made]
        scope.roles(made.roles)
    if decl.kind == "example":
        scope.example = True
        scope.procedures = list(names.procedures.values())
    return scope


class Branches:
    """Follows an `if` chain over sibling lines: after it, sure is what every branch made sure."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.ends: list[set[str]] = []
        self.open = False
        self.whole = False

    def add(self, branch: m.If, sure: set[str]) -> None:
        if not branch.chained:
            self.close()
        self.open = branch.condition is not None
        self.whole = branch.condition is None
        if not leaves(branch.body):
            self.ends.append(sure)
        if self.whole:
            self.close()

    def close(self) -> None:
        if self.whole and self.ends:
            self.scope.sure |= set.intersection(*self.ends)
        self.ends, self.open, self.whole = [], False, False


def leaves(body: m.Body) -> bool:
    """Whether nothing can come after this body."""
    return any(isinstance(one, m.EndWith | m.GoBack) for one in body)
