"""Values of the counters side by side in one whole number."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from te_forge.engine.induction.game import Counts, Game, Start, plus, tips


class Lanes:
    """Each value that the counters can have before a round gets a lane.

    A counter that the others tell is left out. None ever falls: what it could lose in a round is added in each, so that to count is always a shift to
    the left.
    """

    def __init__(self, game: Game, starts: Collection[Start], reached: Sequence[Iterable[tuple[int, Counts]]]) -> None:
        width = len(next(iter(starts))[2])
        gains = [tip.gained for tree in game.trees for tip in tips(tree)]
        loss = tuple(min((one[at] for one in gains), default=0) for at in range(width))
        lowest = tuple(min(counts[at] for _, _, counts in starts) for at in range(width))
        self.zero = [tuple(low + number * loss for low, loss in zip(lowest, loss, strict=True)) for number in range(game.rounds + 1)]
        seen = [{counts for _, counts in layer} for layer in reached]
        for number, layer in enumerate(reached[:-1]):
            seen[number + 1] |= {plus(counts, tip.gained) for state, counts in layer for tip in tips(game.trees[state]) if tip.over}
        kept = list(range(width))
        for at in range(width):
            rest = [one for one in kept if one != at]
            if all(len({tuple(counts[one] for one in rest) for counts in layer}) == len(layer) for layer in seen):
                kept = rest
        self.strides = [0] * width
        stride = 1
        for at in kept:
            self.strides[at] = stride
            stride *= 1 + max(counts[at] - zero[at] for layer, zero in zip(seen, self.zero, strict=True) for counts in layer)
        self.counts = [{self.of(counts, number): counts for counts in layer} for number, layer in enumerate(seen)]

    def of(self, counts: Counts, number: int) -> int:
        return sum(stride * (count - zero) for stride, count, zero in zip(self.strides, counts, self.zero[number], strict=True))
