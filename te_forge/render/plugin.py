"""The plug-in for MkDocs: a designer's own site with the rulebook in it, in three lines of mkdocs.yml.

It makes the book as `te-forge build` does and hands its pages to MkDocs in the same way (`te_forge.render.site`). What is added here is that the site
is somebody else's: it may have pages, a navigation and a theme of its own, and while it is served the pack is read again when it changes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from markupsafe import Markup
from mkdocs.config import base, config_options
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.nav import Section

from te_forge.attribution import before_printing
from te_forge.diagnostics import has_errors
from te_forge.examples import accounts_of
from te_forge.packs import Loaded, asked_for, load
from te_forge.render.book import make_book
from te_forge.render.indexes import Account
from te_forge.render.page import BuildError, Heading, Page
from te_forge.render.serve import look
from te_forge.render.site import BookPlugin
from te_forge.report import as_text
from te_forge.resources import folder

THEME = "te_forge"
NO_FOLDER = re.compile(r'[\\:*?"<>|\x00-\x1f]')
LONGEST = 100
"""So many bytes may the name of a folder of the site have, so that its pages still have names below it."""
BESIDE = "rulebook/"
"""Where the book lies on a site that has a first page of its own."""

theme = SimpleNamespace(__file__=str(folder("templates") / "theme" / "main.html"))
"""What the entry point of the theme names: MkDocs looks for templates in the folder of `__file__`, and ours lies outside of the package."""


class RulebookConfig(base.Config):  # type: ignore[misc, no-any-unimported, no-untyped-call, unused-ignore]
    pack = config_options.Type(str, default=".")
    at = config_options.Optional(config_options.Type(str))


class Rulebook(BasePlugin[RulebookConfig]):  # type: ignore[misc, no-any-unimported, unused-ignore]
    """Puts the rulebook of `pack` (a folder beside mkdocs.yml, or the name of a pack) into the site, at the folder `at`."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call, unused-ignore]
        self.live = False
        self.seen: object = None
        self.inner: BookPlugin | None = None
        self.watched: list[Path] = []

    # ------------------------------------------------------------ reading the pack

    def on_startup(self, *, command: str, dirty: bool) -> None:
        self.live = command == "serve"

    def on_config(self, config: Any) -> Any:
        at = self.place(config)
        state = (look(self.watched), at)
        if self.inner is None or self.seen != state or not self.watched:
            self.inner = self.printed(config, at)
            self.seen = (look(self.watched), at)
        return config

    def place(self, config: Any) -> str:
        """The folder of the book in the site, with a slash behind it; nothing when the book is the site."""
        said = self.config.at
        if said is None:
            has_front = any((Path(config.docs_dir) / name).is_file() for name in ("index.md", "README.md"))
            return BESIDE if has_front else ""
        parts = [part for part in said.split("/") if part]
        if any(part in (".", "..") or NO_FOLDER.search(part) or len(part.encode("utf-8")) > LONGEST for part in parts):
            raise PluginError(f"te_forge: `at: {said}` is no folder in the site that every system takes; write for example `at: rules`")
        return "".join(f"{part}/" for part in parts)

    def printed(self, config: Any, at: str) -> BookPlugin:
        """The book as it is now. What is wrong with the pack stops the build, with every place."""
        loaded = load(self.named(config))
        self.watched = folders(loaded)
        found = before_printing(loaded.diagnostics)
        accounts: Mapping[str, Account] = {}
        if loaded.system is not None and not has_errors(found):
            accounts, said = accounts_of(loaded.system)
            found = [*found, *said]
        if loaded.system is None or has_errors(found):
            raise PluginError(f"te_forge: the pack has mistakes\n\n{as_text(found, loaded.sources)}")
        try:
            return BookPlugin(make_book(loaded.system, loaded.assets, accounts), loaded.assets, at)
        except BuildError as error:
            raise PluginError(f"te_forge: {error}") from None

    def named(self, config: Any) -> str:
        """The pack beside mkdocs.yml, or else one of that name."""
        beside = str(Path(config.config_file_path or ".").absolute().parent / self.config.pack)
        return beside if os.path.exists(beside) else str(self.config.pack)  # noqa: PTH110  (`Path.exists` raises for a name that is too long)

    def on_serve(self, server: Any, *, config: Any, builder: Any) -> Any:
        for root in self.watched:
            server.watch(str(root))
        return server

    # ------------------------------------------------------------ pages

    @property
    def book(self) -> BookPlugin:
        assert self.inner is not None
        return self.inner

    def on_files(self, files: Any, *, config: Any) -> Any:
        for file in self.book.files(config):
            if (theirs := files.get_file_from_path(file.src_uri)) is not None:
                raise PluginError(
                    f"te_forge: the site has a file {theirs.src_uri}, and the book too; put the book into a folder of its own, with `at: rules` below `te_forge:`"
                )
            files.append(file)
        return files

    def on_nav(self, nav: Any, *, config: Any, files: Any) -> Any:
        """The pages of the book in their order, in a section behind those of the site, unless the site has its own navigation that names them."""
        if config.nav is None:
            listed = [files.get_file_from_path(source).page for source, page in self.book.by_source.items() if page.group != "lost"]
            section = Section(self.book.book.title, listed)
            nav.items = [*(item for item in (self.theirs(item) for item in nav.items) if item is not None), section]
            nav.pages = [page for page in nav.pages if page.file.src_uri not in self.book.by_source] + listed
            for page in listed:
                page.parent = section
        for page, before, after in zip(nav.pages, [None, *nav.pages], [*nav.pages[1:], None], strict=False):
            page.previous_page, page.next_page = before, after
        return nav

    def theirs(self, item: Any) -> Any:
        """A part of a navigation without the pages of the book; None when nothing is left of it."""
        if getattr(item, "children", None) is None:
            return None if getattr(item, "file", None) is not None and item.file.src_uri in self.book.by_source else item
        item.children = [one for one in map(self.theirs, item.children) if one is not None]
        return item if item.children else None

    def on_env(self, env: Any, *, config: Any, files: Any) -> Any:
        return self.book.on_env(env, config, files) if config.theme.name == THEME else env

    def on_page_markdown(self, markdown: str, *, page: Any, config: Any, files: Any) -> str:
        if (ours := self.book.by_source.get(page.file.src_uri)) is not None:
            page.meta["title"] = ours.title
        return markdown

    def on_page_content(self, html: str, *, page: Any, config: Any, files: Any) -> str:
        ours = self.book.by_source.get(page.file.src_uri)
        return ours.html if ours is not None else Markup(html)

    def on_page_context(self, context: Any, *, page: Any, config: Any, nav: Any) -> Any:
        if config.theme.name != THEME:
            return context
        is_ours = page.file.src_uri in self.book.by_source
        up = "" if context["base_url"] == "." else f"{context['base_url']}/"
        if is_ours:
            context = self.book.on_page_context(context, page, config, nav)
        else:
            before, chapters, after = self.book.neighbours(NOBODY)
            context.update(
                ours=as_page(page),
                book=self.book.book,
                home=self.book.book.pages[0],
                chapters=chapters,
                more_before=before,
                more_after=after,
                matter=self.book.matter,
                terms=self.book.terms,
            )
        theirs = [one for one in nav.pages if one.file.src_uri not in self.book.by_source]
        own = [(one.title, relative(one, page), one is page) for one in theirs]
        front = f"{up}{nav.homepage.url}" if nav.homepage is not None else f"{up}{self.book.at}index.html"
        context.update(
            up=up, to_book="" if is_ours else f"{up}{self.book.at}", own=own, front=config.site_name, front_url=front or "./", live=self.live
        )
        return context


NOBODY = Page("", "", Markup(""))


def as_page(page: Any) -> Page:
    """A page of the site, as the theme knows pages."""
    headings = [Heading(one.id, one.title, 2) for top in page.toc for one in ((top, *top.children) if top.level > 1 else top.children)]
    return Page("", str(page.title or ""), Markup(""), "own", tuple(headings))


def relative(page: Any, here: Any) -> str:
    return str(page.file.url_relative_to(here.file))


def folders(loaded: Loaded) -> list[Path]:
    """The folders of a pack and of all that it requires, which are looked at while the site is served."""
    needs = asked_for(loaded) or []
    return sorted({place for place in (loaded.root, *(found for _, _, found in needs)) if os.path.exists(place)})  # noqa: PTH110  (as above)
