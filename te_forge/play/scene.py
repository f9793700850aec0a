"""A scene in the terminal: what a person types between procedures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from te_forge.asked import Refused, whole
from te_forge.asked.tables import ROLLER, only_one, refuse_undiced, speaks_of_roller, table_called
from te_forge.engine.policies import NAMES
from te_forge.engine.reading import RuleError
from te_forge.files import write_whole
from te_forge.keys import slug
from te_forge.model.rules import Holds, Type
from te_forge.model.system import Entry
from te_forge.play import may, spans
from te_forge.play.answering import EVERYBODY, bot_of
from te_forge.play.filling import Roles
from te_forge.play.keeping import as_file
from te_forge.play.names import as_sentence, entry_called, kind_names, meant, name, playable, somebody, there_is
from te_forge.play.people import person_kind, printed
from te_forge.play.screens import LOOKS, Screens
from te_forge.play.table import Table, TakenBack
from te_forge.play.typed import number_called
from te_forge.suggest import did_you_mean

HELP = (
    ("look", "who is here, and what can be done now; also an empty line"),
    ("who NAME", "all numbers and traits of somebody"),
    ("rule NAME", "read a rule; these three can be typed at any question"),
    ("do NAME", "begin a procedure; you are asked for its roles, or write `do NAME role=WHO`"),
    ("roll NAME", "roll a table of the book; `roll NAME roller=WHO` says who rolls"),
    ("take NAME", "take an offer that can be taken at any time"),
    ("add NAME", "somebody out of the book comes in; or `add Ann: a .. with ..`"),
    ("remove NAME", "somebody leaves"),
    ("set WHO.NUMBER=N", "put a number right; nothing is set off by it"),
    ("gain WHO.NUMBER=N", "points are gained (or lost, below 0) as by a rule"),
    ("give WHO TRAIT", "somebody or the scene gets a trait; `drop WHO TRAIT` takes it away"),
    ("save WHO [FILE]", "write somebody down as a character file, with what play has changed"),
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
        self.screens = Screens(table, out, bold)
        table.pause = self.pause

    # ------------------------------------------------------------ the loop

    def run(self) -> None:
        self.go_on()
        try:
            self.screens.look()
        except RuleError as error:
            self.broken(error)
        while True:
            self.out("")
            typed = self.ask("> ").strip()
            if slug(typed) in QUIT:
                return
            try:
                self.line(typed)
            except Refused as refused:
                self.out(as_sentence(refused))
            except RuleError as error:
                self.broken(error)
            except TakenBack:
                self.undo()

    def pause(self, who: str, table: Table) -> str:
        """Somebody acts in the middle of a procedure: commands, until an empty line lets it go on."""
        if bot_of(table, who):
            return bot_of(table, who)
        procedure = name(self.rules, table.inside)
        self.screens.listed = False
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
                self.out(as_sentence(refused))

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
                self.out(as_sentence(refused))
                return
            self.out(f"Taken back: {said}.")
            self.table.teller.hold()
            try:
                self.table.play_on()
                self.table.teller.held = None
                return
            except TakenBack:
                continue

    def broken(self, error: RuleError) -> None:
        self.out(f"The rules cannot be followed here: {error} ({self.table.line_of(error)}).")

    def line(self, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        rest = rest.strip()
        command, look = COMMANDS.get(word.lower()), LOOKS.get(word.lower() or "look")
        if look is not None:
            look(self.screens, rest)
        elif command is not None:
            command(self, rest)
        elif typed.isdecimal():
            if not self.screens.listed:
                raise Refused("no list stands here that has numbers; `look` shows what can be begun")
            self.begin(typed)
        else:
            self.guess(typed)

    def guess(self, typed: str) -> None:
        """The name of a procedure or an offer alone begins it or takes it."""
        bare = typed.partition("=")[0].rpartition(" ")[0] if "=" in typed else typed
        starts = [start.entry for start in may.starts(self.table)]
        if any(slug(typed) in offered(action) for action in may.actions(self.table)):
            self.take(typed)
        elif meant(bare, ((entry.name,) for entry in starts)) or self.table_meant(bare) is not None:
            self.begin(typed)
        else:
            words = [*COMMANDS, *LOOKS, *(entry.name for entry in starts)]
            raise Refused(
                f"`{typed}` is no command{did_you_mean(typed.partition(' ')[0], words) or did_you_mean(typed, words) or '; `help` lists them'}"
            )

    def help(self, _: str = "") -> None:
        for typed, said in HELP:
            self.out(f"  {typed:<18} {said}")

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
            table = self.table_meant(title)
            if table is not None:
                self.roll_on(table, given)
                return
            entry = entry_called(title, [one for one in self.rules.system.of_kind("procedure") if one.steps], "procedure")
        roles = Roles(self.screens, self.ask).fill(entry, given)
        self.table.do({"do": "begin", "id": entry.id, "roles": roles})

    def table_meant(self, typed: str) -> Entry | None:
        """The table that somebody wants to roll: one that is called so, or whose name begins so and that of no procedure."""
        found = list(self.rules.system.of_kind("table"))
        near = [found[at] for at in meant(typed, ((one.name, *one.aliases) for one in found))]
        procedures = meant(typed, ((one.name, *one.aliases) for one in self.rules.system.of_kind("procedure") if one.steps))
        exact = table_called(self.rules, typed)
        return exact or (near[0] if len(near) == 1 and not procedures else None)

    def roll_on(self, table: Entry, given: list[tuple[str, str]]) -> None:
        refuse_undiced(table)
        if extra := [key for key, _ in given if slug(key) != ROLLER]:
            raise Refused(f"{table.name} is a table, and has no role called `{extra[0]}`; say who rolls it: `{ROLLER}=WHO`")
        who = somebody(self.rules, self.table.state, given[-1][1]) if given else self.roller_of(table)
        self.table.do({"do": "roll on", "id": table.id, "who": who})

    def roller_of(self, table: Entry) -> str:
        """Who rolls, where nobody was named: one of those who are here; where no row speaks of who rolls, whoever runs the game."""
        if not speaks_of_roller(table):
            return only_one(self.rules)
        return str(Roles(self.screens, self.ask).one(table, Holds(Type("actor"), ROLLER), {}, False))

    def take(self, rest: str) -> None:
        every = may.actions(self.table)
        fits = [action for action in every if slug(rest) in offered(action)] or [
            every[at] for at in meant(rest, (offered(action) for action in every))
        ]
        if not rest:
            raise Refused(f"say which offer; {there_is([action.title for action in every])}")
        open_ = [action for action in fits if not action.why_not]
        if not fits:
            titles = [action.title for action in every]
            raise Refused(f"there is no offer called `{rest}`{did_you_mean(rest, titles) or '; ' + there_is(titles)}")
        if not open_:
            raise Refused(f"{fits[0].title}: {fits[0].why_not}")
        if len(open_) > 1:
            raise Refused(f"several have that: say who, such as `take {name(self.rules, open_[0].owner)} {open_[0].title}`")
        self.table.do({"do": "take", "id": open_[0].id, "who": open_[0].owner})

    def add(self, rest: str) -> None:
        if ":" in rest:
            self.table.do({"do": "join", "sheet": rest})
            return
        try:
            entry = entry_called(rest, printed(self.rules), "one in the book")
        except Refused as refused:
            if str(refused).endswith("?"):
                raise
            raise Refused(f"{refused}; somebody new comes in with `add {rest or 'Ann'}: a {person_kind(self.rules)}`") from None
        self.table.do({"do": "enter", "id": entry.id})

    def remove(self, rest: str) -> None:
        self.table.do({"do": "leave", "who": somebody(self.rules, self.table.state, rest)})

    def number(self, rest: str) -> tuple[str, str, int]:
        key, equals, value = rest.partition("=")
        if not rest:
            raise Refused(f"say which number and how much, such as `Ann.{self.example_number()}=3`")
        if not equals:
            key, _, value = rest.rpartition(" ")
        found = number_called(
            self.table, key.strip().replace(" ", ".", 1) if "." not in key and " " in key.strip() and not self.is_number(key) else key.strip()
        )
        if found is None:
            near = did_you_mean(key.strip().rpartition(".")[2], [entry.name for entry in self.numbers()])
            raise Refused(f"`{key.strip()}` is no number{near or f'; write for example `Ann.{self.example_number()}=3`'}")
        return found[0], found[1], whole(value.strip(), key.strip())

    def is_number(self, key: str) -> bool:
        return any(slug(entry.name) == slug(key) for entry in self.numbers())

    def numbers(self) -> Iterator[Entry]:
        return (entry for entry in playable(self.rules) if self.rules.nature(entry.kind) == "number")

    def example_number(self) -> str:
        return next((entry.name for entry in playable(self.rules) if entry.id in self.screens.moving), "Number")

    def put_right(self, rest: str) -> None:
        who, stat, value = self.number(rest)
        self.table.do({"do": "set", "who": who, "id": stat, "to": value})

    def gain(self, rest: str) -> None:
        who, stat, value = self.number(rest)
        self.table.do({"do": "gain", "who": who, "id": stat, "amount": value})

    def give(self, rest: str, takes: bool = True) -> None:
        words = rest.removeprefix("the ").split()
        verb = "give" if takes else "drop"
        traits = [entry for entry in playable(self.rules) if self.rules.nature(entry.kind) == "trait"]
        for at in range(len(words) - 1, 0, -1):
            try:
                who = somebody(self.rules, self.table.state, " ".join(words[:at]))
            except Refused:
                continue
            trait = entry_called(" ".join(words[at:]), traits, "trait")
            self.table.do({"do": verb, "who": who, "id": trait.id})
            return
        raise Refused(f"say who and what: `{verb} Ann {traits[0].name if traits else 'Trait'}`")

    def drop(self, rest: str) -> None:
        self.give(rest, takes=False)

    def open(self, rest: str) -> None:
        self.table.do({"do": "open", "id": entry_called(rest, spans.spans(self.rules), "span of time").id})

    def end(self, rest: str) -> None:
        self.table.do({"do": "close", "id": entry_called(rest, spans.spans(self.rules), "span of time").id})

    def bot(self, rest: str) -> None:
        who, _, policy = rest.rpartition(" ")
        if not who:
            raise Refused(f"say who and which policy: `bot gm plain`; policies are {', '.join(NAMES)}, and `off`")
        self.table.do({"do": "bot", "who": bot_key(self.table, who), "policy": None if policy == "off" else policy})

    def save(self, rest: str) -> None:
        """A character with what play has changed, as a file. Nothing that is there is overwritten."""
        words = rest.split()
        path = Path(words.pop()) if len(words) > 1 and words[-1].endswith((".yaml", ".yml")) else None
        who = somebody(self.rules, self.table.state, " ".join(words))
        text, path = as_file(self.table, who), path or Path(f"{slug(who) or 'somebody'}.yaml")
        if path.exists():
            raise Refused(f"the file {path} is there already, and is left as it is; name another one: `save {who} another.yaml`")
        try:
            write_whole(path, text.encode("utf-8"))
        except OSError as error:
            raise Refused(f"the file {path} cannot be written: {(error.strerror or str(error)).lower()}") from None
        self.out(f"{who} is kept in {path}.")

    def take_back(self, _: str = "") -> None:
        raise TakenBack


COMMANDS: dict[str, Callable[[Scene, str], None]] = {
    "help": Scene.help, "?": Scene.help,
    "do": Scene.begin, "begin": Scene.begin, "roll": Scene.begin, "take": Scene.take, "add": Scene.add, "remove": Scene.remove, "set": Scene.put_right,
    "gain": Scene.gain, "give": Scene.give, "drop": Scene.drop, "open": Scene.open, "end": Scene.end, "bot": Scene.bot, "save": Scene.save, "undo": Scene.take_back, "back": Scene.take_back,
}  # fmt: skip


def bot_key(table: Table, typed: str) -> str:
    """Whom a bot plays: somebody who is there, a kind of them, or everybody."""
    wanted = slug(typed.removeprefix("the "))
    if wanted == EVERYBODY:
        return EVERYBODY
    if any(slug(id) == wanted for id in table.state.people):
        return somebody(table.rules, table.state, typed)
    actors = [info for info in table.rules.system.kinds.values() if info.nature == "actor"]
    found = next((info.name for info in actors if wanted in map(slug, kind_names(table.rules, info))), None)
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
