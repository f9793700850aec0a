"""Which values of a state still matter, so that states that differ only in others can be followed as one.

Between two pieces of a chain everything that is still to come is known (`Ahead`): the rest of this chain, the rest of the chains around it, the ends
of the procedures that they belong to. What none of that can speak of (see `reach`) is dropped from the frames (`pruned`). Before a piece runs, what
the piece itself does not touch is put aside and given back afterwards (`split`, `joined`), so that it runs once for all states that agree on the
rest. Neither changes what anything comes to; with `on=False` nothing is ever dropped or put aside, and the answers are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import perm
from typing import Any

from te_forge.engine.ahead import Ahead, Piece, Rest, depth_of, key_of, word_of
from te_forge.engine.aside import Apart, Cards, Slots, beyond, with_lots, without_lots
from te_forge.engine.evaluate import ChainPart, LoopPart, RoundPart, StepPart
from te_forge.engine.index import Rules, sentences
from te_forge.engine.lots import ONE, tidied
from te_forge.engine.reach import Reach
from te_forge.engine.state import Frame, Lasting, Map, OnlyMean, Out, Part, Postponed, Result, Scope, Slot, State, Unseen
from te_forge.engine.whose import NOBODY, Holders, union
from te_forge.engine.words import Words, inner, listens_to_rolls
from te_forge.frozen import frozen, replace
from te_forge.model import rules as m

FOUND = "what came of it"
"""The word in the outermost frame that holds what the procedure left. A word with blanks in it is none that a rule can speak of; it is never dropped."""


OUT = Out()
MOST_KNOWN = 20_000
"""When so much has been found out about the rules of a game, it is forgotten before the next question."""


@frozen
class Mention:
    """What can be spoken of: hung values by word with their holders, words of frames, and words of results of procedures."""

    hung: dict[str, Holders]
    words: frozenset[str]
    results: frozenset[str]
    decks: frozenset[str] = NOBODY
    otherwise: frozenset[str] = NOBODY
    """The words that are looked at; those that are spoken of and not among them are only counted with."""
    begun: frozenset[str] = NOBODY
    """The decks that are drawn from once they have begun anew, so that nothing comes of what is left in them now."""

    def draws_from(self, deck: str) -> bool:
        return deck in self.decks or "" in self.decks

    def speaks_of(self, who: str, word: str) -> bool:
        if word not in self.hung:
            return word in self.results
        holders = self.hung[word]
        return holders is None or who in holders or word in self.results

    def and_(self, other: Mention) -> Mention:
        hung = {word: union(self.hung.get(word, NOBODY), other.hung.get(word, NOBODY)) for word in {**self.hung, **other.hung}}
        return Mention(
            hung,
            self.words | other.words,
            self.results | other.results,
            self.decks | other.decks,
            self.otherwise | other.otherwise,
            self.begun | other.begun,
        )


class Liveness:
    """Drops and puts aside values by what can still be spoken of. What is found out is kept, since thousands of states share it."""

    def __init__(self, rules: Rules, on: bool = True, looks_at: frozenset[str] = NOBODY, asked: frozenset[str] = NOBODY) -> None:
        self.rules, self.on = rules, on
        self.looks_at = looks_at
        """Words that whoever decides reads, though perhaps no rule does any more."""
        self.asked = Mention(dict.fromkeys(asked), asked, NOBODY)
        """Words that are asked for at the very end, of whatever frame."""
        self.words = rules.once(Words)
        self.known: dict[Any, Mention] = {}
        self.spoken: dict[Any, frozenset[str]] = {}
        self.taken: dict[tuple[Cards, Cards], tuple[Cards, Fraction]] = {}
        self.kept: list[Any] = []
        """Whatever is known by its identity, kept so that the identity is not given away again."""
        self.bodies: dict[m.Body, m.Body] = {}

    def same(self, body: m.Body) -> m.Body:
        """These sentences, or equal ones that were asked about before: what is known of them is known by their identity."""
        return self.bodies.setdefault(body, body)

    def yields(self, procedure: str) -> frozenset[str]:
        """The numbers that a procedure has at its end: values that it declares, and its own words."""
        entry = self.rules.entries[procedure]
        roles = entry.fields["roles"].value if "roles" in entry.fields else ()
        given = {atom.word for atom in roles if isinstance(atom, m.Holds)}
        own = {word for word, type in entry.locals.items() if type.name == "number"}
        return frozenset({word for word, slot in self.rules.declared[procedure].items() if slot.holds.name == "number"} | own - given)

    # ------------------------------------------------------------ what is mentioned

    def mention(self, state: State, ahead: Ahead) -> Mention:
        key = (ahead.key, essence(state))
        known = self.known.get(key)
        if known is None:
            self.kept.append(ahead)
            known = self.known[key] = self.found(state, lambda reach: self.roots(reach, ahead)).and_(self.asked)
        return known

    def touched(self, state: State, part: ChainPart) -> Mention:
        key = (key_of(part), essence(state))
        known = self.known.get(key)
        if known is None:
            self.kept.append(part)
            known = self.known[key] = self.found(state, lambda reach: root(reach, part))
        return known

    def found(self, state: State, start: Any) -> Mention:
        """Walked again when something on the way may give traits to others, until no more are found."""
        moves: Holders = NOBODY
        while True:
            reach = Reach(self.words, state, moves)
            reach.standing()
            start(reach)
            if moves is None or (reach.taken is not None and reach.taken <= moves):
                hung = {**reach.hung, **dict.fromkeys(self.looks_at)}
                return Mention(
                    hung,
                    self.looks_at.union(reach.words),
                    frozenset(reach.results),
                    frozenset(reach.decks),
                    self.looks_at.union(reach.otherwise),
                    frozenset(reach.begun),
                )
            moves = union(moves, reach.taken)

    def roots(self, reach: Reach, ahead: Ahead) -> None:
        for first, parts in ahead.chains:
            reach.depth = depth_of(first)
            for part in parts:
                root(reach, part)
            if isinstance(first, StepPart):
                reach.ending(first.entry, first.depth)

    # ------------------------------------------------------------ dropping

    def pruned(self, state: State, ahead: Ahead) -> State:
        return tidied(self.needed(state, ahead)) if self.on else state

    def needed(self, state: State, ahead: Ahead) -> State:
        """What of a state can still be spoken of."""
        if not self.on:
            return state
        mention = self.closed(state, self.mention(state, ahead), ahead.watched)
        heard = self.words.heard_rolls or any(is_of_a_roll(rule) for rule in lasting_in(state))
        frames = tuple(self.frame(index, frame, mention, ahead.watched, heard) for index, frame in enumerate(state.frames))
        coming = tuple(replace(one, rule=self.lasting(one.rule)) for one in state.coming)
        decks = state.decks.only(lambda deck: mention.draws_from(deck) or isinstance(state.decks[deck], Out))
        return replace(state, frames=frames, coming=coming, decks=decks) if coming or decks is not state.decks else state.running(frames)

    def frame(self, index: int, frame: Frame, mention: Mention, watched: frozenset[str], heard: bool) -> Frame:
        seen, known = watched if index == 1 else NOBODY, mention.results | watched
        words, hung = frame.words, frame.hung
        if frame.procedure or index == 0:  # the frame of a gain or loss holds its amount, which no sentence needs to mention
            words = words.only(lambda word: word in mention.words or word in mention.results or word in frame.roles or word in seen or " " in word)
        hung = hung.only(lambda key: mention.speaks_of(*key) or key[1] in seen)
        words, hung = self.slots(words, known), self.slots(hung, known)
        made = frame if words is frame.words and hung is frame.hung else frame.with_slots(words, hung)
        if made.rolled and not heard:
            made = replace(made, rolled=())
        return replace(made, lasting=tuple(self.lasting(one) for one in frame.lasting)) if frame.lasting else made

    def slots(self, values: Map[Any, Slot], known: frozenset[str]) -> Map[Any, Slot]:
        bulky = {key: slot for key, slot in values.items() if slot.fixed is not None or isinstance(slot.base, Result)}
        return Map({**values, **{key: self.slot(slot, known) for key, slot in bulky.items()}}) if bulky else values

    def slot(self, slot: Slot, known: frozenset[str]) -> Slot:
        if isinstance(slot.base, Result):
            slot = replace(
                slot, base=Result(slot.base.outcome, slot.base.words.only(known.__contains__), slot.base.hung.only(lambda key: key[1] in known))
            )
        if slot.fixed is not None:
            slot = replace(slot, fixed=Postponed(slot.fixed.expr, self.scope(slot.fixed.scope, (slot.fixed.expr,))))
        return slot

    def lasting(self, rule: Lasting) -> Lasting:
        return Lasting(rule.body, self.scope(rule.scope, rule.body))

    def scope(self, scope: Scope, nodes: tuple[Any, ...]) -> Scope:
        """Only the words that these sentences speak of."""
        said = frozenset[str]().union(*(self.said(node) for node in nodes))
        return replace(scope, words=scope.words.only(said.__contains__))

    def said(self, node: Any) -> frozenset[str]:
        """Every small word in a sentence, whatever it does there."""
        key = id(node)
        if key not in self.spoken:
            self.kept.append(node)
            self.spoken[key] = frozenset(one for one in inner(node) if isinstance(one, str))
        return self.spoken[key]

    def closed(self, state: State, mention: Mention, watched: frozenset[str] = NOBODY, whole: int = -1) -> Mention:
        """With what the postponed values that are kept wait for (all those of the frame `whole`, which is about to settle)."""
        done: set[Postponed] = set()
        while waiting := {one for one in postponed(state, mention, watched, whole) if one not in done}:
            done |= waiting
            for one in waiting:
                mention = mention.and_(self.waited_for(state, one))
        return mention

    def waited_for(self, state: State, one: Postponed) -> Mention:
        key = (one, state.people)
        if key not in self.known:
            reach = Reach(self.words, state)
            reach.postponed(one)
            self.known[key] = Mention(reach.hung, frozenset(reach.words), frozenset(reach.results), otherwise=frozenset(reach.otherwise))
        return self.known[key]

    # ------------------------------------------------------------ putting aside

    def split(self, part: ChainPart, state: State, decks: bool = True) -> tuple[State, Apart]:
        """The state without what a piece does not touch, and that; `decks`: also without what is left in those decks of which nothing else is asked.

        A deck that is open already is put aside in any case.
        """
        if not self.on:
            return state, Apart()
        if any(isinstance(one, Part) for one in state.lots):
            state = tidied(state)
        whole = part.depth if isinstance(part, StepPart) and self.rules.step(part.entry, "settles") == part.number else -1
        mention = self.closed(state, self.touched(state, part), whole=whole)
        frames: list[Frame] = []
        apart: list[tuple[Slots, Slots]] = []
        for index, frame in enumerate(state.frames):
            if index == whole or (index and not frame.procedure):
                frames.append(frame)
                apart.append(((), ()))
                continue
            words = frame.words.only(lambda word, frame=frame: word in mention.words or word in mention.results or takes_part(frame, word))  # type: ignore[misc]
            hung = frame.hung.only(lambda key: mention.speaks_of(*key))
            apart.append((beyond(frame.words, words), beyond(frame.hung, hung)))
            frames.append(frame if words is frame.words and hung is frame.hung else frame.with_slots(words, hung))
        near, left = without_lots(state.running(tuple(frames)), apart) if state.lots else (state.running(tuple(frames)), Apart(tuple(apart)))
        aside = tuple((deck, state.decks.get(deck)) for deck in self.rules.open_decks if decks or isinstance(state.decks.get(deck), Out))
        if not aside:
            return near, left
        return replace(near, decks=Map({**state.decks, **{deck: OUT for deck, _ in aside}})), replace(left, decks=aside)

    def fits(self, apart: Apart, ends: Iterable[State]) -> bool:
        """Whether what came of a piece holds for the decks that were put aside: none of them was made whole on the way, and none can have run out."""
        if not apart.decks:
            return True
        most = dict.fromkeys((deck for deck, _ in apart.decks), 0)
        for end in ends:
            for deck, _ in apart.decks:
                out = end.decks.get(deck)
                if not isinstance(out, Out):
                    return False
                most[deck] = max(most[deck], len(out.cards))
        return all(isinstance(left, Out) or len(self.rules.cards(deck) if left is None else left) > most[deck] for deck, left in apart.decks)

    def joined(self, state: State, apart: Apart) -> tuple[State, Fraction]:
        """The state with what was put aside, and how likely the cards that are out are to come from the decks that they came from (see `ways`)."""
        chance = ONE
        if apart.decks:
            decks = dict(state.decks)
            for deck, left in apart.decks:
                end = state.decks.get(deck)
                if not isinstance(end, Out):  # made whole on the way: whoever put it aside first hears of it (`fits`) and does not
                    continue
                drawn = end.cards
                if isinstance(left, Out):
                    decks[deck] = Out(tuple(sorted((*left.cards, *drawn)))) if drawn else left
                elif drawn or left is not None:
                    decks[deck], likely = self.drawn(left if left is not None else self.rules.cards(deck), drawn)
                    chance *= likely
                else:
                    del decks[deck]
            state = replace(state, decks=Map(decks))
        if not any(words or hung for words, hung in apart.frames):
            return state, chance
        frames = list(state.frames)
        if apart.lots:
            apart, state = with_lots(apart, state)
        for index, (words, hung) in enumerate(apart.frames):
            if words or hung:
                frame = frames[index]
                frames[index] = frame.with_slots(Map({**frame.words, **dict(words)}), Map({**frame.hung, **dict(hung)}))
        return state.running(tuple(frames)), chance

    def drawn(self, cards: Cards, out: Cards) -> tuple[Cards, Fraction]:
        """What is left of these cards without those that are out, and the chance of each order of them."""
        if (cards, out) not in self.taken:
            have, ways, left = Counter(cards), 1, list(cards)
            for card, many in Counter(out).items():
                ways *= perm(have[card], many)
            for card in out if ways else ():
                left.remove(card)
            self.taken[cards, out] = tuple(left), Fraction(ways, perm(len(cards), len(out)))
        return self.taken[cards, out]


def liveness_of(rules: Rules, on: bool = True, looks_at: frozenset[str] = NOBODY, asked: frozenset[str] = NOBODY) -> Liveness:
    """With what questions before have found out about these rules."""
    all_ = rules.once(found_before)
    key = on, looks_at, asked
    found = all_.get(key)
    if found is None or len(found.kept) + len(found.taken) > MOST_KNOWN:
        found = all_[key] = Liveness(rules, on, looks_at, asked)
    return found


def found_before(rules: Rules) -> dict[tuple[bool, frozenset[str], frozenset[str]], Liveness]:
    return {}


def postponed(state: State, mention: Mention, watched: frozenset[str], whole: int) -> Iterator[Postponed]:
    """The values that are fixed and not settled, of those that are kept."""
    for index, frame in enumerate(state.frames):
        seen = watched if index == 1 else NOBODY
        for word, slot in frame.words.items():
            if slot.fixed is not None and (
                word in mention.words or word in mention.results or word in seen or word in frame.roles or index == whole or not frame.procedure
            ):
                yield slot.fixed
        for key, slot in frame.hung.items():
            if slot.fixed is not None and (mention.speaks_of(*key) or key[1] in seen or index == whole):
                yield slot.fixed
        for _, slot in frame.unsettled:
            if slot.fixed is not None:
                yield slot.fixed


def lasting_in(state: State) -> Iterator[Lasting]:
    """The rules that hold for a time, or will."""
    for frame in state.frames:
        yield from frame.lasting
    yield from (one.rule for one in state.coming)


def is_of_a_roll(rule: Lasting) -> bool:
    """Whether it listens to rolls."""
    return any(listens_to_rolls(one) for one in sentences(rule.body))


def root(reach: Reach, piece: Piece) -> None:
    part, rest = (piece.part, piece.sentences) if isinstance(piece, Rest) else (piece, None)
    if isinstance(piece, Rest) and (word := word_of(piece.by)):
        reach.say(word)
    if isinstance(part, StepPart):
        reach.step_in(part.entry, part.number, part.depth, rest)
    else:
        assert isinstance(part, RoundPart)
        asked = (part.until,) if isinstance(part, LoopPart) else ()
        reach.round(part.sentences, part.scope, (*(part.sentences if rest is None else rest), *asked))


def essence(state: State) -> tuple[Any, ...]:
    """What of a state decides what can be spoken of: who is there, what they carry, what runs with whom, what lasts."""
    frames = tuple((frame.procedure, tuple(map(whom, map(frame.words.get, frame.roles))), frame.lasting, frame.rolled) for frame in state.frames)
    return state.people, state.traits, state.fields, state.coming, frames


def takes_part(frame: Frame, word: str) -> bool:
    """Whether a word is a role that events look at, whatever the rules speak of: the first one, and whoever or whatever else has one. A number is none."""
    return word in frame.roles and (word == frame.roles[0] or whom(frame.words[word]) is not None)


def whom(role: Slot | None) -> Slot | None:
    """A role, if it may be somebody or something; which number it is does not matter."""
    return None if role is None or (role.fixed is None and isinstance(role.base, int | OnlyMean | Unseen)) else role
