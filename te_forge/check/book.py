"""Fourth pass: prose and chapters. Reading order is file order; what stands above the first heading of a file opens its chapter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from te_forge.check.const import Known
from te_forge.check.declare import DIE, READING_HEADS, Declarer
from te_forge.check.lower import Lowerer
from te_forge.check.names import Decl, Names, fold, slug
from te_forge.check.numbers import Scope
from te_forge.check.prose import ProseReader, plain
from te_forge.diagnostics import Findings
from te_forge.model import rules as m
from te_forge.model.system import Bulk, Cell, Chapter, Entry, Grid, Prose, RollTable, Step, System, Words
from te_forge.source import Span
from te_forge.syntax.tree import Heading, Page, Table
from te_forge.syntax.tree import Prose as ProseTree

Item = Prose | Bulk | Grid | str


class BookReader:
    """Puts prose into entries and entries into chapters."""

    def __init__(self, system: System, declared: Declarer, lowerer: Lowerer, names: Names, findings: Findings) -> None:
        self.system, self.declared, self.lowerer, self.findings = system, declared, lowerer, findings
        self.known = Known(system)
        self.entries = dict(lowerer.entries)
        chapters = {
            fold(heading.name): f"{system.pack.id}:chapter/{heading.id or slug(heading.name)}"
            for page, heads in declared.page_heads for heading, _ in heads if heading.level == 1
        }  # fmt: skip
        self.reader = ProseReader(names, findings, self.printed, chapters)

    # ------------------------------------------------------------ what {..} prints

    def printed(self, expr: m.Expr) -> str | None:
        number = self.known.value(expr, None)
        if number is not None:
            return str(number)
        match expr:
            case m.Bound(m.Thing(id), which) | m.Bound(m.Stat(_, m.Thing(id)), which):
                entry = self.system.entries.get(id)
                rule = self.known.rule(entry, which) if entry is not None and which in ("start", "least", "most") else None
                if rule is None:
                    return None
                label = {"start": "starts", "least": "at-least", "most": "at-most"}[which]
                return plain(rule[1].fields[label].words)
            case m.Stored(m.Thing(id), label):
                field = self.system.entries[id].fields.get(slug(label)) if id in self.system.entries else None
                return plain(field.words) if field is not None else None
            case m.Stat(m.Thing(id), m.Thing(stat)) if id in self.system.entries and stat in self.system.entries:
                field = self.system.entries[id].fields.get(slug(self.system.entries[stat].name))
                return plain(field.words) if field is not None else None
            case m.Thing(id) if id in self.system.entries:
                return self.system.entries[id].name
            case _:
                return None

    # ------------------------------------------------------------ chapters

    def run(self) -> tuple[dict[str, Entry], list[Chapter]]:
        chapters: list[Chapter] = []
        for page, heads in self.declared.page_heads:
            self.page(page, heads, chapters)
        for decl in self.declared.decls.values():
            if decl.row:
                self.row(decl)
        return self.entries, apart(chapters)

    def page(self, page: Page, heads: list[tuple[Heading, Decl | None]], chapters: list[Chapter]) -> None:
        open_ = False
        if any(isinstance(part, ProseTree | Table) for part in page.preface):
            chapters.append(self.chapter("", page.path, page.preface, page.headings[0].span if page.headings else Span(page.path, 1, 1, 1)))
            open_ = True
        for heading, decl in heads:
            if heading.level == 1:
                chapters.append(self.chapter(heading.name, page.path, heading.body, heading.name_span, heading.cites, heading.id))
                open_ = True
                continue
            if not open_:
                chapters.append(Chapter(f"{self.system.pack.id}:chapter/{slug(heading.name)}", self.system.pack.title, (), (), heading.span))
                open_ = True
            below = self.items(heading, decl)
            if decl is not None and decl.owner is None:
                chapters[-1] = replace(chapters[-1], items=(*chapters[-1].items, decl.id, *below))

    def chapter(self, name: str, path: str, body: Sequence[object], span: Span, cites: tuple[str, ...] = (), id: str = "") -> Chapter:
        items: list[Item] = []
        found: list[str] = list(cites)
        for part in body:
            if isinstance(part, ProseTree):
                prose, cited = self.reader.prose(part, Scope())
                items.append(prose)
                found += cited
            elif isinstance(part, Table):
                items += self.table(part)
        title = name or self.system.pack.title
        made = f"{self.system.pack.id}:chapter/{id or slug(title)}"
        self.use(made)
        return Chapter(made, title, tuple(dict.fromkeys(found)), tuple(items), span)

    def items(self, heading: Heading, decl: Decl | None) -> list[Item]:
        """The prose and reading tables below an entry's heading: prose goes into the entry, bulk tables come behind it."""
        out: list[Item] = []
        prose: list[Prose] = []
        cites: list[str] = []
        scope = self.lowerer.entry_scope(decl) if decl is not None else Scope()
        for part in heading.body:
            if isinstance(part, ProseTree):
                made, cited = self.reader.prose(part, scope)
                prose.append(made)
                cites += cited
            elif isinstance(part, Table) and part.head[0].text not in READING_HEADS and not DIE.fullmatch(part.head[0].text):
                out += self.table(part)
        if decl is not None and decl.id in self.entries:
            entry = self.entries[decl.id]
            self.entries[decl.id] = replace(
                entry, prose=tuple(prose), cites=tuple(dict.fromkeys((*entry.cites, *cites, *(c for step in entry.steps for c in step.cites)))),
                steps=tuple(self.step(step, heading, scope) for step in entry.steps),
                table=self.roll_table(entry.table, scope) if entry.table else None,
            )  # fmt: skip
            self.use(decl.id)
        return out

    def use(self, id: str) -> None:
        self.lowerer.mentions.setdefault(id, set()).update(self.reader.used)
        self.reader.used = set()

    def step(self, step: Step, heading: Heading, scope: Scope) -> Step:
        text = step.prose[0] if step.prose and isinstance(step.prose[0], str) else ""
        return replace(step, prose=self.words(text, step.span, scope))

    def words(self, text: str, span: Span, scope: Scope) -> Words:
        if not text:
            return ()
        return self.reader.prose(ProseTree([(text, span)]), scope)[0].words

    def roll_table(self, table: RollTable, scope: Scope) -> RollTable:
        rows = []
        for row in table.rows:
            cells = {name: self.text_cell(cell, row.span, scope) for name, cell in row.cells.items()}
            rows.append(replace(row, cells=cells))
        return replace(table, rows=tuple(rows))

    def text_cell(self, cell: Cell, span: Span, scope: Scope) -> Cell:
        if len(cell.words) == 1 and isinstance(cell.words[0], str) and not cell.meaning:
            return replace(cell, words=self.words(cell.words[0], span, scope))
        return cell

    def table(self, table: Table) -> list[Item]:
        head = table.head[0].text
        columns = tuple(cell.text for cell in table.head)
        if head in self.system.kinds:
            ids = tuple(decl.id for row in table.rows if (decl := self.decl_at(row[0].span)) is not None)
            return [Bulk(head, columns, ids, table.span)] if ids else []
        if not head[:1].islower():
            rows = tuple(tuple(self.words(cell.text if cell.text != "-" else "", cell.span, Scope()) for cell in row) for row in table.rows)
            return [Grid(columns, rows, table.span)]
        return []

    def decl_at(self, span: Span) -> Decl | None:
        if not hasattr(self, "_at"):
            self._at = {decl.span: decl for decl in self.declared.decls.values() if decl.row}
        return self._at.get(span)

    def row(self, decl: Decl) -> None:
        cell = decl.row.get("text")
        if cell is None or cell.text in ("", "-"):
            return
        prose, cites = self.reader.prose(ProseTree([(cell.text, cell.span)]), self.lowerer.entry_scope(decl))
        entry = self.entries[decl.id]
        self.entries[decl.id] = replace(entry, prose=(prose,), cites=tuple(dict.fromkeys((*entry.cites, *cites))))
        self.use(decl.id)


def apart(chapters: list[Chapter]) -> list[Chapter]:
    """The chapters with an id each: of two with one title, `[[Title]]` means the first."""
    count: dict[str, int] = {}
    out = []
    for chapter in chapters:
        number = count[chapter.id] = count.get(chapter.id, 0) + 1
        out.append(chapter if number == 1 else replace(chapter, id=f"{chapter.id}-{number}"))
    return out
