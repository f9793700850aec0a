"""Deleting and renaming, through everything that a system says.

What does not change stays the very same object. A line holds the meaning of the lines below it as the same objects, and so do the copies that are
made here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import groupby
from operator import is_
from typing import Any, TypeVar

from te_forge.frozen import replace
from te_forge.model.rules import Based, Thing
from te_forge.model.system import Cell, Field, Prose, Ref, RollTable, Shown, Slot, Words
from te_forge.renaming import Renaming, article_before
from te_forge.source import Span

T = TypeVar("T")


PLAIN = ("Span", "int", "bool", "Literal[")
"""How the annotations begin of fields that hold no ids, no words, and nothing with any in it."""


STAYING = ("cites", "aliases")
"""Citations, and old names, which stay old."""


class FieldNames(dict[type, tuple[str, ...]]):
    """The names of those fields of a dataclass that may hold ids or words, none for any other class. They are asked for with every node of a system."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        self[kind] = (
            tuple(one.name for one in fields(kind) if not str(one.type).startswith(PLAIN) and one.name not in STAYING) if is_dataclass(kind) else ()
        )
        if is_dataclass(kind) and not self[kind]:
            ATOMS.add(kind)
        return self[kind]


FIELDS = FieldNames()
ATOMS: set[type] = {Span, type(None), int, bool}
"""What holds no ids and no words; classes without such fields are added as they are met."""
NO_TEXT = frozenset(["id", "kind", "verb", "op", "how", "die", "file"])
"""Attributes that hold no words of a reader: ids, and small words of the language."""
OF_LANGUAGE = frozenset([("Type", "name"), ("Filter", "compare"), ("Has", "what"), ("Forbid", "what")])
"""Attributes that hold small words of the language, where a kind may be called by one of them."""
OLD_NAMES = "also-called"


NO_KINDS: Mapping[str, str] = {}


class Mapper:
    """`successors`: ids and what stands for them now; `renaming`: old names as they are now; `gone`: ids that nothing stands for, which words still
    may name; `unsaid`: ids with names that a hack which is off would give them. `kinds`: old names of kinds and new ones. `named`: the only words of
    a mention that the name of a successor stands in place of; where it is None, all.
    """

    def __init__(
        self, successors: Mapping[str, str], renaming: Renaming, gone: Collection[str], titles: Mapping[str, str],
        unsaid: Collection[tuple[str, str]] = (), named: Collection[str] | None = None, kinds: Mapping[str, str] = NO_KINDS,
    ) -> None:  # fmt: skip
        self.successors, self.renaming, self.gone, self.titles, self.unsaid, self.named = successors, renaming, gone, titles, unsaid, named
        self.kinds = kinds
        self.moved = frozenset((*successors, *gone))
        self.names_unsaid: dict[str, set[str]] = {}
        for id, name in unsaid:
            self.names_unsaid.setdefault(id, set()).add(name)
        self.renames = bool(renaming)
        self.texts = self.renames or bool(successors)
        self.staying: set[str] = set()
        """Texts that stay as they are. The same few stand all over a system."""
        self.done: dict[int, tuple[Any, Any]] = {}
        """By identity: what was copied (kept, so that no other object takes its identity) and the copy."""

    def __call__(self, node: T) -> T:
        made: T = self.map(node)
        return made

    def changes(self, texts: frozenset[str]) -> bool:
        """Whether it may change something in which these texts stand; ids with a label are to be among them without it, too."""
        return (
            not self.moved.isdisjoint(texts)
            or any(not self.names_unsaid[id].isdisjoint(texts) for id in self.names_unsaid.keys() & texts)
            or (self.renames and self.renaming.begun_in("\n".join(texts)))
        )

    def map(self, node: Any) -> Any:
        kind = type(node)
        if kind is str:
            return node if node in self.staying or not self.texts else self.text(node)
        if kind in ATOMS:
            return node
        done = self.done.get(id(node))
        if done is None:
            self.done[id(node)] = done = (node, self.copied(node, kind))
        return done[1]

    def text(self, text: str) -> str:
        if text in self.staying:
            return text
        made = self.text_anew(text)
        if made is text:
            self.staying.add(text)
        return made

    def text_anew(self, text: str) -> str:
        if self.successors and (made := self.id(text)) is not text:
            return made
        return self.renaming(text) if self.renames and self.renaming.begun_in(text) and not looks_like_id(text) else text

    def copied(self, node: Any, kind: type) -> Any:
        if kind is tuple or kind is frozenset:
            made = [self.map(one) for one in node]
            if all(map(is_, made, node)):
                return node
            if self.renames and kind is tuple and self.renaming.english:
                with_articles(node, made)
            return kind(once(node, made) if self.successors and kind is tuple else made)
        if kind is Ref:
            return self.ref(node)
        if kind is Shown:
            if (base := self.base(node.id)) in self.gone and base not in self.successors:
                return self.text(node.text)
            return replace(node, id=self.id(node.id), text=self.text(node.text), expr=self.map(node.expr))
        if kind is Prose and self.renames:
            spoken = self.quoting(node.words)
            return node if all(map(is_, spoken, node.words)) else replace(node, words=spoken)
        changed: dict[str, Any] = {}
        for name in FIELDS[kind]:
            old = getattr(node, name)
            if not old or (kind is RollTable and name == "columns" and self.kinds and not any(one[:1].isupper() for one in old)):
                continue
            new = (
                self.map(old)
                if type(old) is not str
                else self.word(old, kind, name)
                if self.texts and (old not in self.staying or name == "kind")
                else old
            )
            if new is not old:
                changed[name] = new
        if kind is Slot and self.successors and changed.get("default") and all(isinstance(atom, Thing) for atom in changed["default"]):
            changed["usual"] = ", ".join(self.titles.get(atom.id, atom.id) for atom in changed["default"])
        if changed:
            return replace(node, **changed)
        if not FIELDS[kind] and isinstance(node, Mapping):
            found = {self.key(key, value) if self.renames else key: self.map(value) if key != OLD_NAMES else value for key, value in node.items()}
            return node if all(map(is_, found.values(), node.values())) and (not self.renames or list(found) == list(node)) else found
        return node

    def word(self, old: str, kind: type, name: str) -> str:
        """A string that is an attribute: an id, a word of the language, the name of a kind, or text."""
        if name == "kind":
            return self.kinds[old] if old in self.kinds else self.id(old)
        if name in NO_TEXT:
            return self.text(old) if kind is Thing and self.renames and not looks_like_id(old) else self.id(old)
        return old if self.kinds and (kind.__name__, name) in OF_LANGUAGE else self.text(old)

    def key(self, key: Any, value: Any) -> Any:
        """Names are keys too: of declared fields, and of the columns of a table; and words of a procedure. Slugs, and the columns that the language
        knows, are not.
        """
        if not isinstance(key, str) or looks_like_id(key) or (self.kinds and isinstance(value, Field | Cell) and key[:1].islower()):
            return key
        return self.renaming(key)

    def quoting(self, words: Words) -> Words:
        """Prose in which only what is quoted (lines behind a `>`) keeps its old names: those are somebody's own words, such as a notice."""
        out: list[str | Ref | Shown] = []
        quoted, begins = False, True
        for word in words:
            if not isinstance(word, str):
                out.append(word if quoted else self.map(word))
                begins = False
                continue
            lines: list[tuple[bool, str]] = []
            for line in word.splitlines(keepends=True):
                quoted = line.lstrip(" ").startswith(">") if begins else quoted
                begins = line.endswith("\n")
                lines.append((quoted, line))
            runs = ((kept, "".join(line for _, line in run)) for kept, run in groupby(lines, key=lambda one: one[0]))
            made = "".join(text if kept else self.text(text) for kept, text in runs)
            out.append(made if made != word else word)
        if self.renaming.english:
            with_articles(words, out)
        return tuple(once(words, out) if self.successors else out)

    def ref(self, ref: Ref) -> Ref | str:
        base = self.base(ref.id)
        if base in self.successors:
            new = self.id(ref.id)
            return Ref(new, self.titles.get(new, ref.text) if self.named is None or ref.text in self.named else ref.text)
        if base in self.gone:
            return self.text(ref.text)
        if self.unsaid and (ref.id, ref.text) in self.unsaid:
            return Ref(ref.id, self.titles[ref.id])
        made = self.renaming(ref.text)
        return Ref(ref.id, made) if made != ref.text else ref

    def id(self, text: str) -> str:
        base = text.partition("#")[0] if "#" in text else text
        return self.successors[base] + text[len(base) :] if base in self.successors else text

    @staticmethod
    def base(text: str) -> str:
        return text.partition("#")[0]


