"""First pass: who is there. Kinds, entries, aliases, roles, outcomes, steps and options, before any sentence is read.

Names that a broken line was about to bring in are taken from its text all the same, so that one slip is not followed by a row of unknown names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from te_forge.check.bases import find_bases
from te_forge.check.below import (
    DIE,
    READING_HEADS,
    kind_meant,
    label_of,
    names_in,
    rules_of,
    strings,
    tables_of,
)
from te_forge.check.columns import capital, capitals_in_head
from te_forge.check.hidden import with_hidden
from te_forge.check.holds import OWN_WORDS
from te_forge.check.kinds import KindDeclarer
from te_forge.check.names import SWITCHES, Decl, Names, bare_name, odd
from te_forge.check.shown import show
from te_forge.check.tables import die_of
from te_forge.diagnostics import Findings, Label
from te_forge.frozen import replace
from te_forge.keys import fold, slug
from te_forge.model.rules import Text
from te_forge.model.system import Entry
from te_forge.renaming import capital as capitalised
from te_forge.renaming import new_titles
from te_forge.source import Span
from te_forge.suggest import a
from te_forge.syntax.headings import ANCHOR, safe_anchor
from te_forge.syntax.tree import Heading, Page, Rule, Step, Table

DEFINED = re.compile(r"([a-z][a-z-]*)\s*:\s*([^\W\da-z_].*)")
NUMBERED = r"(?:[Ss]tep +)?(\d+)[.):]? +([^\W\da-z_].*)"
KIND_THEN_NAME = r"([A-Za-z][a-z-]*)(\s*[-–—=|/:]\s*|\s+)([^\W\da-z_].*)"
"""`Pool Luck`, `pool - Luck`."""
NAMELESS = re.compile(r"[\s!-/:-@\[-`{-~–—]*")
"""Nothing but punctuation marks."""
CITE_TAIL = re.compile(r"(?<!\s)(?:\s*\[[A-Z]+-\d+\])+\s*$")


def given(entry: Entry) -> list[tuple[str, str]]:
    """The new names that a hack of a required pack gives."""
    patches = [patch for patch in entry.patches if patch.verb == "renames"]
    return [(patch.target, atom.text) for patch in patches for line in patch.lines for atom in line.value if isinstance(atom, Text)]


class Declarer(KindDeclarer):
    """Collects the declarations of one pack."""

    def __init__(self, pack: str, names: Names, findings: Findings) -> None:
        super().__init__(pack, names, findings)
        self.decls: dict[str, Decl] = {}
        self.capital_heads: list[tuple[Table, Decl | None, Page]] = []
        self.unread: set[str] = set()
        """The definitions of which a field was not understood, as has been said."""
        self.bulks: list[Table] = []
        """The tables of which each row is a thing."""
        self.page_heads: list[tuple[Page, list[tuple[Heading, Decl | None]]]] = []

    def run(self, pages: list[Page]) -> None:
        self.declared_kinds = {heading.name for page in pages for heading in page.headings if heading.kind == "kind"}
        with_hidden(pages, self.is_kind, self.findings)
        for page in pages:
            for heading in page.headings:
                self.deeper(heading, page)
                if heading.level == 1:
                    self.names.chapters.setdefault(fold(heading.name), f"{self.pack}:chapter/{heading.id or slug(heading.name)}")
                if heading.kind == "kind" and not heading.verb and heading.name:
                    self.kind(heading)
        self.kinds_called(pages)
        for page in pages:
            self.page(page)
        for table, owner, page in self.capital_heads:
            self.capital_head(table, owner, page)
        for decl in list(self.decls.values()):
            show(decl, self.names)
        self.new_names()
        find_bases(self.decls, self.names, self.findings)

    def new_names(self) -> None:
        """What hacks call things: a pack may use those names too, where nothing else has them."""
        own = [
            [(id, text) for patch in decl.patches if patch.verb == "renames" for id, text in self.renamed(patch)]
            for decl in self.decls.values()
            if decl.patches
        ]
        by_hack = [*own, *(given(entry) for entry in self.names.entries.values() if entry.patches)]
        kinds = {capitalised(old): capitalised(new) for old, new in self.new_kinds.items()}
        if not kinds and not any(by_hack):
            return
        titles = {id: title for id, title in self.names.title.items() if self.names.kind_of[id] != "kind"}
        longer = new_titles([kinds, *({titles[id]: text for id, text in pairs if id in titles} for pairs in by_hack)], titles)
        for id, text in (*(pair for pairs in by_hack for pair in pairs), *longer):
            self.names.given.add((fold(text), id))
            if not self.names.find(text):
                self.names.add(text, id)
                self.names.found.clear()

    def renamed(self, patch: Heading) -> list[tuple[str, str]]:
        """Which things a patch gives a new name."""
        ids = [id for id in self.names.find(patch.name, (patch.kind,)) if self.names.kind_of[id] == patch.kind]
        return [(id, text) for rule in rules_of(patch) for text in strings(rule)[:1] for id in ids]

    def capital_head(self, table: Table, owner: Decl | None, page: Page) -> None:
        """`| Attribute |`, where no other table has made the things that its rows name: it was meant to make them."""
        if not any(self.names.find(row[0].text) for row in table.rows):
            capital(table.head[0], self.findings)
            table.head[0] = replace(table.head[0], text=table.head[0].text.lower())
            self.bulk(table, owner, page)

    def deeper(self, heading: Heading, page: Page) -> None:
        """`# pool: Luck`: a chapter of that title, which was meant to be a definition."""
        found = DEFINED.fullmatch(heading.name) if heading.level == 1 and page.path.endswith(".te") else None
        if found is None or not self.is_kind(found[1]):
            return
        self.findings.add(
            "rule-outside-entry",
            f"`# {heading.name}` is only the title of a chapter",
            heading.span,
            help=f"a definition has two #: write `## {heading.name}`",
        )
        heading.level, heading.kind, heading.name = 2, found[1], found[2]

    # ------------------------------------------------------------ entries

    def page(self, page: Page) -> None:
        heads: list[tuple[Heading, Decl | None]] = []
        owner: Decl | None = None
        self.stray(page.preface)
        for table in page.preface:
            if isinstance(table, Table):
                self.bulk(table, None, page)
        for heading in page.headings:
            decl: Decl | None = None
            heading.kind = self.names.called.get(heading.kind, heading.kind)
            if heading.level == 3 and not heading.kind and owner is not None and owner.kind in ("hack", "reading"):
                heading.verb = heading.verb or "changes"  # what kind of thing that is, is told once all names are known
            if heading.level == 1:
                owner = None
                self.stray(heading.body)
            elif heading.verb:
                if heading.level == 2 or owner is None or owner.kind not in ("hack", "reading"):
                    self.findings.add(
                        "patch-outside-hack",
                        f"`{heading.verb}` is said in a hack or a reading",
                        heading.span,
                        help="write it with three # below `## hack: A Name`",
                    )
                else:
                    owner.patches.append(heading)
            elif heading.level == 2:
                owner = decl = self.entry(heading, None, page)
            else:
                if owner is None:
                    self.findings.add(
                        "part-without-owner", "a heading with three # is a part of the one with two # above it", heading.span, help="give it two #"
                    )
                decl = self.entry(heading, owner, page)
            heads.append((heading, decl))
            if heading.kind == "table" and not heading.verb:
                self.die_meant(heading)
            for table in tables_of(heading):
                self.bulk(table, owner if heading.level == 3 else None, page)
        self.page_heads.append((page, heads))

    def stray(self, body: Sequence[object]) -> None:
        """Rules and steps belong to an entry; below a mere title nothing would ever read them."""
        for part in body:
            if isinstance(part, Rule | Step):
                what = "step" if isinstance(part, Step) else "rule line"
                self.findings.add(
                    "rule-outside-entry", f"this {what} stands below no heading with two #, so it would never be used", part.span,
                    help="put it below `## rule: A Name` or another entry; begin a list in prose with `*`",
                )  # fmt: skip

    def entry(self, heading: Heading, owner: Decl | None, page: Page) -> Decl | None:
        if not heading.name:
            return None
        if NAMELESS.fullmatch(heading.name):
            self.findings.add(
                "heading-without-name", f"`{heading.name}` is no name", heading.name_span, help="a name begins with a letter or a figure"
            )
            return None
        if not heading.kind:
            self.without_kind(heading, owner)
        elif not self.known_kind(heading.kind, heading.kind_span):
            heading.kind = self.near_kind(heading.kind) or heading.kind
        kind = heading.kind or "rule"
        if kind != "kind":
            self.fit(heading.name, kind, heading.name_span)
        else:
            self.own_word(heading.name, heading.name_span)
        heading.name = bare_name(heading.name)
        decl = Decl("", kind, heading.name, heading.name_span, heading.cites, owner, heading, file=page.path)
        for rule in rules_of(heading):
            if "Also" in rule.text and label_of(rule) == "Also Called":
                decl.aliases += strings(rule) or names_in(rule)
        return self.register(decl, heading.id)

    def own_word(self, name: str, span: Span) -> None:
        """Complain about a name of a kind that is a word of the language."""
        if name in OWN_WORDS:
            self.findings.add(
                "odd-name", f"`a {name}` means something of its own in every game, so no kind is called that", span, help="choose another word"
            )

    def fit(self, name: str, kind: str, span: Span) -> None:
        """Complain about a name that is none, or that is written small."""
        wrong = odd(name, kind)
        if wrong is not None:
            self.findings.add("odd-name", wrong[0], span, help=wrong[1])
        else:
            self.capital(name, span)

    def capital(self, name: str, span: Span) -> None:
        if name[0].islower():
            self.findings.add("lower-case-title", "a name of the game begins with a capital", span, help=f"write `{name[0].upper()}{name[1:]}`")

    def without_kind(self, heading: Heading, owner: Decl | None) -> None:
        marks = "#" * heading.level
        if (step := re.fullmatch(NUMBERED, heading.name)) is not None:
            self.findings.add("heading-without-kind", "a step has no #", heading.name_span, help=f"write `{step[1]}. {step[2].rstrip('.')}.`")
            return
        heading.kind = kind_meant(heading, self.names)
        found = re.fullmatch(KIND_THEN_NAME, bare_name(heading.name))
        if found is not None and self.is_kind(found[1].lower()) and (found[2].strip() or heading.kind in ("", found[1].lower())):
            heading.kind, heading.name = found[1].lower(), found[3]
        inside = owner is not None and owner.kind == "procedure" and heading.level == 3
        help = (
            f"write `{marks} {heading.kind}: {heading.name}`"
            if heading.kind
            else f"write for example `{marks} rule: {heading.name}`; a title within prose takes four #: `#### {heading.name}`"
            if inside
            else f"write for example `{marks} rule: {heading.name}`; a mere title takes one #"
        )
        self.findings.add("heading-without-kind", "a heading with two or three # says what kind of thing it is", heading.name_span, help=help)

    def register(self, decl: Decl, anchor: str) -> Decl:
        decl.id = f"{self.pack}:{decl.kind}/{anchor or slug(decl.name)}"
        before = self.decls.get(decl.id)
        if before is not None:
            same = fold(before.name) == fold(decl.name)
            self.findings.add(
                "duplicate-name" if same else "duplicate-id",
                f"there is already {a(decl.kind)} called `{before.name}`"
                if same
                else f"`{decl.name}` and `{before.name}` have the same id `{decl.id.partition('/')[2]}`",
                decl.span,
                help=self.said_again(decl, before) if same else "give one of them an id of its own: `{#another-id}`",
                labels=[Label(before.span, "the first one is here")],
            )
            return before
        self.already_below(decl)
        self.decls[decl.id] = decl
        if decl.owner is not None:
            decl.owner.parts.append(decl.id)
        if decl.kind == "kind":
            self.names.kind_of[decl.id], self.names.title[decl.id] = "kind", decl.name
        else:
            self.names.add_entry(decl.id, decl.kind, decl.name, decl.aliases)
        return decl

    def already_below(self, decl: Decl) -> None:
        """A name that a required pack has given to a thing of this kind is not given again (what only a hack of it brings in may be: that hack need
        not be on).
        """
        if not self.names.entries:
            return
        same = [id for id in self.names.find(decl.name, (decl.kind,)) if id in self.names.entries and self.names.kind_of[id] == decl.kind]
        if same and decl.kind != "example" and self.names.entries[same[0]].owner is None:
            self.findings.add(
                "duplicate-name", f"there is already {a(decl.kind)} called `{decl.name}`, in {same[0].partition(':')[0]}", decl.span,
                help=f"to change it, write `### changes {decl.kind}: {decl.name}` in a hack; for another one, choose another name",
                labels=[Label(self.names.entries[same[0]].span, "it is here")],
            )  # fmt: skip

    def said_again(self, decl: Decl, before: Decl) -> str:
        """What to do with a second thing of one name: in a hack it is meant as a change, and beside a row of a table as the rest of that row."""
        if decl.owner is not None and decl.owner.kind in SWITCHES:
            return f"to change it, write `### changes {decl.kind}: {decl.name}`; for another one, choose another name"
        if (before.heading is None) != (decl.heading is None):
            return "a thing is defined in one place: take it out of the table, and write its columns as lines below the heading, `- Column: value`; for another one, choose another name"
        return "choose another name"

    def die_meant(self, heading: Heading) -> None:
        """`| Roll | .. |` below `## table:`, where the head names no die: it is told by the rows."""
        tables = tables_of(heading)
        if not tables or any(table.head[0].text == "at" or DIE.fullmatch(table.head[0].text.lower().replace(" ", "")) for table in tables):
            return
        cell = tables[0].head[0]
        die = die_of(cell.text, [row[0].text for row in tables[0].rows])
        if die and cell.text not in self.names.kinds and cell.text not in READING_HEADS:
            self.findings.add("table-without-rows", f"`{cell.text}` is no die, so nothing could be rolled here", cell.span, help=f"write `{die}`")
            tables[0].head[0] = replace(cell, text=die)

    def bulk(self, table: Table, owner: Decl | None, page: Page) -> None:
        head = table.head[0].text
        if head in self.names.called:
            head = self.names.called[head]
            table.head[0] = replace(table.head[0], text=head)
        if DIE.fullmatch(head.replace(" ", "")):
            head = head.replace(" ", "")
            table.head[0] = replace(table.head[0], text=head)
        small = head.lower()
        if small != head and (
            small in self.names.kinds or (small in ("label", "value") and len(table.head) > 1 and table.head[1].text.lower() == "holds")
        ):
            self.capital_heads.append((table, owner, page))
        elif small != head and DIE.fullmatch(small):
            capital(table.head[0], self.findings)
            table.head[0] = replace(table.head[0], text=small)
            return
        if DIE.fullmatch(head):
            capitals_in_head(table, self.findings)
        if head in READING_HEADS or DIE.fullmatch(head) or not head or not head[0].islower():
            return
        if not self.known_kind(head, table.head[0].span):
            near = self.near_kind(head)
            if near is None:
                self.names.lost.update(fold(row[0].text) for row in table.rows)
                return
            table.head[0] = replace(table.head[0], text=near)
            head = near
        self.bulks.append(table)
        names = [fold(cell.text) for cell in table.head]
        columns = {name: cell.span for name, cell in zip(names, table.head, strict=True)}
        for row in table.rows:
            stated = ANCHOR.search(row[0].text)
            name = CITE_TAIL.sub("", ANCHOR.sub("", row[0].text).rstrip()).strip().removeprefix("[[").removesuffix("]]")
            cites = tuple(re.findall(r"\[([A-Z]+-\d+)\]", row[0].text))
            if NAMELESS.fullmatch(name):
                self.findings.add("row-without-name", "the first cell of this row names nothing", row[0].span, help=f"write the name of the {head}")
                continue
            self.fit(name, head, row[0].span)
            anchor = safe_anchor(stated[1], row[0].span, self.findings) if stated is not None else ""
            cells = dict(zip(names, row, strict=False))
            aliases = re.findall(r'"([^"\n]+)"', cells["Also Called"].text) if "Also Called" in cells else []
            self.register(Decl("", head, name, row[0].span, cites, owner, None, cells, columns, aliases=aliases, file=page.path), anchor)
