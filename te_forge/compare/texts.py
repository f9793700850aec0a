"""Prose of two games: of things, and of chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from te_forge.compare.change import Change, Side, Verb
from te_forge.compare.words import Reader, joined
from te_forge.model.system import Chapter, Grid, Prose, System, Words
from te_forge.source import Span

if TYPE_CHECKING:
    from te_forge.compare.entries import Pair


def spoken(pair: Pair, path: tuple[str, ...], old: Sequence[Prose], new: Sequence[Prose]) -> Iterator[Change]:
    before, after = paragraphs(old), paragraphs(new)
    if before or after:
        where = old[0].span if old else pair.old.span, new[0].span if new else pair.new.span
        yield from pair.words("text", path, (before, where[0]) if before else None, (after, where[1]) if after else None)


def paragraphs(prose: Sequence[Prose]) -> Words:
    return joined((one.words for one in prose), "\n\n")


def of_chapters(before: System, after: System, moved: Callable[[str], str], reader: Reader, other: Reader) -> Iterator[Change]:
    old = {moved(chapter.id): chapter for chapter in before.chapters}
    new = {chapter.id: chapter for chapter in after.chapters}
    titles = {other.text((chapter.title,)): chapter for chapter in old.values()}
    for id, chapter in new.items():
        was = old.get(id)
        if was is None:
            same = titles.get(chapter.title)
            if same is None:
                yield about(chapter, "added", None, (chapter.title,))
            elif texts(chapter):
                yield about(chapter, "changed", ((same.title,), same.span), (chapter.title,))
            continue
        if reader.text((was.title,)) != other.text((chapter.title,)):
            yield about(chapter, "renamed", ((was.title,), was.span), (chapter.title,))
        yield from told(was, chapter, reader, other)
    for id, was in old.items():
        if id not in new:
            yield Change("removed", "chapter", id, "chapter", was.title, before=Side((was.title,), was.span))


def about(chapter: Chapter, verb: Verb, before: tuple[Words, Span] | None, words: Words) -> Change:
    return Change(verb, "chapter", chapter.id, "chapter", chapter.title, (), Side(*before) if before else None, Side(words, chapter.span))


def told(old: Chapter, new: Chapter, reader: Reader, other: Reader) -> Iterator[Change]:
    """The prose of a chapter that is different: without what both begin and end with."""
    before, after = texts(old), texts(new)
    one, two = [reader.key(words) for words, _ in before], [other.key(words) for words, _ in after]
    start = next((number for number, (left, right) in enumerate(zip(one, two, strict=False)) if left != right), min(len(one), len(two)))
    most = min(len(one), len(two)) - start
    end = next((number for number in range(most) if one[-1 - number] != two[-1 - number]), most)
    gone, come = before[start : len(before) - end], after[start : len(after) - end]
    if gone or come:
        was, now = (Side(joined((words for words, _ in side), "\n\n"), side[0][1]) if side else None for side in (gone, come))
        verb: Verb = "added" if not gone else "removed" if not come else "changed"
        yield Change(verb, "text", new.id, "chapter", new.title, (), was, now)


def texts(chapter: Chapter) -> list[tuple[Words, Span]]:
    """The prose of a chapter by itself, piece by piece; its tables by rows."""
    out: list[tuple[Words, Span]] = []
    for item in chapter.items:
        if isinstance(item, Prose):
            out.append((item.words, item.span))
        elif isinstance(item, Grid):
            out += [(joined(row, " | "), item.span) for row in item.rows]
    return out
