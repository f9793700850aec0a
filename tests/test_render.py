"""The book of the sample game: links, terms, sentences, hostile text, and the same bytes every time."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest
from render_sample import HOSTILE, SNIPPETS, chapter, entry, hostile, id_of, prose, ref, sample

from te_forge.model.system import Chapter, Prose, Ref, System
from te_forge.render.book import make_book
from te_forge.render.data import shelf
from te_forge.render.links import check_links
from te_forge.render.output import LITTER, MARKER, put_in_place
from te_forge.render.page import BuildError, OutputRefused, Page
from te_forge.render.places import Places
from te_forge.render.prose import Scribe, Section
from te_forge.render.site import build_site
from te_forge.render.terms import Glossary, first_sentence

HERE = Path(__file__).parent


def digest(root: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.is_file():
            found.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "book"
    build_site(sample(), out, {})
    return out


@pytest.fixture(scope="module")
def bad_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "bad book"
    build_site(hostile(), out, {})
    return out


def page(system: System, slug: str) -> Page:
    return next(page for page in make_book(system).pages if page.slug == slug)


def rendered(text: str, system: System | None = None, own: str = "") -> str:
    system = system or sample()
    return str(Scribe(Places(system), Glossary(system)).prose((text,), Section("here", own)))


# ---------------------------------------------------------------- the pages


def test_every_entry_has_an_anchor_and_every_link_leads_to_one(site: Path) -> None:
    assert check_links(site) == []
    system, places = sample(), Places(sample())
    for one in system.entries.values():
        text = (site / f"{places.pages[one.id]}.html").read_text(encoding="utf-8")
        assert text.count(f'id="{places.anchor(one.id)}"') == 1, one.id


def test_pages_are_small_ask_no_other_host_and_forbid_inline_scripts(site: Path, bad_site: Path) -> None:
    for root in (site, bad_site):
        fixed = sum((root / path).stat().st_size for path in ("css/book.css", "js/book.js", "js/theme.js"))
        for path in root.glob("*.html"):
            text = path.read_text(encoding="utf-8")
            assert "Content-Security-Policy" in text
            assert not re.search(r'(?:src|<link[^>]*href)="(?:https?:)?//', text), path.name
            assert path.stat().st_size + fixed <= 60_000, path.name


def test_a_procedure_is_numbered_and_its_rules_read_as_sentences() -> None:
    html = str(page(sample(), "the-night").html)
    assert "<b>Light.</b> Say who carries the lantern" in html
    assert re.search(r'<b>Pay.</b> The walker pays 1 <a class="term" href="gifts-and-crafts.html#e-pool-oil">Oil</a>\.</li>', html)
    assert "<b>Choose.</b> The walker chooses one:" in html
    assert "<b>Stay.</b> Nothing." in html
    assert 'id="e-procedure-night--walk--choose--run"' in html


def test_a_rule_without_prose_is_a_sentence_in_the_glossary() -> None:
    assert "After a roll by a wanderer: the keeper gains 1 Oil for each die showing 1." in page(sample(), "glossary").html


def test_what_cites_a_ruling_is_marked() -> None:
    html = page(sample(), "the-night").html
    assert html.count('class="ruling-mark" href="rulings-and-hacks.html#e-ruling-a-tie-at-dawn"') == 2


def test_rulings_say_how_they_read_why_and_what_answers_them() -> None:
    html = page(sample(), "rulings-and-hacks").html
    for text in ("A tie is Dark.", "The night is long.", "A tie is Dawn.", "Kind Dawn"):
        assert text in html


def test_a_hack_says_what_it_replaces_and_whether_it_is_on() -> None:
    html = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", str(page(sample(), "rulings-and-hacks").html)))
    assert "Optional." in html and "Changes Dark From Ones" in html and "Takes out Long Rope" in html


def with_chapters(system: System, *more: Chapter) -> System:
    return replace(system, chapters=(*system.chapters, *more))


def slugs(system: System) -> list[str]:
    return [page.slug for page in make_book(system).pages]


def test_a_chapter_that_holds_all_rulings_is_their_only_page() -> None:
    assert "all-rulings" not in slugs(sample())


def test_rulings_spread_over_chapters_are_listed_once_with_their_reading() -> None:
    base = sample()
    other = replace(base.entries[id_of("ruling", "A Tie At Dawn")], id=id_of("ruling", "Wet Oil"), name="Wet Oil")
    system = with_chapters(replace(base, entries={**base.entries, other.id: other}), chapter("Wet", other.id))
    html = str(page(system, "all-rulings").html)
    assert html.count("Who wins a tie of Night? We read: a tie is Dark.") == 2
    assert 'href="wet.html#e-ruling-wet-oil"' in html and "the night is long" not in html


def test_a_kind_has_a_capital_among_the_parts_of_a_chapter_too(tmp_path: Path) -> None:
    base = sample()
    many = [
        replace(entry("kind", name, "It is made of iron and wood, and it is heavier than it looks. " * 400), name=name)
        for name in ("gear", "wnd", "hero")
    ]
    system = with_chapters(replace(base, entries={**base.entries, **{one.id: one for one in many}}), chapter("Sorts", *(one.id for one in many)))
    found = [page for page in make_book(system).pages if page.slug.startswith("sorts")]
    assert ["1 Gear" in str(one.html) and "2 WND" in str(one.html) and "3 Hero" in str(one.html) for one in found] == [True, True, True]


def test_a_long_chapter_goes_over_several_pages_and_is_listed_once(tmp_path: Path) -> None:
    base = sample()
    many = [entry("gear", f"Tool {n:03}", "It is made of iron and wood, and it is heavier than it looks. " * 4) for n in range(150)]
    system = with_chapters(replace(base, entries={**base.entries, **{one.id: one for one in many}}), chapter("Tools", *(one.id for one in many)))
    found = [page for page in make_book(system).pages if page.slug.startswith("tools")]
    assert [page.slug for page in found] == ["tools", *(f"tools-{n}" for n in range(2, len(found) + 1))] and 3 <= len(found) <= 5
    assert {page.part_of for page in found[1:]} == {"tools"} and found[1].title == "Tools, page 2"
    sizes = [len(page.html) for page in found]
    assert max(sizes) < 1.2 * min(sizes)
    for one in many:
        assert sum(f'id="e-gear-{one.slug}"' in page.html for page in found) == 1
    build_site(system, tmp_path / "book", {})
    text = (tmp_path / "book" / "tools-2.html").read_text(encoding="utf-8")
    assert text.count('<li><a href="tools.html" aria-current="true">Tools</a>') == 1
    assert '<li><a href="tools-2.html"' not in (tmp_path / "book" / "index.html").read_text(encoding="utf-8")


def test_a_long_text_goes_over_several_pages_at_its_paragraphs() -> None:
    paragraph = "It was a dark night, and the story went on and on, as stories do when nobody minds. " * 6
    text = "\n\n".join(
        f"{n} begins no paragraph.\n\nPara {n}. {paragraph}\n\n* one\n\n* two\n\n  Still two.\n\n```\nCode {n}\n\nMore code\n```" for n in range(150)
    )
    oil = ref("pool", "Oil")
    system = with_chapters(sample(), chapter("Story", *prose("Begin.\n\n", oil, f" it is.\n\n{text}")))
    found = [page for page in make_book(system).pages if page.slug.startswith("story")]
    assert 4 <= len(found) <= 6 and max(len(page.html) for page in found) < 31_000
    whole = "".join(page.html for page in found)
    for part, count in (
        ("<p>Para ", 150),
        ("\n\nMore code", 150),
        ("<p>Still two.</p>\n</li>", 150),
        ("begins no paragraph", 150),
        ("Oil</a> it is", 1),
    ):
        assert whole.count(part) == count, part


def test_a_reading_stays_with_its_ruling() -> None:
    base = sample()
    ruling, reading = base.entries[id_of("ruling", "A Tie At Dawn")], base.entries[id_of("reading", "Kind Dawn")]
    pairs = [
        (
            replace(ruling, id=id_of("ruling", f"Q {n}"), name=f"Q {n}", prose=prose("A long question, is it not? " * (20 + n % 7))),
            replace(reading, id=id_of("reading", f"A {n}"), name=f"A {n}"),
        )
        for n in range(60)
    ]
    made = {one.id: one for pair in pairs for one in pair}
    system = with_chapters(replace(base, entries={**base.entries, **made}), chapter("Questions", *made))
    places = Places(system)
    assert len(places.portions[system.chapters[-1].id]) > 2
    assert all(places.pages[question.id] == places.pages[answer.id] for question, answer in pairs)


def test_the_contents_of_a_very_long_book_go_over_several_pages() -> None:
    system = with_chapters(sample(), *(chapter(f"Road {n:03}", *prose("It goes on.")) for n in range(600)))
    found = {page.slug: page for page in make_book(system).pages}
    assert {"contents", "contents-2", "contents-3"} <= set(found)
    home = found["index"].html
    assert len(home) < 8_000 and 'href="contents-3.html"' in home and "road-000.html" not in home
    assert 'href="road-599.html"' in found["contents-3"].html and 'start="501"' in found["contents-3"].html


def test_a_lost_page_leads_back(site: Path) -> None:
    text = (site / "404.html").read_text(encoding="utf-8")
    assert 'href="index.html#contents"' in text and 'rel="next"' not in text and "<h1>Not in This Book" in text
    assert "404.html" not in (site / "index.html").read_text(encoding="utf-8")


def test_a_long_list_is_named_once_in_the_contents() -> None:
    base = sample()
    many = [entry("gear", f"{letter} {n}", "One of many.") for letter in "ABCDEF" for n in range(60)]
    home = str(page(replace(base, entries={**base.entries, **{one.id: one for one in many}}), "index").html)
    assert home.count(">Glossary</a>") == 1 and "glossary-2" not in home


def test_a_roll_table_carries_its_die_and_ranges() -> None:
    html = page(sample(), "the-night").html
    assert 'data-die="2d6"' in html and 'data-low="5" data-high="9"' in html and "5–9" in html
    assert 'data-die="at"' not in html


def test_an_entry_outside_every_chapter_is_in_the_appendix() -> None:
    base = sample()
    stray = entry("gear", "Stray", "Found late.")
    system = replace(base, entries={**base.entries, stray.id: stray})
    assert 'id="e-gear-stray"' in page(system, "appendix").html


def test_the_license_page_has_the_attribution_word_for_word() -> None:
    html = page(sample(), "license").html
    assert "This work draws on &#34;Old Lamps&#34; by B. Maker." in html
    assert "Lanterns at Dusk 1.2.0 by Ada Writer. Licensed under CC BY 4.0" in html


def test_a_long_glossary_goes_over_several_pages() -> None:
    base = sample()
    many = [entry("gear", f"Thing {n:03}", "One of many.") for n in range(500)]
    system = replace(base, entries={**base.entries, **{one.id: one for one in many}})
    pages = [page.slug for page in make_book(system).pages if page.slug.startswith("glossary")]
    assert pages == ["glossary", *(f"glossary-{n}" for n in range(2, len(pages) + 1))] and 5 <= len(pages) <= 8


# ---------------------------------------------------------------- terms in prose


@pytest.fixture(scope="module")
def terms() -> System:
    """The terms of case C14."""
    names = ("Tension", "Tension Pool", "Exploding Tension", "Armor", "Armored", "Aim", "d6")
    made = {one.id: one for one in (entry("gear", name, "") for name in names)}
    return replace(sample(), entries=made, chapters=(Chapter("lanterns:chapter/x", "X", (), tuple(made), sample().chapters[0].span),), users={})


def linked(text: str, system: System, own: str = "") -> list[str]:
    return re.findall(r'<a class="term"[^>]*>([^<]*)</a>', rendered(text, system, own))


def test_the_longest_whole_term_is_linked_and_never_the_own_one(terms: System) -> None:
    text = "Exploding Tension: when the Tension Pool … aimed … an Armored foe's armor … claim … `Tension` in code … d66"
    assert linked(text, terms, id_of("gear", "Exploding Tension")) == ["Tension Pool", "Armored"]
    assert linked(text, terms) == ["Exploding Tension", "Tension Pool", "Armored"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Take Aim. Then Aim once more.", ["Aim"]),
        ("## Aim\n\nNo link in a heading.", []),
        ("[Aim](https://example.org) stays one link.", []),
        ("Its Armor's edge, Tension’s cost.", ["Armor", "Tension"]),
        ("Armored-plate and Tension_x and Aims.", []),
        ("the aim of tension", []),
        ("Aim and **Armor**", ["Aim", "Armor"]),
    ],
)
def test_terms(text: str, expected: list[str], terms: System) -> None:
    assert linked(text, terms) == expected


def test_an_ordinary_word_is_no_term_at_the_start_of_a_sentence() -> None:
    assert "Hide" not in linked("Hide now. Hide!", sample())
    assert linked("You may Hide now.", sample()) == ["Hide"]


def test_a_term_that_could_mean_two_things_is_left_alone() -> None:
    base = sample()
    twin = entry("knack", "Oil", "")
    assert linked("Spend Oil.", replace(base, entries={**base.entries, twin.id: twin})) == []


def test_references_survive_markdown() -> None:
    system = sample()
    scribe = Scribe(Places(system), Glossary(system))
    oil = ref("pool", "Oil", "<Oil>")
    html = scribe.prose(("**", oil, "** `", oil, "` [x ", oil, "](https://example.org) [y](https://", oil, ")"), Section("here"))
    assert '<strong><a class="term" href="gifts-and-crafts.html#e-pool-oil">&lt;Oil&gt;</a></strong>' in html
    assert "<code>&lt;Oil&gt;</code>" in html
    assert '<a href="https://example.org" rel="noopener nofollow">x &lt;Oil&gt;</a>' in html
    assert "[y](https://" in html and html.count("<a ") == 3
    assert not re.search("[\ue000-\uf8ff]|%EE%80", html)


def test_headings_of_prose_go_below_the_heading_above_them() -> None:
    assert re.findall(r"<(h\d)", rendered("##### a\n\n# b\n\n### c\n\n#### d")) == ["h2", "h2", "h3", "h4"]


def test_only_images_of_the_pack_are_shown() -> None:
    system = sample()
    scribe = Scribe(Places(system), Glossary(system), {"assets/map.png"})
    html = scribe.prose(("![A *map*](assets/map.png) ![far](https://example.org/x.png) ![gone](assets/gone.png)",), Section("here"))
    assert re.findall(r"<img [^>]*>", html) == ['<img src="assets/map.png" alt="A map" loading="lazy">']


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("One. Two.", "One."),
        ("Is it? Yes.", "Is it?"),
        ("No stop", "No stop"),
        ("“Go.” He went.", "“Go.”"),
        ("龍が来る。逃げろ。", "龍が来る。逃げろ。"),
    ],
)
def test_first_sentence(text: str, first: str) -> None:
    assert first_sentence(text) == first


# ---------------------------------------------------------------- hostile text


class Danger(HTMLParser):
    """Collects what no text of a pack may bring into a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = {"script", "meta", "link", "form", "iframe", "object", "embed", "base", "style", "svg", "img"}
        given = dict(attrs)
        if tag in own and not (tag == "script" and re.fullmatch(r"js/\w+\.js", given.get("src") or "")) and tag not in ("meta", "link"):
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name in ("style", "srcdoc", "action", "ping"):
                self.found.append(f"{tag} {name}")
            if name in ("href", "src") and re.match(r"\s*(javascript|vbscript|data|//)", value or "", re.IGNORECASE):
                self.found.append(f"{tag} {name}={value}")


