"""Fourth pass: prose and chapters. Reading order is file order; what stands above the first heading of a file opens its chapter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import partial

from te_forge.check.below import DIE, READING_HEADS, label_of, rules_of
from te_forge.check.const import Known
from te_forge.check.declare import Declarer
from te_forge.check.lower import Lowerer
from te_forge.check.names import Decl, Names
from te_forge.check.prose import ProseReader
from te_forge.check.scope import Scope, entry_scope
from te_forge.diagnostics import Findings, Label
from te_forge.frozen import mutable, replace
from te_forge.keys import fold, slug
from te_forge.model import rules as m
from te_forge.model.system import Bulk, Cell, Chapter, Entry, Grid, Patch, Prose, RollTable, System, Words, plain
from te_forge.model.system import Step as StepModel
from te_forge.source import Span
from te_forge.syntax.tree import Heading, Page, Step, Table
from te_forge.syntax.tree import Prose as ProseTree

Item = Prose | Bulk | Grid | str


@mutable
class Draft:
    """A chapter that is being filled."""

    id: str
    title: str
    span: Span
    named: bool
    cites: tuple[str, ...] = ()
    items: list[Item] = field(default_factory=list)


MOST_CHAPTERS = 2_000
"""Each is a page of the book, and stands on its cover."""


def for_the_engine(table: Table) -> bool:
    """Whether a table is rolled, tracked or declares something, rather than being read."""
    return table.head[0].text in READING_HEADS or DIE.fullmatch(table.head[0].text) is not None


def unread(declared: Declarer, names: Names) -> frozenset[str]:
    """The definitions that have a line which does not read, and those whose kind has one."""
    found = declared.unread | {
        decl.id for decl in declared.decls.values() if decl.heading is not None and any(rule.tree is None for rule in rules_of(decl.heading))
    }
    kinds = {decl.name for decl in declared.decls.values() if decl.kind == "kind" and decl.id in found}
    return frozenset(found | {id for id, kind in names.kind_of.items() if kind in kinds})


class BookReader:
    """Puts prose into entries and entries into chapters."""

    def __init__(self, system: System, declared: Declarer, lowerer: Lowerer, names: Names, findings: Findings) -> None:
        self.system, self.declared, self.lowerer, self.findings = system, declared, lowerer, findings
        self.entries = dict(lowerer.entries)
        self.chapters: list[Draft] = []
        self.taken: dict[str, Draft] = {}
        titles = {
            fold(heading.name): f"{system.pack.id}:chapter/{heading.id or slug(heading.name)}"
            for page, heads in declared.page_heads for heading, _ in heads if heading.level == 1
        }  # fmt: skip
        self.reader = ProseReader(names, findings, partial(printed, Known(system)), titles)
        self.reader.unread = unread(declared, names)

    # ------------------------------------------------------------ chapters

    def run(self) -> tuple[dict[str, Entry], list[Chapter]]:
        for page, heads in self.declared.page_heads:
            self.page(page, heads)
        for decl in self.declared.decls.values():
            if decl.row:
                self.row(decl)
            if decl.patches:
                self.patches(decl)
        return self.entries, [Chapter(one.id, one.title, one.cites, tuple(one.items), one.span) for one in self.chapters]

    def page(self, page: Page, heads: list[tuple[Heading, Decl | None]]) -> None:
        chapter: Draft | None = None
        if any(isinstance(part, ProseTree | Table) for part in page.preface):
            chapter = self.chapter("", page.preface, page.headings[0].span if page.headings else Span(page.path, 1, 1, 1))
        for heading, decl in heads:
            if heading.level == 1:
                chapter = self.chapter(heading.name, heading.body, heading.name_span, heading.cites, heading.id)
                continue
            if heading.verb:
                continue
            if chapter is None:
                chapter = self.open("", slug(heading.name), heading.span)
            below = self.items(heading, decl)
            if decl is not None and decl.owner is None:
                chapter.items += [decl.id, *below]
            else:
                chapter.items += [item for item in below if isinstance(item, Grid)]  # what a part's tables define is printed with its owner

    def chapter(self, name: str, body: Sequence[object], span: Span, cites: tuple[str, ...] = (), id: str = "") -> Draft:
        self.reader.names.in_hack = False
        items: list[Item] = []
        found: list[str] = list(cites)
        for part in body:
            if isinstance(part, ProseTree):
                prose, cited = self.reader.prose(part, Scope())
                items.append(prose)
                found += cited
            elif isinstance(part, Table):
                if for_the_engine(part):
                    self.misplaced(part, "put it below the heading that it belongs to, such as `## table: A Name`")
                items += self.table(part)
        made = self.open(name, id or slug(name or self.system.pack.title), span)
        made.cites, made.items = tuple(dict.fromkeys(found)), items
        self.use(made.id)
        return made

    def open(self, name: str, slug: str, span: Span) -> Draft:
        """A new chapter. Two with one id would be one page, and the text of the first lost: names must differ, and one without a name gets an id of
        its own.
        """
        made = Draft(f"{self.system.pack.id}:chapter/{slug}", name or self.system.pack.title, span, bool(name))
        if (before := self.taken.get(made.id)) is not None:
            if made.named and before.named:
                self.same_chapter(made, before)
            made.id += f"~{len(self.chapters)}"
        if len(self.chapters) == MOST_CHAPTERS:
            self.findings.add(
                "too-many-chapters",
                f"this pack has more than {MOST_CHAPTERS} chapters",
                span,
                help="a chapter is a page of the book; give sections within one four #",
            )
        self.taken[made.id] = made
        self.chapters.append(made)
        return made

    def same_chapter(self, made: Draft, before: Draft) -> None:
        same = fold(before.title) == fold(made.title)
        self.findings.add(
            "duplicate-name" if same else "duplicate-id",
            f"there is already a chapter called `{before.title}`"
            if same
            else f"the chapters `{made.title}` and `{before.title}` have the same id `{made.id.partition('/')[2]}`",
            made.span,
            help="choose another name, or give one of them an id of its own: `{#another-id}`",
            labels=[Label(before.span, "the first one is here")],
        )

    def items(self, heading: Heading, decl: Decl | None) -> list[Item]:
        """The prose and reading tables below an entry's heading: prose goes into the entry, bulk tables come behind it."""
        self.reader.names.in_hack = decl is not None and (decl.kind in ("hack", "reading") or decl.owner is not None)
        out: list[Item] = []
        prose: list[Prose] = []
        cites: list[str] = []
        scope = entry_scope(decl, self.reader.names) if decl is not None else Scope()
        for part in heading.body:
            if isinstance(part, ProseTree):
                made, cited = self.reader.prose(part, scope)
                prose.append(made)
                cites += cited
            elif isinstance(part, Table) and not for_the_engine(part):
                out += self.table(part)
            elif isinstance(part, Table) and part.head[0].text == "row" and (decl is None or not decl.base):
                self.misplaced(part, "only a patch names rows; begin the table with a die, or with `label`")
        if decl is not None and decl.id in self.entries:
            entry = self.entries[decl.id]
            if entry.based is not None:
                self.copy(decl, entry.based, prose, cites)
                return out
            self.entries[decl.id] = replace(
                entry, prose=tuple(prose), cites=tuple(dict.fromkeys((*entry.cites, *cites, *(c for step in entry.steps for c in step.cites)))),
                steps=tuple(self.step(step, scope) for step in entry.steps),
                table=self.roll_table(entry.table, scope) if entry.table else None,
            )  # fmt: skip
            self.use(decl.id)
        return out

    def misplaced(self, table: Table, help: str) -> None:
        self.findings.add("table-in-wrong-place", f"nothing here reads a table that begins with `{table.head[0].text}`", table.span, help=help)

    def copy(self, decl: Decl, said: Patch, prose: list[Prose], cites: list[str]) -> None:
        """The words of what a copy says of itself."""
        entry = self.entries[decl.id]
        for part in decl.heading.body if decl.heading is not None else ():
            if isinstance(part, Step):
                self.no_step(part)
        tables = tuple(self.roll_table(table, Scope()) for table in said.tables)
        said = self.with_step_prose(said, decl.heading, entry_scope(decl, self.reader.names)) if decl.heading is not None else said
        self.entries[decl.id] = replace(
            entry, based=replace(said, prose=tuple(prose), tables=tables), cites=tuple(dict.fromkeys((*entry.cites, *cites)))
        )
        self.use(decl.id)

    def no_step(self, step: Step) -> None:
        self.findings.add(
            "step-in-patch", "a patch has no steps of its own, so this name would be lost", step.span,
            help=f"for a new step, say where it stands, `- {step.name} after ..:` with the step in front of it; to change one, name it, `- {step.name}:`; set its lines in below that",
        )  # fmt: skip

    def patches(self, decl: Decl) -> None:
        """The words of a hack's patches."""
        self.reader.names.in_hack = True
        entry = self.entries[decl.id]
        self.entries[decl.id] = replace(entry, patches=tuple(self.patch(*pair) for pair in zip(entry.patches, decl.patches, strict=True)))
        self.use(decl.id)

    def patch(self, patch: Patch, heading: Heading) -> Patch:
        target = self.declared.decls.get(patch.target)
        scope = entry_scope(target, self.reader.names) if target is not None else Scope()
        for part in heading.body:
            if isinstance(part, Step):
                self.no_step(part)
            elif isinstance(part, Table) and not self.patches_with(part, heading.kind):
                self.misplaced(part, "a patch changes lines and rows; put other tables below the heading of the hack")
        prose = tuple(self.reader.prose(part, scope)[0] for part in heading.body if isinstance(part, ProseTree))
        return replace(self.with_step_prose(patch, heading, scope), prose=prose)

    def with_step_prose(self, patch: Patch, heading: Heading, scope: Scope) -> Patch:
        """A patch with the text that it gives to single steps."""
        told = {fold(label_of(rule)): tuple(self.reader.prose(part, scope)[0] for part in rule.prose) for rule in rules_of(heading) if rule.prose}
        lines = (
            tuple(replace(line, prose=told[fold(line.label)]) if fold(line.label) in told else line for line in patch.lines) if told else patch.lines
        )
        return replace(patch, lines=lines)

    def patches_with(self, table: Table, kind: str) -> bool:
        head = table.head[0].text
        return {"label": kind == "kind", "value": kind == "procedure"}.get(head, for_the_engine(table) or head in self.system.kinds)

    def use(self, id: str) -> None:
        self.lowerer.mentions.setdefault(id, set()).update(self.reader.used)
        self.reader.used = set()

    def step(self, step: StepModel, scope: Scope) -> StepModel:
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
        prose, cites = self.reader.prose(ProseTree([(cell.text, cell.span)]), entry_scope(decl, self.reader.names))
        entry = self.entries[decl.id]
        if entry.based is not None:
            self.copy(decl, entry.based, [prose], list(cites))
            return
        self.entries[decl.id] = replace(entry, prose=(prose,), cites=tuple(dict.fromkeys((*entry.cites, *cites))))
        self.use(decl.id)


