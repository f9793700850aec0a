"""The lines of a character file: what each says, and what is wrong with it where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from te_forge.characters.character import Answer, Character, Key
from te_forge.characters.roster import Roster, made_kinds, some_of
from te_forge.diagnostics import Diagnostic, Findings
from te_forge.engine.index import Rules
from te_forge.engine.people import bad_name
from te_forge.keys import fold
from te_forge.model.system import Entry, Slot
from te_forge.safeyaml import Head, Value
from te_forge.safeyaml import Path as Where
from te_forge.source import Source, Span
from te_forge.suggest import a, did_you_mean, nearest

MOST_LETTERS, MOST_DIGITS = 2_000, 9
FIELDS = (
    "name",
    "pack",
    "version",
    "kind",
    "traits",
    "numbers",
    "least",
    "most",
    "fields",
    "notes",
    "hacks",
    "without",
    "rulings",
    "seed",
    "unfinished",
    "making",
    "now",
)
PLAYED = ("numbers", "least", "most", "fields", "traits")
"""Lines that may stand below `now:`, besides those that are called after kinds of traits."""
NUMBER = re.compile(r"[+-]?\d+")
YES = ("yes", "true")


class FileReader:
    """Turns one mapping into a character. Whatever is wrong is said and left out, so that the rest can be looked at."""

    def __init__(self, rules: Rules, source: Source, head: Head, findings: Findings) -> None:
        self.rules, self.source, self.head, self.findings = rules, source, head, findings
        self.data = head.data
        self.inside: Where = ()
        """Where the mapping that is read stands in the file."""
        self.places: dict[Key, Span] = {("file", ""): source.span(1, 1, 1)}

    def complain(self, code: str, message: str, where: Where, help: str, name: bool = False) -> None:
        self.findings.append(Diagnostic(code, message, self.at(where, name), help=help))

    def at(self, where: Where, name: bool = False) -> Span:
        """Where something stands, or the beginning of the file."""
        return self.head.place((*self.inside, *where), name) or self.source.span(1, 1, 1)

    def read(self) -> Character | None:
        pack, version = self.whose()
        name = self.name()
        kind = self.kind()
        if not kind:
            return None
        self.roster = Roster(self.rules, kind)
        self.unknown_fields()
        for one in FIELDS:
            if one in self.head.data:
                self.places[one, ""] = self.at((one,), True)
        bounds = {(id, which): value for which in ("least", "most") for id, value in self.numbers(which)}
        return Character(
            name=name,
            pack=pack,
            version=version,
            kind=kind,
            numbers=dict(self.numbers("numbers")),
            bounds=bounds,
            traits=tuple(self.traits()),
            fields=dict(self.fields()),
            notes=dict(self.notes()),
            rulings={name: reading for name, reading in self.mapping("rulings", "ruling: reading").items() if isinstance(reading, str)},
            hacks=tuple(name for _, name in self.names("hacks")),
            without=tuple(name for _, name in self.names("without")),
            making=self.making(),
            seed=self.seed(),
            finished=fold(self.text("unfinished")).casefold() not in YES,
            places=self.places,
        )

    # ------------------------------------------------------------ who, and of which game

    def text(self, field: str) -> str:
        value = self.data.get(field)
        if value is not None and not isinstance(value, str):
            self.complain("bad-character-field", f"`{field}` takes words", (field,), f"write `{field}: ...` on one line")
        return value if isinstance(value, str) else ""

    def missing(self, field: str, example: str) -> None:
        self.findings.append(
            Diagnostic("missing-character-field", f"`{field}` is missing", self.source.span(1), help=f"add a line `{field}: {example}`")
        )

    def name(self) -> str:
        name = fold(self.text("name"))
        if not name:
            self.missing("name", "Ann")
        elif reason := bad_name(name):
            self.complain("bad-character-field", reason, ("name",), "write a name of one line, such as `name: Ann`")
        return name or "Nobody"

    def whose(self) -> tuple[str, str]:
        here = self.rules.system.pack
        pack, version = self.text("pack"), self.text("version")
        if not pack:
            self.missing("pack", here.id)
        elif pack != here.id:
            self.complain(
                "other-pack",
                f"this character belongs to `{pack}`; the rules here are those of `{here.id}` {here.version}",
                ("pack",),
                f"use it with `{pack}`, or make one anew for `{here.id}`",
            )
        elif version and version != here.version:
            self.complain_of_version(version, here.version)
        return pack or here.id, version or here.version

    def complain_of_version(self, made: str, here: str) -> None:
        place = self.at(("version",))
        help = f"look through what differs, and then write `version: {here}`"
        message = f"this character was made with version {made} of the rules; here is {here}"
        self.findings.append(Diagnostic("other-version", message, place, "warning", help))

    def kind(self) -> str:
        """The kind of actor: stated, or the only one that says how it is made."""
        kinds = list(made_kinds(self.rules))
        actors = [name for name, info in self.rules.system.kinds.items() if info.nature == "actor"]
        stated = self.text("kind")
        if stated in actors:
            return stated
        called = next((name for name in actors if stated in self.rules.entries[self.rules.system.kinds[name].id].aliases), None)
        if called is not None:
            return called  # its name from before
        if stated:
            near = nearest(stated, actors)
            self.complain(
                "unknown-kind", f"there is no kind of actor called `{stated}`", ("kind",), f"did you mean `{near}`?" if near else some_of(actors)
            )
        elif len(kinds) != 1:
            self.missing("kind", next(iter(kinds or actors), "character"))
        return kinds[0] if len(kinds) == 1 else ""

    def known(self) -> list[str]:
        """The lines that there are."""
        return [*FIELDS, *self.trait_lines()]

    def trait_lines(self) -> list[str]:
        return [name for info in self.roster.trait_kinds for name in (info.name, info.plural) if name not in FIELDS]

    def unknown_fields(self) -> None:
        known = self.known()
        for field in self.data:
            if field not in known:
                number = self.roster.called(field, self.roster.numbers)
                near = nearest(field, known)
                help = (
                    f"put it below `numbers:`, as `{number.name}: 3`" if number is not None else f"did you mean `{near}`?" if near else some_of(known)
                )
                self.complain("unknown-character-field", f"{a(self.roster.kind)} has no `{field}`", (field,), help, name=True)

    # ------------------------------------------------------------ numbers

    def mapping(self, field: str, example: str) -> Mapping[str, Value]:
        value = self.data.get(field)
        if value is not None and not isinstance(value, dict):
            self.complain(
                "bad-character-field",
                f"`{field}` takes `name: value` lines of its own",
                (field,),
                f"below `{field}:`, write lines that are set in, such as `  {example}`",
            )
        return value if isinstance(value, dict) else {}

    def numbers(self, field: str) -> Iterator[tuple[str, int]]:
        seen: set[str] = set()
        entry = next(iter(self.roster.numbers), None)
        for name, value in self.mapping(field, f"{entry.name if entry is not None else 'Name'}: 3").items():
            found = self.roster.called(name, self.roster.numbers)
            if found is None:
                code, message, help = self.roster.not_a(name, "a number", self.roster.numbers)
                self.complain(code, message, (field, name), help, name=True)
            elif found.id in seen:
                self.complain("yaml-twice", f"`{found.name}` is stated twice", (field, name), "keep one of them", name=True)
            elif (number := self.whole(value, (field, name), found.name)) is not None:
                seen.add(found.id)
                self.places["number" if field == "numbers" else field, found.id] = self.at((field, name), True)
                yield found.id, number

    def whole(self, value: Value, where: Where, name: str) -> int | None:
        """A whole number, as text."""
        text = value.strip() if isinstance(value, str) else ""
        if NUMBER.fullmatch(text) and text.isascii() and len(text.lstrip("+-")) <= MOST_DIGITS:
            return int(text)
        if NUMBER.fullmatch(text) and text.isascii():
            said = f"the number of `{name}` has more than {MOST_DIGITS} digits"
        else:
            said = (
                f"`{short(text)}` is no whole number"
                if text
                else f"`{name}` has no number"
                if value is None or value == ""
                else f"`{name}` takes a number, not a list"
            )
        self.complain("bad-number", said, where, f"write for example `{name}: 3`")
        return None

    def seed(self) -> int | None:
        value = self.data.get("seed")
        return self.whole(value, ("seed",), "seed") if value is not None else None

    # ------------------------------------------------------------ traits

    def traits(self) -> Iterator[str]:
        seen: dict[str, Span] = {}
        for where, name, among, what in self.trait_names():
            found = self.roster.called(name, among)
            if found is None:
                code, message, help = self.roster.not_a(name, what, among)
                self.complain(code, message, where, help)
                continue
            place = self.at(where)
            if found.id in seen:
                self.findings.append(
                    Diagnostic("trait-twice", f"`{found.name}` stands here twice", place, help=f"keep one; nobody has the same {found.kind} twice")
                )
                continue
            seen[found.id] = place
            self.places["trait", found.id] = place
            yield found.id

    def trait_names(self) -> Iterator[tuple[Where, str, Iterable[Entry], str]]:
        """Every name of a trait: where, and among which it is looked for."""
        for info in self.roster.trait_kinds:
            among = [entry for entry in self.roster.traits if entry.kind == info.name]
            for field in dict.fromkeys((info.name, info.plural)):
                if field in self.data and field not in FIELDS:
                    self.places.setdefault(("kind", info.name), self.at((field,), True))
                    yield from ((where, name, among, a(info.name)) for where, name in self.names(field))
        yield from ((where, name, self.roster.traits, "a trait") for where, name in self.names("traits"))

    def names(self, field: str) -> Iterator[tuple[Where, str]]:
        value = self.data.get(field)
        if isinstance(value, dict):
            self.complain("bad-character-field", f"`{field}` takes a name, or a list of names", (field,), f"write `{field}: [One, Another]`")
            return
        for at, one in enumerate(value if isinstance(value, tuple) else (value,)):
            where: Where = (field, at) if isinstance(value, tuple) else (field,)
            if isinstance(one, str) and one.strip():
                yield where, one
            elif one is not None:
                self.complain("bad-character-field", f"`{field}` takes names", where, f"write `{field}: [One, Another]`")

    # ------------------------------------------------------------ fields and notes

    def fields(self) -> Iterator[tuple[str, int | str]]:
        slots = {fold(label).casefold(): slot for label, slot in self.roster.slots.items()}
        for label, value in self.mapping("fields", "Label: value").items():
            slot = slots.get(fold(label).casefold())
            if slot is None:
                known = [one.name for one in slots.values()]
                self.complain(
                    "unknown-field",
                    f"{a(self.roster.kind)} has no field `{label}`{did_you_mean(label, known)}",
                    ("fields", label),
                    some_of(known),
                    name=True,
                )
            elif (found := self.field(slot, value, ("fields", label))) is not None:
                self.places["field", slot.name] = self.at(("fields", label), True)
                yield slot.name, found

    def field(self, slot: Slot, value: Value, where: Where) -> int | str | None:
        if slot.holds.name == "number":
            return self.whole(value, where, slot.name)
        if not isinstance(value, str) or not value.strip():
            self.complain("bad-character-field", f"`{slot.name}` takes {slot.holds}", where, f"write `{slot.name}: ...` on one line")
            return None
        if slot.holds.name == "choice":
            return self.one_of(slot.holds.words, value, where, slot.name)
        if slot.holds.name in ("entry", "actor"):
            among = [entry for entry in self.rules.entries.values() if entry.kind != "kind" and self.rules.is_a(entry.kind, slot.holds.kind)]
            found = self.roster.called(value, among)
            if found is None:
                self.one_of([entry.name for entry in among], value, where, slot.name)
            return found.id if found is not None else None
        return value

    def one_of(self, words: Iterable[str], value: str, where: Where, label: str) -> str | None:
        words = list(words)
        found = next((word for word in words if fold(word).casefold() == fold(value).casefold()), None)
        if found is None:
            near = nearest(value, words)
            self.complain(
                "unknown-name", f"`{short(value)}` is nothing that `{label}` can be", where, f"did you mean `{near}`?" if near else some_of(words)
            )
        return found

    def notes(self) -> Iterator[tuple[str, str]]:
        steps = [step.name for step in self.roster.maker.procedure.steps] if self.roster.maker is not None else []
        for name, value in self.mapping("notes", "Name: words").items():
            trait = self.roster.called(name, self.roster.traits)
            step = next((one for one in steps if fold(one).casefold() == fold(name).casefold()), None)
            text = value if isinstance(value, str) else "" if value is None else None
            if trait is None and step is None:
                near = nearest(name, [*(entry.name for entry in self.roster.traits), *steps])
                self.complain(
                    "unknown-name",
                    f"nothing called `{name}` asks for a note",
                    ("notes", name),
                    f"did you mean `{near}`?" if near else some_of(steps),
                    name=True,
                )
            elif text is None or len(text) > MOST_LETTERS:
                self.complain(
                    "bad-character-field",
                    f"the note of `{name}` is {'no text' if text is None else 'too long'}",
                    ("notes", name),
                    f"write `{name}: a few words`",
                )
            else:
                key = trait.id if trait is not None else step or ""
                self.places["note", key] = self.at(("notes", name), True)
                yield key, text

    # ------------------------------------------------------------ the making

    def making(self) -> tuple[Answer, ...] | None:
        value = self.data.get("making")
        if value is None:
            return None
        found: list[Answer] = []
        for at, one in enumerate(value if isinstance(value, tuple) else ()):
            if isinstance(one, dict) and len(one) == 1:
                (asked, said), *_ = one.items()
                found.append(Answer(fold(asked), said, self.at(("making", at, asked), True)))
            else:
                self.complain(
                    "bad-character-field", "an answer of the making is one `question: answer`", ("making", at), "write for example `- Class: Warden`"
                )
        if not isinstance(value, tuple):
            self.complain("bad-character-field", "`making` takes a list of answers", ("making",), "write each as a line `- Question: answer`")
        return cast("tuple[Answer, ...]", tuple(found))


def short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
