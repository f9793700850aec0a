"""Who answers a choice: bots for those who have one, a person for the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from te_forge.asked import Refused
from te_forge.engine.effects import Decision, allowed
from te_forge.engine.policies import RANDOM, policy_called
from te_forge.engine.reading import RuleError
from te_forge.play import asking
from te_forge.play.may import evaluator
from te_forge.play.names import as_sentence, because, name, wrapped
from te_forge.play.screens import BETWEEN, LOOKS, Screens
from te_forge.play.table import Table, TakenBack
from te_forge.seeded import generator

EVERYBODY = "everybody"


def bot_of(table: Table, who: str) -> str:
    """The policy of somebody: of the person, else of the kind; for somebody out of a book of entries also that of the one who runs the game."""
    person, kinds = table.state.people.get(who), table.rules.system.kinds
    keys = [who, person.kind if person is not None else table.rules.kind_of(who)]
    if person is None or person.based:
        keys += [info.id for info in kinds.values() if info.single] + [info.name for info in kinds.values() if info.single]
    return next((table.bots[key] for key in (*keys, EVERYBODY) if key in table.bots), "")


def by_bot(effect: Decision, table: Table, policy: str) -> tuple[Any, str]:
    """What a policy answers; one that is led back to the same question takes any answer."""
    name = RANDOM if table.again(effect) else policy
    answer = policy_called(name, generator("choice", table.seed, table.choices))(effect, table.reading())
    if not allowed(effect, answer):
        raise Refused(f"the policy {policy} gave an answer that is not allowed")
    return answer, policy


HELP = "(`look`, `who NAME` and `rule NAME` tell more, `undo` takes back the last thing that was typed, `quit` leaves)"


class Person:
    """A person at a terminal. `ask` shows a prompt and gives back a line; it raises EOFError at the end of input."""

    def __init__(self, ask: Callable[[str], str], out: Callable[[str], None], bold: Callable[[str], str] = str) -> None:
        self.ask, self.out, self.bold = ask, out, bold
        self.explained: set[str] = set()

    def __call__(self, effect: Decision, table: Table) -> tuple[Any, str]:
        policy = bot_of(table, effect.who)
        return by_bot(effect, table, policy) if policy else (self.answer(effect, table), "")

    def answer(self, effect: Decision, table: Table) -> Any:
        table.teller.catch_up()
        table.teller.say_waiting()
        self.explain(effect, table, again=False)
        self.show(effect, table)
        while True:
            typed = self.ask(f"{asking.hint(effect)} > ").strip()
            match typed.lower():
                case "":
                    self.show(effect, table)
                case "?" | "why" | "help":
                    self.explain(effect, table, again=True)
                    self.show(effect, table)
                    for line in wrapped(HELP, 2, 2):
                        self.out(line)
                case "undo" | "back":
                    raise TakenBack
                case "quit" | "exit":
                    raise EOFError
                case _:
                    try:
                        return asking.read(table.rules, effect, typed)
                    except Refused as refused:
                        if self.aside(typed, table, refused):
                            self.show(effect, table)

    def aside(self, typed: str, table: Table, refused: Refused) -> bool:
        """What is no answer may be something to look at; whether it was. Otherwise it is said why it is no answer."""
        word, _, rest = typed.partition(" ")
        look = LOOKS.get(word.lower())
        why = str(refused)
        if look is not None:
            try:
                look(Screens(table, self.out, self.bold), rest.strip())
                return True
            except (Refused, RuleError) as other:
                why = str(other)
        elif word.lower() in BETWEEN:
            why += f"; `{word}` has to wait until this is answered, or taken back with `undo`"
        self.out(f"  {as_sentence(why)}")
        return False

    def show(self, effect: Decision, table: Table) -> None:
        first, *options = asking.question(table.rules, effect, table.reading())
        for line in wrapped(first, 0, 2):
            self.out(line)
        for option in options:
            self.out(option)

    def explain(self, effect: Decision, table: Table, again: bool) -> None:
        """The rule behind the question: its text when it comes up first, and again when somebody asks."""
        title, text = because(table.rules, effect.why, owner_of(effect, table))
        if text and (again or effect.why not in self.explained):
            self.explained.add(effect.why)
            for line in wrapped(f"{title}: {text}", 2, 2):
                self.out(line)


def owner_of(effect: Decision, table: Table) -> str:
    """Whose rule asks, where that is sure: of the one who is asked, or of the only one who has it."""
    entry = table.rules.entries.get(effect.why.partition("#")[0])
    owners = [owner for owner in evaluator(table).owners(entry) if owner is not None] if entry is not None else []
    one = effect.who if effect.who in owners else owners[0] if len(owners) == 1 else None
    return name(table.rules, one) if one is not None else ""


def bots_only(effect: Decision, table: Table) -> tuple[Any, str]:
    return by_bot(effect, table, bot_of(table, effect.who) or "plain")
