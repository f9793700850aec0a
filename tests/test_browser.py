"""The book of the shipped pack in a real browser: links, search, popups, phones, contrast, print, no JavaScript, and the live server."""

from __future__ import annotations

import itertools
import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest
from browser import ROOT, Browser, Tab, axe, hosted
from render_sample import entry, sample

from te_forge.examples import accounts_of
from te_forge.packs import load
from te_forge.render.site import build_site

MOST_BYTES = 60_000
"""The most that a page may weigh with its style and scripts, without images."""

LOOK = """({
  links: [...document.links].map(one => one.href),
  ids: [...document.querySelectorAll('[id]')].map(one => one.id),
  levels: [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(one => Number(one.tagName[1])),
  bare: [...document.querySelectorAll('table')].filter(one => !one.querySelector('th[scope=col]')).map(one => one.textContent.trim().slice(0, 60)),
  title: document.title,
  description: (document.querySelector('meta[name=description]') || {}).content || '',
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  icon: (document.querySelector('link[rel=icon]') || {}).href || '',
  footer: (document.querySelector('footer') || {}).textContent || '',
  main: document.querySelectorAll('main').length,
})"""


@dataclass
class Survey:
    """What a reader who opens every page finds."""

    address: str
    pages: dict[str, dict[str, Any]] = field(default_factory=dict)
    too_wide: list[str] = field(default_factory=list)
    requests: set[str] = field(default_factory=set)
    complaints: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("browser") / "book"
    loaded = load("srd-core")
    assert loaded.system is not None
    build_site(loaded.system, out, loaded.assets)
    return out


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as one:
        yield one


@pytest.fixture(scope="module")
def address(book: Path) -> Iterator[str]:
    with hosted(book) as one:
        yield one


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    one = browser.tab()
    one.size(1280)
    one.shade("light")
    yield one
    complaints = one.complaints
    one.close()
    assert complaints == []


@pytest.fixture(scope="module")
def survey(browser: Browser, address: str) -> Survey:
    """Every page that can be reached from the cover, once at a desk and once on a phone."""
    found = Survey(address)
    tab = browser.tab()
    ahead = ["index.html"]
    while ahead:
        name = ahead.pop()
        if name in found.pages:
            continue
        tab.size(1280)
        tab.go(f"{address}/{name}")
        found.pages[name] = tab.ask(LOOK)
        tab.size(360, 740)
        tab.ask("document.querySelectorAll('details').forEach(one => one.open = true)")
        if too_wide := tab.ask(LOOK)["wide"]:
            found.too_wide.append(f"{name}: {too_wide} px")
        for link in found.pages[name]["links"]:
            page = urldefrag(link)[0].removeprefix(f"{address}/")
            if link.startswith(address) and re.fullmatch(r"[^/]+\.html", page):
                ahead.append(page)
    found.requests.update(tab.requests)
    found.complaints += tab.complaints
    tab.close()
    return found


def test_every_page_is_reached_and_every_link_leads_somewhere(survey: Survey, book: Path) -> None:
    assert set(survey.pages) == {path.name for path in book.glob("*.html")} - {"404.html"}
    broken = []
    for name, page in survey.pages.items():
        for link in page["links"]:
            target, anchor = urldefrag(link)
            if not link.startswith(survey.address):
                assert link.startswith(("https://", "http://creativecommons.org/")), link
                continue
            there = survey.pages.get(target.removeprefix(f"{survey.address}/"))
            if there is None or (anchor and unquote(anchor) not in there["ids"]):
                broken.append(f"{name}: {link}")
    assert broken == []


def test_no_page_complains_or_asks_another_host(survey: Survey) -> None:
    assert survey.complaints == []
    assert len(survey.requests) > len(survey.pages)
    assert [one for one in survey.requests if not one.startswith(survey.address)] == []


def test_no_page_is_wider_than_a_phone(survey: Survey) -> None:
    assert survey.too_wide == []


def test_headings_are_in_order_and_every_table_has_headers(survey: Survey) -> None:
    for name, page in survey.pages.items():
        levels = page["levels"]
        assert levels[0] == 1 and levels.count(1) == 1, name
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels)), name
        assert page["bare"] == [], name
        assert len(set(page["ids"])) == len(page["ids"]), name


