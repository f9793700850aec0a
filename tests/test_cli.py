"""The command line as people and programs meet it: whole output, exit codes, pipes, and no stack trace for anybody's mistake."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import click
import pytest
from beginnings import run

from te_forge.asked.counting import Question
from te_forge.cli import LATER, cli, progress
from te_forge.codes import CODES
from te_forge.diagnostics import Diagnostic, Fix, Label
from te_forge.engine.table import Table
from te_forge.report import as_json, as_sarif, as_text, renamed, summary, width
from te_forge.source import Source, Span

ROOT = Path(__file__).parents[1]
FIRST = ("build", "check", "codes", "fmt", "new", "serve")
"""What somebody needs who writes a first game: the guide tells of each and all of its options."""
ALL = cli.list_commands(click.Context(cli))


pytestmark = pytest.mark.usefixtures("here")


def shell(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **settings}
    return subprocess.run(
        [sys.executable, "-m", "te_forge", *words], capture_output=True, text=True, env=environment, encoding="utf-8", errors="replace"
    )


def game(page: str = "", name: str = "game") -> Path:
    """A sound pack, made by `new`, with a page more."""
    assert run("new", name).exit_code == 0
    if page:
        Path(name, "rules/03-more.te").write_text(page, encoding="utf-8")
    return Path(name)


# ---------------------------------------------------------------- help


def command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def test_the_commands_are_these() -> None:
    assert set(FIRST) <= set(ALL) and len(set(ALL)) == len(ALL)
    assert set(ALL) == {"check", *LATER}


@pytest.mark.parametrize("name", ALL)
def test_every_command_explains_itself_with_an_example(name: str) -> None:
    text = run(name, "--help").output
    assert f"Example: te-forge {name}" in text
    for parameter in command(name).params:
        assert not isinstance(parameter, click.Option) or parameter.help


@pytest.mark.parametrize("name", ["check", "conflicts", "explain", "odds", "roll", "rulings", "test"])
def test_the_example_of_the_help_runs_on_a_new_game(name: str, here: Path) -> None:
    assert run("new", "my-game").exit_code == 0
    words = shlex.split(re.sub(r"\s+", " ", run(name, "--help").output.partition("Example: te-forge ")[2].partition("\n\n")[0]))
    result = run(*words)
    assert result.exit_code == 0, result.output


def test_the_guide_names_every_command_and_option() -> None:
    guide = (ROOT / "site/docs/index.md").read_text(encoding="utf-8")
    assert [name for name in ALL if f"`te-forge {name}" not in guide] == []
    for name in FIRST:
        for parameter in command(name).params:
            if isinstance(parameter, click.Option) and not parameter.required and parameter.name not in ("help", "port"):
                assert parameter.opts[-1] in guide


@pytest.mark.parametrize("name", ["codes", "diff", "explain", "odds", "roll", "rulings"])
def test_the_command_in_the_guide_runs(name: str) -> None:
    guide = (ROOT / "site/docs/index.md").read_text(encoding="utf-8")
    found = re.search(rf"^\| `te-forge ({name} .*?)` \|", guide, re.M)
    assert found
    assert run("new", "my-game", "--extends", "srd-core").exit_code == 0
    result = run(*shlex.split(found[1]))
    assert result.exit_code == 0, result.output


def test_version() -> None:
    assert re.fullmatch(r"te-forge, version \d+\.\d+\.\d+\n", run("--version").output)


@pytest.mark.parametrize(
    "words", [("nothing",), ("check", "a", "b"), ("check", "--format", "xml"), ("build", "srd-core"), ("new",), ("serve", "-p", "0")]
)
def test_a_wrong_command_is_usage(words: tuple[str, ...]) -> None:
    assert run(*words).exit_code == 2


# ---------------------------------------------------------------- new


@pytest.mark.parametrize("extends", [(), ("--extends", "srd-core")], ids=["alone", "on srd-core"])
def test_a_new_pack_checks_clean_is_in_form_and_builds(extends: tuple[str, ...], here: Path) -> None:
    assert run("new", "my-game", *extends).exit_code == 0
    assert run("check", "my-game").stdout == "no mistakes found\n"
    assert run("fmt", "--check", "my-game").stdout == "every page is in form\n"
    built = run("build", "my-game", "-o", "book")
    assert built.exit_code == 0
    assert f"Open {here / 'book/index.html'} in a browser." in built.output
    assert "My Game" in (here / "book/index.html").read_text(encoding="utf-8")
    assert ("Will" in (here / "my-game/pack.yaml").read_text(encoding="utf-8")) == bool(extends), "the works that are owed an attribution"


def test_a_new_pack_may_build_on_a_neighbour(here: Path) -> None:
    game()
    assert run("new", "next", "--extends", "game").exit_code == 0
    assert run("check", "next").stdout == "no mistakes found\n"


@pytest.mark.parametrize("name", ["My Game", "-x", "1st", "a--b", "ü", "x" * 61, ".", "a/B", ""])
def test_a_bad_name_makes_nothing(name: str, here: Path) -> None:
    assert run("new", "--", name).exit_code == 2
    assert list(here.iterdir()) == []


def test_new_never_touches_what_is_there(here: Path) -> None:
    (here / "taken").mkdir()
    (here / "taken/mine.txt").write_text("mine", encoding="utf-8")
    (here / "file").write_text("mine", encoding="utf-8")
    assert run("new", "taken").exit_code == run("new", "file").exit_code == 2
    assert [path.name for path in (here / "taken").iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("extends", ["nowhere", "srd-cor", "../srd-core", "my-game", ""])
def test_new_on_nothing(extends: str, here: Path) -> None:
    result = run("new", "my-game", "--extends", extends)
    if extends:
        assert result.exit_code == 2
        assert list(here.iterdir()) == []


# ---------------------------------------------------------------- check

MISTAKE = "# More\n\nText.\n\n## rule: Odd\nA rule.\n- Gain: after Scene: each character gains 1 Lukc\n"


def test_check_prints_line_caret_and_help() -> None:
    game(MISTAKE)
    result = run("check", "game")
    assert result.exit_code == 1
    assert "error[unknown-name]" in result.output
    assert "  --> game/rules/03-more.te:7:45\n" in result.output
    assert "  7 | - Gain: after Scene: each character gains 1 Lukc\n" in result.output
    assert "    | " + " " * 44 + "^^^^\n" in result.output
    assert "`Luck`" in result.output
    assert result.stdout.endswith("\n1 error in 1 file\n")


def test_places_can_be_opened_from_where_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(game(MISTAKE))
    assert "  --> rules/03-more.te:7:" in run("check").output


def test_warnings_alone_are_no_failure() -> None:
    game("# More\n\nText.\n\n## pool: Dust\nNobody wants it.\n- Of: a character\n- Starts: 0\n")
    result = run("check", "game")
    assert result.exit_code == 0
    assert "warning[" in result.output


@pytest.mark.parametrize("words", [("odds", "game", "Test", "hero=Ann"), ("roll", "game", "Test", "hero=Ann", "--policy", "plain"), ("play", "game")])
def test_what_is_played_or_counted_names_warnings_and_check_shows_them(words: tuple[str, ...]) -> None:
    game("# More\n\nText.\n\n## pool: Dust\nNobody wants it.\n- Of: a character\n- Starts: 0\n")
    result = run(*words, "--who", "Ann: a character")
    assert result.exit_code == 0 and "1 warning in 1 file; `te-forge check game` shows what\n" in result.stderr
    assert "warning[" not in result.output + result.stderr


def test_odds_of_what_never_ends_say_how_to_look_at_it(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Table({}, {}, Fraction(1), ("The rounds are followed one by one.",))
    monkeypatch.setattr("te_forge.asked.counting.counted", lambda asked, *_: Question(asked, nothing, None, ()))
    game("# More\n\nText.\n")
    shown = run("odds", "game", "Test", "hero=Ann", "--who", "Ann: a character").stdout
    assert "Not followed: 100.00 %" in shown and "perhaps it never does: `te-forge roll` shows a run of it" in shown


def test_check_as_json() -> None:
    game(MISTAKE)
    result = run("check", "game", "--format", "json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [(one["code"], one["file"], one["line"], one["column"]) for one in found] == [("unknown-name", "game/rules/03-more.te", 7, 45)]
    assert json.loads(run("check", "srd-core", "--format", "json").stdout) == []


def test_check_says_which_copies_of_packs_were_used(here: Path) -> None:
    assert run("new", "my-game", "--extends", "srd-core").exit_code == 0
    shipped = run("check", "my-game", "-v").stdout
    assert re.search(r"^stands on srd-core 1\.0\.0: .*systems.*srd-core$", shipped, re.M)
    shutil.copytree(Path(__file__).parents[1] / "systems" / "srd-core", here / "srd-core")
    assert f"stands on srd-core 1.0.0: {here / 'srd-core'}\n" in run("check", "my-game", "--verbose").stdout
    assert "it stands on no other pack" in run("check", "srd-core", "-v").stdout


@pytest.mark.parametrize(
    "words", [("diff", "game", "srd-core"), ("conflicts", "game"), ("rulings", "game"), ("explain", "game", "Luck"), ("odds", "game", "Leap")]
)
def test_mistakes_of_a_pack_are_data_for_whoever_asked_for_data(words: tuple[str, ...]) -> None:
    game("# Game\n\n- Starts: nowhere at all\n\n## pool: Luck\n- Starts: [[Nobody]]\n")
    result = run(*words, "--format", "json")
    assert result.exit_code == 1
    told, checked = (
        [one for one in json.loads(text) if one["severity"] == "error"] for text in (result.stdout, run("check", "game", "--format", "json").stdout)
    )
    assert told == checked != []
    assert result.stderr == ""


def test_check_as_sarif() -> None:
    game(MISTAKE)
    log = json.loads(run("check", "game", "--format", "sarif").stdout)
    assert log["version"] == "2.1.0"
    (one,) = log["runs"][0]["results"]
    rule = log["runs"][0]["tool"]["driver"]["rules"][one["ruleIndex"]]
    assert rule["id"] == one["ruleId"] == "unknown-name"
    place = one["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "game/rules/03-more.te"}, "region": {"startLine": 7, "startColumn": 45, "endColumn": 49}}


def test_a_pack_that_is_not_there_is_usage_and_one_without_a_head_is_a_finding(here: Path) -> None:
    assert run("check", "nowhere").exit_code == 2
    assert run("build", "nowhere", "-o", "book").exit_code == 2
    assert run("serve", "nowhere").exit_code == 2
    assert run("check").exit_code == 1
    assert list(here.iterdir()) == []


# ---------------------------------------------------------------- fmt

LOOSE = "# More\nText.\n\n\n## rule: Odd\nA rule.\n-   Gain: after Scene:\n      - Each: each character gains 1 Luck\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_fmt_puts_in_order_once_and_keeps_line_ends(newline: str) -> None:
    page = game() / "rules/03-more.te"
    page.write_bytes(b"\xef\xbb\xbf" + LOOSE.replace("\n", newline).encode())
    before = page.read_bytes()
    looked = run("fmt", "--check", "game")
    assert (looked.exit_code, looked.stdout, page.read_bytes()) == (1, "would change game/rules/03-more.te\n", before)
    done = run("fmt", "game")
    assert (done.exit_code, done.stdout) == (0, "changed game/rules/03-more.te\n")
    raw = page.read_bytes()
    assert raw != before and raw.startswith(b"\xef\xbb\xbf") and raw.count(b"\r\n") == (raw.count(b"\n") if newline == "\r\n" else 0)
    assert run("fmt", "game").stdout == "every page is in form\n"
    assert page.read_bytes() == raw


def test_fmt_leaves_a_page_with_mistakes_alone() -> None:
    page = game(LOOSE + "- Bad: the gm gains\n") / "rules/03-more.te"
    before = page.read_bytes()
    result = run("fmt", "game")
    assert result.exit_code == 1
    assert "left alone, since it has mistakes: game/rules/03-more.te" in result.output
    assert page.read_bytes() == before


def test_fmt_says_which_page_it_could_not_read() -> None:
    page = game() / "rules/03-more.te"
    page.write_bytes(b"\xff\xfe\0")
    result = run("fmt", "game")
    assert result.exit_code == 1
    assert "left alone, since it cannot be read: game/rules/03-more.te" in result.output
    assert page.read_bytes() == b"\xff\xfe\0"


# ---------------------------------------------------------------- build and codes


def test_build_refuses_what_is_not_its_own(here: Path) -> None:
    (here / "photos").mkdir()
    (here / "photos/cat.jpg").write_bytes(b"cat")
    (here / "note").write_text("mine", encoding="utf-8")
    for out in ("photos", "note", "."):
        result = run("build", "srd-core", "-o", out)
        assert result.exit_code == 2
    assert sorted(path.name for path in here.rglob("*")) == ["cat.jpg", "note", "photos"]


def test_build_keeps_the_chapters_of_the_pack(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`book` is where a pack's chapters of prose stand; the same word as the output folder once cost an author her foreword."""
    monkeypatch.chdir(game())
    for before in (None, "# Foreword\n\nHi [[Test]]\n"):
        if before:
            Path("book").mkdir()
            Path("book/00-foreword.md").write_text(before, encoding="utf-8")
        result = run("build", ".", "-o", "book")
        assert result.exit_code == 2
        assert "the folder `book` of the pack game is for files that you write; choose another folder, such as `-o game-book`" in result.output
    assert [path.as_posix() for path in Path("book").iterdir()] == ["book/00-foreword.md"]
    assert run("build", ".", "-o", "game-book").exit_code == 0
    Path("game-book/00-foreword.md").write_text("mine", encoding="utf-8")
    result = run("build", ".", "-o", "game-book")
    assert result.exit_code == 2 and "game-book/00-foreword.md was not written by te-forge" in result.output
    assert Path("game-book/00-foreword.md").read_text(encoding="utf-8") == "mine"


