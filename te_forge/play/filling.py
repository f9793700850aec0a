"""Who does what in a procedure that somebody begins: roles that were named, and questions for the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from te_forge.asked import Refused, whole
from te_forge.asked.called import role_words
from te_forge.engine.reading import RuleError, as_group
from te_forge.engine.tell import listed
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.play import asking, may
from te_forge.play.names import as_sentence, name
from te_forge.play.screens import BETWEEN, LOOKS, Screens
from te_forge.play.table import Table
from te_forge.play.typed import role_value
from te_forge.suggest import a


class Roles:
    """Fills the roles of a procedure. `ask` raises EOFError when somebody leaves."""

    def __init__(self, screens: Screens, ask: Callable[[str], str]) -> None:
        self.screens, self.table, self.rules = screens, screens.table, screens.rules
        self.ask, self.out, self.bold = ask, screens.out, screens.bold

    def fill(self, entry: Entry, given: list[tuple[str, str]]) -> dict[str, Any]:
        roles = named_roles(self.table, entry, given)
        for number, holds in enumerate(may.roles(entry)):
            if holds.word not in roles:
                roles[holds.word] = self.one(entry, holds, roles, number == 0)
        return roles

    def one(self, entry: Entry, holds: m.Holds, roles: Mapping[str, Any], first: bool) -> Any:
        """Ask for one role, unless only one can have it."""
        kind = holds.type.kind or holds.type.name
        if holds.type.name == "number":
            return self.typed(f"the {holds.word} (a number), or back > ", lambda said: whole(said, f"the {holds.word}"))
        if holds.type.name == "text":
            return self.typed(f"the {holds.word} (words), or back > ", str)
        taken = {one for value in roles.values() for one in as_group(value)}
        found = [one for one in may.candidates(self.table, holds) if one not in taken]
        bars = {one: may.barred(self.table, entry, {holds.word: one}) for one in found} if first else {}
        free = [one for one in found if not bars.get(one)]
        if not free:
            raise Refused(next((bar for bar in bars.values() if bar), f"nobody is here who can be the {holds.word} ({a(kind)})"))
        group = holds.type.name == "group"
        if len(free) == 1:
            return (free[0],) if group else free[0]
        self.show(f"{entry.name}: {self.question(holds, kind, group)}", free, bars)
        shown = [name(self.rules, one) for one in free]
        if group:
            return self.typed("numbers or names, or back > ", lambda said: tuple(free[at] for at in asking.several_of(shown, said)))
        return self.typed(f"1-{len(free)} or a name, or back > ", lambda said: free[asking.one_of(shown, said)])

    def show(self, question: str, free: list[str], bars: Mapping[str, str]) -> None:
        self.out(self.bold(question))
        for number, one in enumerate(free, 1):
            self.out(f"{number:>3}  {name(self.rules, one)}")
        for one, bar in bars.items():
            if bar:
                self.out(f"  -  {name(self.rules, one)} (not now: {bar})")

    def question(self, holds: m.Holds, kind: str, group: bool) -> str:
        if kind != "actor" and self.rules.nature(kind) != "actor":
            return f"what is the {holds.word} ({a(kind)})?"
        return f"who are the {holds.word} (one or more)?" if group else f"who is the {holds.word} ({a(kind)})?"

    def typed(self, prompt: str, read: Callable[[str], Any]) -> Any:
        while True:
            said = self.ask(prompt).strip()
            word, _, rest = said.partition(" ")
            try:
                match word.lower():
                    case "":
                        continue
                    case "?" | "help":
                        self.out("  a number of the list, or a name or its beginning; `back` gives it up; `who NAME` and `rule NAME` tell more")
                    case "back" | "undo":
                        raise GivenUp("nothing was begun")
                    case "quit" | "exit":
                        raise EOFError
                    case look if look in LOOKS:
                        LOOKS[look](self.screens, rest)
                    case _:
                        return read(said)
            except GivenUp:
                raise
            except (Refused, RuleError) as refused:
                waits = f"; `{word}` has to wait until this is answered, or given up with `back`" if word.lower() in BETWEEN else ""
                self.out(f"  {as_sentence(f'{refused}{waits}')}")


class GivenUp(Refused):
    """Somebody does not want to begin it after all."""


def named_roles(table: Table, entry: Entry, given: list[tuple[str, str]]) -> dict[str, Any]:
    """Roles as `role=WHO` names them."""
    roles: dict[str, Any] = {}
    wanted = {word: holds for holds in reversed(may.roles(entry)) for word in role_words(table.rules, holds)}
    for key, value in given:
        if slug(key) not in wanted:
            raise Refused(f"{entry.name} has no role called `{key}`; its roles are {listed(holds.word for holds in may.roles(entry)) or 'none'}")
        roles[wanted[slug(key)].word] = role_value(table, wanted[slug(key)], value)
    return roles