def test_every_page_says_what_it_is_and_whose(survey: Survey) -> None:
    titles = [page["title"] for page in survey.pages.values()]
    assert len(set(titles)) == len(titles)
    for name, page in survey.pages.items():
        assert "Tension Engine SRD" in page["title"] and page["icon"].endswith("icon.svg"), name
        assert page["main"] == 1 and 10 < len(page["description"]) < 320, name
        assert "William Lentz for Gamenomicon" in page["footer"] and "CC BY 4.0" in page["footer"], name


def test_no_page_is_heavy(book: Path) -> None:
    every = sum((book / path).stat().st_size for path in ("css/book.css", "css/icon.svg", "js/book.js", "js/theme.js"))
    assert {path.name: path.stat().st_size + every for path in book.glob("*.html") if path.stat().st_size + every > MOST_BYTES} == {}


@pytest.mark.parametrize(("shade", "width"), [("light", 1280), ("dark", 1280), ("light", 360)])
def test_axe_finds_no_barrier(shade: str, width: int, tab: Tab, address: str, book: Path) -> None:
    script = axe()
    tab.shade(shade)
    tab.size(width)
    found = []
    for path in sorted(book.glob("*.html")):
        tab.go(f"{address}/{path.name}")
        tab.ask("document.querySelectorAll('details').forEach(one => one.open = true)")
        tab.ask(script + ";0")
        broken = tab.ask(
            "axe.run({resultTypes: ['violations']}).then(all => all.violations.map(one => one.id + ' ' + one.nodes[0].target + ' ' + one.nodes[0].failureSummary))"
        )
        found += [f"{path.name}: {one}" for one in broken]
    assert found == []


def test_axe_would_find_a_barrier(tab: Tab, address: str) -> None:
    tab.go(f"{address}/index.html")
    tab.ask("document.querySelector('main').append(document.createElement('button')); document.querySelector('.subtitle').style.color = '#ccc'")
    tab.ask(axe() + ";0")
    assert set(tab.ask("axe.run().then(all => all.violations.map(one => one.id))")) == {"button-name", "color-contrast"}


# ---------------------------------------------------------------- search


def search(tab: Tab, text: str) -> list[str]:
    tab.ask("document.getElementById('q').value = ''; document.getElementById('q').focus()")
    tab.type(text)
    tab.wait(f"document.getElementById('q').value === {json.dumps(text)} && !document.getElementById('results').hidden")
    tab.wait("document.getElementById('spoken').textContent.endsWith('found')")
    return [str(one) for one in tab.ask("[...document.querySelectorAll('#results b')].map(one => one.textContent)")]


def test_search_finds_a_feature_and_leads_there(tab: Tab, address: str) -> None:
    tab.go(f"{address}/index.html")
    assert search(tab, "Armored")[0] == "Armored"
    tab.key("Enter")
    tab.wait("location.hash === '#e-feature-armored'")
    box = tab.wait(
        "document.readyState === 'complete' && document.querySelector(':target') && document.querySelector(':target').getBoundingClientRect().top"
    )
    assert 0 < box < 900


@pytest.mark.parametrize("text", ["armor", "Armred", "armored feature"])
def test_search_forgives(text: str, tab: Tab, address: str) -> None:
    tab.go(f"{address}/pools.html")
    assert "Armored" in search(tab, text)[:3]


def test_search_works_from_a_file_and_by_the_keyboard(tab: Tab, book: Path) -> None:
    tab.go((book / "index.html").as_uri())
    assert search(tab, "troll")[0] == "Troll"
    tab.key("ArrowDown")
    tab.wait("document.activeElement.closest('#results') !== null")
    tab.key("Escape")
    tab.wait("document.getElementById('results').hidden && document.activeElement.id === 'q'")
    assert all(one.startswith("file:") for one in tab.requests)


@pytest.mark.parametrize("text", ["d6", "D6"])
def test_search_finds_dice(text: str, tab: Tab, address: str) -> None:
    tab.go(f"{address}/index.html")
    assert {"Throwing", "Delving"} <= set(search(tab, text))


def test_rule_lines_fold_away_and_stay_so(tab: Tab, address: str) -> None:
    shown = "[...document.querySelectorAll('ol.steps ul.rules.told')].some(one => one.offsetHeight > 0)"
    tab.go(f"{address}/pools.html")
    assert tab.ask("document.getElementById('lines').hidden"), "nothing to fold on this page"
    tab.go(f"{address}/conflict.html")
    assert tab.ask(shown)
    tab.click("#lines")
    assert not tab.ask(shown) and tab.ask("document.getElementById('lines').getAttribute('aria-pressed')") == "true"
    tab.go(f"{address}/tension.html")
    tab.go(f"{address}/conflict.html")
    assert not tab.ask(shown), "remembered"
    tab.click("#lines")
    assert tab.ask(shown)


