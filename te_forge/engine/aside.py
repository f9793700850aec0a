"""What is put aside of a state while a piece runs that does not touch it, with the lots that it hangs on."""

from __future__ import annotations

from typing import Any

from te_forge.engine.lots import slot_said, sorted_slots, tidied, unseen_in
from te_forge.engine.state import Lot, Map, Out, Part, Slot, State, Unseen
from te_forge.frozen import frozen, replace

Slots = tuple[tuple[Any, Slot], ...]
Cards = tuple[str, ...]


@frozen
class Apart:
    """What was put aside: of each frame words and hung values, and decks (None: whole) of which it does not matter what is left in them."""

    frames: tuple[tuple[Slots, Slots], ...] = ()
    decks: tuple[tuple[str, Cards | Out | None], ...] = ()
    lots: tuple[tuple[int, Lot | Part], ...] = ()
    """The lots that values among these hang on, and nothing that was not put aside."""


def beyond(items: Map[Any, Slot], kept: Map[Any, Slot]) -> Slots:
    return () if items is kept else tuple((key, slot) for key, slot in items.items() if key not in kept)


def without_lots(state: State, apart: list[tuple[Slots, Slots]]) -> tuple[State, Apart]:
    """The state without the lots that only values hang on which are put aside. Of a lot that stays, all values stay."""
    stays = {one.lot for _, slot in sorted_slots(state) for one in unseen_in(slot)}
    aside: dict[int, None] = {}
    frames, left = list(state.frames), list(apart)
    for index, both in enumerate(apart):
        goes, back = zip(*(divided(slots, stays) for slots in both), strict=True)
        aside |= {one.lot: None for slots in goes for _, slot in slots for one in unseen_in(slot)}
        left[index] = goes
        if any(back):
            frame = frames[index]
            frames[index] = frame.with_slots(Map({**frame.words, **dict(back[0])}), Map({**frame.hung, **dict(back[1])}))
    return tidied(state.running(tuple(frames))), Apart(tuple(left), lots=tuple((number, state.lots[number]) for number in aside))


def divided(slots: Slots, stays: set[int]) -> tuple[Slots, Slots]:
    """Those that can be put aside, and those that hang on what stays."""
    back = tuple(one for one in slots if any(value.lot in stays for value in unseen_in(one[1])))
    return (tuple(one for one in slots if one not in back), back) if back else (slots, ())


def with_lots(apart: Apart, state: State) -> tuple[Apart, State]:
    """The lots that were put aside come behind those that there are now."""
    numbers = {number: len(state.lots) + at for at, (number, _) in enumerate(apart.lots)}

    def say(value: Unseen) -> Unseen:
        return Unseen(numbers[value.lot], value.values)

    def moved(slots: Slots) -> Slots:
        return tuple((key, slot_said(slot, say)) for key, slot in slots)

    lots = (*state.lots, *(lot for _, lot in apart.lots))
    return replace(apart, frames=tuple((moved(words), moved(hung)) for words, hung in apart.frames)), state.with_lots(lots)
