"""What the script of an example answers: each die that somebody shows and each option that somebody picks is a cue, used up when the rules ask for
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from te_forge.engine.effects import Chain, Choose, Draw, Halted, Keep, Loop, Note, Number, Offer, Roll, Several, Share, allowed
from te_forge.engine.index import Rules
from te_forge.engine.reading import is_dice
from te_forge.engine.state import Dice, bag
from te_forge.frozen import mutable
from te_forge.keys import slug
from te_forge.source import Span


class Unanswered(Halted):
    """The script has no answer for this."""

    def __init__(self, effect: Any) -> None:
        super().__init__()
        self.effect = effect


@dataclass(frozen=True, slots=True, eq=False)
class Cue:
    """One item of the script: what somebody shows or picks, and where it is written."""

    who: str
    verb: str
    what: str | int
    span: Span


@mutable
class Cues:
    """Answers effects from cues, in the order in which they stand; dice and picks are two rows of their own."""

    rules: Rules
    left: list[Cue]
    notes: list[Note] = field(default_factory=list)
    offered: list[Any] = field(default_factory=list)
    """What was asked since the last cue was used, so that an example can say what is and is not offered."""

    def answer(self, effect: Any) -> Any:
        if isinstance(effect, Chain):
            state = effect.state
            for one in effect.parts:
                state, stopped = one(self.answer, state)
                if stopped is not None:
                    return state, stopped
            return state, None
        if isinstance(effect, Loop):
            return effect.followed(self.answer)
        before = len(self.left)
        answer = self.answered(effect)
        if len(self.left) < before:
            self.offered.clear()
        return answer

    def answered(self, effect: Any) -> Any:
        match effect:
            case Note():
                self.notes.append(effect)
                if effect.what == "forced":
                    self.forced(*effect.data[:2])
                return None
            case Roll():
                return self.shown(effect)
            case Draw():
                return self.drawn(effect)
        self.offered.append(effect)
        before = list(self.left)
        try:
            answer = self.picked(effect)
        except Unanswered:
            self.left = before
            raise
        if not allowed(effect, answer):
            self.left = before
            raise Unanswered(effect)
        return answer

    # ------------------------------------------------------------ dice and cards

    def shown(self, effect: Roll) -> Dice:
        if sum(die[0] for die in effect.dice) > len(self.left):
            raise Unanswered(effect)
        sides = [die[1] for die in effect.dice for _ in range(die[0])]
        again = {die[1]: die[2] for die in effect.dice}
        cues = self.shows(effect, len(sides))
        faces = list(zip(cues, sides, strict=True))
        at = 0
        while at < len(faces):  # a die that explodes asks for one more of its sides
            cue, side = faces[at]
            if not isinstance(cue.what, int) or not 1 <= cue.what <= side:
                raise Unanswered(effect)
            if cue.what in again[side]:
                faces += [(self.shows(effect, len(faces) + 1)[-1], side)]
            at += 1
        for cue, _ in faces:
            self.left.remove(cue)
        return bag([(int(cue.what), side) for cue, side in faces])

    def shows(self, effect: Roll | Draw, count: int) -> list[Cue]:
        found = [cue for cue in self.left if cue.verb == "shows"][:count]
        if len(found) < count or not all(self.speaks(cue.who, effect.who) for cue in found):
            raise Unanswered(effect)
        return found

    def drawn(self, effect: Draw) -> tuple[str, ...]:
        cues, left = self.shows(effect, effect.count), list(effect.cards)
        taken: list[str] = []
        for cue in cues:
            card = next((card for card in left if self.names_it(cue.what, (card, self.name(card)))), None)
            if card is None:
                raise Unanswered(effect)
            left.remove(card)
            taken.append(card)
        for cue in cues:
            self.left.remove(cue)
        return tuple(sorted(taken, key=effect.cards.index))

    # ------------------------------------------------------------ who speaks

    def speaks(self, speaker: str, who: str) -> bool:
        """Everybody speaks for themselves; somebody of whom there is one only (the one who runs the game) for those who are entries."""
        entry = self.rules.entries.get(speaker)
        return speaker == who or (entry is not None and entry.kind == "kind" and who in self.rules.entries)

    def mine(self, who: str) -> Cue | None:
        """The next pick, if it is this one's."""
        cue = next((cue for cue in self.left if cue.verb == "picks"), None)
        return cue if cue is not None and self.speaks(cue.who, who) else None

    def forced(self, who: str, values: tuple[Any, ...]) -> None:
        """What could only be answered in one way may be said all the same."""
        picks = [cue for cue in self.left if cue.verb == "picks"][: len(values)]
        said = list(values)
        for cue in picks:
            match = next((one for one in said if cue.what == one or self.names_it(cue.what, (one, self.name(one)))), None)
            if match is None or not self.speaks(cue.who, who):
                return
            said.remove(match)
        for cue in picks if not said else ():
            self.left.remove(cue)

    # ------------------------------------------------------------ choices

    def picked(self, effect: Any) -> Any:
        match effect:
            case Offer():
                return self.accepted(effect)
            case Choose():
                return self.chosen(effect)
            case Number(low=low, high=high):
                return self.use(effect, lambda what: what if isinstance(what, int) and low <= what <= high else None)
            case Keep():
                return self.kept(effect)
            case Share():
                return tuple(self.use(effect, lambda what: what if isinstance(what, int) else None) for _ in effect.places)
            case Several(options=options):
                return self.several(effect, options)
        raise Unanswered(effect)

    def use(self, effect: Any, fitting: Callable[[str | int], Any]) -> Any:
        """The next pick as an answer; it is used up."""
        cue = self.mine(effect.who)
        answer = fitting(cue.what) if cue is not None else None
        if cue is None or answer is None:
            raise Unanswered(effect)
        self.left.remove(cue)
        return answer

    def accepted(self, effect: Offer) -> bool:
        """An offer that the script does not name is let pass."""
        cue = self.mine(effect.who)
        if cue is None or not (cue.what in ("Yes", "No") or self.names_it(cue.what, effect.names)):
            return False
        self.left.remove(cue)
        return cue.what != "No"

    def let_pass(self, cue: Cue) -> bool:
        """Whether `picks nothing` is about offers that were let pass: no choice has wanted it."""
        return any(isinstance(effect, Offer) and self.speaks(cue.who, effect.who) for effect in self.offered)

    def chosen(self, effect: Choose) -> Any:
        def fitting(what: str | int) -> tuple[Any] | None:
            for option, label in zip(effect.options, effect.labels, strict=True):
                if what == option or self.names_it(what, (label,)) or (option is None and what == "nothing"):
                    return (option,)
            return None

        return self.use(effect, fitting)[0]

    def several(self, effect: Several, options: tuple[str, ...]) -> tuple[str, ...]:
        taken = []
        while (cue := self.mine(effect.who)) is not None and any(self.names_it(cue.what, (option,)) for option in options):
            self.left.remove(cue)
            taken.append(next(option for option in options if self.names_it(cue.what, (option,))))
        if cue is not None and cue.what == "nothing" and not taken:
            self.left.remove(cue)
        return tuple(option for option in options if option in taken)

    def kept(self, effect: Keep) -> Dice:
        cues = [cue for cue in self.left if cue.verb == "picks"]
        left, taken = list(effect.dice), []
        for cue in cues[: effect.most]:
            die = next((one for one in left if one[0] == cue.what), None)
            if die is None or not self.speaks(cue.who, effect.who):
                break
            left.remove(die)
            taken.append((cue, die))
        if len(taken) < effect.least:
            raise Unanswered(effect)
        if not taken and cues and cues[0].what == "nothing" and self.speaks(cues[0].who, effect.who):
            self.left.remove(cues[0])
        for cue, _ in taken:
            self.left.remove(cue)
        return bag([die for _, die in taken])

    # ------------------------------------------------------------ names

    def names_it(self, what: str | int, names: Iterable[Any]) -> bool:
        """Whether a pick means one of these: by id, by name, or by label."""
        said = {slug(str(what)), slug(self.name(what))}
        return any(slug(str(name)) in said for name in names if name is not None)

    def name(self, id: Any) -> str:
        entry = self.rules.entries.get(str(id))
        return entry.name if entry is not None else str(id)

    def offers(self, effect: Any, what: str) -> bool:
        """Whether an effect that was asked offers this."""
        number = int(what) if what.isdecimal() else None
        match effect:
            case Offer(names=names):
                return self.names_it(what, names)
            case Choose(options=options, labels=labels):
                return self.names_it(what, (*labels, *options))
            case Number(low=low, high=high):
                return number is not None and low <= number <= high
            case Share(total=total, exactly=exactly):
                return number is not None and (number == total if exactly else number <= total)
            case Keep(dice=dice):
                return number is not None and any(face == number for face, _ in dice)
            case Several(options=options):
                return self.names_it(what, options)
        return False


