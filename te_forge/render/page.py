"""What the book is made of before MkDocs sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

NOTHING = Markup("")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page that the side bar may show."""

    anchor: str
    title: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the book. `slug` is its file name without `.html`; `group` is `book` for chapters, `matter` for the pages that we add, `contents` and
    `lost` for the two that stand in no list.

    What goes over several pages is listed once: under its first page, as `name`. The others are `part_of` that page.
    """

    slug: str
    title: str
    html: Markup
    group: str = "book"
    toc: tuple[Heading, ...] = ()
    breadcrumbs: tuple[tuple[str, str], ...] = ()
    summary: str = ""
    name: str = ""
    part_of: str = ""
    source: str = ""
    """The title of the pack that a chapter comes from, when it is not the book's own."""

    @property
    def url(self) -> str:
        return f"{self.slug}.html"

    @property
    def listed(self) -> str:
        return self.name or self.title


@dataclass(frozen=True, slots=True)
class Book:
    """All pages in reading order, and the scripts with data that they load (by path in the site)."""

    title: str
    language: str
    pages: tuple[Page, ...]
    data: Mapping[str, str]
    footer: str = ""
    attribution: Markup = NOTHING


class BuildError(Exception):
    """The book that came out is not sound. Each message says what and where; together they are a bug of the pack or of te_forge."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__("\n".join(messages))
        self.messages = messages


class OutputRefused(Exception):
    """The output folder holds something that te_forge did not put there."""
