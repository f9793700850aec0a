"""Things of a game as plain HTML, for tools that show pages: no classes, no scripts, and links that the tool makes of ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from urllib.parse import quote

from markdown_it.token import Token
from markupsafe import Markup, escape

from te_forge.export.markdown import Address
from te_forge.model.system import Bulk, Cell, Entry, Field, Grid, Line, Prose, Ref, RollTable, Shown, System, Words
from te_forge.render.places import Places
from te_forge.render.prose import LinkKind, Scribe, Section, inline_text, picture_of, raw
from te_forge.render.terms import Glossary
from te_forge.suggest import heading

Link = Callable[[str, str], Markup | None]
"""The link to an id, shown as a text; None when there is no such thing."""


class PageScribe(Scribe):
    """Writes prose as the book does, terms and all, with the links of a tool. `dull` takes from the text what that tool would run."""

    def __init__(self, system: System, link: Link, dull: Callable[[str], str], picture: Address) -> None:
        super().__init__(Places(system), Glossary(system))
        self.made, self.dull, self.picture = link, dull, picture
        self.pictures = 0
        """How many pictures were left out."""

    def image(self, token: Token) -> Token:
        text = inline_text(token.children or ())
        if not (place := self.picture(picture_of(token))):
            self.pictures += 1
            return raw(escape(text))
        return raw(Markup('<img src="{}" alt="{}">').format(quote(place), text))

    def link(self, id: str, text: str, page: str, kind: LinkKind = "term") -> Markup:
        return self.made(id, text) or escape(text)

    def dulled(self, words: Words) -> Words:
        return tuple(
            self.dull(one)
            if isinstance(one, str)
            else Ref(one.id, self.dull(one.text))
            if isinstance(one, Ref)
            else Shown(one.id, self.dull(one.text), one.expr)
            for one in words
        )

    def html(self, words: Words, own: str = "") -> Markup:
        """Paragraphs, lists, tables."""
        text = self.prose(self.dulled(words), Section("", own, 3))
        return Markup(re.sub(r'<div class="scroll" tabindex="0">|(?<=</table>)</div>| tabindex="0"| class="[^"]*"| scope="col"', "", text))

    def line(self, words: Words, own: str = "") -> Markup:
        """Prose on one line."""
        return Markup(re.sub(r' class="[^"]*"', "", self.inline(self.dulled(words), Section("", own))))

    def rule(self, words: Words, own: str = "") -> Markup:
        return self.words(self.dulled(words), Section("", own))


class Pages:
    """Puts the parts of an entry together."""

    def __init__(self, system: System, link: Link, dull: Callable[[str], str], picture: Address) -> None:
        self.system = system
        self.scribe = PageScribe(system, link, dull, picture)
        self.dull = dull

    def text(self, text: str) -> Markup:
        return escape(self.dull(text))

    def entry(self, entry: Entry) -> Markup:
        parts = [self.scribe.html(prose.words, entry.id) for prose in entry.prose]
        parts.append(self.fields(entry.fields.values(), entry.id))
        parts.append(self.lines(entry.lines, entry.id))
        parts.append(self.steps(entry))
        if entry.slots:
            rows = [
                [self.text(slot.name), self.scribe.rule(slot.words) or self.text(str(slot.holds)), self.text(slot.usual), self.text(slot.text)]
                for slot in entry.slots.values()
            ]
            parts.append(table([escape(head) for head in ("Field", "Holds", "Unless stated", "Description")], rows))
        if entry.table is not None:
            parts.append(self.rows(entry.table, entry.id))
        return Markup("\n").join(part for part in parts if part)

    def fields(self, fields: Iterable[Field], own: str) -> Markup:
        found = [Markup("<li><strong>{}:</strong> {}</li>").format(self.dull(field.label), self.scribe.rule(field.words, own)) for field in fields]
        return Markup("<ul>{}</ul>").format(Markup("").join(found)) if found else Markup("")

    def lines(self, lines: Iterable[Line], own: str) -> Markup:
        found = []
        for line in lines:
            label = Markup("<strong>{}{}</strong> ").format(self.dull(line.label), "." if line.words else ":") if line.label else Markup("")
            found.append(Markup("<li>{}{}{}</li>").format(label, self.scribe.rule(line.words, own), self.lines(line.lines, own)))
        return Markup("<ul>{}</ul>").format(Markup("").join(found)) if found else Markup("")

    def steps(self, entry: Entry) -> Markup:
        found = [
            Markup("<li><strong>{}.</strong> {}{}</li>").format(
                self.dull(step.name), self.scribe.line(step.prose, entry.id), self.lines(step.lines, entry.id)
            )
            for step in entry.steps
        ]
        return Markup("<ol>{}</ol>").format(Markup("").join(found)) if found else Markup("")

    def rows(self, found: RollTable, own: str) -> Markup:
        columns = [column for column in found.columns[1:] if column != "row"]
        head = [self.text(one) for one in (found.die, *(heading(column) for column in columns))]
        rows = []
        for row in found.rows:
            name = Markup("<strong>{}.</strong> ").format(self.dull(row.name)) if row.name else Markup("")
            cells = [self.cell(row.cells.get(column), own) for column in columns]
            rows.append([escape(row.printed("–")), *([name + cells[0], *cells[1:]] if cells else [name])])
        return table(head, rows)

    def cell(self, cell: Cell | None, own: str) -> Markup:
        if cell is None:
            return Markup("")
        return self.scribe.rule(cell.words, own) if cell.meaning else self.scribe.line(cell.words, own)

    def item(self, item: Prose | Bulk | Grid) -> Markup:
        """What stands in a chapter between its entries."""
        match item:
            case Prose(words, _):
                return self.scribe.html(words)
            case Grid():
                return table([self.text(column) for column in item.columns], [[self.scribe.line(cell) for cell in row] for row in item.rows])
            case Bulk():
                entries = [self.system.entries[id] for id in item.entries if id in self.system.entries]
                columns = [column for column in item.columns[1:] if column != "text"]
                rows = []
                for entry in entries:
                    by_label = {field.label: field for field in entry.fields.values()}
                    rows.append(
                        [
                            self.scribe.link(entry.id, self.dull(entry.name), ""),
                            *(self.scribe.rule(by_label[column].words) if column in by_label else Markup("") for column in columns),
                        ]
                    )
                return table([self.text(heading(name)) for name in (item.columns[0], *columns)], rows)


def table(head: Iterable[Markup], rows: Iterable[Iterable[Markup]]) -> Markup:
    first = Markup("").join(Markup("<th>{}</th>").format(one) for one in head)
    rest = Markup("").join(Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(one) for one in row)) for row in rows)
    return Markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>").format(first, rest)