def dangers(html: str) -> list[str]:
    parser = Danger()
    parser.feed(html)
    return parser.found


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_a_snippet_comes_out_as_text(snippet: str) -> None:
    assert dangers(rendered(snippet)) == []


def test_a_hostile_pack_makes_a_sound_book(bad_site: Path) -> None:
    assert check_links(bad_site) == []
    for path in bad_site.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert dangers(text) == [], path.name
        assert text.count("<script") == 2 and text.count("</html>") == 1
    assert "{{ x }}" in (bad_site / "x.html").read_text(encoding="utf-8")
    for name, before, after in (("terms-0", "var TE_TERMS=Object.assign(TE_TERMS||{},", ");\n"), ("search-data", "var TE_SEARCH=", ";\n")):
        script = (bad_site / "js" / f"{name}.js").read_text(encoding="utf-8")
        assert "<" not in script and "&" not in script and script.startswith(before)
        json.loads(script.removeprefix(before).removesuffix(after))


def test_file_names_are_plain(bad_site: Path) -> None:
    names = [path.name for path in bad_site.glob("*.html")]
    assert all(re.fullmatch(r"[a-z0-9-]{1,66}\.html", name) for name in names)
    assert "chapter-con.html" in names and "index-2.html" in names
    assert len(names) == len({name.casefold() for name in names}) >= len(HOSTILE)


