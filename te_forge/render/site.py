"""The book as a site: MkDocs, driven through its Python API. No other module knows MkDocs.

MkDocs empties its output folder, so it never sees the real one: the site is built next to it and put in its place in one move when it is whole and
its links are checked. A crash leaves the old book where it was; what `output` did not write is never replaced.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jinja2 import StrictUndefined
from markupsafe import Markup
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File

from te_forge.files import Picture
from te_forge.model.system import System
from te_forge.render.book import NOTHING_PLAYED, make_book
from te_forge.render.indexes import Account
from te_forge.render.links import check_links
from te_forge.render.output import MARKER, manifest, put_in_place, refuse_foreign
from te_forge.render.page import Book, BuildError, Page
from te_forge.render.workshop import OLD, clear_abandoned, workshop
from te_forge.resources import folder

NEIGHBOURS = 24
"""How many chapters before and after the open one the side bar shows: all of them on every page would grow with the square of the book."""


def build_site(system: System, out: Path, assets: Mapping[str, Picture], accounts: Mapping[str, Account] = NOTHING_PLAYED) -> list[str]:
    """Build `system`'s rulebook into `out` and return the paths of its files. `assets` maps `assets/map.png` to the file to copy; `accounts` are
    those of `make_book`.

    Raises `OutputRefused` when `out` holds anything but a book of ours as it was built, `BuildError` when a link of the book leads nowhere; `out` is
    untouched then.
    """
    out = out.absolute()
    refuse_foreign(out)
    clear_abandoned(out)
    book = make_book(system, assets, accounts)
    out.parent.mkdir(parents=True, exist_ok=True)
    with workshop(out) as work:
        made = work / "new"
        run_mkdocs(book, made, work, assets)
        if problems := check_links(made):
            raise BuildError(problems)
        (made / MARKER).write_text(manifest(made), encoding="utf-8", errors="surrogateescape")
        put_in_place(made, out, work / OLD)
    return sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())


# ---------------------------------------------------------------- MkDocs


DAY = "SOURCE_DATE_EPOCH"


def run_mkdocs(book: Book, into: Path, work: Path, assets: Mapping[str, Picture]) -> None:
    docs = work / "docs"
    docs.mkdir()
    with captured() as complaints, no_day():
        config = load_config(
            config_file=io.BytesIO(b"site_name: book\n"),
            site_name=book.title,
            docs_dir=str(docs),
            site_dir=str(into),
            theme={"name": None, "custom_dir": str(folder("templates") / "theme"), "locale": "en"},
            nav=[{page.title: f"{page.slug}.md"} for page in book.pages if page.group != "lost"],
            use_directory_urls=False,
            strict=False,
            plugins=[],
        )
        config.plugins["te_forge"] = BookPlugin(book, assets)
        config.plugins.on_startup(command="build", dirty=False)
        try:
            build(config)
        except Abort as error:
            complaints.append(str(error))
        finally:
            config.plugins.on_shutdown()
    if complaints:
        raise BuildError(complaints)


@contextlib.contextmanager
def no_day() -> Iterator[None]:
    """No book says on which day it was built. MkDocs works the day out all the same, and falls over a SOURCE_DATE_EPOCH that is no number."""
    kept = os.environ.get(DAY)
    os.environ[DAY] = "0"
    try:
        yield
    finally:
        if kept is None:
            del os.environ[DAY]
        else:
            os.environ[DAY] = kept


class BookPlugin(BasePlugin):  # type: ignore[misc, type-arg, no-untyped-call, unused-ignore]
    """Gives our finished pages to MkDocs, which puts them into the theme with its navigation."""

    def __init__(self, book: Book, assets: Mapping[str, Picture], at: str = "") -> None:
        super().__init__()
        self.book, self.assets, self.at = book, assets, at
        self.by_source = {f"{at}{page.slug}.md": page for page in book.pages if not at or page.group != "lost"}
        self.chapters = [page for page in book.pages if page.group == "book" and not page.part_of]
        self.matter = [page for page in book.pages if page.group == "matter" and page.slug != "index" and not page.part_of]
        self.terms = sum(path.startswith("js/terms-") for path in book.data)
        self.numbers = {page.slug: number for number, page in enumerate(self.chapters)}

    def on_config(self, config: Any) -> Any:
        # A site map needs the site's address, which a book does not know; it also carries the day of the build.
        config.theme.static_templates = set()
        config.markdown_extensions = []
        config.mdx_configs = {}
        return config

    def on_files(self, files: Any, config: Any) -> Any:
        if (unfilled := files.get_file_from_path("sitemap.xml")) is not None:
            files.remove(unfilled)
        for file in self.files(config):
            files.append(file)
        return files

    def files(self, config: Any) -> Iterator[Any]:
        """The pages, their data and their pictures. Pages keep their names (`magic.html`), since that is how they link to one another."""
        for source in self.by_source:
            yield generated(config, source, "")
        for path, text in self.book.data.items():
            yield generated(config, path, text)
        for path, real in sorted(self.assets.items()):
            yield generated(config, f"{self.at}{path}", real.read_bytes())

    def on_env(self, env: Any, config: Any, files: Any) -> Any:
        env.autoescape = True
        env.undefined = StrictUndefined
        env.trim_blocks = env.lstrip_blocks = True
        return env

    def on_page_content(self, html: str, page: Any, config: Any, files: Any) -> Markup:
        return self.by_source[page.file.src_uri].html

    def on_page_context(self, context: Any, page: Any, config: Any, nav: Any) -> Any:
        ours = self.by_source[page.file.src_uri]
        before, chapters, after = self.neighbours(ours)
        context.update(
            ours=ours,
            book=self.book,
            front=self.book.title,
            front_url=self.book.pages[0].url,
            up="",
            to_book="",
            own=(),
            live=False,
            home=self.book.pages[0],
            chapters=chapters,
            more_before=before,
            more_after=after,
            matter=self.matter,
            terms=self.terms,
        )
        return context

    def neighbours(self, page: Page) -> tuple[bool, list[Page], bool]:
        """The chapters around the open page, and whether there are more before and after."""
        low = max(0, min(self.numbers.get(page.part_of or page.slug, 0) - NEIGHBOURS, len(self.chapters) - 2 * NEIGHBOURS))
        high = low + 2 * NEIGHBOURS
        return low > 0, self.chapters[low:high], high < len(self.chapters)


def generated(config: Any, path: str, content: str | bytes) -> Any:
    file = File(path, src_dir=None, dest_dir=config.site_dir, use_directory_urls=False)
    file.generated_by = "te_forge"
    if isinstance(content, str):
        file.content_string = content
    else:
        file.content_bytes = content
    return file


@contextlib.contextmanager
def captured() -> Iterator[list[str]]:
    """Keeps MkDocs silent, and collects its warnings and errors."""
    messages: list[str] = []

    class Collect(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            messages.append(record.getMessage())

    logger = logging.getLogger("mkdocs")
    handler = Collect(logging.WARNING)
    kept = logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield messages
    finally:
        logger.removeHandler(handler)
        logger.propagate = kept
