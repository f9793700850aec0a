"""A game as a vault of Obsidian: a note for each thing and each chapter, with links, tables that the Dice Roller plug-in rolls, and stat blocks of
Fantasy Statblocks.

Without those plug-ins, and in any other viewer of Markdown, the notes read all the same.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from te_forge.export.exporter import SORTS, Exporter, Extent, Fate, Sink, Verdict, sort_of
from te_forge.export.ids import hashed
from te_forge.export.markdown import MarkdownScribe, cell, escaped, table
from te_forge.export.obsidian_check import checked
from te_forge.export.tools import judged, node_tool, run
from te_forge.model.system import Bulk, Chapter, Entry, Field, Grid, Line, Prose, RollTable, System
from te_forge.render.matter import license_text
from te_forge.render.places import DEVICES
from te_forge.suggest import heading

UNFIT = re.compile(r'[\\/:*?"<>|#^\[\]%\x00-\x1f\x7f]+')
LONGEST = 80
DIE = re.compile(r"(\d*)d(\d+)")
NOT_A_DIE = frozenset(["d66", "d666", "d88"])
"""Tables of two dice read as digits, which the plug-in does not know."""
LINT = {"MD013": False, "MD024": {"siblings_only": True}, "MD025": {"front_matter_title": ""}, "MD026": False, "MD060": False}
"""The rules of markdownlint that these notes do not keep, on purpose: long lines, one heading below two parents, and whatever end a title has."""
ROLLED = "a viewer does not roll this die; the table is only to be read"
PICTURE = "a picture of it is left out: its name is none that every system takes, or there are too many"


class Vault:
    """The notes of one game."""

    def __init__(self, system: System, picture: Callable[[str], bool]) -> None:
        self.system = system
        self.paths = note_paths(system)
        self.scribe = MarkdownScribe(self.link, lambda path: f"../{path}" if picture(path) else "")  # each note that tells something lies in a folder
        self.layout = hashed(f"{system.pack.id}:layout")

    def link(self, id: str, text: str) -> str:
        path = self.paths.get(id.partition("#")[0])
        shown = re.sub(r"[\[\]|\n]", " ", text).replace("<", "‹").replace(">", "›")  # a link knows no escapes
        return escaped(text) if path is None else f"[[{path}|{shown}]]"

    # ------------------------------------------------------------ notes

    def entry(self, entry: Entry) -> str:
        head: dict[str, Any] = {"te_id": entry.id, "te_hash": hashed(entry.id), "tags": [f"te/{re.sub(r'[^A-Za-z0-9_-]+', '-', entry.kind)}"]}
        aliases = list(dict.fromkeys(name for name in entry.aliases if name != entry.name))
        head |= {"aliases": aliases} if aliases else {}
        head |= {"cites": list(entry.cites)} if entry.cites else {}
        return note(head, entry.name, [*self.body(entry), self.around(entry)])

    def body(self, entry: Entry) -> Iterator[str]:
        for prose in entry.prose:
            yield self.scribe.prose(prose.words)
        if sort_of(entry, self.system) == "actor" and entry.fields:
            yield self.statblock(entry)
        else:
            yield "\n".join(f"- **{escaped(field.label)}:** {self.field(field)}" for field in entry.fields.values())
            yield self.lines(entry.lines)
        yield "\n".join(self.steps(entry))
        if entry.slots:
            rows = [
                [escaped(slot.name), cell(self.scribe.rule(slot.words) or escaped(str(slot.holds))), escaped(slot.usual), cell(escaped(slot.text))]
                for slot in entry.slots.values()
            ]
            yield table(["Field", "Holds", "Unless stated", "Description"], rows)
        if entry.table is not None:
            yield from self.rolls(entry, entry.table)

    def field(self, field: Field) -> str:
        return self.scribe.rule(field.words)

    def lines(self, lines: Iterable[Line], indent: str = "") -> str:
        out = []
        for line in lines:
            label = f"**{escaped(line.label)}{'.' if line.words else ':'}** " if line.label else ""
            out.append(f"{indent}- {label}{self.scribe.rule(line.words)}".rstrip())
            if line.lines:
                out.append(self.lines(line.lines, indent + "  "))
        return "\n".join(out)

    def steps(self, entry: Entry) -> Iterator[str]:
        for number, step in enumerate(entry.steps, 1):
            yield f"{number}. **{escaped(step.name)}.** {self.scribe.inline(step.prose)}".rstrip()
            if step.lines:
                yield self.lines(step.lines, " " * len(f"{number}. "))

    def rolls(self, entry: Entry, found: RollTable) -> Iterator[str]:
        """A table, which the plug-in finds by its mark and rolls by its first head."""
        die = rolled(found)
        columns = [column for column in found.columns[1:] if column != "row"]
        named = any(row.name for row in found.rows)
        head = [f"dice: {die}" if die else found.die, *(["Result"] if named else []), *(escaped(heading(column)) for column in columns)]
        rows = []
        for row in found.rows:
            cells = [
                cell(self.scribe.inline(row.cells[column].words) if not row.cells[column].meaning else self.scribe.rule(row.cells[column].words))
                if column in row.cells
                else ""
                for column in columns
            ]
            faces = [f"{one.low}-{one.high}" if one.high > one.low else str(one.low) for one in row.faces]  # the plug-in knows one range in a row
            rows += [[one, *([cell(escaped(row.name))] if named else []), *cells] for one in (faces if die else [", ".join(faces)])]
        yield table(head, rows)
        if die:
            yield "^table"
            yield f"`dice: [[{self.paths[entry.id]}^table]]`"

    def statblock(self, entry: Entry) -> str:
        """What the plug-in prints as a stat block: JSON is YAML."""
        data: dict[str, Any] = {"layout": self.layout_name(), "name": entry.name}
        data |= {key: flat(plain_field(field)) for key, field in entry.fields.items()}
        data |= {"rules": [{"name": line.label or "Rule", "desc": flat(told(line))} for line in entry.lines]} if entry.lines else {}
        return "\n".join(["```statblock", *(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items()), "```"])

    def layout_name(self) -> str:
        return f"te_forge {self.system.pack.id}"

    def layout_file(self) -> str:
        """The layout that a reader imports into the plug-in once."""
        labels = {
            key: field.label
            for entry in self.system.entries.values()
            if sort_of(entry, self.system) == "actor"
            for key, field in entry.fields.items()
        }
        blocks: list[dict[str, Any]] = [{"type": "heading", "id": hashed("heading"), "properties": ["name"], "size": 1}]
        blocks += [
            {"type": "property", "id": hashed(f"property {key}"), "properties": [key], "display": label, "conditioned": True, "dice": False}
            for key, label in sorted(labels.items())
        ]
        blocks.append({"type": "traits", "id": hashed("rules"), "properties": ["rules"], "heading": "", "conditioned": True})
        return json.dumps({"name": self.layout_name(), "id": self.layout, "blocks": blocks}, ensure_ascii=False, indent=1) + "\n"

    def around(self, entry: Entry) -> str:
        """Where it belongs, and who mentions it."""
        owner = self.system.entries.get(entry.owner or "")
        users = [
            self.system.entries[id] for id in self.system.users.get(entry.id, ()) if id in self.system.entries and id not in (entry.id, entry.owner)
        ]
        lines = [f"- Part of {self.link(owner.id, owner.name)}"] if owner is not None else []
        lines += (
            [f"- Used by {', '.join(self.link(one.id, one.name) for one in users[:40])}{' and others' if len(users) > 40 else ''}"] if users else []
        )
        return "\n".join(lines)

    # ------------------------------------------------------------ chapters

    def chapter(self, chapter: Chapter) -> str:
        blocks: list[str] = []
        for text in (text for item in chapter.items for text in self.item(item)):
            if blocks and text.startswith("- [[") and blocks[-1].startswith("- [["):
                blocks[-1] += f"\n{text}"
            else:
                blocks.append(text)
        return note({"te_id": chapter.id, "te_hash": hashed(chapter.id), "tags": ["te/chapter"]}, chapter.title, blocks)

    def item(self, item: Prose | Bulk | Grid | str) -> Iterator[str]:
        match item:
            case Prose(words, _):
                yield self.scribe.prose(words)
            case Bulk():
                yield self.bulk(item)
            case Grid():
                rows = [[cell(self.scribe.inline(words)) for words in row] for row in item.rows]
                yield table([escaped(column) for column in item.columns], rows)
            case _:
                yield "\n".join(
                    f"- {self.link(id, self.system.entries[id].name)}" for id in (item, *self.system.entries[item].parts) if id in self.system.entries
                )

    def bulk(self, bulk: Bulk) -> str:
        entries = [self.system.entries[id] for id in bulk.entries if id in self.system.entries]
        columns = [column for column in bulk.columns[1:] if column != "text"]
        rows = []
        for entry in entries:
            by_label = {field.label: field for field in entry.fields.values()}
            rows.append(
                [cell(self.link(entry.id, entry.name)), *(cell(self.field(by_label[column])) if column in by_label else "" for column in columns)]
            )
        return table([escaped(heading(name)) for name in (bulk.columns[0], *columns)], rows)

    def home(self) -> str:
        pack = self.system.pack
        chapters = [f"- {self.link(chapter.id, chapter.title)}" for chapter in self.system.chapters]
        return note(
            {"te_id": pack.id, "te_hash": hashed(pack.id), "tags": ["te/game"]},
            pack.title,
            [escaped(pack.subtitle or ""), "\n".join(chapters), "## License", "[[License]]"],
        )

    def license(self) -> str:
        lines = [escaped(line) for line in license_text(self.system).splitlines()]
        return note(
            {"tags": ["te/license"]},
            "License",
            [
                "\n\n".join(lines),
                "The stat blocks want the layout in [[Stat block layout.json]], imported into the plug-in Fantasy Statblocks once."
                if has_actors(self.system)
                else "",
            ],
        )


def note(head: Mapping[str, Any], title: str, blocks: Iterable[str]) -> str:
    """A note: its properties, its title and what it says."""
    front = "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items())
    body = "\n\n".join(block for block in blocks if block.strip())
    return f"---\n{front}\n---\n\n# {escaped(' '.join(title.split()))}\n" + (f"\n{body}\n" if body else "")


def has_actors(system: System) -> bool:
    return any(sort_of(entry, system) == "actor" and entry.fields for entry in system.entries.values())


def plain_field(field: Field) -> str:
    return "".join(one if isinstance(one, str) else one.text for one in field.words)


def told(line: Line) -> str:
    words = "".join(one if isinstance(one, str) else one.text for one in line.words)
    return " ".join([words, *(f"{one.label}: {told(one)}" if one.label else told(one) for one in line.lines)])


def flat(text: str) -> str:
    """Text of a stat block, which may hold Markdown and dice: here it holds neither."""
    return escaped(" ".join(text.split()))


def rolled(found: RollTable) -> str:
    """The die as the plug-in writes it, when it knows it: every row is at least as likely there as here."""
    die = DIE.fullmatch(found.die)
    return f"{die[1] or 1}d{die[2]}" if die and found.die not in NOT_A_DIE else ""


# ---------------------------------------------------------------- names of notes


def note_paths(system: System) -> dict[str, str]:
    """By id, the path of each note without `.md`. Of things of one name in one folder, each has a part of its hash."""
    wanted = {chapter.id: f"Chapters/{fitting(chapter.title)}" for chapter in system.chapters}
    wanted |= {entry.id: f"{fitting(entry.kind).capitalize()}/{fitting(entry.name)}" for entry in system.entries.values()}
    times = Counter(path.casefold() for path in wanted.values())
    return {id: path if times[path.casefold()] == 1 else f"{path} ({hashed(id, 6)})" for id, path in wanted.items()}


def fitting(name: str) -> str:
    """A name as the name of a note."""
    text = " ".join(UNFIT.sub(" ", name).split()).strip(". ")[:LONGEST].strip(". ")
    return f"{text} note" if text.casefold() in DEVICES else text or "x" + hashed(name, 6)


# ---------------------------------------------------------------- the exporter


class ObsidianVault(Exporter):
    """Notes with links."""

    id = "obsidian"
    title = "Obsidian vault"
    targets = ("Obsidian 1", "Dice Roller 11", "Fantasy Statblocks 4")
    capabilities: Mapping[str, Extent] = dict.fromkeys(SORTS, "full")
    kept = (".obsidian", ".trash", ".smart-env")

    def emit(self, system: System, sink: Sink, options: Mapping[str, str]) -> Iterator[Fate]:
        vault = Vault(system, sink.picture)
        sink.text(f"{fitting(system.pack.title)}.md", vault.home())
        sink.text("License.md", vault.license())
        sink.text(".markdownlint.json", json.dumps(LINT, indent=1) + "\n")
        if has_actors(system):
            sink.text("Stat block layout.json", vault.layout_file())
        for chapter in system.chapters:
            sink.text(f"{vault.paths[chapter.id]}.md", vault.chapter(chapter))
            yield fate(chapter.id, vault, "")
        for entry in system.entries.values():
            sink.text(f"{vault.paths[entry.id]}.md", vault.entry(entry))
            unrolled = entry.table is not None and entry.table.die != "at" and not rolled(entry.table)
            yield fate(entry.id, vault, ROLLED if unrolled else "")

    def verify(self, folder: Path) -> Iterator[Verdict]:
        yield checked(folder)
        tool = node_tool("markdownlint-cli2", "markdownlint-cli2")
        if isinstance(tool, Verdict):
            yield Verdict("Markdown", "not verified", tool.tool)
        else:
            name, words = tool
            yield judged("Markdown", name, *run([*words, "**/*.md"], folder))


def fate(id: str, vault: Vault, reason: str) -> Fate:
    """What became of the note that was written last."""
    lost, vault.scribe.pictures = vault.scribe.pictures, 0
    why = reason or (PICTURE if lost else "")
    return Fate(id, "degraded" if why else "full", why)