def test_search_says_when_there_is_nothing(tab: Tab, address: str) -> None:
    tab.go(f"{address}/index.html")
    assert search(tab, "qqqqqqq") == []
    assert tab.ask("document.getElementById('results').textContent") == "Nothing found"


# ---------------------------------------------------------------- popups, dice, addresses

SHOWN = "!document.getElementById('popup').hidden && document.getElementById('popup').textContent"


def test_a_term_explains_itself_to_the_mouse(tab: Tab, address: str) -> None:
    tab.go(f"{address}/bestiary.html")
    tab.move(*tab.middle("main a.term[href$='#e-feature-armored']"))
    assert "Armored" in tab.wait(SHOWN)
    tab.move(*tab.middle("#popup .more"))
    assert "Armored" in tab.wait(SHOWN)
    tab.key("Escape")
    tab.wait("document.getElementById('popup').hidden")
    tab.click("main a.term[href$='#e-feature-armored']")
    tab.wait("location.pathname.endsWith('/features.html')")


def test_a_term_explains_itself_to_the_keyboard(tab: Tab, address: str) -> None:
    tab.go(f"{address}/conflict.html")
    tab.ask("document.querySelector('main a.term').focus()")
    text = tab.wait(SHOWN)
    assert "Adversary Conflict" in text and tab.ask("document.activeElement.getAttribute('aria-describedby')") == "popup"
    tab.key("Tab")
    assert tab.wait(SHOWN) != text
    tab.key("Escape")
    tab.wait("document.getElementById('popup').hidden")


def test_a_term_explains_itself_to_a_finger(tab: Tab, address: str) -> None:
    tab.size(360, 740)
    tab.call("Emulation.setTouchEmulationEnabled", enabled=True)
    tab.go(f"{address}/bestiary.html")
    tab.tap("main a.term[href$='#e-feature-armored']")
    assert "Armored" in tab.wait(SHOWN)
    assert tab.ask("location.pathname").endswith("/bestiary.html")
    box = tab.ask("(b => [b.left, b.right])(document.getElementById('popup').getBoundingClientRect())")
    assert box[0] >= 0 and box[1] <= 360
    tab.tap("#popup .more")
    tab.wait("location.pathname.endsWith('/features.html')")


def test_a_term_of_a_long_book_is_found_in_its_script(tab: Tab, tmp_path: Path) -> None:
    many = [entry("gear", f"Thing {n:04} 龍🔥", f"It is number {n}.") for n in range(1000)]
    base = sample()
    build_site(replace(base, entries={**base.entries, **{one.id: one for one in many}}), tmp_path / "book", {})
    assert len(list((tmp_path / "book" / "js").glob("terms-*.js"))) == 3
    with hosted(tmp_path / "book") as address:
        tab.go(f"{address}/glossary-9.html")
        for n in range(5):
            tab.ask(f"document.querySelectorAll('main dt a.term')[{7 * n}].focus()")
            name = tab.ask("document.activeElement.textContent")
            assert tab.wait(SHOWN + f" && document.getElementById('popup').textContent.includes({json.dumps(name)})")


LABELS = [f"Label {letter}" for letter in "ABCDEFGH"]
WIDE = "\n".join(
    [
        "# Wide\n\n## kind: gear\n- Is: an entry\n\n| label | holds | default | text |\n|---|---|---|---|",
        *(f"| {label} | a number | 0 | |" for label in LABELS),
        f"\n| gear | {' | '.join(LABELS)} | text |\n|{'---|' * (len(LABELS) + 2)}",
        *(f"| {name} | {'1 | ' * len(LABELS)} It throws a shadow of its own. |" for name in ("Crooked Lantern", "Rope")),
    ]
)


def book_of(folder: Path, rules: str, has: str) -> str:
    """Builds the book of one page of rules into `book`, and gives the name of the page that `has` this."""
    (folder / "game/rules").mkdir(parents=True)
    (folder / "game/pack.yaml").write_text("id: game\ntitle: Game\nversion: 1.0.0\n", encoding="utf-8")
    (folder / "game/rules/01.te").write_text(rules, encoding="utf-8")
    loaded = load(str(folder / "game"))
    assert loaded.system is not None
    accounts, found = accounts_of(loaded.system)
    assert not [one for one in [*loaded.diagnostics, *found] if one.severity == "error"]
    build_site(loaded.system, folder / "book", loaded.assets, accounts)
    return next(one.name for one in sorted((folder / "book").glob("*.html")) if has in one.read_text(encoding="utf-8"))


