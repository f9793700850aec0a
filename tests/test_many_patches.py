"""Four times the lines of a hack take about four times as long to be done, also where all of them change one entry, and whatever they do to it."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest
from pages_for_tests import name

from te_forge.check import check
from te_forge.compose import compose
from te_forge.diagnostics import has_errors
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.source import Source

INFO = PackInfo(id="large", title="Large", version="1.0.0")
HEAD = "# A\n## kind: gm\n- Is: an actor\n- How Many: 1\n## kind: pool\n- Is: a number\n## pool: Tension\n- Of: the gm\n"
GAIN = "the gm gains {} Tension"
MANY, TIMES = 250, 9
"""So many lines first, then four times as many; and how many times as long these may take."""


def joined(line: Callable[[int], str], many: int) -> str:
    return "".join(map(line, range(many)))


def steps(at: int) -> str:
    return f"{at + 1}. {name(at)}. Old.\n   - Line: {GAIN.format(1)}\n"


def lines(at: int) -> str:
    return f"   - {name(at)}: {GAIN.format(1)}\n"


def standing(at: int) -> str:
    return f"- {name(at)}: after Scene: {GAIN.format(1)}\n"


SHAPES: dict[str, tuple[str, Callable[[int], str], str, Callable[[int], str]]] = {
    "a line of each step": ("procedure: Scene", steps, "", lambda at: f"- {name(at)}:\n  - Line: {GAIN.format(2)}\n"),
    "the text of each step": ("procedure: Scene", steps, "", lambda at: f"- {name(at)}:\n  New.\n"),
    "a step beside each step": ("procedure: Scene", steps, "", lambda at: f"- More {name(at)} after {name(at)}:\n  - Line: {GAIN.format(2)}\n"),
    "each line of a step": (
        "procedure: Scene",
        lambda at: "1. Go.\n" * (at == 0) + lines(at),
        "- Go:\n",
        lambda at: f"  - {name(at)}: {GAIN.format(2)}\n",
    ),
    "a line beside each line": (
        "procedure: Scene",
        lambda at: "1. Go.\n" * (at == 0) + lines(at),
        "- Go:\n",
        lambda at: f"  - More {name(at)} after {name(at)}: {GAIN.format(2)}\n",
    ),
    "lines beside one line": (
        "procedure: Scene",
        lambda at: f"1. Go.\n   - Line: {GAIN.format(1)}\n" * (at == 0),
        "- Go:\n",
        lambda at: f"  - {name(at)} after Line: {GAIN.format(2)}\n",
    ),
    "no line of a step any more": (
        "procedure: Scene",
        lambda at: "1. Go.\n" * (at == 0) + lines(at),
        "- Go:\n",
        lambda at: f"  - {name(at)}: nothing\n",
    ),
    "each line of a rule": ("rule: Chronicle", standing, "", lambda at: standing(at).replace("gains 1", "gains 2")),
    "each line of a rule, as it is": ("rule: Chronicle", standing, "", standing),
}


def game(shape: str, many: int, hacks: int) -> System:
    what, base, before, patch = SHAPES[shape]
    scene = "" if what.startswith("procedure") else "## procedure: Scene\n1. Go.\n   - Line: the gm gains 1 Tension\n"
    page = HEAD + scene + f"## {what}\n{joined(base, many)}"
    said = [
        f"## hack: Hack {name(at)}\n" + (f"- Needs: Hack {name(at - 1)}\n" if at else "") + f"### changes {what}\n{before}{joined(patch, many)}"
        for at in range(hacks)
    ]
    made, found = check([Source("page.te", page), Source("hacks.te", "# Hacks\n" + "".join(said))], INFO)
    assert made is not None and not has_errors(found), found[:3]
    return made


def seconds(system: System, expected: set[str]) -> float:
    gc.collect()
    gc.disable()
    try:
        begun = time.process_time()
        made = compose(system, [entry.id for entry in system.of_kind("hack")])
        taken = time.process_time() - begun
    finally:
        gc.enable()
    assert {one.code for one in made.diagnostics} <= expected, made.diagnostics[:3]
    return taken


@pytest.mark.parametrize("hacks", [1, 2])
@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_patches_and_no_faster(shape: str, hacks: int) -> None:
    if hacks == 2 and ("beside" in shape or "any more" in shape):
        pytest.skip("what is put in or taken away can be so once")
    expected = {"idle-patch"} if hacks == 2 or "as it is" in shape else set()
    small, large = game(shape, MANY, hacks), game(shape, 4 * MANY, hacks)
    told = []
    for _ in range(3):
        told.append((seconds(small, expected), seconds(large, expected)))
        if told[-1][1] < max(TIMES * told[-1][0], 0.5):
            return
    raise AssertionError(told)
