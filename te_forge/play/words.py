"""What happens, told as it happens: headings for procedures and steps, and below them the sentences of the engine's own teller."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from typing import Any

from te_forge.engine.effects import Note
from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading
from te_forge.engine.state import State
from te_forge.engine.tell import Teller as Words
from te_forge.play.eyes import OPEN_TO_ALL, Eyes, sees
from te_forge.play.names import name
from te_forge.play.rounds import Rounds
from te_forge.play.spans import begun, is_span

Out = Callable[[str], None]


def plain_bold(said: str) -> str:
    return said


class Teller:
    """Tells what happens as it happens. A heading waits until there is something to say below it, unless every step is wanted."""

    def __init__(self, rules: Rules, out: Out, every_step: bool = False, bold: Callable[[str], str] = plain_bold, eyes: Eyes | None = None) -> None:
        self.rules, self.out, self.every_step, self.bold, self.eyes = rules, out, every_step, bold, eyes
        self.unseen: list[bool] = []
        """For each running procedure whether these eyes do not see it."""
        self.words = Words(rules)
        self.told = {entry.id for entry in begun(rules)}
        self.levels: list[bool] = []
        """For each running procedure whether its steps are told, or only what happens in them."""
        self.waiting: list[tuple[int, str]] = []
        self.values: dict[tuple[int, str, str], int] = {}
        self.settled: set[tuple[str, str, int]] = set()
        self.setting: tuple[str, dict[str, int]] = ("", {})
        self.loops: list[Rounds] = []
        """The loops that run, the outer one first."""
        self.held: list[str] | None = None
        """Lines that are kept back while the past is played again; only those of the last command are worth showing."""

    @property
    def depth(self) -> int:
        return 2 * sum(self.levels)

    def forget(self) -> None:
        """A new command, or one that was broken off."""
        self.levels, self.waiting, self.values, self.setting, self.unseen, self.loops = [], [], {}, ("", {}), [], []
        self.words.paying = []
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
        if (kept := next((loop.lines for loop in reversed(self.loops) if loop.lines is not None), None)) is not None:
            kept.append(line)
        elif self.held is not None:
            self.held.append(line)
        else:
            self.out(line)

    @contextmanager
    def rounds(self) -> Iterator[Callable[[State], None]]:
        """Tells the rounds of a loop; what it gives is to be told the state behind each."""
        loop = Rounds()
        self.loops.append(loop)

        def each(state: State) -> None:
            self.state(state)
            self.say_numbers()
            loop.over()

        try:
            yield each
        finally:
            self.flush(loop)
            if loop in self.loops:
                self.loops.remove(loop)

    def catch_up(self) -> None:
        """Tell what was kept back of the rounds of loops, since somebody has to decide, or it is over."""
        for loop in self.loops:
            self.flush(loop)

    def flush(self, loop: Rounds) -> None:
        left_out, lines = loop.caught_up()
        if left_out:
            self.put("  " * self.depth + f"({left_out:,} more round{'s' if left_out > 1 else ''} like these)")
        for line in lines:
            self.put(line)

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
            self.say(self.words.numbers(who, numbers))

    def heading(self, line: str, depth: int) -> None:
        """One heading at a depth waits; a deeper or equal one that has waited in vain is dropped."""
        if self.every_step:
            self.put("  " * depth + self.bold(line))
        else:
            self.waiting = [one for one in self.waiting if one[0] < depth] + [(depth, line)]

    # ------------------------------------------------------------ notes

    def note(self, note: Note) -> None:
        match note:
            case Note("begin", (id, roles)):
                self.begin(id, roles)
            case Note("step", (id,)):
                self.step(id)
            case Note("settle", (_, values)):
                self.settle(values)
            case Note("set", (who, stat, value)):
                self.set(who, stat, value)
            case Note("end", (id, _)):
                self.end(id, self.words.told(note))
            case Note(what) if self.hidden and what not in OPEN_TO_ALL:
                pass
            case _:
                if said := self.words.told(note, self.every_step):
                    self.say(said)

    @property
    def hidden(self) -> bool:
        """Whether what happens now is not for these eyes."""
        return any(self.unseen)

    def begin(self, id: str, roles: tuple[tuple[str, Any], ...]) -> None:
        self.say_numbers()
        entry = self.rules.entries[id]
        if is_span(self.rules, entry):
            self.say(f"{entry.name} begins.")
            return
        self.unseen.append(not sees(self.eyes, entry))
        shown = not self.hidden and (self.every_step or not self.levels or id in self.told)
        if shown:
            parts = "; ".join(f"{role}: {name(self.rules, who)}" for role, who in roles)
            self.heading(f"{entry.name} ({parts})" if parts else entry.name, self.depth)
            if not self.levels:
                self.say_waiting()
        self.levels.append(shown)

    def end(self, id: str, said: str) -> None:
        self.say_numbers()
        if is_span(self.rules, self.rules.entries[id]):
            self.say(f"{self.rules.entries[id].name} ends.")
            return
        shown = self.levels.pop() if self.levels else False
        if self.unseen:
            self.unseen.pop()
        self.waiting = [one for one in self.waiting if one[0] <= self.depth]
        if shown and said:
            self.say(f"{said}.")

    def step(self, id: str) -> None:
        self.say_numbers()
        if not self.levels or not self.levels[-1]:
            return
        owner, _, _ = id.partition("#")
        steps = self.rules.entries[owner].steps
        number = next((at for at, step in enumerate(steps, 1) if step.id == id), 0)
        if number:
            self.heading(f"{number}. {steps[number - 1].name}", self.depth - 1)

    def set(self, who: str, stat: str, value: int) -> None:
        if self.setting[0] != who:
            self.say_numbers()
        self.setting = (who, {**self.setting[1], stat: value})

    # ------------------------------------------------------------ values

    def settle(self, values: tuple[tuple[str, str, int], ...]) -> None:
        """Numbers are final; those that were put off until now are told before what comes of them."""
        if self.hidden:
            return
        for who, word, value in values:
            if (who, word, value) not in {(key[1], key[2], known) for key, known in self.values.items()}:
                self.say(self.words.settled([(who, word, value)]))
        self.settled |= set(values)

    def state(self, state: State) -> None:
        """Numbers that somebody has in what is running: those that are new are told."""
        reading, found = Reading(self.rules, state), {}
        for index, frame in enumerate(state.frames):
            for (who, word), slot in frame.hung.items():
                if slot.fixed is not None:  # put off, and told when it settles
                    continue
                value = reading.read((index, who, word))
                if isinstance(value, int):
                    found[index, who, word] = value
        new = [
            (key[1], key[2], value) for key, value in found.items() if self.values.get(key) != value and (key[1], key[2], value) not in self.settled
        ]
        for _, values in groupby(new, itemgetter(0)) if not self.hidden else ():
            self.say(self.words.settled(values))
        self.values, self.settled = found, set()
