"""What `check` keeps between runs: the same answer to the byte, whatever happens to the cache, and never an old one."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import te_forge.kept
import te_forge.packs
from te_forge.cli import cli

HEAD = "id: {id}\ntitle: Dusk\nversion: 1.0.0\n"
SOUND = "# Dusk\n\n## kind: hero\n- Is: an actor\n\n## rule: Rest\nA hero rests, as [[hero]] says.\n"
WRONG = """# Dusk

## kind: hero
- Is: an actor

## kind: pool
- Is: a number of a hero

## pool: Luck
- Starts: 5
- At Most: 3
- Starts: 4

## rule: Rest
- Gain: the owner gains 1 Lukc
- Loss the owner loses 1 Luck
The Moon Tower stands there. Look at the Moon Tower, and pay 2 Moon Tower. \U0001f319
"""
SVG = "<svg xmlns='http://www.w3.org/2000/svg'/>"
FORMATS = ("text", "json", "sarif")


def pack(root: Path, page: str = SOUND, id: str = "", more: str = "") -> Path:
    (root / "rules").mkdir(parents=True)
    (root / "pack.yaml").write_text(HEAD.format(id=id or root.name) + more, encoding="utf-8")
    (root / "rules/one.te").write_text(page, encoding="utf-8")
    return root


def aged(*roots: Path) -> None:
    """As if nobody had written there for an hour."""
    for root in roots:
        for path in (root, *root.rglob("*")):
            os.utime(path, (path.stat().st_mtime - 3600,) * 2)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/te-forge"


def run(root: Path | str, *words: str) -> tuple[int, bytes]:
    done = CliRunner().invoke(cli, ["check", str(root), *words])
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.stdout_bytes


def anew(root: Path | str, *words: str) -> tuple[int, bytes]:
    return run(root, "--no-cache", *words)


@pytest.fixture
def only_kept(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, bytes]]:
    """Runs `check` where it must answer from what it has kept."""

    def fails(*_: object) -> None:
        raise AssertionError("the pack was read again")

    def kept(root: Path | str, *words: str) -> tuple[int, bytes]:
        with monkeypatch.context() as patch:
            patch.setattr(te_forge.packs, "load", fails)
            return run(root, *words)

    return kept


def read_again(root: Path | str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether `check` really checks. Its answer is the one without a cache in any case."""
    calls: list[object] = []
    load = te_forge.packs.load

    def counted(*words: object) -> object:
        calls.append(words)
        return load(*words)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(te_forge.packs, "load", counted)
        found = run(root)
    assert found == anew(root)
    return bool(calls)


# ---------------------------------------------------------------- the same answer


@pytest.mark.parametrize("page", [SOUND, WRONG, "# Dusk\n\nWords alone.\n"], ids=["sound", "wrong", "no rules"])
def test_what_is_kept_is_what_was_found(page: str, tmp_path: Path, cache: Path, only_kept: Callable[..., tuple[int, bytes]]) -> None:
    root = pack(tmp_path / "dusk", page)
    expected = [anew(root, "--format", format) for format in FORMATS]
    assert not list(cache.glob("check-*"))
    first = run(root)
    assert [first, *expected[1:]] == [only_kept(root, "--format", format) for format in FORMATS] == expected