def printed(known: Known, expr: m.Expr) -> str | None:
    """What `{..}` prints. (No method of BookReader, whose reader would then hold BookReader in a circle: a whole pack would wait for the collector.)"""
    entries = known.system.entries
    if isinstance(expr, m.Stored) and isinstance(expr.of, m.Thing) and expr.of.id in entries:
        field = entries[expr.of.id].fields.get(slug(expr.label))
        if field is not None and len(field.value) == 1 and isinstance(field.value[0], m.Int):
            return str(field.value[0].value)
    number = known.value(expr, None)
    if number is not None:
        return str(number)
    match expr:
        case m.Bound(m.Thing(id), which) | m.Bound(m.Stat(_, m.Thing(id)), which):
            entry = entries.get(id)
            rule = known.rule(entry, which) if entry is not None and which in ("start", "least", "most") else None
            if rule is None:
                return None
            label = {"start": "starts", "least": "at-least", "most": "at-most"}[which]
            return plain(rule[1].fields[label].words)
        case m.Stored(m.Thing(id), label):
            field = entries[id].fields.get(slug(label)) if id in entries else None
            return plain(field.words) if field is not None else None
        case m.Stat(m.Thing(id), m.Thing(stat)) if id in entries and stat in entries:
            field = entries[id].fields.get(slug(entries[stat].name))
            return plain(field.words) if field is not None else None
        case m.Thing(id) if id in entries:
            return entries[id].name
        case _:
            return None