def asked(effect: Any, name: Callable[[Any], str]) -> tuple[str, str]:
    """What the rules ask for, and a line of a script that would answer it."""
    who = name(getattr(effect, "who", ""))
    match effect:
        case Roll(dice=dice):
            count = sum(one[0] for one in dice)
            what = " and ".join(f"{number} d{sides}" for number, sides, _ in dice)
            return f"the rules ask {who} to roll {what}", f"{who} shows {', '.join(['3'] * min(count, 8))}"
        case Draw(deck=deck, cards=cards, count=count):
            some = "a card" if count == 1 else f"{count} cards"
            return f"the rules ask {who} to draw {some} of {name(deck)}", f"{who} shows {', '.join(name(card) for card in cards[:count])}"
        case Choose(labels=labels, word=word):
            return f"the rules ask {who} to choose {counted(word)}: {', '.join(labels)}", f"{who} picks {labels[0]}"
        case Number(low=low, high=high, word=word):
            return f"the rules ask {who} for {counted(word)} from {low} to {high}", f"{who} picks {low}"
        case Keep(least=least, most=most, dice=dice, verb=verb):
            many = str(least) if least == most else f"{least} to {most}"
            shown = ", ".join(str(face) for face, _ in dice)
            return f"the rules ask which {many} of {shown} {who} {verb}", f"{who} picks {', '.join(str(face) for face, _ in dice[: max(least, 1)])}"
        case Share(total=total, places=places, exactly=exactly, most=most_of):
            many = f"{total}" if exactly else f"up to {total}"
            names = [name(place) + (f" (at most {most})" if most < total else "") for place, most in zip(places, most_of, strict=True)]
            return (
                f"the rules ask {who} to divide {many} among {', '.join(names)}",
                f"{who} picks {', '.join([str(total), *['0'] * (len(places) - 1)])}",
            )
    return f"the rules ask something of {who}", f"{who} picks .."


def counted(word: str) -> str:
    return "an option" if word in ("", "option") else f"the {word}"


def said(what: Any) -> str:
    """An answer as a script says it."""
    if isinstance(what, bool):
        return "Yes" if what else "No"
    if is_dice(what):
        return ", ".join(str(face) for face, _ in what)
    return ", ".join(map(str, what)) if isinstance(what, tuple) else str(what)