def test_build_with_mistakes_leaves_the_old_book() -> None:
    page = game() / "rules/03-more.te"
    assert run("build", "game", "-o", "book").exit_code == 0
    before = {path: path.read_bytes() for path in Path("book").rglob("*") if path.is_file()}
    page.write_text(MISTAKE, encoding="utf-8")
    result = run("build", "game", "-o", "book")
    assert result.exit_code == 1 and "unknown-name" in result.output
    assert {path: path.read_bytes() for path in Path("book").rglob("*") if path.is_file()} == before


def test_codes_lists_and_explains() -> None:
    assert [line.split()[0] for line in run("codes").output.splitlines()] == sorted(CODES)
    assert "unknown-name" in run("codes", "unknown-name").output
    wrong = run("codes", "unknown-nam")
    assert wrong.exit_code == 2 and "`unknown-name`" in wrong.output


# ---------------------------------------------------------------- the process


def test_what_takes_long_is_announced(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("te_forge.cli.PATIENCE", 1)
    with progress("counting"):
        pass
    assert capsys.readouterr() == ("", "")
    with progress("counting"):
        time.sleep(1.2)
    assert capsys.readouterr() == ("", "counting ...\n")


def test_as_a_process() -> None:
    game(MISTAKE)
    done = shell("check", "game", NO_COLOR="1")
    assert done.returncode == 1 and "Traceback" not in done.stderr and "\x1b" not in done.stdout + done.stderr


def test_a_poor_terminal_is_no_reason_to_fail() -> None:
    game(MISTAKE.replace("Lukc", "Lück"))
    done = shell("check", "game", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.returncode == 1 and "Traceback" not in done.stderr and "unknown-name" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe of another kind")
def test_a_closed_pipe_is_quiet() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "te_forge", "codes"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert process.stdout and process.stderr
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(30) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of another kind")
@pytest.mark.parametrize("words", ["codes >&-", "check game >&- 2>&-", "play game <&-", "roll game Test <&-", "codes <&- >&- 2>&-"])
def test_closed_streams_are_no_reason_to_fail(words: str) -> None:
    game()
    command = f"{shlex.quote(sys.executable)} -m te_forge {words}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == (2 if "roll" in words else 0)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_who_is_asked_to_stop_is_quiet_and_leaves_nothing(sign: signal.Signals, here: Path) -> None:
    game()
    process = subprocess.Popen(
        [sys.executable, "-m", "te_forge", "serve", "game", "-p", str(free_port())],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(here)},
    )
    assert process.stdout and process.stderr
    assert process.stdout.readline()
    time.sleep(0.3)
    process.send_signal(sign)
    _, err = process.communicate(timeout=30)
    assert "Traceback" not in err
    assert [path.name for path in here.iterdir()] == ["game"]


# ---------------------------------------------------------------- reports


def found(line: str, part: str, **more: object) -> tuple[Diagnostic, dict[str, Source]]:
    column = line.index(part) + 1
    return Diagnostic("x-y", "Oh", Span("a.te", 1, column, column + len(part)), **more), {"a.te": Source("a.te", line)}  # type: ignore[arg-type]


@pytest.mark.parametrize("line", ["- 力: a Part", "- cafe\u0301: a Part", "-\tPart", "🐉🐉 Part", "Part", "x" * 300 + " Part " + "x" * 300])
def test_carets_stand_below_what_they_mean(line: str) -> None:
    one, sources = found(line, "Part")
    shown, carets = as_text([one], sources).splitlines()[2:4]
    assert width(shown[: shown.index("Part")]) == carets.index("^")
    assert carets.count("^") == 4
    assert width(shown) < 130


def test_a_terminal_obeys_no_page() -> None:
    one, sources = found("a \x1b[2J\x07\u202e Part", "Part", help="\x1b]0;x\x07")
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", as_text([one], sources))


def test_a_report_shows_both_ends() -> None:
    one, sources = found("one two", "two", labels=(Label(Span("a.te", 1, 1, 4), "first stated here"),), fix=Fix(Span("a.te", 1, 5, 8), "2"))
    assert "  first stated here: a.te:1:1\n  1 | one two\n    | ^^^\n" in as_text([one], sources)
    (record,) = json.loads(as_json(renamed([one], {"a.te": "deep/a.te"})))
    assert {record["file"], record["labels"][0]["file"], record["fix"]["file"]} == {"deep/a.te"}


def test_odd_file_names_are_proper_addresses() -> None:
    one = Diagnostic("x-y", "Oh", Span("my game/rü.te", 1, 1, 2))
    assert '"my%20game/r%C3%BC.te"' in as_sarif([one], "1")


def test_the_sum_reads_well() -> None:
    at = [Span(name, 1, 1, 1) for name in ("a", "b", "c")]
    some = [Diagnostic("x-y", "", at[0]), Diagnostic("x-y", "", at[1]), Diagnostic("x-y", "", at[2], "warning")]
    assert summary(some) == "2 errors, 1 warning in 3 files"
    assert summary(some[:1]) == "1 error in 1 file"
    assert summary([]) == "no mistakes found"
