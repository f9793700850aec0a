"""Compiled packs: what comes out of one is what comes out of its source, for every pack that is shipped; and whatever is wrong with one is a
sentence.
"""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from beginnings import run

import te_forge
from te_forge.compiled import schema
from te_forge.compiled.file import seal, sealed, stated_seal
from te_forge.compiled.fingerprint import fingerprints
from te_forge.compiled.load import made_of
from te_forge.compiled.shape import parts_of
from te_forge.compiled.text import Reader, written
from te_forge.compiled.write import compiled, in_lines
from te_forge.compose import compose
from te_forge.compose.chosen import switched_on
from te_forge.examples import accounts_of
from te_forge.files import MOST_COMPILED_BYTES
from te_forge.model.rules import Int
from te_forge.model.system import Entry, Ref, Shown, Words
from te_forge.packs import Loaded, load
from te_forge.render.book import make_book
from te_forge.render.matter import license_text
from te_forge.whereabouts import shipped

SITE = Path(__file__).parents[1] / "site" / "docs"
PACKS = shipped()
SMALL = "tension-tests"
CASES = sorted(path.parent for path in (Path(__file__).parent / "cases").glob("*/pack.yaml"))
Json = dict[str, Any]


@cache
def source(pack: str) -> Loaded:
    found = load(pack)
    assert found.system is not None
    return found


