"""The rounds of one `repeat` that draw from decks, as a game that `induction` solves.

Each round is run once for every state that it can begin in, with the decks put aside (see `live`) and with the counters at 0: values that the rounds
change by `the x becomes the x + 1` and never look at. What is left of a round is a tree of numbers. Where that cannot be done (what follows draws
from the same deck, a deck is shuffled on the way, it may run out) nothing is made of it, and the rounds are followed like any other chain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from te_forge.engine.ahead import Ahead, depth_of
from te_forge.engine.aside import Apart
from te_forge.engine.evaluate import ChainPart
from te_forge.engine.induction.decks import Decks
from te_forge.engine.induction.game import Branches, Counts, Exit, Game, Start, Tip, Tree, merged, tips
from te_forge.engine.live import OUT, Liveness
from te_forge.engine.lots import ONE
from te_forge.engine.reading import Reading
from te_forge.engine.state import Map, OnlyMean, Out, Slot, State
from te_forge.engine.values import MOST_NUMBER
from te_forge.frozen import replace

Ending = tuple[State, tuple[str, str] | None]
Counted = tuple[int, str, str]
"""A counter: its frame, whose it is (nobody's for a word of the frame), its word."""


Piece = Callable[[State, Callable[[Ending, Apart], Tip]], Tree | None]
"""What one round comes to from a state, each of its ends told by a function; None where that depends on what is in a deck."""
MOST_STATES = 1_000
NOTHING = Branches(())
"""What a state comes to that has not been run."""


class Unfit(Exception):
    """These rounds are not such a game."""


class Rounds:
    """What the rounds of one `repeat` do, found out as states are reached."""

    def __init__(self, live: Liveness, part: ChainPart, to_come: tuple[Ahead, ...], depth: int, piece: Piece, state: State) -> None:
        self.live, self.part, self.depth, self.piece = live, part, depth, piece
        self.behind, self.out, self.times = to_come[1], to_come[-1], len(to_come) - 1
        drawn_from = live.touched(state, part).decks
        self.names = tuple(deck for deck in live.rules.open_decks if deck in drawn_from)
        self.counters = tuple(sorted(counted(live, part, state)))
        self.cards = [tuple(dict.fromkeys(live.rules.cards(deck))) for deck in self.names]
        self.sort_of = {
            one: number for number, one in enumerate((deck, card) for deck, cards in zip(self.names, self.cards, strict=True) for card in cards)
        }
        self.decks = Decks(tuple(tuple(Counter(live.rules.cards(deck)).values()) for deck in self.names))
        self.states: list[State] = []
        self.numbers: dict[State, int] = {}
        self.trees: list[Tree] = []
        self.last: list[int] = []
        """The ending that each state is when all rounds have been."""
        self.made: tuple[Game, tuple[int, ...]] | None = None
        self.told: list[Ending] = []
        self.endings: dict[Ending, int] = {}

    def start(self, state: State) -> Start:
        """The state as one to begin in, when whatever can be reached from it is known."""
        if not self.names or any(
            isinstance(state.decks.get(deck), Out) or self.live.mention(state, self.out).draws_from(deck) for deck in self.names
        ):
            raise Unfit
        left = [Counter(left if isinstance(left := state.decks.get(deck), tuple) else self.live.rules.cards(deck)) for deck in self.names]
        code = self.decks.code(many[card] for many, cards in zip(left, self.cards, strict=True) for card in cards)
        bare, counts = self.bare(self.with_decks(state, OUT))
        number = self.number(bare)
        self.explore(number)
        start = self.game[1][number], code, counts
        if not all(map(int.__lt__, self.game[0].most_drawn((start,)), self.decks.sizes(code))):
            raise Unfit
        return start

    @property
    def game(self) -> tuple[Game, tuple[int, ...]]:
        """What the rounds do, and which of its states stands for each of ours."""
        if self.made is None:
            self.made = merged(Game(tuple(self.trees), tuple(self.last), self.decks, self.times))
        return self.made

    @property
    def decides(self) -> bool:
        """Whether somebody decides in a round."""
        return any(map(decided, self.trees))

    def exits(self, starts: Iterable[Start]) -> list[Exit]:
        found = self.game[0].reached(starts)[1]
        if any(abs(count) > MOST_NUMBER for _, counts in found for count in counts):
            raise Unfit
        return found

    def ended(self, at: Exit) -> Ending:
        """The state at an exit, with what was counted."""
        state, stopped = self.told[at[0]]
        return with_counts(state, self.counters, at[1]), stopped

    # ------------------------------------------------------------ states

    def number(self, bare: State) -> int:
        """A state that a round can begin in; the counters are not looked at in it either."""
        if bare not in self.numbers:
            if not set(self.counters) <= counted(self.live, self.part, bare):
                raise Unfit
            if len(self.states) == MOST_STATES:
                raise Unfit
            self.numbers[bare] = len(self.states)
            self.states.append(bare)
            self.trees.append(NOTHING)
            self.last.append(self.ending((self.live.pruned(self.with_decks(bare, None), self.out), None)))
        return self.numbers[bare]

    def explore(self, start: int) -> None:
        """All rounds that can follow. A state that only the last one leads to is not run."""
        todo = {start}
        for _ in range(self.times):
            then: set[int] = set()
            for number in sorted(todo):
                if self.trees[number] is NOTHING:
                    tree = self.piece(self.states[number], self.tip)
                    if tree is None:
                        raise Unfit
                    self.trees[number] = tree
                    self.made = None
                then |= {tip.to for tip in tips(self.trees[number]) if not tip.over}
            todo = then

    def tip(self, ending: Ending, apart: Apart) -> Tip:
        """An end of a round in numbers. Its weight is what chance makes it but for the decks."""
        end, stopped = ending
        whole, _ = self.live.joined(end, apart)
        drawn: Counter[int] = Counter()
        for deck in self.names:
            out = whole.decks.get(deck)
            if not isinstance(out, Out):
                raise Unfit
            drawn.update(self.sort_of[deck, card] for card in out.cards)
        cards = tuple(sorted(drawn.items()))
        if stopped is not None:
            bare, gained = self.bare(self.live.pruned(self.with_decks(whole, None).popped(self.depth), self.out))
            return Tip(ONE, cards, gained, self.ending((bare, stopped)), over=True)
        bare, gained = self.bare(self.live.pruned(self.with_decks(whole, OUT), self.behind))
        return Tip(ONE, cards, gained, self.number(bare))

    def ending(self, ending: Ending) -> int:
        if ending not in self.endings:
            self.endings[ending] = len(self.told)
            self.told.append(ending)
        return self.endings[ending]

    def bare(self, state: State) -> tuple[State, Counts]:
        """The state with every counter at 0, and the counters."""
        slots = [slot_at(state, one) for one in self.counters]
        if not all(slot is None or (is_plain(slot) and isinstance(slot.base, int)) for slot in slots):
            raise Unfit
        counts = tuple(slot.base if slot is not None and isinstance(slot.base, int) else 0 for slot in slots)
        return with_counts(state, self.counters, (0,) * len(counts)), counts

    def with_decks(self, state: State, left: Out | None) -> State:
        """The state with its decks put aside, or without them."""
        decks = {deck: cards for deck, cards in state.decks.items() if deck not in self.names}
        return replace(state, decks=Map(decks if left is None else {**decks, **dict.fromkeys(self.names, left)}))


def decided(tree: Tree) -> bool:
    return isinstance(tree, Branches) and (tree.picked or any(map(decided, tree.trees)))


# ---------------------------------------------------------------- counters


def counted(live: Liveness, part: ChainPart, state: State) -> set[Counted]:
    """The values that a piece only counts with, those among them that are not there yet."""
    mention = live.closed(state, live.touched(state, part))
    only = (frozenset(mention.hung) | mention.words) - mention.otherwise - mention.results
    index = depth_of(part)
    found = {(index, "", word) for word in (only & mention.words) - frozenset(state.frames[index].roles)}
    for word in only & frozenset(mention.hung):
        home = Reading(live.rules, state).home(word)
        found |= {(home, who, word) for who in mention.hung[word] or ()}
    return {one for one in found if (slot := slot_at(state, one)) is None or is_plain(slot)}


def is_plain(slot: Slot) -> bool:
    return isinstance(slot.base, int | OnlyMean) and slot == Slot(slot.base)


def slot_at(state: State, at: Counted) -> Slot | None:
    index, who, word = at
    if index >= len(state.frames):
        return None
    frame = state.frames[index]
    found: Slot | None = frame.hung.get((who, word)) if who else frame.words.get(word)
    return found


def with_counts(state: State, counters: tuple[Counted, ...], counts: tuple[int | OnlyMean, ...]) -> State:
    """The state with these values of the counters that it has."""
    for (index, who, word), count in zip(counters, counts, strict=True):
        slot = slot_at(state, (index, who, word))
        if slot is not None and slot.base != count:
            frame = state.frames[index]
            made = replace(frame, hung=frame.hung.set((who, word), Slot(count))) if who else replace(frame, words=frame.words.set(word, Slot(count)))
            state = state.with_frame(index, made)
    return state
