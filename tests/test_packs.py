"""Packs from anybody: what is wrong with a head, a file or a requirement is said where it stands, and nothing is ever raised, opened outside or
waited for.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from te_forge.cli import cli
from te_forge.files import MOST_BYTES, MOST_FILES, rewrite
from te_forge.packs import Loaded, load
from te_forge.source import Source
from te_forge.whereabouts import find, shipped

HEAD = "id: game\ntitle: A Game\nversion: 1.0.0\n"
PAGE = "# A Game\n\nA short one.\n\n## kind: hero\nSomebody.\n- Is: an actor\n\nEvery [[hero]] matters.\n"


def pack(root: Path, head: str | bytes = HEAD, page: str | bytes | None = PAGE, name: str = "game") -> Path:
    folder = root / name
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    for path, text in ((folder / "pack.yaml", head), (folder / "rules/01-game.te", page)):
        if text is not None:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def said(loaded: Loaded) -> list[str]:
    """Each error as `code line:column`."""
    return [f"{one.code} {one.span.line}:{one.span.column}" for one in loaded.diagnostics if one.severity == "error"]


def message(loaded: Loaded, code: str) -> str:
    return next(f"{one.message} ({one.help})" for one in loaded.diagnostics if one.code == code)


# ---------------------------------------------------------------- finding


def test_a_pack_is_found_by_path_by_head_and_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = pack(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert find("game") == find("game/pack.yaml") == find("./game") == folder.resolve()
    assert find("srd-core") is not None
    assert find("../nowhere") is find("nowhere") is find("") is None
    assert shipped() == sorted(path.parent.name for path in Path(__file__).parents[1].glob("systems/*/pack.yaml"))


def test_an_unknown_pack_is_named_with_a_close_one() -> None:
    loaded = load("srd-cor")
    assert said(loaded) == ["no-such-pack 0:0"]
    assert "did you mean `srd-core`?" in message(loaded, "no-such-pack")


def test_a_sound_pack_loads(tmp_path: Path) -> None:
    loaded = load(str(pack(tmp_path)))
    assert said(loaded) == []
    assert loaded.system is not None and loaded.system.pack.id == "game"
    assert sorted(loaded.sources) == ["game/pack.yaml", "game/rules/01-game.te"]


def test_pages_come_in_order_of_their_paths_and_others_are_named(tmp_path: Path) -> None:
    folder = pack(tmp_path)
    for name in ("10-last.te", "02-more.te", "part/a.te", "notes.md", "03-lost.te.txt", ".hidden.te"):
        (folder / "rules" / name).parent.mkdir(exist_ok=True)
        (folder / "rules" / name).write_text(f"# {name}\n", encoding="utf-8")
    loaded = load(str(folder))
    assert [name.removeprefix("game/rules/") for name in loaded.sources if name.endswith(".te")] == [
        "01-game.te",
        "02-more.te",
        "10-last.te",
        "part/a.te",
    ]
    assert sorted(one.span.file for one in loaded.diagnostics if one.code == "ignored-file") == ["game/rules/03-lost.te.txt", "game/rules/notes.md"]


# ---------------------------------------------------------------- heads

BAD_HEADS = {
    "empty": ("", "bad-yaml 1:1"),
    "a list": ("- one\n- two\n", "bad-yaml 1:1"),
    "a word": ("hello\n", "bad-yaml 1:1"),
    "a comment": ("# nothing\n", "bad-yaml 1:1"),
    "a tag": (HEAD + "subtitle: !!python/object/apply:os.system ['true']\n", "yaml-not-allowed 4:11"),
    "an own tag": (HEAD + "subtitle: !secret x\n", "yaml-not-allowed 4:11"),
    "an anchor": (HEAD + "subtitle: &a x\n", "yaml-not-allowed 4:11"),
    "an alias": (HEAD + "subtitle: *a\n", "yaml-not-allowed 4:11"),
    "two documents": (HEAD + "---\nid: other\n", "yaml-not-allowed 4:1"),
    "a key twice": (HEAD + "title: Again\n", "yaml-twice 4:1"),
    "a list as a key": (HEAD + "[a]: b\n", "bad-yaml 4:1"),
    "a tab": ("id: game\n\ttitle: A Game\n", "bad-yaml 2:1"),
    "an open quote": (HEAD + 'subtitle: "never closed\n', "bad-yaml 5:1"),
    "a second colon": (HEAD + "subtitle: Dusk: a game\n", "bad-yaml 4:15"),
    "a control character": (HEAD + "subtitle: a\x07b\n", "bad-yaml 4:12"),
    "an unknown field": (HEAD + "licence: MIT\n", "unknown-pack-field 4:1"),
    "a field missing": ("id: game\nversion: 1.0.0\n", "missing-pack-field 1:1"),
    "a bad version": ("id: game\ntitle: A Game\nversion: one\n", "bad-pack-field 3:10"),
    "an empty title": ("id: game\ntitle:\nversion: 1.0.0\n", "bad-pack-field 2:7"),
    "a bad id": ("id: My Game\ntitle: A Game\nversion: 1.0.0\n", "bad-pack-field 1:5"),
    "no such relation": (HEAD + "sources:\n  - title: Old Lamps\n    relation: borrowed\n", "bad-pack-field 6:15"),
    "a list expected": (HEAD + "authors: Jane\n", "bad-pack-field 4:10"),
    "a mapping expected": (HEAD + "requires: srd-core\n", "bad-pack-field 4:11"),
    "a work without a title": (HEAD + "sources:\n  - url: here\n", "missing-pack-field 5:5"),
    "an unknown field of a work": (HEAD + "sources:\n  - title: A\n    autor: B\n", "unknown-pack-field 6:5"),
}


@pytest.mark.parametrize("case", BAD_HEADS)
def test_a_bad_head_is_one_diagnostic_at_its_place(case: str, tmp_path: Path) -> None:
    head, expected = BAD_HEADS[case]
    loaded = load(str(pack(tmp_path, head)))
    assert said(loaded) == [expected], [str(one) for one in loaded.diagnostics]


def test_fields_are_text_whatever_yaml_makes_of_them(tmp_path: Path) -> None:
    loaded = load(str(pack(tmp_path, "id: no\ntitle: 1984\nversion: 1.0.0\nsubtitle: 2024-01-01\nauthors: [yes, 0x1f]\n")))
    assert loaded.system is not None
    info = loaded.system.pack
    assert (info.id, info.title, info.subtitle, info.authors) == ("no", "1984", "2024-01-01", ("yes", "0x1f"))


def test_a_misspelt_field_is_set_right(tmp_path: Path) -> None:
    assert "`license`" in message(load(str(pack(tmp_path, HEAD + "licence: MIT\n"))), "unknown-pack-field")


@pytest.mark.parametrize(
    "head",
    [
        "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n",
        "id: " + "[" * 10_000,
        "id: " + "{a: " * 10_000,
        "".join(" " * depth + "a:\n" for depth in range(1000)),
        "id: " + "x" * 900_000 + "\n",
        "? " * 20_000,
    ],
    ids=["a bomb", "deep lists", "deep mappings", "deep blocks", "a long value", "question marks"],
)
def test_hostile_heads_are_refused_at_once(head: str, tmp_path: Path) -> None:
    start = time.process_time()
    loaded = load(str(pack(tmp_path, head)))
    assert said(loaded) and loaded.system is None
    assert time.process_time() - start < 5


def test_a_huge_head_is_refused_by_size(tmp_path: Path) -> None:
    loaded = load(str(pack(tmp_path, HEAD + "# " + "x" * 1_000_001)))
    assert said(loaded) == ["file-too-large 1:1"]
    assert "the limit is 1 MB" in message(loaded, "file-too-large")


# ---------------------------------------------------------------- files


def test_a_folder_without_a_head_is_no_pack(tmp_path: Path) -> None:
    assert said(load(str(tmp_path))) == ["no-pack-file 0:0"]


@pytest.mark.parametrize("page", [None, b"", b"\n\n  \n", b"\xef\xbb\xbf"])
def test_a_pack_without_rules_says_so(page: bytes | None, tmp_path: Path) -> None:
    assert said(load(str(pack(tmp_path, page=page)))) == ["no-rules 1:1"]


@pytest.mark.parametrize(
    ("raw", "place", "part"),
    [
        (PAGE.encode("utf-16"), "1:1", "UTF-16"),
        (PAGE.encode("utf-32"), "1:1", "UTF-32"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "1:1", "byte 9 is zero"),
        ("# A\n\nCaf\xe9\n".encode("latin-1"), "3:4", "not UTF-8"),
        (b"# A\n\xff", "2:1", "not UTF-8"),
    ],
)
def test_what_is_not_text_is_named(raw: bytes, place: str, part: str, tmp_path: Path) -> None:
    loaded = load(str(pack(tmp_path, page=raw)))
    assert f"not-text {place}" in said(loaded)
    assert part in message(loaded, "not-text")


def test_a_huge_page_is_refused_by_size(tmp_path: Path) -> None:
    folder = pack(tmp_path)
    with (folder / "rules/02-huge.te").open("wb") as file:
        file.truncate(50_000_000)
    loaded = load(str(folder))
    assert said(loaded) == ["file-too-large 1:1"]
    assert f"50.0 MB; the limit is {MOST_BYTES // 1_000_000} MB" in message(loaded, "file-too-large")


def test_nobody_is_told_to_split_a_huge_lock(tmp_path: Path) -> None:
    folder = pack(tmp_path)
    with (folder / "pack.lock").open("wb") as file:
        file.truncate(50_000_000)
    assert [one.help for one in load(str(folder)).diagnostics if one.code == "file-too-large"] == ["see whether this is the file that you mean"]


def test_too_many_pages_are_not_read(tmp_path: Path) -> None:
    folder = pack(tmp_path, page=None)
    for number in range(MOST_FILES + 1):
        (folder / f"rules/{number:05}.te").touch()
    assert "too-many-files 1:1" in said(load(str(folder)))


def test_folders_may_not_be_endlessly_deep(tmp_path: Path) -> None:
    folder = pack(tmp_path)
    (folder / "rules" / "/".join(["a"] * 400)).mkdir(parents=True)
    assert said(load(str(folder))) == ["too-many-files 1:1"]


def test_line_ends_and_marks_do_not_matter(tmp_path: Path) -> None:
    plain = load(str(pack(tmp_path)))
    other = load(str(pack(tmp_path, b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + PAGE.replace("\n", "\r\n").encode())))
    assert other.system == plain.system
    assert other.diagnostics == plain.diagnostics
    assert {source.newline for source in other.sources.values()} == {"\r\n"}


def test_rewriting_keeps_mark_line_ends_and_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a page.te"
    path.write_bytes(b"\xef\xbb\xbf# A\r\n")
    path.chmod(0o640)
    rewrite(path, Source("a page.te", "# A\n", "\r\n"), "# B\n\nText.\n")
    assert path.read_bytes() == b"\xef\xbb\xbf# B\r\n\r\nText.\r\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
class TestLinks:
    def test_a_link_out_of_the_pack_is_not_opened(self, tmp_path: Path) -> None:
        secret = tmp_path / "secret.te"
        secret.write_text("# Secret\n", encoding="utf-8")
        folder = pack(tmp_path)
        (folder / "rules/02-link.te").symlink_to(secret)
        (folder / "rules/part").symlink_to(tmp_path)
        (folder / "assets").symlink_to("/")
        loaded = load(str(folder))
        assert said(loaded) == ["outside-pack 1:1"] * 3
        assert not loaded.assets
        assert "Secret" not in str(loaded.sources)

    def test_a_head_may_not_be_a_link_out(self, tmp_path: Path) -> None:
        other = tmp_path / "other.yaml"
        other.write_text(HEAD, encoding="utf-8")
        folder = pack(tmp_path)
        (folder / "pack.yaml").unlink()
        (folder / "pack.yaml").symlink_to(other)
        assert said(load(str(folder))) == ["outside-pack 1:1"]

    def test_links_within_the_pack_are_followed_but_not_in_circles(self, tmp_path: Path) -> None:
        folder = pack(tmp_path)
        (folder / "rules/around").symlink_to(folder / "rules")
        (folder / "rules/self.te").symlink_to(folder / "rules/self.te")
        loaded = load(str(folder))
        assert [one.code for one in loaded.diagnostics] == ["ignored-file", "outside-pack"]

    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        folder = pack(tmp_path)
        (folder / "assets").mkdir()
        os.mkfifo(folder / "rules/02-pipe.te")
        os.mkfifo(folder / "assets/pipe.png")
        assert said(load(str(folder))) == ["unreadable-file 1:1"] * 2


# ---------------------------------------------------------------- pictures


def test_pictures_are_the_only_assets(tmp_path: Path) -> None:
    folder = pack(tmp_path)
    (folder / "assets/maps").mkdir(parents=True)
    for name in ("maps/the dungeon.PNG", "cover.jpg", "evil.html", "evil.js", ".hidden.png"):
        (folder / "assets" / name).write_bytes(b"x")
    assert sorted(load(str(folder)).assets) == ["assets/cover.jpg", "assets/maps/the dungeon.PNG"]


@pytest.mark.parametrize(
    "drawing",
    [
        "<svg><script>alert(1)</script></svg>",
        "<svg xmlns:x='s'><x:script>alert(1)</x:script></svg>",
        "<svg onload=alert(1)>",
        "<svg/ONLOAD = 'alert(1)'>",
        "<svg><a href='JavaScript:alert(1)'>x</a></svg>",
        "<svg><a href='java&#115;cript:alert(1)'>x</a></svg>",
        "<svg><foreignObject><iframe/></foreignObject></svg>",
        "<svg><set attributeName='onmouseover' to='alert(1)'/></svg>",
        "<!DOCTYPE svg [<!ENTITY x 'y'>]><svg>&x;</svg>",
        "<?xml version='1.0' encoding='utf-7'?><svg/>",
    ],
)
def test_a_drawing_that_could_run_is_refused(drawing: str, tmp_path: Path) -> None:
    folder = pack(tmp_path)
    (folder / "assets").mkdir()
    (folder / "assets/map.svg").write_text(drawing, encoding="utf-8")
    loaded = load(str(folder))
    assert said(loaded) == ["unsafe-picture 1:1"] and not loaded.assets


def test_a_plain_drawing_is_fine(tmp_path: Path) -> None:
    folder = pack(tmp_path)
    (folder / "assets").mkdir()
    (folder / "assets/map.svg").write_text(
        "<?xml version='1.0' encoding='UTF-8'?><svg xmlns='http://www.w3.org/2000/svg' version='1.1'><title>Once upon a time</title><path d='M0 0h9'/></svg>",
        encoding="utf-8",
    )
    assert list(load(str(folder)).assets) == ["assets/map.svg"]


# ---------------------------------------------------------------- requirements


def chained(root: Path, **requires: str) -> None:
    """One pack for each keyword, which requires the packs named in its value."""
    for name, others in requires.items():
        lines = "".join(f"  {other}: '>=1.0,<2'\n" for other in others.split())
        head = f"id: {name}\ntitle: {name}\nversion: 1.0.0\n" + (f"requires:\n{lines}" if lines else "")
        kind = f"thing-{name}"
        pack(root, head, f"# {name}\n\n## kind: {kind}\nA thing.\n- Is: an entry\n\nSee [[{kind}]].\n", name)


def test_required_packs_come_first(tmp_path: Path) -> None:
    chained(tmp_path, a="b c", b="d", c="d", d="")
    loaded = load(str(tmp_path / "a"))
    assert said(loaded) == []
    assert loaded.system is not None
    assert [info.id for info in loaded.system.packs] == ["d", "b", "c", "a"]
    assert {"thing-a", "thing-b", "thing-c", "thing-d"} <= set(loaded.system.kinds)


def test_many_ways_to_one_pack_cost_no_more_than_one(tmp_path: Path) -> None:
    layers = {f"{side}{level}": f"l{level + 1} r{level + 1}" for level in range(15) for side in "lr"}
    chained(tmp_path, **layers, l15="", r15="")
    start = time.process_time()
    assert said(load(str(tmp_path / "l0"))) == []
    assert time.process_time() - start < 20


def test_a_circle_is_printed_as_a_path(tmp_path: Path) -> None:
    chained(tmp_path, a="b", b="c", c="a")
    loaded = load(str(tmp_path / "a"))
    assert said(loaded) == ["circular-requires 5:6"]
    assert "a -> b -> c -> a" in message(loaded, "circular-requires")


def test_a_pack_that_requires_itself(tmp_path: Path) -> None:
    chained(tmp_path, a="a")
    assert "a -> a" in message(load(str(tmp_path / "a")), "circular-requires")


def test_a_long_chain_ends(tmp_path: Path) -> None:
    chained(tmp_path, **{f"p{number}": f"p{number + 1}" for number in range(60)}, p60="")
    assert said(load(str(tmp_path / "p0"))) == ["broken-pack 5:7"]


def test_a_missing_pack_is_named_and_pages_are_still_read(tmp_path: Path) -> None:
    loaded = load(str(pack(tmp_path, HEAD + "requires:\n  srd-cor: '>=1'\n", "# A\n\n## adversary Troll\n")))
    assert said(loaded) == ["missing-pack 5:3", "heading-without-colon 3:4"]
    assert "`srd-core`" in message(loaded, "missing-pack")


@pytest.mark.parametrize(
    ("range_", "words"),
    [
        (">=2", "2 or later"),
        (">=1.1,<2", "1.1 or later and earlier than 2"),
        ("==1.0.1", "exactly 1.0.1"),
        ("<1", "earlier than 1"),
        ("~=1.1", "1.1 or later of the same series"),
    ],
)
def test_an_unmet_range_is_said_in_words(range_: str, words: str, tmp_path: Path) -> None:
    chained(tmp_path, b="")
    loaded = load(str(pack(tmp_path, HEAD + f"requires:\n  b: '{range_}'\n")))
    assert said(loaded) == ["unmet-version 5:6"]
    assert f"`b` is here in version 1.0.0, but {words} is wanted" in message(loaded, "unmet-version")


def test_a_range_that_is_none(tmp_path: Path) -> None:
    chained(tmp_path, b="")
    assert said(load(str(pack(tmp_path, HEAD + "requires:\n  b: newest\n")))) == ["bad-version-range 5:6"]


def test_a_folder_of_another_name_is_not_taken(tmp_path: Path) -> None:
    pack(tmp_path, "id: other\ntitle: Other\nversion: 1.0.0\n", name="b")
    loaded = load(str(pack(tmp_path, HEAD + "requires:\n  b: '>=1'\n")))
    assert "the folder `b` holds the pack `other`" in message(loaded, "missing-pack")


def test_a_requirement_cannot_leave_the_neighbourhood(tmp_path: Path) -> None:
    loaded = load(str(pack(tmp_path, HEAD + "requires:\n  ../../etc: '>=1'\n")))
    assert said(loaded) == ["bad-pack-field 5:3"]


def test_pictures_of_required_packs_come_along(tmp_path: Path) -> None:
    chained(tmp_path, a="b", b="")
    for name in "ab":
        (tmp_path / name / "assets").mkdir()
        (tmp_path / name / f"assets/{name}.png").write_bytes(b"x")
    assert sorted(load(str(tmp_path / "a")).assets) == ["assets/a.png", "assets/b.png"]


KIND = "# {0}\n\n## kind: gadget\n- Is: an entry\n\n| label | holds    | default | text |\n|-------|----------|---------|------|\n| Mass  | a number | {1}       | how heavy |\n\n## gadget: Thing {0}\n- Mass: 3\n\nSee [[Thing {0}]].\n"


@pytest.mark.parametrize(("mass", "wrong"), [("2", False), ("4", True)])
def test_two_packs_that_declare_one_kind(mass: str, wrong: bool, tmp_path: Path) -> None:
    for name, usual in (("left", "2"), ("right", mass)):
        pack(tmp_path, f"id: {name}\ntitle: {name}\nversion: 1.0.0\n", KIND.format(name.title(), usual), name)
    pack(
        tmp_path,
        "id: both\ntitle: Both\nversion: 1.0.0\nrequires:\n  left: '>=1.0'\n  right: '>=1.0'\n",
        "# Both\n\n## gadget: Mine\n- Mass: 1\n\nSee [[Mine]].\n",
        "both",
    )
    loaded = load(str(tmp_path / "both"))
    assert said(loaded) == (["duplicate-name 6:10"] if wrong else [])
    if wrong:
        [one] = [one for one in loaded.diagnostics if one.code == "duplicate-name"]
        assert "`left` and `right` both declare a kind called `gadget`" in one.message
        assert [(label.span.file, label.span.line) for label in one.labels] == [("left/rules/01-game.te", 3), ("right/rules/01-game.te", 3)]
    result = CliRunner().invoke(cli, ["conflicts", str(tmp_path / "left"), str(tmp_path / "right")])
    assert (result.exit_code, "cannot be in one game" in result.output) == ((2, True) if wrong else (0, False))


@pytest.mark.parametrize("compiled_ones", [("left",), ("left", "right")])
def test_a_pack_that_two_others_bring_is_in_one_state(compiled_ones: tuple[str, ...], tmp_path: Path) -> None:
    chained(tmp_path, left="base", right="base", base="", game="left right")
    for name in compiled_ones:
        assert CliRunner().invoke(cli, ["compile", str(tmp_path / name), "-o", str(tmp_path / f"{name}.tepack.json")]).exit_code == 0
        (tmp_path / name).rename(tmp_path / f"{name}-folder")
        if name == "left":
            assert said(load(str(tmp_path / "game"))) == []
            page = tmp_path / "base" / "rules" / "01-game.te"
            page.write_text(page.read_text(encoding="utf-8") + "\nA line more.\n", encoding="utf-8")
    loaded = load(str(tmp_path / "game"))
    assert said(loaded) == ["pack-in-two-states 6:10"]
    [one] = loaded.diagnostics
    where = "right.tepack.json" if "right" in compiled_ones else "right"
    assert one.message == f"`base` is in this game twice: in left.tepack.json and in {where}, both 1.0.0 and not alike"
    assert [(label.span.line, label.text) for label in one.labels] == [(5, "`left` comes from left.tepack.json"), (6, f"`right` comes from {where}")]
    result = CliRunner().invoke(cli, ["conflicts", str(tmp_path / "left.tepack.json"), str(tmp_path / where)])
    assert (result.exit_code, "they stand on `base` in two states" in result.output) == (2, True)