# ---------------------------------------------------------------- building


def test_two_builds_are_the_same_also_elsewhere(site: Path, tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from render_sample import sample; from te_forge.render.site import build_site; build_site(sample(), Path(sys.argv[1]), {})"
    out = tmp_path / "other folder" / "book"
    env = {
        **os.environ,
        "PYTHONHASHSEED": "4711",
        "LC_ALL": "C",
        "TZ": "Asia/Tokyo",
        "SOURCE_DATE_EPOCH": "99999999",
        "PYTHONPATH": f"{HERE}{os.pathsep}{HERE.parent}",
    }
    done = subprocess.run(
        [sys.executable, "-W", "error::SyntaxWarning", "-c", code, str(out)], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert digest(out) == digest(site)


@pytest.mark.skipif(find_spec("properdocs") is None, reason="ProperDocs is not installed: pip install properdocs")
def test_properdocs_prints_the_same_book(site: Path, tmp_path: Path) -> None:
    code = (
        "import sys; import properdocs.replacement; from pathlib import Path; from render_sample import sample; from te_forge.render.site import build, build_site;"
        "build_site(sample(), Path(sys.argv[1]), {}); print(build.__module__)"
    )
    out = tmp_path / "book"
    env = {**os.environ, "PYTHONPATH": f"{HERE}{os.pathsep}{HERE.parent}"}
    done = subprocess.run([sys.executable, "-c", code, str(out)], env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "properdocs.commands.build\n", "")
    assert digest(out) == digest(site)


def test_a_folder_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    (tmp_path / "novel.txt").write_text("chapter one", encoding="utf-8")
    with pytest.raises(OutputRefused, match="not made by te-forge"):
        build_site(sample(), tmp_path, {})
    assert [path.name for path in tmp_path.iterdir()] == ["novel.txt"]
    with pytest.raises(OutputRefused, match="not a folder"):
        build_site(sample(), tmp_path / "novel.txt", {})


def test_an_empty_folder_and_an_own_book_are_replaced(tmp_path: Path) -> None:
    out = tmp_path / "book"
    out.mkdir()
    files = build_site(sample(), out, {})
    assert MARKER in files and "index.html" in files and not any("sitemap" in name for name in files)
    (out / "index.html").unlink()
    (out / next(iter(LITTER))).write_text("how the window was", encoding="utf-8")
    assert build_site(sample(), out, {}) == files
    assert [path.name for path in tmp_path.iterdir()] == ["book"]


OTHERS: dict[str, Callable[[Path], object]] = {
    "js/notes/mine.txt": lambda path: path.write_text("mine", encoding="utf-8"),
    "novel.md": lambda path: path.write_text("mine", encoding="utf-8"),
    ".git": lambda path: path.write_text("mine", encoding="utf-8"),
    "drafts": lambda path: path.mkdir(),
    "later": lambda path: path.symlink_to(path.parent.parent),
    "index.html": lambda path: path.write_text("mine", encoding="utf-8"),
    "css/book.css": lambda path: path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_a_build_did_not_write_is_never_replaced(name: str, tmp_path: Path) -> None:
    out = tmp_path / "book"
    build_site(sample(), out, {})
    (out / name).parent.mkdir(exist_ok=True)
    OTHERS[name](out / name)
    before = sorted(path.relative_to(out) for path in out.rglob("*"))
    with pytest.raises(OutputRefused, match=re.escape(f"{out / name} was")):
        build_site(sample(), out, {})
    assert sorted(path.relative_to(out) for path in out.rglob("*")) == before and [path.name for path in tmp_path.iterdir()] == ["book"]


def test_a_book_without_a_list_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "book"
    build_site(sample(), out, {})
    (out / MARKER).write_text("te_forge made this folder, and empties it at the next build.\n", encoding="utf-8")
    with pytest.raises(OutputRefused, match="or by an older one"):
        build_site(sample(), out, {})


def test_a_file_that_comes_up_while_a_book_is_built_is_kept(tmp_path: Path) -> None:
    out, new, old = tmp_path / "book", tmp_path / "new", tmp_path / "old"
    build_site(sample(), out, {})
    build_site(sample(), new, {})
    (out / "late.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputRefused, match=r"late\.txt was not written"):
        put_in_place(new, out, old)
    assert (out / "late.txt").read_text(encoding="utf-8") == "mine" and new.is_dir() and not old.exists()


@pytest.mark.parametrize("where", ["", "rules", "book", "Book", "assets", "starter", "rules/deep/er"])
def test_the_folders_of_a_pack_are_refused(where: str, tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game/pack.yaml").write_text("id: game\n", encoding="utf-8")
    with pytest.raises(OutputRefused, match="-o game-book"):
        build_site(sample(), tmp_path / "game" / where, {})
    assert [path.name for path in (tmp_path / "game").iterdir()] == ["pack.yaml"]
    assert build_site(sample(), tmp_path / "game/out", {})


def test_assets_are_copied(tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    picture.write_bytes(b"\x89PNG")
    base = sample()
    with_map = replace(base.chapters[0], items=(*base.chapters[0].items, *prose("![Map](assets/map.png)")))
    build_site(replace(base, chapters=(with_map, *base.chapters[1:])), tmp_path / "book", {"assets/map.png": picture})
    assert (tmp_path / "book" / "assets" / "map.png").read_bytes() == b"\x89PNG"


def test_a_mention_of_nothing_fails_the_build_and_keeps_the_old_book(tmp_path: Path) -> None:
    out = tmp_path / "book"
    build_site(sample(), out, {})
    before = digest(out)
    base = sample()
    broken = replace(base.chapters[0], items=(Prose((Ref("lanterns:gear/gone", "Gone"),), base.chapters[0].span),))
    with pytest.raises(BuildError) as caught:
        build_site(replace(base, chapters=(broken, *base.chapters[1:])), out, {})
    assert caught.value.messages == ["before-you-walk.html: `lanterns:gear/gone` is mentioned, but nothing has this id"]
    assert digest(out) == before and [path.name for path in tmp_path.iterdir()] == ["book"]


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<p id="x" ><a href="b.html">b</a> <a href="#y">y</a> <a href="a.html#x">x</a><i id="x"></i>', encoding="utf-8")
    assert check_links(tmp_path) == [
        "a.html: the anchor `x` is there 2 times",
        "a.html: `b.html` leads to no page",
        "a.html: `#y` leads to no anchor",
    ]


def test_the_terms_of_a_long_book_are_dealt_out_to_scripts() -> None:
    base = sample()
    many = [entry("gear", f"Thing {n:04} 龍🔥", "One of many.") for n in range(1000)]
    system = replace(base, entries={**base.entries, **{one.id: one for one in many}})
    scripts = {path: text for path, text in make_book(system).data.items() if path.startswith("js/terms-")}
    assert len(scripts) == 3 and all(abs(len(text) - 50_000) < 30_000 for text in scripts.values())
    places = Places(system)
    for one in many:
        anchor = places.anchor(one.id)
        assert json.dumps(anchor, ensure_ascii=False) in scripts[f"js/terms-{shelf(anchor, 3)}.js"]


def test_pages_of_one_letter_are_told_apart_and_many_are_not_all_linked(tmp_path: Path) -> None:
    base = sample()
    many = [entry("gear", f"Thing {n:04}", "One of many.") for n in range(6000)]
    pages = [
        page for page in make_book(replace(base, entries={**base.entries, **{one.id: one for one in many}})).pages if page.slug.startswith("glossary")
    ]
    titles = [page.title for page in pages]
    assert len(set(titles)) == len(titles) > 50 and "Glossary Thing 03–Thing 03" not in titles
    bars = [re.findall(r'<nav class="letters" aria-label="Pages">(.*?)</nav>', page.html)[0] for page in pages]
    assert max(bar.count("<a ") for bar in bars) <= 45 and all('aria-current="page"' in bar and "… " in bar for bar in bars)
