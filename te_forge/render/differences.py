"""What templates may ask about what is on, and about what is different from the game that this one is built on."""

from __future__ import annotations

from markupsafe import Markup, escape

from te_forge.compare import Change
from te_forge.compare.phrases import Phrase, phrase
from te_forge.keys import slug as key_of
from te_forge.model.system import Entry, Line, plain
from te_forge.render.changes import Derived, made_by
from te_forge.render.desk import Desk
from te_forge.render.matter import sort_key
from te_forge.render.places import slug

TOGETHER = 120
"""Up to so many letters, what was and what is stand on one line, with an arrow between."""


class Differences(Desk):
    """Knows what hacks and readings have made of the game."""

    @property
    def derived(self) -> Derived:
        return self.indexes.derived

    def is_on(self, entry: Entry) -> bool:
        return entry.id in self.indexes.derived.on

    def on(self) -> list[Entry]:
        """The hacks and readings that are on, by name."""
        return sorted(
            (entry for entry in self.entries(self.indexes.derived.on) if entry.id in self.places.pages), key=lambda entry: sort_key(entry.name)
        )

    def changed_by(self, entry: Entry) -> list[tuple[str, str]]:
        """Who has changed an entry that was there before: name and link of each hack, or of the chapter that says so."""
        found = self.derived.by_entry.get(entry.id, ())
        hacks = dict.fromkeys(id for one in found if one.verb != "added" or one.part != "entry" for id in one.by)
        return [(entry.name, href) for entry in self.entries(hacks) if (href := self.href(entry.id))]

    def changed_here(self, entry: Entry) -> str:
        """Where the chapter on what changed tells of an entry."""
        page = self.derived.pages.get(entry.id)
        return f"{page}.html#{self.told(entry.id)}" if page else ""

    def told(self, id: str) -> str:
        """The anchor of an entry in the chapter on what changed."""
        return f"changed-{slug(id)}"

    def is_changed(self, entry: Entry, *labels: str) -> bool:
        """Whether a place in an entry is different, or a place around it."""
        return "/".join(map(key_of, labels)) in self.derived.places.get(entry.id, ())

    def is_changed_line(self, entry: Entry, line: Line) -> bool:
        return line.id in self.derived.places.get(entry.id, ())

    def touched(self, hack: Entry) -> list[Entry]:
        return self.entries(made_by(self.derived, hack))

    def phrase(self, change: Change) -> Phrase:
        return phrase(change)

    def place(self, where: str) -> Markup:
        """Where something is different, with a capital first; the name of a value, which rules write small, is set apart."""
        parts = (where[:1].upper() + where[1:]).split("`")
        return Markup("").join(Markup("<i>{}</i>").format(part) if at % 2 else escape(part) for at, part in enumerate(parts))

    def is_apart(self, said: Phrase) -> bool:
        """Whether what was and what is are so long that each is read by itself."""
        return bool(said.before and said.after) and len(plain(said.before)) + len(plain(said.after)) > TOGETHER
