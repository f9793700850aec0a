"""What happens, in sentences: the engine's notes as lines of text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from te_forge.engine.effects import Choose, Keep, Note, Number, Offer, Several, Share
from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading
from te_forge.engine.state import State
from te_forge.play.names import called, faces, listed, name, text
from te_forge.play.spans import begun, is_span

Out = Callable[[str], None]


def plain_bold(said: str) -> str:
    return said


class Teller:
    """Tells what happens as it happens. A heading waits until there is something to say below it, unless every step is wanted."""

    def __init__(self, rules: Rules, out: Out, every_step: bool = False, bold: Callable[[str], str] = plain_bold) -> None:
        self.rules, self.out, self.every_step, self.bold = rules, out, every_step, bold
        self.told = {entry.id for entry in begun(rules)}
        self.levels: list[bool] = []
        """For each running procedure whether its steps are told, or only what happens in them."""
        self.waiting: list[tuple[int, str]] = []
        self.paying: list[tuple[str, str]] = []
        self.values: dict[tuple[int, str, str], int] = {}
        self.settled: set[tuple[str, str, int]] = set()
        self.setting: tuple[str, dict[str, int]] = ("", {})
        self.held: list[str] | None = None
        """Lines that are kept back while the past is played again; only those of the last command are worth showing."""

    @property
    def depth(self) -> int:
        return 2 * sum(self.levels)

    def forget(self) -> None:
        """A new command, or one that was broken off."""
        self.levels, self.waiting, self.paying, self.values, self.setting = [], [], [], {}, ("", {})
        if self.held is not None:
            self.held = []

    def hold(self) -> None:
        self.held = []

    def release(self) -> None:
        """What was kept back is shown, and all that follows."""
        lines, self.held = self.held or [], None
        for line in lines:
            self.out(line)

    def put(self, line: str) -> None:
        if self.held is not None:
            self.held.append(line)
        else:
            self.out(line)

    def say(self, line: str) -> None:
        self.say_numbers()
        self.say_waiting()
        self.put("  " * self.depth + line)

    def say_waiting(self) -> None:
        for depth, heading in self.waiting:
            self.put("  " * depth + self.bold(heading))
        self.waiting = []

    def say_numbers(self) -> None:
        """Numbers that were set one after the other are told in one line."""
        who, numbers = self.setting
        self.setting = ("", {})
        if numbers:
            self.say(f"{self.called(who)} has {listed(f'{name(self.rules, stat)} {value}' for stat, value in numbers.items())}")

    def heading(self, line: str, depth: int) -> None:
        """One heading at a depth waits; a deeper or equal one that has waited in vain is dropped."""
        if self.every_step:
            self.put("  " * depth + self.bold(line))
        else:
            self.waiting = [one for one in self.waiting if one[0] < depth] + [(depth, line)]

    # ------------------------------------------------------------ notes

    def note(self, note: Note) -> None:
        tell = getattr(self, "tell_" + note.what.replace("-", "_"), None)
        if tell is not None:
            tell(*note.data)

    def tell_begin(self, id: str, roles: tuple[tuple[str, Any], ...]) -> None:
        entry = self.rules.entries[id]
        if is_span(self.rules, entry):
            self.say(f"{entry.name} begins.")
            return
        shown = self.every_step or not self.levels or id in self.told
        if shown:
            parts = "; ".join(f"{role}: {name(self.rules, who)}" for role, who in roles)
            self.heading(f"{entry.name} ({parts})" if parts else entry.name, self.depth)
            if not self.levels:
                self.say_waiting()
        self.levels.append(shown)

    def tell_end(self, id: str, outcome: str) -> None:
        self.say_numbers()
        if is_span(self.rules, self.rules.entries[id]):
            self.say(f"{self.rules.entries[id].name} ends.")
            return
        shown = self.levels.pop() if self.levels else False
        self.waiting = [one for one in self.waiting if one[0] <= self.depth]
        if shown and outcome:
            self.say(f"{self.rules.entries[id].name} ends with {name(self.rules, outcome)}.")

    def tell_step(self, id: str) -> None:
        self.say_numbers()
        if not self.levels or not self.levels[-1]:
            return
        owner, _, _ = id.partition("#")
        steps = self.rules.entries[owner].steps
        number = next((at for at, step in enumerate(steps, 1) if step.id == id), 0)
        if number:
            self.heading(f"{number}. {steps[number - 1].name}", self.depth - 1)

    def tell_roll(self, who: str, dice: Any) -> None:
        self.say(f"{self.called(who)} rolls {len(dice)} {'die' if len(dice) == 1 else 'dice'}: {faces(dice)}")

    def tell_say(self, who: Any, words: str) -> None:
        self.say(f"{self.called(who)} says: {words}")

    def tell_pay(self, who: str, stat: str, amount: int) -> None:
        self.paying.append((who, stat))

    def tell_gain(self, who: str, stat: str, amount: int, now: int) -> None:
        self.say(f"{self.called(who)} gains {amount} {name(self.rules, stat)} (now {now})")

    def tell_loss(self, who: str, stat: str, amount: int, now: int) -> None:
        verb = "loses"
        if (who, stat) in self.paying:
            self.paying.remove((who, stat))
            verb = "pays"
        self.say(f"{self.called(who)} {verb} {amount} {name(self.rules, stat)} (now {now})")

    def tell_set(self, who: str, stat: str, value: int) -> None:
        if self.setting[0] != who:
            self.say_numbers()
        self.setting = (who, {**self.setting[1], stat: value})

    def tell_bound_set(self, who: str, stat: str, which: str, value: Any) -> None:
        self.say(f"{self.called(who)}'s {name(self.rules, stat)} is at {which} {value} from now on")

    def tell_take(self, who: str, trait: str) -> None:
        self.say(f"{self.called(who)} takes {name(self.rules, trait)}")

    def tell_drop(self, who: str, trait: str) -> None:
        self.say(f"{self.called(who)} drops {name(self.rules, trait)}")

    def tell_row(self, id: str, row: str) -> None:
        table = self.rules.entries[id].table
        found = next((one for one in table.rows if one.id == row), None) if table is not None else None
        if found is not None:
            said = found.cells.get("text")
            self.say(f"{name(self.rules, id)}: {found.name}" + (f". {text(said.words)}" if said is not None else ""))

    def tell_forbidden(self, id: str, owner: str | None, by: str) -> None:
        of = f" of {name(self.rules, owner)}" if owner else ""
        self.say(f"{name(self.rules, id)} does not happen: forbidden by {name(self.rules, by)}{of}")

    def tell_bound(self, id: str) -> None:
        self.say(f"{name(self.rules, id)} does not happen again: its bound is reached")

    def tell_unpaid(self, who: str, stat: str, amount: int) -> None:
        self.say(f"{self.called(who)} cannot pay {amount} {name(self.rules, stat)}")

    def tell_nothing_to_choose(self, who: str, word: str) -> None:
        self.say(f"{self.called(who)} has nothing to choose from for the {word}")

    def tell_forced(self, who: str, values: tuple[Any, ...]) -> None:
        if self.every_step:
            self.say(f"{self.called(who)} has one choice only: {listed(name(self.rules, one) for one in values)}")

    def tell_choose(self, effect: Any, answer: Any) -> None:
        if self.every_step or not (answer is False or answer is None or (isinstance(effect, Number) and answer == 0)):
            self.say(f"{self.called(effect.who)} {done(self.rules, effect, answer)}")

    # ------------------------------------------------------------ values

    def tell_settle(self, procedure: str, values: tuple[tuple[str, str, int], ...]) -> None:
        """Numbers are final; those that were put off until now are told before what comes of them."""
        for who, word, value in values:
            if (who, word, value) not in {(key[1], key[2], known) for key, known in self.values.items()}:
                self.say(f"{self.called(who)}'s {word} is {value}")
        self.settled |= set(values)

    def state(self, state: State) -> None:
        """Numbers that somebody has in what is running: those that are new are told."""
        reading, found = Reading(self.rules, state), {}
        for index, frame in enumerate(state.frames):
            for who, word in frame.hung:
                value = reading.read((index, who, word))
                if isinstance(value, int):
                    found[index, who, word] = value
        for key, value in found.items():
            if self.values.get(key) != value and (key[1], key[2], value) not in self.settled:
                self.say(f"{self.called(key[1])}'s {key[2]} is {value}")
        self.values, self.settled = found, set()

    def called(self, who: Any) -> str:
        return called(self.rules, who)


def done(rules: Rules, effect: Any, answer: Any) -> str:
    """What somebody did, without saying who: `keeps 6 5`."""
    match effect:
        case Choose():
            return f"chooses {label(rules, effect, answer)}"
        case Offer(fact=fact, price=price):
            took = f"{'takes' if answer else 'leaves'} {offer_name(effect)}"
            return took + (f" for {price}" if price else "") + (f" ({fact})" if fact else "")
        case Keep(verb=verb):
            return f"{verb} {faces(answer)}"
        case Number(word=word):
            return f"chooses {answer} as the {word}"
        case Share(places=places):
            return "divides: " + ", ".join(f"{place} {number}" for place, number in zip(places, answer, strict=True) if number)
        case Several():
            return f"chooses {listed(name(rules, one) for one in answer) or 'none'}"
    return str(answer)


def offer_name(effect: Offer) -> str:
    """`Sly: Slow`, the entry and the line; a line without a label is the entry."""
    names = effect.names
    return f"{names[1]}: {names[0]}" if len(names) > 1 else "".join(names)


def label(rules: Rules, effect: Choose, answer: Any) -> str:
    for option, shown in zip(effect.options, effect.labels or (), strict=False):
        if option == answer:
            return shown
    return name(rules, answer)
