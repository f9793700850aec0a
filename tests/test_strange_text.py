"""Names and words of any script and with any sign: the book shows them as they are, or something is said; nothing of them is ever run."""

from __future__ import annotations

import html
import os
import re
import unicodedata
from pathlib import Path

import pytest

from te_forge.check import check
from te_forge.check.names import odd
from te_forge.diagnostics import has_errors
from te_forge.model.pack import PackInfo
from te_forge.packs import Loaded, load
from te_forge.render.book import make_book
from te_forge.render.site import build_site
from te_forge.report import as_json, as_sarif, as_text
from te_forge.source import UNSEEN, Source

INFO = PackInfo(id="strange", title="Strange", version="1.0.0")
SIGNS = [
    "🎲", "👨‍👩‍👧", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "日本", "مرحبا", "שלום", "कि", "e\u0301", "𝔘", "é", "\u200f", "\u00a0",
    '"', "'", "“x”", "{", "{x}", "{{ 7*7 }}", "{% raw %}", "{# x #}", "|", "\\|", "[x]", "[[x]]", "<", ">", "&", "&lt;", "*", "`x`", "#x", "a/b", "../x", "%41", "?x", ";", "-", ".",
    "<script>alert(1)</script>", "</script>", "<img src=x onerror=alert(1)>", '" onmouseover="alert(1)', "javascript:alert(1)", "[a](javascript:alert(1))", "<!-- x", "]]>",
]  # fmt: skip
HIDDEN = [
    "\x00",
    "\x07",
    "\x1b[2J",
    "\x0b",
    "\x0c",
    "\x85",
    "\u202e",
    "\u2066",
    "\u200b",
    "\ufeff",
    "\u00ad",
    "\u2028",
    "\ue000",
    "\ue010\ue001",
    "\uffff",
    "\ud800",
    "a\U000e0041",
]
PAGE = (
    "# Chapter\n\nSome prose.\n\n## kind: gm\n- Is: an actor\n- How Many: 1\n\n## kind: pool\n- Is: a number of a gm\n\n## pool: Tension\nWords.\n- Of: the gm\n- Starts: 2\n"
    "- A Rule: after gain of Tension: the gm loses 1 Tension\n\n| pool | text |\n|---|---|\n| Doom | Dark. |\n\n## table: Omens\n\n| d2 | row | text | effect |\n|---|---|---|---|\n"
    '| 1 | One | A. | - |\n| 2 | Two | B. | the gm gains 1 Tension |\n\n## procedure: Talk\n- Outcomes: Yes, No\n1. Say. Words.\n   - Hello: the gm says "hello"\n   - End: end with Yes\n'
)
PLACES = {
    "a chapter": ("# Chapter", "# Cha @ pter"),
    "prose": ("Some prose", "Some @ prose"),
    "an entry": ("table: Omens", "table: Ome @ ns"),
    "a name": ("table: Omens", "table: @"),
    "a defined row": ("| Doom", "| Doom @ x"),
    "a text": ("Dark.", "Dark @."),
    "a row": ("| One", "| One @ x"),
    "a cell": ("| A.", "| A @ x."),
    "a step": ("1. Say.", "1. Say @ x."),
    "words of a step": ("Say. Words", "Say. Words @ x"),
    "what is said": ('"hello"', '"hel @ lo"'),
    "a label": ("A Rule:", "A Rule @:"),
    "another name": ("- Starts: 2", '- Starts: 2\n- Also Called: "Al @ ias"'),
    "a link": ("Some prose", "Some [[Tension|x @]] prose"),
    "an address": ("Some prose", "Some [x](http://a.b/@) prose"),
    "a printed number": ("Some prose", "Some {Tension's start@} prose"),
    "a column": ("| d2 | row | text", "| d2 | row | Te@xt"),
    "a grid": ("Some prose.", "| Aa | Bb |\n|---|---|\n| @ | x@ |"),
    "code": ("Some prose.", "```\nx @ x\n```"),
    "an id": ("table: Omens", "table: Omens {#@}"),
    "a small heading": ("Some prose.", "#### x @ x"),
    "a kind": ("kind: pool", "kind: po@ol"),
}
OURS = re.compile(
    r'<(?:a|b|br|button|blockquote|cite|code|dd|details|div|dl|dt|em|h[1-6]|hr|img|li|nav|ol|p|pre|section|span|strong|summary|table|tbody|td|th|thead|tr|ul)(?: [a-z-]+(?:="[^"<>]*")?)*>|</[a-z0-9]+>'
)
SHOWN_OTHERWISE = ("../x", "'", '"', "\\|", "[[x]]", "*", "`x`", "&lt;", "]]>", "\u00a0", "<!-- x", "#x", "-")
"""Signs that mean something where some of them stand."""


def straight(text: str) -> str:
    """The text with typewriter quotation marks and composed letters: the book sets curly ones, and names are composed."""
    return unicodedata.normalize("NFC", text.translate(str.maketrans("“”‘’", "\"\"''")))


def refused_or_right(text: str, sign: str) -> bool:
    """Whether the page is refused, or its book holds `sign` as text and no tag that is not ours."""
    system, found = check([Source("page.te", text)], INFO)
    if has_errors(found):
        return True
    assert system is not None
    pages = make_book(system).pages
    for page in pages:
        assert not re.search("[<>]", OURS.sub("", page.html)), page.html
        assert not re.search(r"<[^>]*\s(?:href|src)=\"(?!https?:|mailto:|assets/|#|[\w~-]+\.html)", page.html), page.html
        assert not re.search(r"<[^>]*\son\w+=", re.sub(r'"[^"]*"', '""', page.html)), page.html
    shown = html.unescape("".join(re.sub("<[^>]*>", "", page.html) for page in pages))
    return sign in SHOWN_OTHERWISE or straight(sign) in straight(shown)


