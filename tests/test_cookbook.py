"""The recipes of the cookbook, run one after the other; below each stands what it prints. `python tests/test_cookbook.py` writes that anew."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path

import pytest

import te_forge

PAGE = Path(__file__).parents[1] / "site/docs/cookbook.md"
RECIPE = re.compile(r"^## (.+?)\n.*?^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.M | re.S)


def recipes() -> list[tuple[str, str, str]]:
    return RECIPE.findall(PAGE.read_text(encoding="utf-8"))


@cache
def compiled() -> bytes:
    return te_forge.load("srd-core").compile()


def printed(program: str, folder: Path) -> str:
    (folder / "srd-core.tepack.json").write_bytes(compiled())
    here, out = Path.cwd(), io.StringIO()
    os.chdir(folder)
    try:
        with redirect_stdout(out):
            exec(compile(program, "recipe", "exec"), {"__name__": "__main__"})
    finally:
        os.chdir(here)
    return out.getvalue()


def test_there_are_twelve() -> None:
    assert len(recipes()) == 12
    assert PAGE.read_text(encoding="utf-8").count("```python\n") == 12


@pytest.mark.parametrize("name", [name for name, _, _ in recipes()])
def test_a_recipe_prints_what_stands_below_it(name: str, tmp_path: Path) -> None:
    program, expected = next((program, expected) for title, program, expected in recipes() if title == name)
    assert printed(program, tmp_path) == expected
    assert expected


def test_the_bot_is_short_and_works_for_any_pack() -> None:
    program = next(program for title, program, _ in recipes() if "bot" in title)
    lines = [line for line in program.partition("\nbot = ")[0].splitlines() if line.strip()]
    assert len(lines) <= 40
    space: dict[str, object] = {}
    exec(program.partition("\nbot = ")[0], space)
    for pack in te_forge.discover():
        bot = space["Bot"](pack.id)  # type: ignore[operator]
        entry = next(one for one in bot.game if one.kind == "procedure")
        assert f"**{entry.name}**" in bot.answer(f"/rule {entry.id}")
        assert bot.answer("/roll Nothing Of The Kind").startswith("Sorry: ")


if __name__ == "__main__":
    import tempfile

    text = PAGE.read_text(encoding="utf-8")
    for _, program, before in recipes():
        with tempfile.TemporaryDirectory() as folder:
            text = text.replace(f"{program}```\n\n```text\n{before}```", f"{program}```\n\n```text\n{printed(program, Path(folder))}```")
    PAGE.write_text(text, encoding="utf-8")
    sys.exit()