def test_a_wide_table_widens_no_page_and_still_says_whose_row_it_is(tab: Tab, tmp_path: Path) -> None:
    name = book_of(tmp_path, WIDE, "Crooked Lantern</th>")
    tab.size(360, 740)
    tab.go((tmp_path / "book" / name).as_uri())
    assert tab.ask(LOOK)["wide"] == 0
    assert tab.call("Page.getLayoutMetrics")["cssContentSize"]["width"] == 360
    box = "[...document.querySelectorAll('.scroll')].find(one => one.textContent.includes('Lantern'))"
    assert tab.ask(f"(one => {{ one.scrollLeft = 9999; return one.scrollLeft; }})({box})") > 100
    assert tab.ask(
        f"(one => {{ one.scrollIntoView({{block: 'center'}}); const at = one.getBoundingClientRect(); return document.elementFromPoint(at.x + 5, at.y + 5) === one; }})({box}.querySelector('tbody th'))"
    )


def test_a_ruling_mark_says_the_question(tab: Tab, address: str) -> None:
    tab.go(f"{address}/conflict.html")
    tab.move(*tab.middle("ol.steps a.ruling-mark"))
    assert "We read:" in tab.wait(SHOWN)


def test_a_table_is_rolled(tab: Tab, address: str) -> None:
    tab.go(f"{address}/tension.html")
    tab.click("button.roll")
    face = tab.wait("(document.querySelector('button.roll').textContent.match(/: (.*)/) || [])[1]")
    assert tab.ask("document.querySelectorAll('tr.hit').length") == 1
    assert tab.ask("document.querySelector('tr.hit th').textContent") == face


def test_the_shade_stays_chosen(tab: Tab, address: str) -> None:
    tab.go(f"{address}/index.html")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = tab.ask(paper)
    tab.click("#shade")
    dark = tab.ask(paper)
    tab.go(f"{address}/pools.html")
    assert tab.ask(paper) == dark != light
    tab.ask("localStorage.clear()")


def test_a_definition_that_moved_is_found(browser: Browser, address: str) -> None:
    tab = browser.tab()
    for old in ("bestiary.html#e-feature-armored", "404.html#e-feature-armored"):
        tab.go(f"{address}/{old}")
        tab.wait("location.pathname.endsWith('/features.html') && document.querySelector(':target') !== null")
    assert tab.complaints == []
    tab.close()


def test_a_long_list_of_chapters_begins_where_the_reader_is(tab: Tab, address: str) -> None:
    box = "(one => one.getBoundingClientRect())(document.querySelector('#nav [aria-current=page]'))"
    tab.size(1280, 500)
    tab.go(f"{address}/license.html")
    assert tab.ask(f"{box}.top") > 0 and tab.ask(f"{box}.bottom") < 500
    assert tab.ask("scrollY") == 0, "the page itself stays where it is"
    tab.go(f"{address}/welcome.html")
    assert tab.ask("document.getElementById('nav').scrollTop") == 0


def test_the_menu_opens_on_a_phone(tab: Tab, address: str) -> None:
    tab.size(360, 740)
    tab.go(f"{address}/conflict.html")
    assert tab.ask("document.getElementById('nav').offsetHeight") == 0
    tab.click("#menu")
    assert tab.ask("document.getElementById('nav').offsetHeight") > 200
    assert tab.ask("document.getElementById('menu').getAttribute('aria-expanded')") == "true"


# ---------------------------------------------------------------- paper, and no JavaScript


def test_the_quick_reference_prints_on_two_pages(tab: Tab, address: str) -> None:
    tab.go(f"{address}/quick-reference.html")
    assert 1 <= printed_pages(tab.pdf()) <= 2


def test_a_chapter_prints_without_the_frame(tab: Tab, address: str) -> None:
    tab.go(f"{address}/conflict.html")
    assert printed_pages(tab.pdf()) >= 3
    tab.shade("light", "print")
    gone = tab.ask("['.top', '#nav', '.crumbs', '.turn', '.users'].filter(one => document.querySelector(one).offsetHeight)")
    assert gone == []
    assert tab.ask("document.querySelector('footer').offsetHeight") > 0