def with_articles(old: Sequence[Any], made: list[Any]) -> None:
    """Sets an `a` or `an` in front of a reference by its new name."""
    for number in range(1, len(made)):
        ref, before = made[number], made[number - 1]
        if isinstance(ref, Ref) and ref is not old[number] and isinstance(before, str) and isinstance(old[number], Ref):
            made[number - 1] = article_before(before, old[number].text, ref.text)


JOINTS = (", ", " or ", " and ")


def once(old: Sequence[Any], made: list[Any]) -> list[Any]:
    """A list of ids, or of names with `or` or `and` between the last two, in which a successor was there already: it stands there once."""
    if all(isinstance(one, str) and looks_like_id(one) for one in made):
        return list(dict.fromkeys(made)) if len(set(old)) == len(old) else made
    if not any(isinstance(one, str) and one in JOINTS[1:] for one in made):
        return made
    out: list[Any] = []
    members: dict[Ref, Any] = {}
    for one, before in zip(made, old, strict=True):
        if not isinstance(one, Ref):
            out.append(one)
            continue
        if len(out) < 2 or out[-1] not in JOINTS or not isinstance(out[-2], Ref):
            members = {}
        if members.setdefault(one, before) == before:
            out.append(one)
        else:
            joint = out.pop()
            if len(out) > 1 and out[-2] == ", ":
                out[-2] = joint
    return out


def ids_in(node: Any) -> Iterator[tuple[str, str]]:
    """Every id, and every name of a kind, that a value or a meaning mentions: `("id", ..)` and `("kind", ..)`."""
    if isinstance(node, str):
        if looks_like_id(node):
            yield "id", node
    elif isinstance(node, tuple | frozenset):
        for one in node:
            yield from ids_in(one)
    elif isinstance(node, Based) and node.printed:
        return  # it is there in print, whatever becomes of it in play
    else:
        for name in FIELDS[type(node)]:
            value = getattr(node, name)
            if name == "kind" and value and not looks_like_id(value):
                yield "kind", value
            elif value is not None and not isinstance(value, int | bool):
                yield from ids_in(value)


def looks_like_id(text: str) -> bool:
    pack, colon, rest = text.partition(":")
    return bool(colon) and "/" in rest and " " not in text and "/" not in pack
