"""What the templates may ask for, for one page. Everything that comes back as `Markup` was escaped where it was made."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from markupsafe import Markup, escape

from te_forge.compose.values import adjusted, changes_of_line
from te_forge.compose.values import found as usual_field
from te_forge.keys import slug as key_of
from te_forge.model.rules import Text
from te_forge.model.system import Bulk, Chapter, Entry, Grid, Line, Patch, Prose, Ref, Words
from te_forge.render.accounts import paragraph
from te_forge.render.elsewhere import Others
from te_forge.render.fields import is_nothing
from te_forge.render.page import Heading
from te_forge.render.places import inner
from te_forge.render.prose import Section
from te_forge.render.tables import Tables
from te_forge.render.terms import aliases, explained

ENGINE_KINDS = ("kind", "procedure", "rule", "table", "deck", "hack", "ruling", "reading", "example")
MANY = 20
"""Up to about so many pages of a list are all linked to."""
LONG_ACCOUNT = 600
"""About six lines."""
MOST_MARKS = 6
"""So many rulings are marked at one place; a work that is cited as a whole may have hundreds."""


class Clerk(Tables):
    """The helper of one page's templates, `c` in there."""

    def template(self, entry: Entry) -> str:
        """One template per kind of thing: the engine's headings by name, what packs declare by its nature."""
        if entry.kind in ENGINE_KINDS:
            return f"{entry.kind}.html"
        kind = self.kind(entry)
        return f"{kind.nature}.html" if kind and kind.nature in ("actor", "entry", "number", "trait") else "entry.html"

    def begin(self, entry: Entry, level: int) -> str:
        """Starts the section of an entry, and gives its anchor."""
        kept = self.section.linked if entry.owner and level > 2 else set()
        self.section = Section(self.page, entry.id, level + 1, set(kept), heading_ids=self.ids, spoken=spoken_of(entry))
        if level <= 3:
            self.toc.append(Heading(self.anchor(entry.id), self.title(entry), level))
        return self.anchor(entry.id)

    def others(self, chapter: Chapter, item: Prose | Bulk | Grid | str) -> Others:
        """Behind the last of the things of a kind that a chapter lists, those of other chapters."""
        last = item if isinstance(item, str) else item.entries[-1] if isinstance(item, Bulk) and item.entries else ""
        return self.indexes.others.get((chapter.id, last), Others())

    def open_section(self, level: int = 2) -> str:
        self.section = Section(self.page, "", level, set(), self.toc, self.ids)
        return ""

    def anchor_in(self, entry: Entry, id: str) -> str | None:
        """The anchor of a line, step or row, when others may point at it. Each is given out once."""
        path = f"{entry.id}#{inner(id)}"
        if path not in self.places.inner or path in self.ids:
            return None
        self.ids[path] = 1
        return self.anchor(path)

    def near(self, links: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The links to the pages of a list; of many, those around this page and some others on the way. A gap is a link to nowhere."""
        here = next((n for n, (_, slug) in enumerate(links) if slug == self.page), 0)
        stride = max(1, len(links) // MANY)
        shown = [n for n in range(len(links)) if n % stride == 0 or abs(n - here) <= 5 or n == len(links) - 1]
        out: list[tuple[str, str]] = []
        for n, after in pairwise([-1, *shown]):
            out += [("…", "")] if after - n > 1 else []
            out.append(links[after])
        return out

    # ------------------------------------------------------------ entries

    def note(self, entry: Entry) -> str:
        return self.indexes.notes.get(entry.id, "")

    def said(self, entry: Entry) -> str:
        """The note of an entry of which more is said than its fields; they do not explain it. A reading is explained by what it answers."""
        return self.note(entry) if explained(entry) or entry.kind == "reading" else ""

    def users(self, entry: Entry) -> list[Entry]:
        """Who else mentions it; its own parts and its owner do not count."""
        own = {entry.id, entry.owner, *entry.parts}
        return [other for other in self.entries(self.system.users.get(entry.id, ())) if other.id not in own and other.owner != entry.id]

    def also(self, entry: Entry) -> tuple[str, ...]:
        return aliases(entry)

    def account(self, entry: Entry, step: int) -> str:
        """What happened in a step of an example that was played."""
        told = self.indexes.accounts.get(entry.id, ())
        return paragraph(told[step]) if step < len(told) else ""

    def is_long(self, account: str) -> bool:
        """Whether an account is so long that a reader unfolds it to read it."""
        return len(account) > LONG_ACCOUNT

    # ------------------------------------------------------------ rulings

    def marks(self, cites: Iterable[str], but: Collection[str] = ()) -> list[tuple[str, str]]:
        """For what cites these: name and link of each ruling on the same citations `but` those of these names; behind the first few, of the next one."""
        rulings = (ruling for cite in cites for ruling in self.indexes.rulings.get(cite, ()) if ruling.name not in but)
        found: dict[str, str] = {}
        for ruling in rulings:
            if len(found) > MOST_MARKS:
                break
            if ruling.name not in found and (href := self.href(ruling.id)):
                found[ruling.name] = href
        marks = list(found.items())
        return [*marks[:MOST_MARKS], *(("and more", href) for _, href in marks[MOST_MARKS:])]

    def entry_marks(self, entry: Entry) -> list[tuple[str, str]]:
        """The rulings on an entry that are not named in it anyway: at one of its steps, or as what a reading answers."""
        if entry.kind == "reading":
            return []
        beside = {self.entry(id).name for id in self.indexes.elsewhere.get(entry.id, ())}
        own = {entry.name} if entry.kind == "ruling" else set()
        return self.marks(entry.cites, own | beside | self.step_marks(entry))

    def step_marks(self, entry: Entry) -> set[str]:
        return {name for step in entry.steps for name, _ in self.marks(step.cites)}

    def chapter_marks(self, chapter: Chapter) -> list[tuple[str, str]]:
        """The rulings on a chapter that none of its things names: there they are nearer to what they are about."""
        ids = [id for item in chapter.items for id in ([item] if isinstance(item, str) else item.entries if isinstance(item, Bulk) else ())]
        things = self.entries(ids)
        things += [part for entry in things for part in self.entries(entry.parts)]
        return self.marks(
            chapter.cites, {name for entry in things for name in self.step_marks(entry) | {name for name, _ in self.entry_marks(entry)}}
        )

    def readings(self, ruling: Entry) -> Sequence[Entry]:
        return self.indexes.readings.get(ruling.id, ())

    # ------------------------------------------------------------ hacks

    def changed(self, patch: Patch, line: Line) -> tuple[Words, Words] | None:
        """What the patch does to a field, as what it was and what it becomes; None for any other line."""
        target = self.system.entries.get(patch.target)
        before = usual_field(target, key_of(line.label), self.system) if target is not None and line.value and line.place is None else None
        if before is None or is_nothing(before):
            return None
        after = adjusted(before, changes) if (changes := changes_of_line(line)) else None
        return (before.words, after.words) if after is not None and len(after.words) == 1 else None

    def patch_title(self, patch: Patch) -> Markup:
        """`Changes Oil`."""
        title = next((f"the chapter {chapter.title}" for chapter in self.system.chapters if chapter.id == patch.target), "")
        target = self.system.entries.get(patch.target)
        title = title or (self.title(target) if target is not None else "")
        if (
            patch.verb == "renames"
            and target is not None
            and target.aliases
            and Text(target.name) in (atom for line in patch.lines for atom in line.value)
        ):
            title = target.aliases[-1]  # it has the new name, and had this one before
        return escape(self.head({"deletes": "takes out"}.get(patch.verb, patch.verb))) + " " + self.link(patch.target, title)


def spoken_of(entry: Entry) -> frozenset[str]:
    """What the rules of an entry name: in its lines, its steps, its fields."""
    todo = [*entry.lines, *(line for step in entry.steps for line in step.lines)]
    found = [field.words for field in entry.fields.values()]
    while todo:
        line = todo.pop()
        found.append(line.words)
        todo += line.lines
    return frozenset(word.id.partition("#")[0] for words in found for word in words if isinstance(word, Ref))