def test_files_are_called_as_from_where_one_is(
    tmp_path: Path, cache: Path, only_kept: Callable[..., tuple[int, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = pack(tmp_path / "dusk", WRONG)
    run(root)
    shown = []
    for here in (tmp_path, root, root / "rules"):
        monkeypatch.chdir(here)
        assert only_kept(root) == anew(root)
        shown.append(only_kept(root))
    assert len(set(shown)) == 3


def test_a_shipped_pack_is_not_read_again(cache: Path, only_kept: Callable[..., tuple[int, bytes]]) -> None:
    assert run("srd-core") == only_kept("srd-core") == (0, b"no mistakes found\n")


def test_no_cache_neither_looks_nor_keeps(tmp_path: Path, cache: Path) -> None:
    root = pack(tmp_path / "dusk")
    anew(root)
    assert not cache.exists()


def test_what_is_tried_is_not_kept(cache: Path) -> None:
    run("srd-core", "--without", "No Such Hack")
    assert not list(cache.glob("check-*"))


# ---------------------------------------------------------------- never an old one


def changed_page(root: Path) -> None:
    (root / "rules/one.te").write_text(WRONG, encoding="utf-8")


def same_size(root: Path) -> None:
    page = root / "rules/one.te"
    before = page.stat()
    page.write_text(SOUND.replace("[[hero]]", "[[haro]]"), encoding="utf-8")
    os.utime(page, ns=(before.st_atime_ns, before.st_mtime_ns))


def changed_head(root: Path) -> None:
    (root / "pack.yaml").write_text("id: dusk\ntitel: Dusk\nversion: 1.0.0\n", encoding="utf-8")


def new_page(root: Path) -> None:
    (root / "rules/two.te").write_text(WRONG, encoding="utf-8")


def new_chapter(root: Path) -> None:
    (root / "book").mkdir()
    (root / "book/one.md").write_text("# One\n\n[[Nothing]]\n", encoding="utf-8")


def ignored(root: Path) -> None:
    (root / "rules/notes.txt").write_text("x", encoding="utf-8")


def astray(root: Path) -> None:
    (root / "astray.te").write_text("x", encoding="utf-8")


def renamed_picture(root: Path) -> None:
    (root / "assets/map.png").rename(root / "assets/Map.png")


def alive(root: Path) -> None:
    (root / "assets/sun.svg").write_text(SVG.replace("/>", "><script/></svg>"), encoding="utf-8")


def no_folder(root: Path) -> None:
    shutil.rmtree(root / "rules")


def a_link(root: Path) -> None:
    (root / "rules/link.te").symlink_to(root.parent / "elsewhere.te")


def linked_folder(root: Path) -> None:
    (root / "rules").rename(root.parent / "rules-of-dusk")
    (root / "rules").symlink_to(root.parent / "rules-of-dusk")


def page_folder(root: Path) -> None:
    (root / "foo.te").mkdir()


def hidden_page_folder(root: Path) -> None:
    (root / ".foo.te").mkdir()


def lock_folder(root: Path) -> None:
    (root / "pack.lock").mkdir()


def strange_folder(root: Path) -> None:
    (root / "rules/one\u200b").mkdir()


def strange_folder_of_pictures(root: Path) -> None:
    (root / "assets/more/one\u200b").mkdir(parents=True)


def deep_folder(root: Path) -> None:
    (root / "/".join(["rules", *"abcdefghijklmnopqrstu"])).mkdir(parents=True)


def folder_in_place_of_a_page(root: Path) -> None:
    (root / "rules/one.te").unlink()
    (root / "rules/one.te").mkdir()


def folder_in_place_of_a_picture(root: Path) -> None:
    (root / "assets/map.png").unlink()
    (root / "assets/map.png").mkdir()


def larger_picture(root: Path) -> None:
    with (root / "assets/map.png").open("r+b") as file:
        file.truncate(25_000_001)


def a_pipe(root: Path) -> None:
    os.mkfifo(root / "rules/pipe.te")


@pytest.mark.parametrize(
    "change",
    [
        page_folder,
        hidden_page_folder,
        lock_folder,
        strange_folder,
        strange_folder_of_pictures,
        deep_folder,
        folder_in_place_of_a_page,
        folder_in_place_of_a_picture,
        larger_picture,
        a_pipe,
        changed_page,
        same_size,
        changed_head,
        new_page,
        new_chapter,
        ignored,
        astray,
        renamed_picture,
        alive,
        no_folder,
        a_link,
        linked_folder,
    ],
)
def test_whatever_changes_is_seen(change: Callable[[Path], None], tmp_path: Path, cache: Path) -> None:
    root = pack(tmp_path / "dusk", SOUND + "![the land](assets/map.png) ![the sun](assets/sun.svg)\n")
    (root / "assets").mkdir()
    (root / "assets/map.png").write_bytes(b"png")
    (root / "assets/sun.svg").write_text(SVG, encoding="utf-8")
    before = run(root)
    assert before == anew(root)
    change(root)
    after = run(root)
    assert after == anew(root) == run(root)
    assert after != before


def test_what_lies_in_other_folders_changes_nothing(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = pack(tmp_path / "dusk")
    (root / "drafts").mkdir()
    run(root)
    (root / "drafts/two.te").write_text(WRONG, encoding="utf-8")
    assert not read_again(root, monkeypatch)


def test_a_lock_file_counts(tmp_path: Path, cache: Path) -> None:
    root = pack(tmp_path / "dusk")
    before = run(root)
    (root / "pack.lock").write_text("no lock", encoding="utf-8")
    assert run(root) == anew(root) != before


def test_a_pack_of_very_much_is_not_kept(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(te_forge.kept, "MOST_READ", 1000)
    root = pack(tmp_path / "dusk")
    (root / "maps.zip").write_bytes(b" " * 1001)
    run(root)
    assert read_again(root, monkeypatch)


def test_a_pack_of_very_many_folders_is_not_kept(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(te_forge.kept, "MOST_FILES", 5)
    root = pack(tmp_path / "dusk")
    for name in "abcdef":
        (root / name).mkdir()
    run(root)
    assert read_again(root, monkeypatch)


def test_a_folder_that_is_no_pack_is_not_looked_through(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "films").mkdir()
    (tmp_path / "films/one.avi").write_bytes(b" ")
    assert te_forge.kept.fingerprint(tmp_path / "films") is None
    assert run(tmp_path / "films") == anew(tmp_path / "films")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="here every file can be read")
def test_a_file_that_may_not_be_read_is_seen(tmp_path: Path, cache: Path) -> None:
    root = pack(tmp_path / "dusk")
    before = run(root)
    (root / "rules/one.te").chmod(0)
    assert run(root) == anew(root) != before


def test_required_packs_count(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    low = pack(tmp_path / "low")
    middle = pack(tmp_path / "middle", "# M\n\n## rule: Sleep\nSee [[Rest]].\n", more="requires:\n  low: '>=1.0'\n")
    high = pack(tmp_path / "high", "# H\n\n## rule: Dream\nSee [[Sleep]].\n", more="requires:\n  middle: '>=1.0'\n")
    aged(low, middle, high)
    assert run(high)[0] == 0
    assert not read_again(high, monkeypatch)
    (low / "rules/one.te").write_text(SOUND.replace("Rest", "Lull"), encoding="utf-8")
    assert read_again(high, monkeypatch)
    assert run(high)[0] == 1
    (low / "rules/one.te").write_text(SOUND, encoding="utf-8")
    aged(low)
    run(high)
    assert not read_again(high, monkeypatch)
    shutil.rmtree(low)
    assert read_again(high, monkeypatch)


def test_a_required_pack_of_just_now_is_not_trusted(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(tmp_path / "low")
    high = pack(tmp_path / "high", "# H\n\n## rule: Dream\nSee [[Rest]].\n", more="requires:\n  low: '>=1.0'\n")
    run(high)
    assert read_again(high, monkeypatch)


@pytest.mark.parametrize(
    "change", [lambda low: (low / "rules/two.te").unlink(), lambda low: (low / "rules/three").mkdir(), lambda low: (low / "two.te").unlink()]
)
def test_a_required_pack_that_lost_or_got_something_just_now_is_not_trusted(
    change: Callable[[Path], None], tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check may have seen it before or after, and what is left is as old as ever."""
    low = pack(tmp_path / "low")
    for place in ("rules/two.te", "two.te"):
        (low / place).write_text("# Two\n", encoding="utf-8")
    high = pack(tmp_path / "high", "# H\n\n## rule: Dream\nSee [[Rest]].\n", more="requires:\n  low: '>=1.0'\n")
    aged(low, high)
    load = te_forge.packs.load

    def slow(*words: object) -> object:
        found = load(*words)  # type: ignore[arg-type]
        change(low)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(te_forge.packs, "load", slow)
        run(high)
    assert not list(cache.glob("check-*"))


def test_another_pack_of_that_name_nearer_by_counts(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A neighbour comes before a pack that te_forge ships."""
    mine = pack(tmp_path / "mine", "# M\n\n## rule: Dream\nWords.\n", more="requires:\n  srd-core: '>=0.1'\n")
    assert run(mine)[0] == 0
    assert not read_again(mine, monkeypatch)
    pack(tmp_path / "srd-core", WRONG)
    assert read_again(mine, monkeypatch)
    assert run(mine)[0] == 1


def test_another_te_forge_looks_anew(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = pack(tmp_path / "dusk")
    run(root)
    assert not read_again(root, monkeypatch)
    monkeypatch.setattr(te_forge.kept, "stamp", lambda: b"another one")
    assert read_again(root, monkeypatch)


def test_the_stamp_knows_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = tmp_path / "te_forge/check"
    code.mkdir(parents=True)
    monkeypatch.setattr(te_forge.kept, "HERE", tmp_path / "te_forge")
    page = code / "one.py"
    page.write_text("a = 1", encoding="utf-8")
    found = [te_forge.kept.stamp.__wrapped__()]
    os.utime(page, ns=(page.stat().st_atime_ns, page.stat().st_mtime_ns + 1_000_000))
    found.append(te_forge.kept.stamp.__wrapped__())
    before = page.stat()
    page.write_text("a = 22", encoding="utf-8")
    os.utime(page, ns=(before.st_atime_ns, before.st_mtime_ns))
    found.append(te_forge.kept.stamp.__wrapped__())
    monkeypatch.setattr(te_forge.kept, "__version__", "99.0.0")
    found.append(te_forge.kept.stamp.__wrapped__())
    assert len(set(found)) == len(found)


def test_a_page_that_is_saved_during_the_check_is_not_lost(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = pack(tmp_path / "dusk")
    load = te_forge.packs.load

    def slow(*words: object) -> object:
        found = load(*words)  # type: ignore[arg-type]
        changed_page(root)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(te_forge.packs, "load", slow)
        run(root)
    assert read_again(root, monkeypatch)


# ---------------------------------------------------------------- whatever happens to the cache


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])


def nonsense(file: Path) -> None:
    file.write_bytes(b"\x80\xff\n" * 100)


def other_words(file: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace('"error"', '"note"'), encoding="utf-8")


def other_form(file: Path) -> None:
    digest, _ = file.read_text(encoding="utf-8").split("\n", 1)
    file.write_text(f"{digest}\n{json.dumps({'needs': [1], 'findings': 'x'})}", encoding="utf-8")


def deep(file: Path) -> None:
    file.write_text("x\n" + "[" * 100_000, encoding="utf-8")


def huge(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b" " * 3_000_000)


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("harm", [emptied, cut_short, nonsense, other_words, other_form, deep, huge, a_folder])
def test_a_harmed_cache_is_no_cache(harm: Callable[[Path], None], tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = pack(tmp_path / "dusk", WRONG)
    run(root)
    (file,) = cache.glob("check-*")
    harm(file)
    assert read_again(root, monkeypatch)
    assert read_again(root, monkeypatch) is (harm is a_folder)


def test_the_answer_about_another_pack_is_not_taken(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(pack(tmp_path / "dusk", WRONG))
    (file,) = cache.glob("check-*")
    words = file.read_bytes()
    other = pack(tmp_path / "dawn")
    run(other)
    (mine,) = set(cache.glob("check-*")) - {file}
    mine.write_bytes(words)
    assert read_again(other, monkeypatch)


def test_a_cache_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = pack(tmp_path / "dusk", WRONG)
    assert run(root) == run(root) == anew(root)


def test_old_answers_make_room(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(te_forge.kept, "MOST_KEPT", 3)
    roots = [pack(tmp_path / f"dusk-{name}") for name in "abcde"]
    for age, root in enumerate(roots):
        run(root)
        for file in cache.glob("check-*"):
            if file.stat().st_mtime > 1_000_000:
                os.utime(file, (age, age))
    assert len(list(cache.glob("check-*"))) == 3
    assert not read_again(roots[-1], monkeypatch)
    assert read_again(roots[0], monkeypatch)


def test_very_much_is_not_kept(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(te_forge.kept, "MOST_LETTERS", 100)
    root = pack(tmp_path / "dusk", WRONG)
    run(root)
    assert read_again(root, monkeypatch)
