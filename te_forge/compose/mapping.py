"""Deleting and renaming, through everything that a system says.

What does not change stays the very same object. A line holds the meaning of the lines below it as the same objects, and so do the copies that are made here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import groupby
from operator import is_
from typing import Any, TypeVar

from te_forge.compose.renaming import Renaming, article_before
from te_forge.model.system import Prose, Ref, Shown, Words
from te_forge.source import Span

T = TypeVar("T")


class FieldNames(dict[type, tuple[str, ...]]):
    """The names of a dataclass's fields, none for any other class. They are asked for with every node of a system."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        self[kind] = tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()
        return self[kind]


FIELDS = FieldNames()
ATOMS = frozenset([Span, type(None), int, bool])


NO_TEXT = frozenset(["id", "kind", "verb", "op", "how", "die", "span", "cites", "aliases", "file"])
"""Attributes that hold no words of a reader: ids, small words of the language, and old names that stay old."""
OLD_NAMES = "also-called"


class Mapper:
    """`successors`: ids and what stands for them now; `renaming`: old names as they are now; `gone`: ids that nothing stands for, which words still may name."""

    def __init__(self, successors: Mapping[str, str], renaming: Renaming, gone: Collection[str], titles: Mapping[str, str]) -> None:
        self.successors, self.renaming, self.gone, self.titles = successors, renaming, gone, titles
        self.done: dict[int, tuple[Any, Any]] = {}
        """By identity: what was copied (kept, so that no other object takes its identity) and the copy."""

    def __call__(self, node: T) -> T:
        made: T = self.map(node)
        return made

    def map(self, node: Any) -> Any:
        kind = type(node)
        if kind is str:
            return self.text(node)
        if kind in ATOMS:
            return node
        if id(node) not in self.done:
            self.done[id(node)] = (node, self.copied(node))
        return self.done[id(node)][1]

    def text(self, text: str) -> str:
        if self.successors and self.base(text) in self.successors:
            return self.id(text)
        return self.renaming(text) if self.renaming and not looks_like_id(text) else text

    def copied(self, node: Any) -> Any:
        match node:
            case Ref():
                return self.ref(node)
            case Shown(id_, text):
                return self.text(text) if self.base(id_) in self.gone else replace(node, id=self.id(id_), text=self.text(text))
            case Prose() if self.renaming:
                words = self.quoting(node.words)
                return node if all(map(is_, words, node.words)) else replace(node, words=words)
            case tuple() | frozenset():
                made = [self.map(one) for one in node]
                if isinstance(node, tuple) and self.renaming:
                    made = with_articles(node, made)
                return node if all(map(is_, made, node)) else type(node)(made)
        changed = {name: made for name in FIELDS[type(node)] if (made := self.part(name, old := getattr(node, name))) is not old}
        if changed:
            return replace(node, **changed)
        if isinstance(node, Mapping):
            found = {self.key(key): self.map(value) if key != OLD_NAMES else value for key, value in node.items()}
            return node if list(found) == list(node) and all(map(is_, found.values(), node.values())) else found
        return node

    def part(self, name: str, value: Any) -> Any:
        """An attribute of a node."""
        if name in NO_TEXT and isinstance(value, str):
            return self.id(value)
        return value if name in ("cites", "aliases") else self.map(value)

    def key(self, key: Any) -> Any:
        """Names are keys too: of declared fields, and of the columns of a table. Small words and slugs are not names."""
        return self.renaming(key) if self.renaming and isinstance(key, str) and not looks_like_id(key) else key

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
        return tuple(with_articles(words, out))

    def ref(self, ref: Ref) -> Ref | str:
        base = self.base(ref.id)
        if base in self.successors:
            new = self.id(ref.id)
            return Ref(new, self.titles.get(new, ref.text))
        if base in self.gone:
            return self.text(ref.text)
        made = self.renaming(ref.text)
        return Ref(ref.id, made) if made != ref.text else ref

    def id(self, text: str) -> str:
        base = self.base(text)
        return self.successors[base] + text[len(base) :] if base in self.successors else text

    @staticmethod
    def base(text: str) -> str:
        return text.partition("#")[0]


def with_articles(old: Sequence[Any], made: list[Any]) -> list[Any]:
    """Words in which an `a` or `an` in front of a reference goes by its new name."""
    for number in range(1, len(made)):
        ref, before = made[number], made[number - 1]
        if isinstance(ref, Ref) and ref is not old[number] and isinstance(before, str) and isinstance(old[number], Ref):
            made[number - 1] = article_before(before, old[number].text, ref.text)
    return made


def ids_in(node: Any) -> Iterator[tuple[str, str]]:
    """Every id, and every name of a kind, that a value or a meaning mentions: `("id", ..)` and `("kind", ..)`."""
    if isinstance(node, str):
        if looks_like_id(node):
            yield "id", node
    elif isinstance(node, tuple | frozenset):
        for one in node:
            yield from ids_in(one)
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
