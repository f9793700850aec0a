"""A scene in the terminal: what a person types between procedures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from te_forge.asked import Refused, whole
from te_forge.check.names import slug
from te_forge.engine.index import sentences
from te_forge.engine.policies import NAMES
from te_forge.engine.reading import Reading, as_group
from te_forge.model import rules as m
from te_forge.play import asking, may, spans
from te_forge.play.answering import EVERYBODY, bot_of
from te_forge.play.names import called, entry_called, first_up, listed, name, playable, somebody, text, wrapped
from te_forge.play.people import counted_kinds, person_kind, printed
from te_forge.play.table import Table, TakenBack
from te_forge.play.typed import number_called, role_value
from te_forge.suggest import a, did_you_mean

HELP = (
    ("look", "who is here, and what can be done now"),
    ("who NAME", "all numbers and traits of somebody"),
    ("do NAME", "begin a procedure; you are asked for its roles, or write `do NAME role=WHO`"),
    ("take NAME", "take an offer that can be taken at any time"),
    ("rule NAME", "read a rule"),
    ("add NAME", "somebody out of the book comes in; or `add Ann: a .. with ..`"),
    ("remove NAME", "somebody leaves"),
    ("set WHO.NUMBER=N", "put a number right; nothing is set off by it"),
    ("gain WHO.NUMBER=N", "points are gained (or lost, below 0) as by a rule"),
    ("give WHO TRAIT", "somebody or the scene gets a trait; `drop WHO TRAIT` takes it away"),
    ("open NAME", "a span of time begins; `end NAME` ends it"),
    ("bot WHO POLICY", "a bot plays somebody from now on; `bot WHO off` ends it"),
    ("undo", "take back the last thing that you typed"),
    ("quit", "leave; with a log, --resume goes on here"),
)


QUIT = ("quit", "exit", "q")


class Scene:
    """Reads commands until a person leaves. `ask` raises EOFError at the end of input."""

    def __init__(self, table: Table, ask: Callable[[str], str], out: Callable[[str], None], bold: Callable[[str], str]) -> None:
        self.table, self.rules, self.ask, self.out, self.bold = table, table.rules, ask, out, bold
        self.moving = moving(table.rules)
        table.pause = self.pause

    # ------------------------------------------------------------ the loop

    def run(self) -> None:
        self.go_on()
        self.look()
        while True:
            self.out("")
            typed = self.ask("> ").strip()
            if slug(typed) in QUIT:
                return
            try:
                self.line(typed)
            except Refused as refused:
                self.out(f"{first_up(str(refused))}.")
            except TakenBack:
                self.undo()

    def pause(self, who: str, table: Table) -> str:
        """Somebody acts in the middle of a procedure: commands, until an empty line lets it go on."""
        if bot_of(table, who):
            return bot_of(table, who)
        procedure = name(self.rules, table.inside)
        self.out(self.bold(f"{procedure} of {name(self.rules, who)}: what happens? Type it as usual; an empty line goes on."))
        while True:
            typed = self.ask(f"{procedure} > ").strip()
            if not typed:
                return ""
            if slug(typed) in QUIT:
                raise EOFError
            try:
                self.line(typed)
            except Refused as refused:
                self.out(f"{first_up(str(refused))}.")

    def go_on(self) -> None:
        """A command that was broken off goes on; taking back in it begins it again."""
        try:
            self.table.play_on()
            self.table.teller.release()
        except TakenBack:
            self.undo()

    def undo(self) -> None:
        while True:
            try:
                said = self.table.take_back()
            except Refused as refused:
                self.out(f"{first_up(str(refused))}.")
                return
            self.out(f"Taken back: {said}.")
            self.table.teller.hold()
            try:
                self.table.play_on()
                self.table.teller.held = None
                return
            except TakenBack:
                continue

    def line(self, typed: str) -> None:
        if not typed:
            self.look()
            return
        word, _, rest = typed.partition(" ")
        rest = rest.strip()
        command = COMMANDS.get(word.lower())
        if command is not None:
            command(self, rest)
        elif typed.isdecimal():
            self.begin(typed)
        else:
            self.guess(typed)

    def guess(self, typed: str) -> None:
        """The name of a procedure or an offer alone begins it or takes it."""
        bare = typed.partition("=")[0].rpartition(" ")[0] if "=" in typed else typed
        starts = [start.entry for start in may.starts(self.table)]
        if any(slug(bare) == slug(entry.name) for entry in starts):
            self.begin(typed)
        elif any(slug(typed) in offered(action) for action in may.actions(self.table)):
            self.take(typed)
        else:
            words = [*COMMANDS, *(entry.name for entry in starts)]
            raise Refused(f"`{typed}` is no command{did_you_mean(typed, words)}; `help` lists them")

    # ------------------------------------------------------------ looking

    def look(self, _: str = "") -> None:
        open_ = [name(self.rules, id) for id in spans.open_now(self.rules, self.table.state)]
        self.out(self.bold("Open: ") + (", ".join(open_) or "no span of time"))
        self.out(self.bold("Who is here"))
        for line in self.people():
            self.wrapped(line, 2, 6)
        self.out(self.bold("What can be begun"))
        for number, start in enumerate(may.starts(self.table), 1):
            self.out(f"  {number:>2}  {start.entry.name}" + (f" (not now: {start.why_not})" if start.why_not else ""))
        offers = may.actions(self.table)
        if offers:
            self.out(self.bold("What can be taken at any time"))
        for one in offers:
            price = f", for {one.price}" if one.price else ""
            fact = f', if it is so: "{one.fact}"' if one.fact else ""
            why = f" (not now: {one.why_not})" if one.why_not else ""
            self.wrapped(f"{called(self.rules, one.owner or one.who)}: {one.title}{price}{fact}{why}", 2, 6)

    def people(self) -> Iterator[str]:
        reading = Reading(self.rules, self.table.state)
        any_people = False
        counted = [kind for kind, _, _ in counted_kinds(self.rules)]
        for kind in counted:
            if names := [id for id, person in self.table.state.people.items() if person.kind == kind]:
                yield f"{self.rules.system.kinds[kind].plural.capitalize()}: {', '.join(names)}"
        for who in reading.everybody():
            if who in self.table.state.people and self.table.state.people[who].kind in counted:
                continue
            said = ", ".join([*self.numbers(reading, who, self.moving), *(name(self.rules, trait) for trait in reading.carried(who))])
            if who in self.table.state.people or said:
                any_people |= who in self.table.state.people
                yield f"{called(self.rules, who)}{self.what(who)}: {said or 'nothing to note'}"
        if not any_people:
            yield f"nobody yet; bring somebody in: `add Ann: a {person_kind(self.rules)}`"

    def what(self, who: str) -> str:
        person = self.table.state.people.get(who)
        return f" ({person.kind})" if person is not None else ""

    def numbers(self, reading: Reading, who: str, among: set[str] | None = None) -> Iterator[str]:
        for entry in self.rules.entries.values():
            if self.rules.nature(entry.kind) != "number" or not reading.has_number(who, entry.id):
                continue
            if among is None or entry.id in among:
                most = self.table.state.bounds.get((who, entry.id, "most"))
                yield f"{entry.name} {reading.stat(who, entry.id)}" + (f" of {most}" if most is not None else "")

    def sheet(self, rest: str) -> None:
        who = somebody(self.rules, self.table.state, rest) if rest else self.one_person()
        reading = Reading(self.rules, self.table.state)
        self.out(self.bold(called(self.rules, who)) + self.what(who))
        by_kind: dict[str, list[str]] = {}
        for entry in self.rules.entries.values():
            if self.rules.nature(entry.kind) == "number" and reading.has_number(who, entry.id):
                by_kind.setdefault(entry.kind, []).append(f"{entry.name} {reading.stat(who, entry.id)}")
        for trait in reading.carried(who):
            by_kind.setdefault(reading.kind(trait), []).append(name(self.rules, trait))
        for kind, found in by_kind.items():
            self.wrapped(f"{kind}: {', '.join(found)}", 2, 4)

    def one_person(self) -> str:
        if len(self.table.state.people) == 1:
            return next(iter(self.table.state.people))
        raise Refused(f"say of whom: {listed(person.name for person in self.table.state.people.values()) or 'nobody is here'}")

    def rule(self, rest: str) -> None:
        entry = entry_called(self.rules, rest, playable(self.rules), "rule")
        self.out(self.bold(entry.name) + f" ({entry.kind})")
        for prose in entry.prose:
            self.wrapped(text(prose.words), 2, 2)
        for field in entry.fields.values():
            self.wrapped(f"- {field.label}: {text(field.words)}", 2, 4)
        for line in entry.lines:
            self.wrapped(f"- {text(line.words)}", 2, 4)
        for number, step in enumerate(entry.steps, 1):
            self.wrapped(f"{number}. {step.name}. {text(step.prose)}", 2, 5)

    def help(self, _: str = "") -> None:
        for typed, said in HELP:
            self.out(f"  {typed:<18} {said}")

    def wrapped(self, line: str, first: int, then: int) -> None:
        for part in wrapped(line, first, then):
            self.out(part)

    # ------------------------------------------------------------ doing

    def begin(self, rest: str) -> None:
        words = rest.split()
        at = next((at for at, word in enumerate(words) if "=" in word), len(words))
        title, given = " ".join(words[:at]), joined(words[at:])
        starts = may.starts(self.table)
        if title.isdecimal() and 1 <= int(title) <= len(starts):
            start = starts[int(title) - 1]
            if start.why_not and not given:
                raise Refused(f"{start.entry.name}: {start.why_not}")
            entry = start.entry
        else:
            entry = entry_called(self.rules, title, [one for one in self.rules.system.of_kind("procedure") if one.steps], "procedure")
        roles: dict[str, Any] = {}
        wanted = {slug(holds.word): holds for holds in may.roles(entry)}
        for key, value in given:
            if slug(key) not in wanted:
                raise Refused(f"{entry.name} has no role called `{key}`; its roles are {listed(holds.word for holds in wanted.values()) or 'none'}")
            roles[wanted[slug(key)].word] = role_value(self.table, wanted[slug(key)], value)
        for number, holds in enumerate(may.roles(entry)):
            if holds.word not in roles:
                roles[holds.word] = self.ask_role(entry, holds, roles, number == 0)
        self.table.do({"do": "begin", "id": entry.id, "roles": roles})

    def ask_role(self, entry: Any, holds: m.Holds, roles: dict[str, Any], first: bool) -> Any:
        """Ask for one role; `back` gives the whole thing up."""
        kind = holds.type.kind or holds.type.name
        if holds.type.name in ("number", "text"):
            return self.typed_role(f"the {holds.word} ({kind}) > ", lambda said: whole(said, f"the {holds.word}") if holds.type.name == "number" else said)
        taken = {one for value in roles.values() for one in as_group(value)}
        found = [one for one in may.candidates(self.table, holds) if one not in taken]
        bars = {one: may.barred(self.table, entry, {holds.word: one}) for one in found} if first else {}
        free = [one for one in found if not bars.get(one)]
        if not free:
            raise Refused(next((bar for bar in bars.values() if bar), f"nobody is here who can be the {holds.word} ({a(kind)})"))
        group = holds.type.name == "group"
        if len(free) == 1:
            return (free[0],) if group else free[0]
        self.out(self.bold(f"{entry.name}: {self.role_question(holds, kind, group)}"))
        for number, one in enumerate(free, 1):
            self.out(f"  {number}  {name(self.rules, one)}")
        for one, bar in bars.items():
            if bar:
                self.out(f"  -  {name(self.rules, one)} (not now: {bar})")
        shown = [name(self.rules, one) for one in free]
        if group:
            return self.typed_role("numbers or names, or back > ", lambda said: tuple(free[at] for at in sorted({asking.one_of(shown, part) for part in asking.parts(said, shown)})))
        return self.typed_role(f"1-{len(free)} or a name, or back > ", lambda said: free[asking.one_of(shown, said)])

    def role_question(self, holds: m.Holds, kind: str, group: bool) -> str:
        if kind != "actor" and self.rules.nature(kind) != "actor":
            return f"what is the {holds.word} ({a(kind)})?"
        return f"who are the {holds.word} (one or more)?" if group else f"who is the {holds.word} ({a(kind)})?"

    def typed_role(self, prompt: str, read: Callable[[str], Any]) -> Any:
        while True:
            typed = self.ask(prompt).strip()
            if typed.lower() in ("back", "undo"):
                raise Refused("nothing was begun")
            if typed == "?":
                self.out("  a number of the list, or the name; `back` gives it up, `rule NAME` at the next prompt tells more")
                continue
            if typed.lower() == "quit":
                raise EOFError
            if typed:
                try:
                    return read(typed)
                except Refused as refused:
                    self.out(f"  {first_up(str(refused))}.")

    def take(self, rest: str) -> None:
        fits = [action for action in may.actions(self.table) if slug(rest) in offered(action)]
        open_ = [action for action in fits if not action.why_not]
        if not fits:
            raise Refused(f"there is no offer called `{rest}`{did_you_mean(rest, [action.title for action in may.actions(self.table)])}")
        if not open_:
            raise Refused(fits[0].why_not)
        if len(open_) > 1:
            raise Refused(f"several have that: say who, such as `take {name(self.rules, open_[0].owner)} {open_[0].title}`")
        self.table.do({"do": "take", "id": open_[0].id, "who": open_[0].owner})

    def add(self, rest: str) -> None:
        if ":" in rest:
            self.table.do({"do": "join", "sheet": rest})
            return
        self.table.do({"do": "enter", "id": entry_called(self.rules, rest, printed(self.rules), "somebody of the book").id})

    def remove(self, rest: str) -> None:
        self.table.do({"do": "leave", "who": somebody(self.rules, self.table.state, rest)})

    def number(self, rest: str) -> tuple[str, str, int]:
        key, equals, value = rest.partition("=")
        if not equals:
            key, _, value = rest.rpartition(" ")
        found = number_called(self.table, key.strip().replace(" ", ".", 1) if "." not in key and " " in key.strip() and not self.is_number(key) else key.strip())
        if found is None:
            raise Refused(f"`{key.strip()}` is no number; write for example `Ann.{self.example_number()}=3`")
        return found[0], found[1], whole(value.strip(), key.strip())

    def is_number(self, key: str) -> bool:
        return any(slug(entry.name) == slug(key) for entry in playable(self.rules) if self.rules.nature(entry.kind) == "number")

    def example_number(self) -> str:
        return next((entry.name for entry in playable(self.rules) if entry.id in self.moving), "Number")

    def put_right(self, rest: str) -> None:
        who, stat, value = self.number(rest)
        self.table.do({"do": "set", "who": who, "id": stat, "to": value})

    def gain(self, rest: str) -> None:
        who, stat, value = self.number(rest)
        self.table.do({"do": "gain", "who": who, "id": stat, "amount": value})

    def give(self, rest: str, takes: bool = True) -> None:
        words = rest.removeprefix("the ").split()
        traits = [entry for entry in playable(self.rules) if self.rules.nature(entry.kind) == "trait"]
        for at in range(len(words) - 1, 0, -1):
            try:
                who = somebody(self.rules, self.table.state, " ".join(words[:at]))
            except Refused:
                continue
            trait = entry_called(self.rules, " ".join(words[at:]), traits, "trait")
            self.table.do({"do": "give" if takes else "drop", "who": who, "id": trait.id})
            return
        raise Refused(f"say who and what: `{'give' if takes else 'drop'} Ann {traits[0].name if traits else 'Trait'}`")

    def drop(self, rest: str) -> None:
        self.give(rest, takes=False)

    def open(self, rest: str) -> None:
        self.table.do({"do": "open", "id": entry_called(self.rules, rest, spans.spans(self.rules), "span of time").id})

    def end(self, rest: str) -> None:
        self.table.do({"do": "close", "id": entry_called(self.rules, rest, spans.spans(self.rules), "span of time").id})

    def bot(self, rest: str) -> None:
        who, _, policy = rest.rpartition(" ")
        if not who:
            raise Refused(f"say who and which policy: `bot gm plain`; policies are {', '.join(NAMES)}, and `off`")
        self.table.do({"do": "bot", "who": bot_key(self.table, who), "policy": None if policy == "off" else policy})

    def take_back(self, _: str = "") -> None:
        raise TakenBack


COMMANDS: dict[str, Callable[[Scene, str], None]] = {
    "look": Scene.look, "who": Scene.sheet, "sheet": Scene.sheet, "rule": Scene.rule, "help": Scene.help, "?": Scene.help,
    "do": Scene.begin, "begin": Scene.begin, "take": Scene.take, "add": Scene.add, "remove": Scene.remove, "set": Scene.put_right,
    "gain": Scene.gain, "give": Scene.give, "drop": Scene.drop, "open": Scene.open, "end": Scene.end, "bot": Scene.bot, "undo": Scene.take_back,
}  # fmt: skip


def bot_key(table: Table, typed: str) -> str:
    """Whom a bot plays: somebody who is there, a kind of them, or everybody."""
    wanted = slug(typed.removeprefix("the "))
    if wanted == EVERYBODY:
        return EVERYBODY
    if any(slug(id) == wanted for id in table.state.people):
        return somebody(table.rules, table.state, typed)
    actors = [info for info in table.rules.system.kinds.values() if info.nature == "actor"]
    found = next((info.name for info in actors if wanted in (slug(info.name), slug(info.plural))), None)
    return found if found is not None else somebody(table.rules, table.state, typed)


def offered(action: may.Action) -> set[str]:
    """What an offer can be called: `Medic: Heal`, `Medic`, `Heal`, each with its owner in front."""
    entry, _, line = action.title.partition(": ")
    names = {slug(action.title), slug(entry), slug(line)} - {""}
    return names | {slug(f"{action.owner} {one}") for one in names}


def joined(words: list[str]) -> list[tuple[str, str]]:
    """`role=Old Smith other=Ann`: a value goes on until the next key."""
    found: list[tuple[str, str]] = []
    for word in words:
        key, equals, value = word.partition("=")
        if equals:
            found.append((key, value))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {word}".strip())
    return found


def moving(rules: Any) -> set[str]:
    """Numbers that rise and fall in play: something gains, loses or pays them."""
    found: set[str] = set()
    for entry in playable(rules):
        lines = [*entry.lines, *(line for step in entry.steps for line in step.lines)]
        while lines:
            line = lines.pop()
            lines += line.lines
            for node in sentences(line.meaning):
                amount = getattr(node, "amount", None)
                if isinstance(amount, m.Amount) and isinstance(amount.stat, m.Thing):
                    found.add(amount.stat.id)
        found |= {atom.pool for field in entry.fields.values() for atom in field.value if isinstance(atom, m.Price)}
    return found


__all__ = ["Scene", "bot_key"]
