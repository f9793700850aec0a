"""Compiled packs in which something has been changed, with a hash that fits: whatever it is, somebody is told what and where, or it makes no
difference; nothing is raised, and nothing hangs.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from beginnings import run

import te_forge
from te_forge.compiled.file import sealed
from te_forge.compiled.write import in_lines
from te_forge.diagnostics import has_errors
from te_forge.packs import load

PACK, ODDS = "tension-tests", ("Personal Test", "trigger=Ann", "difficulty=1", "--who", "Ann: a pc")
NONSENSE: list[Any] = [
    None,
    True,
    0,
    -1,
    10**9,
    10**30,
    1.5,
    float("nan"),
    "",
    "x",
    "a:b/c",
    "#",
    "\u202e",
    "\ud800",
    "x" * 9999,
    "](te",
    "[a](te:x:y/z)",
    [],
    {},
    [1],
    {"x": 1},
    [[[]]],
]
Place = tuple[Any, ...]
Json = dict[str, Any]


@cache
def whole() -> Json:
    found: Json = json.loads(te_forge.load(PACK).compile())
    return found


def paths(value: Any, above: Place = ()) -> Iterator[Place]:
    if above:
        yield above
    for key, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(one, (*above, key))


def at(file: Any, place: Place) -> Any:
    for step in place:
        file = file[step]
    return file


def put(file: Json, place: Place, value: Any) -> None:
    at(file, place[:-1])[place[-1]] = value


@cache
def places(sort: str) -> list[Place]:
    """Where something of a sort stands: anything, an id, a node of a rule, a list, a number."""
    fits: dict[str, Callable[[Any], bool]] = {
        "anything": lambda value: True,
        "id": lambda value: isinstance(value, str) and ":" in value,
        "node": lambda value: isinstance(value, dict) and len(value) == 1,
        "list": lambda value: isinstance(value, list) and len(value) > 0,
        "number": lambda value: type(value) is int,
    }
    return [place for place in paths(whole()) if (place[0] == "entities" or sort == "anything") and fits[sort](at(whole(), place))]


# ---------------------------------------------------------------- what is done to it


def dropped(file: Json, chance: random.Random) -> None:
    place = chance.choice(places("anything"))
    del at(file, place[:-1])[place[-1]]


def nonsense(file: Json, chance: random.Random) -> None:
    put(file, chance.choice(places("anything")), chance.choice(NONSENSE))


def grafted(file: Json, chance: random.Random) -> None:
    """What stands at another place of its sort."""
    sort = chance.choice(("id", "node", "list", "number"))
    put(file, chance.choice(places(sort)), copy.deepcopy(at(whole(), chance.choice(places(sort)))))


def repeated(file: Json, chance: random.Random) -> None:
    found = at(file, chance.choice(places("list")))
    found.extend(copy.deepcopy(found[:1]) * chance.choice((1, 200)))


def shortened(file: Json, chance: random.Random) -> None:
    found = at(file, chance.choice(places("list")))
    del found[chance.randrange(len(found)) :]


def enlarged(file: Json, chance: random.Random) -> None:
    put(file, chance.choice(places("number")), chance.choice((0, -1, 1, 10**6, 10**12, 10**40)))


def renamed(file: Json, chance: random.Random) -> None:
    """The id of something else, whatever that is."""
    put(file, chance.choice(places("id")), chance.choice(file["entities"])["uid"])


def nested(file: Json, chance: random.Random) -> None:
    """`HERE` becomes what is in itself, in the text of the file."""
    put(file, chance.choice(places("anything")), "HERE")


CHANGES = (dropped, nonsense, grafted, repeated, shortened, enlarged, renamed, nested)
SELVES = (
    ("[", "]"),
    ('{"lines":[', "]}"),
    ('{"every":{"tests":[', "]}}"),
    ('{"arithmetic":{"op":"+","left":1,"right":', "}}"),
    ('{"uid":"x","uid":', "}"),
)


def mutated(seed: str) -> tuple[str, bytes]:
    chance = random.Random(seed)
    change = chance.choice(CHANGES)
    file = copy.deepcopy(whole())
    change(file, chance)
    try:
        text = in_lines(file)
    except UnicodeEncodeError:
        text = json.dumps(file).encode()
    opens, closes = chance.choice(SELVES)
    times = chance.choice((1, 50, 900, 30_000))
    return change.__name__, sealed(text.replace(b'"HERE"', (opens * times + "1" + closes * times).encode()))


# ---------------------------------------------------------------- what comes of it


@pytest.mark.parametrize("part", range(6))
def test_whatever_is_changed_is_told_or_makes_no_difference(part: int, tmp_path: Path) -> None:
    path, refused = tmp_path / "it.tepack.json", 0
    for number in range(25):
        change, raw = mutated(f"{part}/{number}")
        path.write_bytes(raw)
        found = load(str(path))
        assert (found.system is None) == has_errors(found.diagnostics), (change, number)
        said = json.loads(run("lint", str(path), "--format", "json").stdout)
        for one in said:
            assert "hang together" not in one["message"], (change, number)
            assert "/" in one["message"] or one["code"] in ("not-json", "not-text", "wrong-hash", "duplicate-id") or one["line"] == 1, (
                change,
                number,
                one,
            )
        if found.system is None:
            refused += 1
            assert any(one["severity"] == "error" for one in said), (change, number)
        elif number % 5 == 0:
            done = run("odds", str(path), *ODDS)
            assert done.exit_code in (0, 1, 2)
            assert done.output
    assert refused > 5


def test_a_book_of_a_changed_pack_is_printed_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "it.tepack.json"
    for number in range(6):
        path.write_bytes(mutated(f"book/{number}")[1])
        done = run("build", str(path), "-o", str(tmp_path / str(number)))
        assert done.exit_code in (0, 1)
        assert done.output


@pytest.mark.parametrize(
    "value", [{"thing": "Success"}, {"thing": ""}, {"text": "x"}, {"nothing": {}}, {"thing": "srd-core:attribute/comprehension"}]
)
def test_what_stands_for_nothing_in_a_changed_file_is_said_to(value: Json, tmp_path: Path) -> None:
    """The hack of a file, in which a word that is no thing stands for what is deleted."""
    file = json.loads(te_forge.load("srd-core").compile())
    lines = [
        line
        for one in file["entities"]
        for patch in one.get("patches", ())
        if patch["verb"] == "deletes"
        for line in patch.get("lines", ())
        if line["label"] == "Successor"
    ]
    lines[0]["value"] = [value]
    path = tmp_path / "it.tepack.json"
    path.write_bytes(sealed(in_lines(file)))
    done = run("check", str(path), "--hack", "Darker Woods")
    assert done.exit_code == 1
    assert "still use it" in done.output
