"""The tutorial on a derived game is carried out, step by step; what comes out is the pack that ships. And that pack is played."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml
from beginnings import run

from te_forge.cli import opened
from te_forge.commands import odds as odds_command
from te_forge.commands import play as play_command
from te_forge.commands import replay as replay_command
from te_forge.compose import compose
from te_forge.compose.chosen import switched_on
from te_forge.engine.policies import NAMES
from te_forge.packs import load

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "site/docs/three-pages.md").read_text("utf-8")
SHIPPED = ROOT / "systems/night-ferry"
BLOCK = re.compile(r"(?:^<!-- (te-[a-z]+) (\S+)(?: ([^\n]+?))? -->\n)?^```([a-z]+)\n(.*?)^```$", re.M | re.S)


LOADED = cache(opened)


@pytest.fixture(autouse=True)
def loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that only look at a pack that ships share it."""
    for module in (odds_command, play_command, replay_command):
        monkeypatch.setattr(module, "opened", LOADED)


def steps() -> Iterator[tuple[str, str, str, str]]:
    """What each fenced block is for, the file that it is about, a line to look for there, and its text."""
    for does, file, line, kind, body in BLOCK.findall(PAGE):
        yield does or kind, file, line, body


def edited(does: str, old: list[str], line: str, new: list[str]) -> list[str]:
    """A file after one step of the page."""
    if does == "te-file":
        return new
    if does == "te-append":
        return [*old, *([""] if new[0][:1] in "#|" else []), *new]
    if does == "te-uncomment":
        starts = [f"# {one}" for one in new]
        assert all(sum(one.startswith(start) for one in old) == 1 for start in starts), starts
        return [one.removeprefix("# ") if one.startswith(tuple(starts)) else one for one in old]
    labels = [one.partition(":")[0] + ":" for one in new]
    first, last = line or labels[0], line or labels[-1]
    start = next(number for number, one in enumerate(old) if one.strip().startswith(first))
    end = next(number for number, one in enumerate(old) if one.strip().startswith(last))
    return [*old[:start], *new, *old[end + 1 :]]


def carried_out(folder: Path) -> list[tuple[str, int, str]]:
    """Do all that the page says; each command with what came of it."""
    done: list[tuple[str, int, str]] = []
    for does, file, line, body in steps():
        if does == "sh":
            for command in body.splitlines():
                result = run(*shlex.split(command)[1:])
                assert result.exception is None or isinstance(result.exception, SystemExit), command
                done.append((command, result.exit_code, result.stdout))
        elif does == "text":
            shown = done[-1][2].splitlines()
            assert [one for one in body.splitlines() if not any(there.startswith(one) for there in shown)] == [], done[-1]
        else:
            page = folder / file
            old = page.read_text("utf-8").splitlines() if page.exists() else []
            page.write_text("\n".join(edited(does, old, line, body.splitlines())) + "\n", "utf-8")
    return done


def its_book_speaks_its_words(book: Path) -> None:
    pages = {path.name: re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", path.read_text("utf-8"))) for path in book.glob("*.html")}
    changed = pages["what-changed.html"]
    for said in (
        "Presence is gone; Discipline stands in its place (by",
        "Vigor is called Sinew here",
        "Skills: Rowing, Harpoon, Skies, Knots.",
        "Class: Ferrier.",
    ):
        assert said in changed, said
    assert "nothing → " not in changed and "the text: nothing" not in changed
    assert (
        "Wound by Tension" in pages["license.html"]
        and "The Tension Engine © 2023 by William Lentz for Gamenomicon is licensed under CC BY 4.0." in pages["license.html"]
    )


def test_the_page_can_be_followed_and_makes_the_pack_that_ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To write the pack anew from the page: copy what this test has made."""
    monkeypatch.chdir(tmp_path)
    made = tmp_path / "night-ferry"
    done = carried_out(made)
    assert [command for command, code, _ in done if code] == ["te-forge check night-ferry"]  # the mistake that the page makes on purpose, and mends
    assert [shown for command, code, shown in done if "check" in command and not code] == ["no mistakes found\n"] * 2
    assert "every definition has been run by an example" in next(shown for command, _, shown in done if "--coverage" in command)
    assert {path.name: path.read_text("utf-8") for path in sorted((SHIPPED / "rules").iterdir())} == {
        path.name: path.read_text("utf-8") for path in sorted((made / "rules").iterdir())
    }
    assert yaml.safe_load((SHIPPED / "pack.yaml").read_text("utf-8")) == yaml.safe_load((made / "pack.yaml").read_text("utf-8"))
    its_book_speaks_its_words(tmp_path / "night-ferry-book")


def test_it_has_three_pages() -> None:
    assert [path.name for path in sorted((SHIPPED / "rules").iterdir())] == ["01-game.te", "02-aboard.te", "03-the-river.te"]
    assert run("check", "night-ferry").stdout == "no mistakes found\n" and run("fmt", "night-ferry", "--check").exit_code == 0


def test_what_it_drops_adds_and_renames() -> None:
    """Three attributes, ten skills, other words: and what was said of the old ones is said of those that stand for them."""
    system = load("night-ferry").system
    assert system is not None
    made = compose(system, switched_on(system)).system
    assert [one.name for one in made.of_kind("attribute")] == ["Sinew", "Wits", "Discipline"]
    assert sorted(one.name for one in made.of_kind("skill")) == sorted(
        ["Coerce", "Harpoon", "Hide", "Investigation", "Knots", "Melee", "Mysticism", "Rowing", "Skies", "Socialize"]
    )
    assert {one.name for one in made.of_kind("class")} == {"Warrior", "Wastrel", "Wizard", "Ferrier"}
    assert "Tide" in {one.name for one in made.of_kind("pool")} and "Tension" not in {one.name for one in made.of_kind("pool")}
    gives = {one.name: "".join(word if isinstance(word, str) else word.text for word in one.fields["gives"].words) for one in made.of_kind("class")}
    assert gives["Wastrel"] == "Wits +1, Discipline +1, Harpoon +1, Hide +1, Investigation +1, Knots +1"


@pytest.mark.parametrize("policy", sorted(NAMES))
def test_it_plays_itself(policy: str, tmp_path: Path) -> None:
    log = tmp_path / "evening.log"
    result = run("play", "night-ferry", "--all-bots", "--bot", f"everybody={policy}", "--seed", "5", "--procedures", "25", "--log", str(log))
    assert result.exit_code == 0 and "The end: " in result.stdout, result.output
    assert "Tension" not in result.stdout.replace("Tension Engine", "") and "Vigor" not in result.stdout
    assert run("replay", str(log)).exit_code == 0
