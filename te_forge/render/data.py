"""The book's data for its scripts: the search index and what glossary popups show.

Both are scripts that set one variable, since a page opened from a file may load a script but not fetch a text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from te_forge.model.system import Chapter, Entry, Prose, System, plain
from te_forge.render.page import Page
from te_forge.render.places import Places
from te_forge.render.prose import Scribe
from te_forge.render.terms import aliases, line_text

UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
LONGEST = 160
DICE = re.compile(r"(?<![\w])(\d*) ?(d\d+)(?!\w)")
TERMS = 400
"""About how many terms one script has: some 50 KB."""


def as_json(value: object) -> str:
    """JSON that is safe wherever a script may be put."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for letter, code in UNSAFE.items():
        text = text.replace(letter, code)
    return text


def terms_scripts(system: System, places: Places, notes: Mapping[str, str]) -> list[str]:
    """By anchor: name, kind, sentence, page. The terms of a long book are dealt out to several scripts, of which a popup loads the one it needs."""
    terms = {
        places.anchor(entry.id): [entry.name, entry.kind, notes.get(entry.id, ""), places.pages[entry.id]]
        for entry in system.entries.values()
        if entry.id in places.pages
    }
    count = 1 + len(terms) // TERMS
    shelves: list[dict[str, list[str]]] = [{} for _ in range(count)]
    for anchor, term in terms.items():
        shelves[shelf(anchor, count)][anchor] = term
    return [f"var TE_TERMS=Object.assign(TE_TERMS||{{}},{as_json(one)});\n" for one in shelves]


def shelf(anchor: str, count: int) -> int:
    """Which script has a term; `book.js` reckons the same."""
    number = 0
    for letter in anchor:
        number = (number * 31 + ord(letter)) % 65521
    return number % count


def search_script(system: System, places: Places, scribe: Scribe, notes: Mapping[str, str], extra: Iterable[Page]) -> str:
    """Rows of title, kind, address, other names, text, and the dice that roll there: entries, then chapters and the pages that we add."""
    rows = [entry_row(entry, system, places, scribe, notes) for entry in system.entries.values() if entry.id in places.pages]
    rows += [chapter_row(chapter, places, scribe) for chapter in system.chapters]
    rows += [[page.title, "page", page.url, "", page.summary] for page in extra]
    return f"var TE_SEARCH={as_json(rows)};\n"


def entry_row(entry: Entry, system: System, places: Places, scribe: Scribe, notes: Mapping[str, str]) -> list[str]:
    text = scribe.text(entry.prose[0].words) if entry.prose else notes.get(entry.id, "")
    owner = system.entries.get(entry.owner or "")
    kind = f"{entry.kind} of {owner.name}" if owner else entry.kind
    row = [entry.name, kind, f"{places.pages[entry.id]}.html#{places.anchor(entry.id)}", ", ".join(aliases(entry)), cut(text)]
    dice = dice_of(entry)
    return [*row, dice] if dice else row


def dice_of(entry: Entry) -> str:
    """The dice that an entry rolls, as somebody would type them: `d6 2d6`."""
    said = [plain(field.words) for field in entry.fields.values()] + [line_text(line) for line in entry.lines]
    said += [line_text(line) for step in entry.steps for line in step.lines]
    if entry.table is not None:
        said += [entry.table.die, *(plain(cell.words) for row in entry.table.rows for cell in row.cells.values())]
    return " ".join(dict.fromkeys(f"{count}{die}" for text in said for count, die in DICE.findall(text)))


def chapter_row(chapter: Chapter, places: Places, scribe: Scribe) -> list[str]:
    first = next((item for item in chapter.items if isinstance(item, Prose)), None)
    return [chapter.title, "chapter", f"{places.chapters[chapter.id]}.html", "", cut(scribe.text(first.words)) if first else ""]


def cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0] + " …"