STEPS = "".join(f"{number}. Step {chr(64 + number)}. It goes on and on, for as long as it takes.\n" for number in range(1, 19))
LONG = "# Long\n\n## kind: hero\n- Is: an actor\n\n## kind: knack\n- Is: an entry\n\n" + "".join(
    f"## knack: Knack {letter}\nIt is told in parts.\n\n### procedure: Use {letter}\n\n{STEPS}\n" for letter in "ABCDEF"
)


def test_what_has_parts_may_be_broken_over_printed_pages(tab: Tab, tmp_path: Path) -> None:
    """Kept whole, each of six things that are a little over half a page long would leave the rest of its page empty."""
    name = book_of(tmp_path, LONG, 'id="e-procedure-use-a"')
    tab.go((tmp_path / "book" / name).as_uri())
    height = tab.ask("document.querySelector('.entry.block').offsetHeight")
    assert printed_pages(tab.pdf()) <= 5
    tab.ask("document.querySelectorAll('.entry.block').forEach(one => one.style.breakInside = 'avoid')")
    assert printed_pages(tab.pdf()) >= 6, height


PLAYED = (
    "# Long\n\n## kind: hero\n- Is: an actor\n\n## kind: pool\n- Is: a number of a hero\n\n## pool: Luck\n- Starts: 0\n\n## example: Long\n- Ann: a hero\n\n"
    + ("1. Ann gains.\n" + "   - Ann gains 1 Luck\n" * 40)
)


def test_a_long_account_is_folded_away_and_printed_all_the_same(tab: Tab, tmp_path: Path) -> None:
    name = book_of(tmp_path, PLAYED, 'details class="played"')
    last = (
        "(one => one.checkVisibility({contentVisibilityAuto: true}) && one.getBoundingClientRect().height > 0)(document.querySelector('.played p'))"
    )
    tab.go((tmp_path / "book" / name).as_uri())
    assert not tab.ask(last)
    tab.shade("light", "print")
    assert tab.wait(last)
    tab.shade("light")
    tab.click(".played summary")
    assert tab.wait(last)


def printed_pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_without_scripts_everything_can_be_read(browser: Browser, address: str, survey: Survey) -> None:
    tab = browser.tab(scripts=False)
    tab.size(360, 740)
    for name in survey.pages:
        tab.go(f"{address}/{name}")
        text = tab.text()
        assert "Tension Engine SRD" in text and "License and attribution" in text, name
        assert tab.ask("document.querySelector('h1').offsetHeight && document.getElementById('nav').offsetHeight"), name
        dead = tab.ask("[...document.querySelectorAll('button, input')].filter(one => one.offsetHeight).map(one => one.outerHTML)")
        assert dead == [], name
    tab.close()


# ---------------------------------------------------------------- the live server


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A small pack with its live server: its address, and a page of its rules."""
    subprocess.run([sys.executable, "-m", "te_forge", "new", str(tmp_path / "mine")], cwd=ROOT, check=True, capture_output=True)
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "te_forge", "serve", str(tmp_path / "mine"), "-p", str(port)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        assert f"127.0.0.1:{port}" in server.stdout.readline()
        yield f"http://127.0.0.1:{port}", min((tmp_path / "mine" / "rules").glob("*.te"))
    finally:
        server.kill()
        server.wait()


def test_a_mistake_shows_in_the_page_and_goes_when_it_is_mended(served: tuple[str, Path], tab: Tab) -> None:
    address, page = served
    good = page.read_text(encoding="utf-8")
    banner = "(document.querySelector('[role=alert]') || {}).textContent"
    tab.go(f"{address}/")
    before = tab.ask("document.querySelector('main').innerText")

    page.write_text(good + "\n## rule: Slip\n- Bad: the nobody gains 1 Nothing\n", encoding="utf-8")
    said = tab.wait(banner, 30)
    assert page.name in said and "Nothing" in said and "\x1b" not in said
    assert tab.ask("document.querySelector('main').innerText") == before
    assert "Slip" not in tab.ask("fetch('index.html').then(one => one.text())")

    page.write_text("# A New Beginning\n\nMended, and more.\n\n" + good, encoding="utf-8")
    tab.wait("document.readyState === 'complete' && document.querySelector('main').innerText.includes('A New Beginning')", 30)
    assert not tab.ask(banner)
