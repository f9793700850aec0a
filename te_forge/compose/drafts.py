"""The lines and steps of an entry while operations are done to them.

Each operation changes one line. Were the entry made anew for each, a procedure of a thousand steps that a hack changes in every one of them would be
read a million times. So its lines are taken apart where something happens to them, each in a `Spot` that is found by its label, and put together
again once all is done (`Draft.done`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import is_
from typing import cast

from te_forge.compose.lines import said, with_lines
from te_forge.compose.operations import Operation, Path
from te_forge.frozen import replace
from te_forge.keys import slug
from te_forge.model.system import Entry, Line, Place, Prose, Step, Words


def key_of(item: Line | Step) -> str:
    return slug(item.name if isinstance(item, Step) else item.label)


class Spot:
    """A line or step among its neighbours. `below` are its lines, from the moment when one of them is looked for."""

    __slots__ = ("back", "below", "item", "next")

    def __init__(self, item: Line | Step, back: Spot | None = None, next: Spot | None = None) -> None:
        self.item, self.back, self.next = item, back, next
        self.below: Block | None = None

    def block(self) -> Block:
        if self.below is None:
            self.below = Block(self.item.lines)
        return self.below

    def now(self) -> Line | Step:
        """The line or step as it has become."""
        if self.below is None:
            return self.item
        lines = cast(tuple[Line, ...], self.below.items())
        if len(lines) == len(self.item.lines) and all(map(is_, lines, self.item.lines)):
            return self.item  # looked at, and left as it was
        return replace(self.item, lines=lines) if isinstance(self.item, Step) else with_lines(self.item, lines)


class Block:
    """Lines or steps that are neighbours, in their order and by their labels."""

    def __init__(self, items: Iterable[Line | Step]) -> None:
        self.by_key: dict[str, Spot] = {}
        self.first: Spot | None = None
        self.last: Spot | None = None
        self.ends: dict[str, tuple[set[str], Spot]] = {}
        """For each line beside which others were put in: those that stand behind it for that reason, and the last one. It spares the walk along them."""
        for item in items:
            self.put(item, self.last)

    def find(self, key: str) -> Spot | None:
        return self.by_key.get(key)

    def items(self) -> tuple[Line | Step, ...]:
        return tuple(spot.now() for spot in self.spots())

    def spots(self) -> Iterator[Spot]:
        spot = self.first
        while spot is not None:
            yield spot
            spot = spot.next

    def put(self, item: Line | Step, behind: Spot | None) -> None:
        """Put something in behind a neighbour, or before all."""
        after = behind.next if behind is not None else self.first
        spot = Spot(item, behind, after)
        if behind is None:
            self.first = spot
        else:
            behind.next = spot
        if after is None:
            self.last = spot
        else:
            after.back = spot
        self.by_key.setdefault(key_of(item), spot)

    def put_beside(self, item: Line | Step, place: Place) -> bool:
        """Put something in beside the line that it names, and behind those that were put in there before it; False when there is none."""
        anchor = slug(place.label)
        spot = self.find(anchor)
        if spot is None:
            return False
        self.put(item, self.end_of(anchor, spot) if place.after else spot.back)
        return True

    def end_of(self, anchor: str, spot: Spot) -> Spot:
        heads, end = self.ends.get(anchor) or ({anchor}, spot)
        while end.next is not None and (there := end.next.item.place) is not None and there.after and slug(there.label) in heads:
            end = end.next
            heads.add(key_of(end.item))
        self.ends[anchor] = heads, end
        return end

    def set(self, spot: Spot, item: Line | Step) -> None:
        spot.item, spot.below = item, None
        self.ends.clear()

    def remove(self, spot: Spot) -> None:
        if spot.back is None:
            self.first = spot.next
        else:
            spot.back.next = spot.next
        if spot.next is None:
            self.last = spot.back
        else:
            spot.next.back = spot.back
        del self.by_key[key_of(spot.item)]
        self.ends.clear()


class Draft:
    """One entry. Whatever is not its lines or steps is changed elsewhere."""

    def __init__(self, entry: Entry) -> None:
        self.id = entry.id
        self.steps, self.lines = Block(entry.steps), Block(entry.lines)

    def done(self, entry: Entry) -> Entry:
        """The entry with its lines and steps as they have become."""
        return replace(entry, lines=cast(tuple[Line, ...], self.lines.items()), steps=cast(tuple[Step, ...], self.steps.items()))

    # ------------------------------------------------------------ what stands there

    def at(self, path: Path) -> Spot | None:
        """The step at a path, or the line, whether it stands in a step or for itself."""
        step = self.steps.find(path[0])
        if step is not None and len(path) == 1:
            return step
        block, rest = (step.block(), path[1:]) if step is not None else (self.lines, path)
        around = among(block, rest)
        return around.find(rest[-1]) if around is not None else None

    def said_at(self, path: Path) -> object:
        """What the line or step at a place says; None where there is none."""
        spot = self.at(path)
        found = spot.now() if spot is not None else None
        return tuple(map(said, found.lines)) if isinstance(found, Step) else said(found) if found is not None else None

    # ------------------------------------------------------------ one operation

    def apply(self, one: Operation) -> bool:
        """Set, remove or put in a line or step; False when the place is not there (yet)."""
        step = self.steps.find(one.path[0])
        if len(one.path) == 1 and (step is not None or (one.place is not None and self.steps.find(one.anchor[0]) is not None)):
            return self.on_step(one, step)
        if step is not None:
            above = "/".join((name_of(step), *one.path[1:-1]))
            return on_line(among(step.block(), one.path[1:]), one, above, False)
        return on_line(among(self.lines, one.path), one, "/".join(one.path[:-1]), len(one.path) == 1)

    def on_step(self, one: Operation, step: Spot | None) -> bool:
        if one.verb == "insert":  # two hacks may put in the same step
            return step is not None or self.steps.put_beside(self.new_step(cast(Line, one.what), one.path[0]), cast(Place, one.place))
        if step is None:
            return False
        if one.verb == "remove":
            self.steps.remove(step)
        else:
            self.steps.set(step, replace(cast(Step, step.item), lines=(numbered(cast(Line, one.what), name_of(step)),)))
        return True

    def new_step(self, line: Line, key: str) -> Step:
        lines = tuple(numbered(below, key) for below in line.lines) if not line.words else (numbered(line, key),)
        return Step(f"{self.id}#{key}", line.label, one_text(line.prose) or ("",), lines, (), line.span, line.reach, line.place)

    def tell(self, key: str, proses: Sequence[Prose]) -> bool:
        """Give a step another text; False when the step is not there (yet)."""
        step = self.steps.find(key)
        if step is None:
            return False
        step.item = replace(cast(Step, step.item), prose=one_text(proses))
        return True

    def told(self, key: str) -> object:
        step = self.steps.find(key)
        return cast(Step, step.item).prose if step is not None else None


def among(block: Block, path: Path) -> Block | None:
    """The neighbours of the line at a path below `block`; None when there is no such place."""
    for key in path[:-1]:
        spot = block.find(key)
        if spot is None:
            return None
        block = spot.block()
    return block


def on_line(block: Block | None, one: Operation, above: str, top: bool) -> bool:
    """The operation done to one of the lines of a block."""
    if block is None:
        return False
    spot = block.find(one.path[-1])
    if one.verb == "insert":
        line = cast(Line, one.what)
        if spot is not None:
            return said(cast(Line, spot.now())) == said(line)
        return block.put_beside(numbered(line, above), cast(Place, one.place))
    if spot is None:
        if not top or one.verb != "set":
            return False
        block.put(numbered(cast(Line, one.what), above), block.last)
    elif one.verb == "set":
        block.set(spot, numbered(cast(Line, one.what), above))
    else:
        block.remove(spot)
    return True


def name_of(step: Spot) -> str:
    return cast(Step, step.item).id.partition("#")[2]


def numbered(line: Line, above: str) -> Line:
    """The line with the ids that belong to its place."""
    id = f"{above}/{slug(line.label)}".strip("/") if line.label else above
    return replace(line, id=id, lines=tuple(numbered(below, id) for below in line.lines))


def one_text(proses: Sequence[Prose]) -> Words:
    """Paragraphs as the text of a step, which is one."""
    out: Words = ()
    for prose in proses:
        out = (*out, " ", *prose.words) if out else prose.words
    return tuple(" ".join(word.splitlines()) if isinstance(word, str) and "\n" in word else word for word in out)