@cache
def raw(pack: str) -> bytes:
    system = source(pack).system
    assert system is not None
    return compiled(system, source(pack).assets)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The compiled file of a pack."""
    folder = tmp_path_factory.mktemp("compiled")

    def made(pack: str) -> Path:
        path = folder / f"{pack}.tepack.json"
        if not path.exists():
            path.write_bytes(raw(pack))
        return path

    return made


# ---------------------------------------------------------------- the same game


@pytest.mark.parametrize("pack", PACKS)
def test_the_system_is_equal_and_the_bytes_are_the_same_again(pack: str, files: Callable[[str], Path]) -> None:
    found = load(str(files(pack)))
    assert found.diagnostics == []
    assert found.system == source(pack).system
    assert found.system is not None
    assert list(found.system.entries) == list(source(pack).system.entries)  # type: ignore[union-attr]
    assert compiled(found.system, found.assets) == raw(pack)


@pytest.mark.parametrize("pack", PACKS)
def test_the_same_is_played(pack: str, files: Callable[[str], Path], tmp_path: Path) -> None:
    logs = []
    for number, name in enumerate((pack, str(files(pack)))):
        log = tmp_path / f"{number}.log"
        done = run("play", name, "--all-bots", "--bot", "everybody=random", "--seed", "7", "--procedures", "12", "--log", str(log))
        logs.append((done.exit_code, done.stdout.replace(str(log), "log"), log.read_bytes() if log.exists() else b""))
    assert logs[0] == logs[1]
    assert logs[0][0] == 0
    assert logs[0][2]


@pytest.mark.parametrize("pack", PACKS)
def test_the_same_examples_come_out_and_the_same_book(pack: str, files: Callable[[str], Path]) -> None:
    books = []
    for found in (source(pack), load(str(files(pack)))):
        assert found.system is not None
        accounts, said = accounts_of(found.system)
        assert said == []
        books.append((accounts, make_book(found.system, found.assets, accounts)))
    assert books[0][0] == books[1][0]
    assert [one for one, other in zip(books[0][1].pages, books[1][1].pages, strict=True) if one != other] == []
    assert books[0][1] == books[1][1]


def test_the_book_is_the_same_to_the_byte(files: Callable[[str], Path], tmp_path: Path) -> None:
    books: list[dict[str, bytes]] = []
    for number, name in enumerate((SMALL, str(files(SMALL)))):
        assert run("build", name, "-o", str(tmp_path / str(number))).exit_code == 0
        books.append(
            {path.relative_to(tmp_path / str(number)).as_posix(): path.read_bytes() for path in (tmp_path / str(number)).rglob("*") if path.is_file()}
        )
    assert books[0] == books[1]


ODDS: dict[str, tuple[str, dict[str, object], tuple[str, ...]]] = {
    "srd-core": (
        "Environment Conflict",
        {"actor": "Ann", "Tension": 2, "attribute": "Vigor", "skill": "Athletics"},
        ("Ann: a Warrior with Vigor 3",),
    ),
    "party-first": (
        "Environment Conflict",
        {"actor": "Ann", "Tension": 2, "attribute": "Vigor", "skill": "Athletics"},
        ("Ann: a Warrior with Vigor 3",),
    ),
    "night-ferry": ("Environment Conflict", {"actor": "Ann", "Tide": 2, "attribute": "Sinew", "skill": "Rowing"}, ("Ann: a Ferrier",)),
    "tenebrous": ("Attribute Test", {"tester": "Ann", "attribute": "Physique", "difficulty": 3}, ("Ann: a pc with Physique 4",)),
    "tension-board": ("Round", {"spinner": "Ann"}, ("Ann: a player with Red 2", "Ben: a player with Green 2")),
    "tension-tests": ("Personal Test", {"trigger": "Ann", "difficulty": 1}, ("Ann: a pc",)),
    "vdp": ("Check", {"actor": "Ann", "skill": "Brawling", "class": "Physical", "difficulty": 11, "risk": 2}, ("Ann: a character",)),
}


@pytest.mark.parametrize("pack", PACKS)
def test_the_odds_are_the_same(pack: str, files: Callable[[str], Path]) -> None:
    procedure, given, who = ODDS[pack]
    one, other = (te_forge.Game(loaded).odds(procedure, given, who=who) for loaded in (source(pack), load(str(files(pack)))))
    assert one == other
    assert sum(one.outcomes.values()) == 1
    assert any(len(law) > 1 for law in (one.outcomes, *one.numbers.values())), "nothing in it is left to chance"


def test_packs_that_are_written_for_the_tests_are_equal_too(tmp_path: Path) -> None:
    assert len(CASES) > 10
    path = tmp_path / "it.tepack.json"
    for pack in CASES:
        system = load(str(pack)).system
        assert system is not None
        path.write_bytes(compiled(system))
        assert load(str(path)).system == system, pack


def test_a_picture_is_in_the_file(tmp_path: Path) -> None:
    pack = small_game(tmp_path)
    (pack / "assets").mkdir()
    (pack / "assets/dot.gif").write_bytes(DOT)
    (pack / "rules/01-game.te").write_text("# My Game\n\n![a dot](assets/dot.gif)\n\n## kind: hero\nSomebody.\n- Is: an actor\n", encoding="utf-8")
    assert run("compile", str(pack), "-o", str(tmp_path / "game.tepack.json")).exit_code == 0
    assert run("build", str(tmp_path / "game.tepack.json"), "-o", str(tmp_path / "book")).exit_code == 0
    assert (tmp_path / "book/assets/dot.gif").read_bytes() == DOT


DOT = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"


def small_game(folder: Path) -> Path:
    pack = folder / "my-game"
    (pack / "rules").mkdir(parents=True)
    (pack / "pack.yaml").write_text("id: my-game\ntitle: My Game\nversion: 1.0.0\n", encoding="utf-8")
    (pack / "rules/01-game.te").write_text("# My Game\n\nA short one.\n\n## kind: hero\nSomebody.\n- Is: an actor\n", encoding="utf-8")
    return pack


def test_a_pack_can_build_on_a_compiled_one(tmp_path: Path) -> None:
    assert run("compile", str(small_game(tmp_path / "there")), "-o", str(tmp_path / "my-game.tepack.json")).exit_code == 0
    (tmp_path / "more/rules").mkdir(parents=True)
    (tmp_path / "more/pack.yaml").write_text("id: more\ntitle: More\nversion: 1.0.0\nrequires:\n  my-game: '>=1.0,<2'\n", encoding="utf-8")
    (tmp_path / "more/rules/01-more.te").write_text("# More\n\nMore.\n\n## hero: Ann\nSomebody.\n", encoding="utf-8")
    found = load(str(tmp_path / "more"))
    assert found.diagnostics == []
    assert found.system is not None
    assert [info.id for info in found.system.packs] == ["my-game", "more"]
    (tmp_path / "my-game.tepack.json").write_bytes(b"{}")
    assert [one.code for one in load(str(tmp_path / "more")).diagnostics] == ["broken-pack"]


def test_a_pack_may_use_a_compiled_one_where_it_is_there(tmp_path: Path) -> None:
    assert run("compile", str(small_game(tmp_path / "there")), "-o", str(tmp_path / "my-game.tepack.json")).exit_code == 0
    for id, more, rules in (
        ("side", "optional:\n  my-game: '>=1.0'\n", "A side."),
        ("whole", "requires:\n  my-game: '>=1.0'\n  side: '>=1.0'\n", "All of it.\n\n## hero: Ann\nSomebody."),
    ):
        (tmp_path / id / "rules").mkdir(parents=True)
        (tmp_path / id / "pack.yaml").write_text(f"id: {id}\ntitle: {id}\nversion: 1.0.0\n{more}", encoding="utf-8")
        (tmp_path / id / "rules/01.te").write_text(f"# {id}\n\n{rules}\n\n## kind: {id}thing\nX.\n- Is: an actor\n", encoding="utf-8")
    found = load(str(tmp_path / "whole"))
    assert [one for one in found.diagnostics if one.severity == "error"] == []
    assert found.system is not None
    assert [info.id for info in found.system.packs] == ["my-game", "side", "whole"]


@pytest.mark.parametrize("pack", PACKS)
def test_every_work_says_how_it_is_used(pack: str) -> None:
    system = source(pack).system
    assert system is not None
    wanted = "mechanics-only" if pack in ("tenebrous", "tension-board", "tension-tests", "vdp") else "adapted"
    assert {work.relation for work in system.pack.sources} == {wanted}
    document = json.loads(raw(pack))
    assert {document["sources"][key]["relation"] for key in document["pack"]["sources"]} == {wanted}
    assert ("only the mechanics are taken" if wanted == "mechanics-only" else ": adapted, with changes.") in license_text(system)


def stated(path: Path) -> Json:
    """What a compiled file says of the pack that it requires."""
    need: Json = json.loads(path.read_bytes())["pack"]["requires"][0]
    return need


def test_a_required_pack_is_known_by_what_it_holds(tmp_path: Path) -> None:
    more, file = tmp_path / "a/more", tmp_path / "a/more.tepack.json"
    small_game(tmp_path / "a")
    (more / "rules").mkdir(parents=True)
    (more / "pack.yaml").write_text("id: more\ntitle: More\nversion: 1.0.0\nrequires:\n  my-game: '>=1.0,<2'\n", encoding="utf-8")
    (more / "rules/01-more.te").write_text("# More\n\nMore.\n\n## hero: Ann\nSomebody.\n", encoding="utf-8")
    assert run("compile", str(more), "-o", str(file)).exit_code == 0
    said = stated(file)
    assert (said["id"], said["resolved"], len(said["sha256"])) == ("my-game", "1.0.0", 64)
    shutil.copytree(tmp_path / "a", tmp_path / "elsewhere/b")
    assert run("compile", str(tmp_path / "elsewhere/b/more"), "-o", str(tmp_path / "b.tepack.json")).exit_code == 0
    assert stated(tmp_path / "b.tepack.json") == said
    assert "other-required-pack" not in run("lint", str(file)).output

    page = tmp_path / "a/my-game/rules/01-game.te"
    played = load(str(file)).system
    page.write_text(page.read_text(encoding="utf-8").replace("A short one", "A shorter one"), encoding="utf-8")
    found = run("lint", str(file))
    assert found.exit_code == 0
    assert "other-required-pack" in found.output
    assert "though both say that they are 1.0.0" in found.output
    head = tmp_path / "a/my-game/pack.yaml"
    head.write_text(head.read_text(encoding="utf-8").replace("1.0.0", "1.1.0"), encoding="utf-8")
    assert "this file holds `my-game` 1.0.0, and here lies 1.1.0" in " ".join(run("lint", str(file)).output.split())
    assert load(str(file)).system == played
    assert run("compile", str(more), "-o", str(tmp_path / "c.tepack.json")).exit_code == 0
    assert stated(tmp_path / "c.tepack.json")["sha256"] != said["sha256"]


@pytest.mark.parametrize("pack", [pack for pack in PACKS if source(pack).system.pack.requires])  # type: ignore[union-attr]
def test_a_pack_has_the_same_hash_in_whatever_stands_on_it(pack: str) -> None:
    system = source(pack).system
    assert system is not None
    found = fingerprints(system)
    for id in system.pack.requires:
        own = source(id).system
        assert own is not None
        assert fingerprints(own)[id] == found[id]


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_bytes_are_the_same_whatever_python_hashes_by(seed: str, tmp_path: Path) -> None:
    path = tmp_path / "it.tepack.json"
    subprocess.run(
        [sys.executable, "-m", "te_forge", "compile", SMALL, "-o", str(path)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        check=True,
        capture_output=True,
    )
    assert path.read_bytes() == raw(SMALL)


# ---------------------------------------------------------------- what stands in it


def test_each_entity_says_where_it_comes_from() -> None:
    made = source("party-first").system
    assert made is not None
    document = json.loads(raw("party-first"))
    entities = {one["uid"]: one for one in document["entities"]}
    assert {one["provenance"]["defined_by"] for one in entities.values()} == {"srd-core", "party-first"}
    assert all(key in document["licenses"] for one in entities.values() for key in [one["provenance"]["license"]])
    assert all(key in document["sources"] for one in entities.values() for key in one["provenance"]["sources"])
    changed = [change for one in entities.values() for change in one["provenance"].get("modified_by", ())]
    assert changed
    assert all(change["by"] in entities and change["file"] and change["line"] for change in changed)
    assert document["pack"]["requires"] == [{"id": "srd-core", "range": ">=1.0,<2", "resolved": "1.0.0", "sha256": fingerprints(made)["srd-core"]}]


def test_a_game_can_be_written_as_it_is_played(tmp_path: Path) -> None:
    path = tmp_path / "played.tepack.json"
    assert run("compile", "party-first", "--as-played", "-o", str(path)).exit_code == 0
    assert run("lint", str(path)).output.endswith("no mistakes found\n")
    document = json.loads(path.read_bytes())
    system = source("party-first").system
    assert system is not None
    played = compose(system, switched_on(system)).system
    assert document["as_played"] is True
    assert [one["uid"] for one in document["entities"]] == list(played.entries)
    again = made_of(document)[0].entries
    assert [(one.name, [written(each.words) for each in one.prose]) for one in again.values()] == [
        (one.name, [written(each.words) for each in one.prose]) for one in played.entries.values()
    ]
    assert [[[line.meaning for line in step.lines] for step in one.steps] for one in again.values()] == [
        [[line.meaning for line in step.lines] for step in one.steps] for one in played.entries.values()
    ]
    as_written = {one["uid"]: one for one in json.loads(raw("party-first"))["entities"]}
    changed = [one for one in document["entities"] if "modified_by" in one["provenance"]]
    assert changed
    assert all(one["provenance"] == as_written[one["uid"]]["provenance"] for one in changed)
    assert "as_played" not in json.loads(raw("party-first"))


def test_a_game_as_it_is_played_is_for_other_tools(tmp_path: Path) -> None:
    path = tmp_path / "played.tepack.json"
    assert run("compile", SMALL, "--as-played", "-o", str(path)).exit_code == 0
    found = load(str(path))
    assert found.system is None
    assert [one.code for one in found.diagnostics] == ["as-played"]


def test_no_text_stands_twice_and_each_key_is_used() -> None:
    document = json.loads(raw(SMALL))
    texts = document["i18n"].pop("en")
    assert document["i18n"] == {}
    rest = json.dumps(document)
    assert [key for key in texts if json.dumps(key) not in rest] == []
    assert all(key.startswith(f"{SMALL}:") for key in texts)


WORDS: list[Words] = [
    ("plain",),
    ("see ", Ref("a:skill/x", "X"), "."),
    (Ref("a:skill/x#line/deep", "x [1] & co]"), Ref("a:skill/ä b(c)%", "y")),
    ("two is ", Shown("a:pool/p", "2", Int(2)), " and ", Shown("a:pool/p", "3"), "!"),
    ("an open [bracket", Ref("a:skill/x", "X"), "](te:not/a/link)"),
    ("[looks](te:like one) and ](te-number:another and ]&#40;te:escaped and ]&amp;#40;te:twice",),
    ("a \\", Ref("a:skill/x", "X"), "[x](tea) ](te"),
]


@pytest.mark.parametrize("words", WORDS, ids=str)
def test_text_is_read_as_it_was_written(words: Words) -> None:
    assert Reader(lambda number: number).words(written(words), [one.expr for one in words if isinstance(one, Shown)]) == words


def test_every_class_of_the_model_has_a_form() -> None:
    """A new kind of field is noticed here, and not when somebody compiles a pack with it."""
    assert {part.name for part in parts_of(Entry)} == set(Entry.__match_args__)
    schema.schema()


# ---------------------------------------------------------------- the schema


def test_the_published_schema_is_the_one_of_the_model() -> None:
    assert (SITE / "tepack-1.schema.json").read_text(encoding="utf-8") == schema.schema(), (
        "write it anew: python -m te_forge.compiled.schema > site/docs/tepack-1.schema.json; what older programs cannot read needs a new first number"
    )


def test_the_command_prints_it() -> None:
    assert run("schema").stdout == schema.schema()


def test_the_schema_knows_every_kind_by_a_const() -> None:
    made = json.loads(schema.schema())
    names = [one["$ref"].rpartition("/")[2] for one in made["$defs"]["Entity"]["oneOf"]]
    assert {made["$defs"][name]["properties"]["kind"]["const"] for name in names} == set(schema.KINDS)
    assert all(one.get("additionalProperties") is False for one in made["$defs"].values() if one.get("type") == "object")


# ---------------------------------------------------------------- bad files


def bad(edit: Callable[[Json], object]) -> bytes:
    document = copy.deepcopy(json.loads(raw(SMALL)))
    edit(document)
    return sealed(in_lines(document))


def entity(file: Json, uid: str) -> Json:
    found: Json = next(one for one in file["entities"] if one["uid"] == uid)
    return found


BAD: dict[str, tuple[bytes | Callable[[], bytes], str, str]] = {
    "empty": (b"", "not-json", "cut off"),
    "cut off": (lambda: raw(SMALL)[:-5000], "not-json", "cut off"),
    "cut off at the end": (lambda: raw(SMALL)[:-3], "not-json", "cut off"),
    "no JSON": (lambda: raw(SMALL).replace(b'"files": [', b'"files": [,', 1), "not-json", "no JSON"),
    "nested": (b"[" * 200_000, "not-json", "nested too deeply"),
    "a huge number": (b'{"a":' + b"9" * 10_000 + b"}", "not-json", "too many digits"),
    "twice": (lambda: raw(SMALL).replace(b'"format":', b'"x": {},\n"x": {},\n"format":', 1), "not-json", "`x` stands in one object twice"),
    "a list": (b"[]", "not-compiled", "no compiled pack"),
    "something else": (b'{"format": "other"}', "not-compiled", "no compiled pack"),
    "UTF-16": (lambda: raw(SMALL).decode().encode("utf-16"), "not-text", "UTF-16"),
    "zeros": (b"\0" * 100, "not-text", "zero"),
    "changed by hand": (lambda: raw(SMALL).replace(b"Higher", b"Hiigher", 1), "wrong-hash", "not as it was written"),
    "without a hash": (lambda: raw(SMALL).replace(b'"content_sha256"', b'"hash"', 1), "bad-compiled-pack", "`hash`"),
    "newer": (lambda: bad(lambda file: file.update(format_version="2.0")), "newer-format", "format 2.0"),
    "no entities": (lambda: bad(lambda file: file.pop("entities")), "bad-compiled-pack", "`entities` is missing"),
    "not a list": (lambda: bad(lambda file: file.update(entities=7)), "bad-compiled-pack", "entities: this must be a list"),
    "two of one id": (lambda: bad(lambda file: file["entities"].append(file["entities"][0])), "duplicate-id", "`entities` twice"),
    "an id of nothing": (lambda: bad(lambda file: file["entities"][0].update(used_by=[f"{SMALL}:procedure/gues"])), "dangling-id", "did you mean"),
    "a step of nothing": (lambda: bad(lambda file: file["entities"][0].update(used_by=[f"{SMALL}:procedure/guess#nowhere"])), "dangling-id", "#nowhere"),
    "a mention of nothing": (lambda: bad(lambda file: file["i18n"]["en"].update({f"{SMALL}:pack#title": f"[x](te:{SMALL}:kind/none)"}) or text_with(file)), "dangling-id", "kind/none"),
    "a chapter with nothing in it": (lambda: bad(lambda file: next(one for one in file["chapters"] if one["items"])["items"].append(f"{SMALL}:kind/none")), "dangling-id", "kind/none"),
    "an unknown license": (lambda: bad(lambda file: file["pack"].update(license="none")), "dangling-id", "`licenses`"),
    "an unknown source": (lambda: bad(lambda file: file["entities"][0]["provenance"].update(sources=["none"])), "dangling-id", "`sources`"),
    "an unknown kind": (lambda: bad(lambda file: next(one for one in file["entities"] if "declared_kind" in one).update(declared_kind="none")), "dangling-id", "`kinds`"),
    "no text": (lambda: bad(lambda file: file["i18n"]["en"].pop(file["entities"][3]["name"])), "missing-text", "there is no text"),
    "another node": (lambda: bad(lambda file: procedure(file)["steps"][0]["lines"][0]["meaning"].append({"dance": 1})), "bad-compiled-pack", "`dance`"),
    "a number too far": (lambda: bad(lambda file: file["entities"][0].update(at=[99, 1, 1, 1])), "bad-compiled-pack", "no number 99 in `files`"),
    "a wrong version": (lambda: bad(lambda file: file["pack"].update(version="one")), "bad-compiled-pack", "1.0.0"),
    "a text that is none": (lambda: bad(lambda file: file["i18n"]["en"].update({file["entities"][3]["name"]: 5})), "bad-compiled-pack", "must be text"),
    "a letter that nobody sees": (lambda: bad(lambda file: file["i18n"]["en"].update({file["entities"][3]["name"]: "a\u001b[31mb"})), "strange-sign", "U+001B"),
    "a letter that turns others round": (lambda: bad(lambda file: file["entities"][3].update(aliases=["a\u202eb"])), "strange-sign", "U+202E"),
    "a path out of the book": (lambda: bad(lambda file: file.update(assets={"assets/../x.gif": PICTURE})), "bad-compiled-pack", "no name for something here"),
    "something else than a procedure": (lambda: bad(lambda file: in_body(file, "do", {"procedure": f"{SMALL}:card/nine", "word": ""})), "bad-compiled-pack", "is an entry, and this must name a procedure"),
    "a comparison that there is not": (lambda: bad(lambda file: in_body(file, "for-each", {"members": {"kind": "actor", "where": [{"how": "whose", "compare": "at"}]}, "word": "x"})), "bad-compiled-pack", "`at most`"),
    "lines in lines in lines": (lambda: nested(150, '{"id":"x","label":"x","at":[0,1,1,1],"lines":[', "]}"), "bad-compiled-pack", "nested too deeply"),
    "formulas in formulas": (lambda: nested(400, '{"id":"x","label":"x","at":[0,1,1,1],"meaning":[{"give":{"target":{"local":"x"},"how":"is","value":', "}}]}", '{"arithmetic":{"op":"+","right":1,"left":', "}}"), "bad-compiled-pack", "nested too deeply"),
    "its own owner": (lambda: bad(lambda file: procedure(file).update(owner=f"{SMALL}:procedure/guess", parts=[f"{SMALL}:procedure/guess"])), "bad-compiled-pack", "its owner"),
    "a picture that is damaged": (lambda: bad(lambda file: file.update(assets={"assets/x.gif": {**PICTURE, "data": "!"}})), "bad-compiled-pack", "damaged"),
}  # fmt: skip
FOR_LINT = ("an unknown source",)
"""What stands in a file for others, and no rule hangs on it."""
PICTURE = {"media_type": "image/gif", "sha256": "0" * 64, "data": ""}


def procedure(file: Json) -> Json:
    return entity(file, f"{SMALL}:procedure/guess")


def in_body(file: Json, tag: str, inner: Json) -> None:
    """Let a line do something."""
    procedure(file)["steps"][0]["lines"][0]["meaning"].append({tag: inner})


def nested(times: int, opens: str, closes: str, again: str = "", ends: str = "") -> bytes:
    """The file with a line in which something is in itself: the whole, or what is `again` in it."""
    line = opens + again * times + "1" + ends * times + closes if again else opens * times + '{"id":"x","label":"x","at":[0,1,1,1]}' + closes * times
    return sealed(bad(lambda file: procedure(file).update(lines=["HERE"])).replace(b'"HERE"', line.encode()))


def text_with(file: Json) -> None:
    """Let some prose be the text of the title."""
    next(one for one in file["entities"] if one.get("prose"))["prose"][0]["words"] = f"{SMALL}:pack#title"


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", ["check", "lint"])
def test_a_bad_file_is_a_sentence(name: str, command: str, tmp_path: Path) -> None:
    made, code, words = BAD[name]
    path = tmp_path / "it.tepack.json"
    path.write_bytes(made if isinstance(made, bytes) else made())
    if command == "check" and name in FOR_LINT:
        assert load(str(path)).diagnostics == []
        return
    done = run(command, str(path), "--format", "json")
    found = json.loads(done.stdout)
    assert done.exit_code == 1
    assert code in {one["code"] for one in found}, found
    assert any(words in one["message"] for one in found), found
    assert "Traceback" not in done.output


def test_a_table_with_a_gap(tmp_path: Path) -> None:
    def gap(file: Json) -> None:
        next(one for one in file["entities"] if one["kind"] == "table")["table"]["rows"].pop()

    document = json.loads(raw("srd-core"))
    gap(document)
    path = tmp_path / "it.tepack.json"
    path.write_bytes(sealed(in_lines(document)))
    (found,) = load(str(path)).diagnostics
    assert found.code == "range-gap"
    assert "srd-core:table/" in found.message
    assert '"kind":"table"' in path.read_text(encoding="utf-8").split("\n")[found.span.line - 1]


def test_it_says_on_which_line(tmp_path: Path) -> None:
    path = tmp_path / "it.tepack.json"
    path.write_bytes(bad(lambda file: procedure(file).update(lines=3)))
    (found,) = load(str(path)).diagnostics
    number = next(number for number, one in enumerate(json.loads(path.read_bytes())["entities"]) if one["uid"] == f"{SMALL}:procedure/guess")
    assert found.message == f"{SMALL}:procedure/guess, lines: this must be a list (/entities/{number}/lines)"
    assert f'"uid":"{SMALL}:procedure/guess"' in path.read_text(encoding="utf-8").split("\n")[found.span.line - 1]


def test_100_megabytes_are_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "it.tepack.json"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    began = time.perf_counter()
    tracemalloc.start()
    (found,) = load(str(path)).diagnostics
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.code == "file-too-large"
    assert time.perf_counter() - began < 2
    assert most < 5_000_000


def test_many_mistakes_are_not_all_told(tmp_path: Path) -> None:
    document = json.loads(raw("srd-core"))
    for one in document["entities"]:
        del one["name"]
    path = tmp_path / "it.tepack.json"
    path.write_bytes(sealed(in_lines(document)))
    assert 0 < len(load(str(path)).diagnostics) <= 101
    assert path.stat().st_size < MOST_COMPILED_BYTES


def test_a_later_file_of_the_same_format_may_hold_more(tmp_path: Path) -> None:
    path = tmp_path / "it.tepack.json"

    def later(file: Json) -> None:
        file["format_version"] = "1.9"
        file["entities"].append({"kind": "constellation", "uid": "x:constellation/y"})
        procedure(file)["colour"] = "red"

    path.write_bytes(bad(later))
    assert load(str(path)).diagnostics == []
    assert load(str(path)).system == source(SMALL).system


def test_what_others_put_into_x_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "it.tepack.json"
    path.write_bytes(bad(lambda file: (file["x"].update({"org.example.tool": {"any": [1, 2]}}), procedure(file).update(x={"org.example.tool": 3}))))
    assert load(str(path)).system == source(SMALL).system
    assert run("lint", str(path)).exit_code == 0


def test_a_change_that_is_meant_can_be_sealed(tmp_path: Path) -> None:
    path = tmp_path / "it.tepack.json"
    path.write_bytes(raw(SMALL).replace(b"Higher", b"Hiigher", 1))
    assert seal(path.read_bytes()) != stated_seal(path.read_bytes())
    assert run("lint", str(path)).exit_code == 1
    assert run("lint", "--seal", str(path)).exit_code == 0
    assert load(str(path)).diagnostics == []


def test_translations_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "it.tepack.json"
    path.write_bytes(bad(lambda file: file["i18n"].update(de={f"{SMALL}:pack#title": "Proben", "old:thing#name": "Alt"})))
    done = run("lint", str(path))
    assert done.exit_code == 0
    assert "texts are not there in `de`" in done.stdout
    assert "`old:thing#name` is the key of no text" in done.stdout


# ---------------------------------------------------------------- commands


@pytest.mark.parametrize("words", [("fmt",), ("lock",)])
def test_commands_for_pages_say_that_there_are_none(words: tuple[str, ...], files: Callable[[str], Path]) -> None:
    done = run(*words, str(files(SMALL)))
    assert done.exit_code == 2
    assert "is a compiled pack, and has no pages" in done.output


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "PACK", "Guess.Outcomes"), ("diff", "PACK", SMALL), ("conflicts", "PACK"), ("roll", "PACK", "Guess", "--seed", "1"),
        ("test", "PACK", "--coverage"), ("check", "PACK"),
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_commands_take_a_compiled_pack(words: tuple[str, ...], files: Callable[[str], Path]) -> None:
    one, other = (run(*(name if word == "PACK" else word for word in words)) for name in (SMALL, str(files(SMALL))))
    assert other.exit_code == one.exit_code
    assert other.stdout == one.stdout.replace("systems/", "")


def test_a_hack_can_be_tried_on_a_compiled_pack(files: Callable[[str], Path]) -> None:
    procedure, given, who = ODDS["srd-core"]
    words = ("odds", "PACK", procedure, *(f"{key}={value}" for key, value in given.items()), "--who", who[0], "--hack", "Keep For Points")
    one, other = (run(*(name if word == "PACK" else word for word in words)) for name in ("srd-core", str(files("srd-core"))))
    assert one.stdout == other.stdout
    assert "Keep For Points" in other.stdout
    assert run("check", str(files("srd-core")), "--hack", "Nothing").exit_code == 2


def test_compile_names_what_it_cannot_do(tmp_path: Path) -> None:
    assert "ends in .tepack.json" in run("compile", SMALL, "-o", str(tmp_path / "it.json")).output
    assert run("compile", SMALL, "-o", str(tmp_path / "nowhere/it.tepack.json")).exit_code == 2
    pack = small_game(tmp_path)
    (pack / "rules/01-game.te").write_text("# My Game\n\n## hero: Ann\n", encoding="utf-8")
    assert run("compile", str(pack), "-o", str(tmp_path / "it.tepack.json")).exit_code == 1
    assert not (tmp_path / "it.tepack.json").exists()


def test_the_order_of_files_and_of_memory_does_not_show(tmp_path: Path) -> None:
    """Bytes do not hang on which of equal things are one and the same in memory."""
    system = source(SMALL).system
    assert system is not None
    again = load(SMALL).system
    assert again is not None
    assert compiled(again) == compiled(replace(system, users=dict(reversed(list(system.users.items())))))


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("srd-core", "`te-forge check srd-core` finds"),
        ("folder", "`te-forge check folder` finds"),
        ("none.tepack.json", "there is no file none.tepack.json"),
    ],
)
def test_lint_says_where_to_go_with_what_is_not_compiled(what: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    done = run("lint", what)
    assert done.exit_code == 2
    assert says in " ".join(done.output.split())