@pytest.mark.parametrize("place", PLACES)
def test_strange_signs_are_shown_or_named(place: str) -> None:
    old, new = PLACES[place]
    addresses = place in ("an address", "an id")
    wrong = [sign for sign in SIGNS if not refused_or_right(PAGE.replace(old, new.replace("@", sign), 1), "" if addresses else sign)]
    assert wrong == []


@pytest.mark.parametrize("place", PLACES)
def test_what_nobody_sees_is_named(place: str) -> None:
    old, new = PLACES[place]
    for sign in HIDDEN:
        text = PAGE.replace(old, new.replace("@", sign), 1)
        _, found = check([Source("page.te", text)], INFO)
        line = next(at for at, line in enumerate(text.split("\n"), 1) if UNSEEN.search(line))
        assert any(one.severity == "error" and one.span.line == line for one in found), (sign, found)


def test_what_scripts_and_emoji_need_is_not_hidden() -> None:
    assert not any(UNSEEN.search(sign) for sign in SIGNS)
    assert all(UNSEEN.search(sign) for sign in HIDDEN)


# ------------------------------------------------------------ packs on the disk


def pack(folder: Path, head: str = "", page: str = PAGE, name: str = "01.te") -> Loaded:
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    (folder / "pack.yaml").write_text(head or "id: strange\ntitle: Strange\nversion: 1.0.0\n", encoding="utf-8")
    (folder / "rules" / name).write_bytes(page.encode("utf-8", "surrogatepass"))
    loaded = load(str(folder))
    as_text(loaded.diagnostics, loaded.sources, True).encode("utf-8", "replace")
    assert as_json(loaded.diagnostics).encode() and as_sarif(loaded.diagnostics, "1").encode()
    return loaded


def quoted(text: str) -> str:
    return '"' + "".join(letter if letter.isascii() and letter.isalnum() else f"\\U{ord(letter):08x}" for letter in text) + '"'


FIELDS = ["title", "subtitle", "license", "license_url", "authors", "credits", "marks"]


@pytest.mark.parametrize("field", FIELDS)
def test_strange_fields_of_a_pack(field: str, tmp_path: Path) -> None:
    for at, sign in enumerate([*SIGNS, *HIDDEN]):
        text = "https://example.org/ " + sign if field == "license_url" else "x " + sign
        value = f"[{quoted(text)}]" if field in ("authors", "credits", "marks") else quoted(text)
        title = "" if field == "title" else "title: Strange\n"
        loaded = pack(tmp_path / str(at), f"id: strange\n{title}version: 1.0.0\n{field}: {value}\n")
        if UNSEEN.search(sign):
            assert any(one.severity == "error" for one in loaded.diagnostics), (sign, loaded.diagnostics)
            continue
        assert loaded.system is not None and not has_errors(loaded.diagnostics), (sign, loaded.diagnostics)
        shown = [html.unescape(re.sub("<[^>]*>", "", page.html)) for page in make_book(loaded.system).pages]
        assert field == "license_url" or sign in SHOWN_OTHERWISE or any(straight(sign) in straight(text) for text in shown), sign


def test_strange_names_of_files(tmp_path: Path) -> None:
    for at, sign in enumerate([*SIGNS, *HIDDEN]):
        name = f"x{sign.replace('/', '_').replace(chr(0), '_')}x.te"
        try:
            loaded = pack(tmp_path / str(at), name=name)
        except UnicodeEncodeError:
            continue
        assert has_errors(loaded.diagnostics) == bool(UNSEEN.search(name)), (sign, loaded.diagnostics)


@pytest.mark.skipif(os.name != "posix", reason="names of files are text there")
def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    pack(tmp_path / "game")
    (tmp_path / "game" / "assets").mkdir()
    for folder, name in (("rules", b"a\xff.te"), ("assets", b"b\xff.png")):
        Path(os.fsdecode(os.fsencode(tmp_path / "game" / folder) + b"/" + name)).write_bytes(b"x")
    found = load(str(tmp_path / "game")).diagnostics
    assert [one.code for one in found if one.severity == "error"] == ["strange-sign", "strange-sign"]
    as_text(found, {}).encode("utf-8", "replace")


def test_a_whole_book_of_strange_signs(tmp_path: Path) -> None:
    """Through MkDocs and the theme as well: titles, side bar, search data."""
    signs = [sign for sign in SIGNS if sign not in ("\\|", "|", "\u00a0", "e\u0301") and not set("[]{") & set(sign)]
    page = "\ufeff" + "".join(
        f"# Chapter {at} {sign} x\n\nIt is {sign}.\n\n## rule: Law {at} {'' if odd(sign, 'rule') else sign}\nWords {sign}.\n\n"
        for at, sign in enumerate(signs)
    ).replace("\n", "\r\n")
    head = "id: strange\ntitle: " + quoted("".join(signs)) + "\nversion: 1.0.0\n"
    loaded = pack(tmp_path / "game", head, page.replace("javascript:", "javascript :"))
    assert loaded.system is not None and [one for one in loaded.diagnostics if one.severity == "error"] == []
    if has_errors(loaded.diagnostics):
        pytest.fail(as_text(loaded.diagnostics, loaded.sources))
    for path in build_site(loaded.system, tmp_path / "book", {}):
        text = (tmp_path / "book" / path).read_bytes().decode("utf-8", "replace") if path.endswith((".html", ".js")) else ""
        assert not UNSEEN.search(text.removeprefix("\ufeff")), path
        assert not re.search(r"<script(?! src=\"\")|<img|<[^<>]*\son\w+=(?!\")", re.sub(r'"[^"]*"', '""', text)) or path.startswith("js/")
