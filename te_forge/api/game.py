"""A game: looked into, changed, played, counted out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from te_forge.api import given as asked
from te_forge.api.entry import Entry
from te_forge.api.errors import PackError, Refused
from te_forge.api.results import Difference, Export, Odds, Rolled, Step
from te_forge.diagnostics import Diagnostic
from te_forge.suggest import did_you_mean

if TYPE_CHECKING:
    from te_forge.characters.character import Character
    from te_forge.compose.history import Chain, Historian
    from te_forge.engine.index import Rules
    from te_forge.model.system import System
    from te_forge.packs import Loaded

Given = Mapping[str, object]
"""Roles, numbers and answers by name: `{"hero": "Ann", "Ann.Luck": 3, "attribute": "Brawn"}`."""


class Game:
    """A pack with all that it requires, and with the hacks and readings that are on.

    A game never changes: `compose` gives another one. Names are taken as people write them: `Luck`, `skill/luck`, or the whole id.
    """

    def __init__(self, loaded: Loaded) -> None:
        from te_forge.packs import Loaded

        asked.a(Loaded, loaded, "a game is made of a pack", "`te_forge.load` loads one")
        assert loaded.system is not None
        self._loaded, self._written = loaded, loaded.system

    def __repr__(self) -> str:
        return f"<game {self.title} {self.version}>"

    # ------------------------------------------------------------ what it is

    @property
    def id(self) -> str:
        """The permanent id of its pack."""
        return self._written.pack.id

    @property
    def title(self) -> str:
        """The title on its cover."""
        return self._written.pack.title

    @property
    def version(self) -> str:
        """The version of its pack, such as `1.2.0`."""
        return self._written.pack.version

    @property
    def packs(self) -> tuple[str, ...]:
        """The ids of the packs that it is made of; its own is the last."""
        return tuple(info.id for info in self._written.packs)

    @property
    def attribution(self) -> tuple[str, ...]:
        """The notices that go, word for word, wherever its rules go."""
        return tuple(dict.fromkeys(work.attribution for info in self._written.packs for work in info.sources if work.attribution))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Warnings and notes about the pack. (With errors there is no game.)"""
        return tuple(self._loaded.diagnostics)

    @cached_property
    def on(self) -> tuple[str, ...]:
        """The names of the hacks and readings that are on."""
        from te_forge.compose.chosen import names_of, switched_on

        return tuple(names_of(self._written, switched_on(self._written)))

    @cached_property
    def system(self) -> System:
        """The game as it is played, in te_forge's own model, for what this class does not tell. It may change between versions."""
        return self._rules.system

    @cached_property
    def _rules(self) -> Rules:
        from te_forge.compose import compose
        from te_forge.compose.chosen import switched_on
        from te_forge.engine.index import Rules

        made = compose(self._written, switched_on(self._written))
        if any(one.severity == "error" for one in made.diagnostics):
            raise PackError(made.diagnostics)
        return Rules(made.system)

    # ------------------------------------------------------------ looking

    def __iter__(self) -> Iterator[Entry]:
        """Every entry, in the order of the text."""
        return (Entry(one, self.system) for one in self.system.entries.values())

    def __len__(self) -> int:
        return len(self.system.entries)

    def __getitem__(self, name: str) -> Entry:
        """The entry of this name or id. Raises `Refused` (a `ValueError`) when nothing has it, and names what is near."""
        from te_forge.compose.finding import NotFound, find

        if asked.text(name, "a name") in self.system.entries:
            return Entry(self.system.entries[name], self.system)
        try:
            found = find(name, self._historian).entry
        except NotFound as reason:
            raise Refused(str(reason)) from None
        return Entry(self._historian.system.entries[found.id], self.system)

    def __contains__(self, what: object) -> bool:
        """Whether something has this name or id, so that `game[..]` gives it; or whether an entry is of this game."""
        if not isinstance(what, str):
            return any(one == what for one in self)
        try:
            self[what]
        except Refused:
            return False
        return True

    def find(self, words: str = "", *, kind: str | None = None, pack: str | None = None) -> list[Entry]:
        """The entries in whose name, other names or text all of these words stand (in any case), of a kind (`skill`) and a pack; those whose name
        they are come first.

        Raises `Refused` for a kind or pack that the game does not have.
        """
        for named, there, what in ((kind, {*self.kinds, *(one.name for one in self.system.kinds.values())}, "kind"), (pack, self.packs, "pack")):
            if named is not None and asked.text(named, f"a {what}") not in there:
                near = did_you_mean(named, there) or f"; there are {', '.join(sorted(there))}"
                raise Refused(f"there is no {what} `{named}` in {self.title}{near}")
        wanted = asked.text(words, "what is looked for").casefold().split()
        found = [one for one in self if (kind is None or one.kind == kind) and (pack is None or one.pack == pack)]
        found = [one for one in found if all(word in f"{one.name} {' '.join(one.aliases)} {one.text}".casefold() for word in wanted)]
        return sorted(
            found, key=lambda one: (one.name.casefold() != words.casefold().strip(), not all(word in one.name.casefold() for word in wanted))
        )

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of which it has entries."""
        return tuple(dict.fromkeys(one.kind for one in self.system.entries.values()))

    def explain(self, what: str) -> list[Step]:
        """How a rule came to be what it is: its definition and each change by what is on, of an entry (`Luck`) or a place in one (`Luck.Starts`).
        Raises `Refused`.
        """
        from te_forge.compose.finding import NotFound, find

        try:
            found = find(asked.text(what, "what is explained"), self._historian)
        except NotFound as reason:
            raise Refused(str(reason)) from None
        chains: list[Chain] = (
            [self._historian.chain(found.entry, found.path, found.label)]
            if found.path is not None
            else [self._historian.whole(found.entry), *self._historian.chains(found.entry)]
        )
        return [Step(chain.label, event.by, event.says, event.after, event.span) for chain in chains for event in chain.events]

    @cached_property
    def _historian(self) -> Historian:
        from te_forge.compose.chosen import switched_on
        from te_forge.compose.history import Historian

        return Historian(self._written, switched_on(self._written))

    def diff(self, other: Game) -> list[Difference]:
        """What is different in `other`: another version of this game, one that is built on it, or itself with something else on."""
        from te_forge.compare import compare, game
        from te_forge.compare.report import text

        asked.a(Game, other, "a game is held against another", "`te_forge.load` gives one")
        found = compare(game(self._written), game(other._written))
        return [Difference(one.verb, one.part, one.id, one.name, one.path, text(one.before), text(one.after), one.by) for one in found.changes]

    # ------------------------------------------------------------ making another of it

    def compose(
        self,
        hacks: str | Iterable[str] = (),
        *,
        without: str | Iterable[str] = (),
        rulings: Mapping[str, str] | None = None,
        lock: str | Path | None = None,
    ) -> Game:
        """The game with further hacks on, some of its own left out, and rulings read in another way (ruling: reading).

        With `lock`, a pack.lock, also held against what its changes stood on. Raises `Refused` for a name that nothing has, `PackError` when hacks do
        not go together (`patch-conflict`) or something has changed below a change since it was locked (`stale-patch`).
        """
        from dataclasses import replace

        from te_forge.compose.tried import NotTried, at_table
        from te_forge.tried import Tried

        try:
            system = at_table(self._written, Tried(*asked_for(hacks, without, rulings)))
        except NotTried as reason:
            raise Refused(asked.in_python(str(reason))) from None
        found = [*self._loaded.diagnostics, *(locked(self._written, asked.place(lock, "lock")) if lock is not None else ())]
        if any(one.severity == "error" for one in found):
            raise PackError(found)
        made = Game(replace(self._loaded, system=system, diagnostics=found))
        made._rules  # noqa: B018  (what does not go together is said now)
        return made

    def compile(self, path: str | Path | None = None) -> bytes:
        """The game as a compiled pack (JSON); written to `path`, too, whose name ends in `.tepack.json`. The same game gives the same bytes. Raises
        `OSError`, `Refused`.
        """
        from te_forge.compiled.write import compiled
        from te_forge.files import write_whole
        from te_forge.whereabouts import COMPILED

        if path is not None:
            path = asked.place(path, "the file")
            if not path.name.endswith(COMPILED):
                raise Refused(f"the name of a compiled pack ends in {COMPILED}")
        raw = compiled(self._written, self._loaded.assets)
        if path is not None:
            write_whole(Path(path), raw)
        return raw

    def export(self, target: str, out: str | Path, **options: str) -> Export:
        """Write it for another tool (`csv`, `obsidian`, `foundry`, or what a plug-in adds) into a folder, which is replaced whole. Raises `OSError`,
        and `Refused` when there is no such exporter or the folder holds something else.
        """
        from te_forge.export.exporter import NotExported
        from te_forge.export.plugins import installed
        from te_forge.export.run import export

        try:
            made = export(
                installed().named(asked.text(target, "the name of an exporter")),
                self.system,
                asked.place(out, "the folder"),
                asked.pairs(options, "options"),
                self._written,
                self._loaded.assets,
            )
        except NotExported as reason:
            raise Refused(asked.in_python(str(reason))) from None
        fates = made.report.fates
        lost = {level: {one.id: one.reason for one in fates if one.level == level} for level in ("degraded", "dropped")}
        return Export(made.files, tuple(one.id for one in fates if one.level == "full"), lost["degraded"], lost["dropped"])

    # ------------------------------------------------------------ playing

    def roll(
        self,
        procedure: str,
        given: Given | None = None,
        *,
        who: str | Iterable[str] = (),
        seed: str | int | None = None,
        dice: Sequence[Sequence[int]] = (),
        policy: str = "plain",
    ) -> Rolled:
        """Run a procedure once.

        `given` has its roles, numbers and answers; `who` the people, as in an example: `"Ann: a Smith with Brawn 3"`. The first rolls show `dice` (a
        list of faces for each), further ones fall by `seed`, or by a new one. What is not given is decided by `policy`: plain, spend, last, lowest or
        random. Raises `Refused`.
        """
        from te_forge.api.playing import rolled

        chosen = asked.pairs({"seed": seed}, "seed")["seed"] if seed is not None else None
        return rolled(
            self._rules,
            *begun(procedure, given, who),
            asked.text(chosen, "seed") if chosen is not None else None,
            asked.faces(dice),
            asked.text(policy, "policy"),
        )

    def odds(
        self, procedure: str, given: Given | None = None, *, who: str | Iterable[str] = (), policy: str = "plain", best: str | None = None
    ) -> Odds:
        """What a procedure comes to, exactly. With `best`, a goal such as `Success`, `total >= 9` or `highest total`, the first role decides for it.
        Raises `Refused`.
        """
        from te_forge.api.playing import counted

        return counted(
            self._rules, *begun(procedure, given, who), asked.text(policy, "policy"), asked.text(best, "best") if best is not None else None
        )

    def odds_for_each(
        self, procedure: str, given: Given | None = None, *, who: str | Iterable[str] = (), policy: str = "plain", best: str | None = None
    ) -> Mapping[tuple[int, ...], Odds]:
        """The odds for each of several numbers: in `given`, a `range` such as `range(5, 16)`, or a list, stands for all of its numbers. The keys are
        the numbers of each question, in the order in which `given` has them. Faster than one `odds` after the other, if these numbers are roles. Raises `Refused`.
        """
        from te_forge.api.playing import counted_each

        return counted_each(
            self._rules, *begun(procedure, given, who), asked.text(policy, "policy"), asked.text(best, "best") if best is not None else None
        )

    # ------------------------------------------------------------ characters

    def character(self, name: str, *, kind: str | None = None, policy: str = "random", seed: int = 0) -> Character:
        """Make a character by the game's own steps; chance and choices come from `seed` and `policy`. Raises `Refused` when nobody can be made so."""
        from te_forge.api.people import made

        asked.text(name, "a name")
        kind = asked.text(kind, "kind") if kind is not None else None
        return made(self._rules, name, kind, asked.text(policy, "policy"), asked.seed(seed))

    def read_character(self, path: str | Path) -> Character:
        """The character in a file. Raises `PackError` with what is wrong with the file."""
        from te_forge.api.people import from_file

        return from_file(self._rules, asked.place(path, "the file"))

    def check_character(self, character: Character) -> list[Diagnostic]:
        """Every rule that a character breaks; empty when it is right."""
        from te_forge.characters.checking import check_character

        return check_character(self._somebody(character), self.system)

    def character_file(self, character: Character) -> str:
        """A character as the text of a file that people read and mend, and `read_character` reads."""
        from te_forge.api.people import as_text

        return as_text(self._rules, self._somebody(character))

    def _somebody(self, character: Character) -> Character:
        from te_forge.api.people import of_the_game
        from te_forge.characters.character import Character

        return of_the_game(
            asked.a(Character, character, "somebody must be a Character", "`character` makes one, and `read_character` reads one"), self.system
        )


def asked_for(
    hacks: str | Iterable[str], without: str | Iterable[str], rulings: Mapping[str, str] | None
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """What is tried on, as the command line has it."""
    readings = asked.pairs(rulings if rulings is not None else {}, "rulings")
    return asked.several(hacks, "hacks"), asked.several(without, "without"), tuple(f"{ruling}={reading}" for ruling, reading in readings.items())


def begun(procedure: str, given: Given | None, who: str | Iterable[str]) -> tuple[str, Mapping[str, str], tuple[str, ...]]:
    """How a procedure is begun."""
    return asked.text(procedure, "a procedure"), asked.pairs(given if given is not None else {}, "given", lists=True), asked.several(who, "who")


def locked(system: System, path: Path) -> list[Diagnostic]:
    """What a lock file has to say about a game."""
    from te_forge.diagnostics import Findings
    from te_forge.files import Shelf
    from te_forge.lock import check_lock, read_lock

    findings = Findings()
    path = path.absolute()
    shelf = Shelf(path.parent, findings)
    source = shelf.text(path)
    lock = read_lock(source, system.pack.id, findings) if source is not None else None
    return [*findings, *(check_lock(system, lock, shelf.spot(path)) if lock is not None else ())]
