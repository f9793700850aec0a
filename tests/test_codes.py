"""The registry of codes, the source and the reference agree: each code is said somewhere, and has a page whose two examples show it and mend it.

A `te` block is a page of the little game in `prelude.te`. A block below a line with nothing but a path in backticks is that file, beside what a sound
pack has already. A `yaml` block is a character of the SRD (or, as `ann.yaml`, of the pack beside it). A `sh` block is a command, of which the last
word is the pack. What no page can print is told in `text` blocks, and built in `SITUATIONS`.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from te_forge.characters import load_character
from te_forge.characters.checking import check_character
from te_forge.characters.reading import at_its_table, belonging, read_source
from te_forge.check import check
from te_forge.codes import CODES, GROUPS, explained, index
from te_forge.compiled.file import sealed
from te_forge.compiled.write import compiled, in_lines
from te_forge.compose import compose, derived
from te_forge.compose.chosen import switched_on
from te_forge.diagnostics import Diagnostic, Findings
from te_forge.examples import play_all
from te_forge.files import MOST_BYTES, MOST_FILES
from te_forge.linted import linted
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.packs import load
from te_forge.source import Source

HERE = Path(__file__).parent
ROOT = HERE.parent / "te_forge"
PAGES = HERE.parent / "site" / "docs" / "diagnostics"
SAYS = {"add", "complain", "Said", "said", "Diagnostic", "Refused", "refused", "fail"}
NO_CODE = re.compile(r"[^a-z-]")


def used() -> Iterator[tuple[str, str]]:
    """Every code that the source says, with its severity."""
    for file in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and len(node.args) > 1:
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in SAYS:
                    stated = node.args[3] if name == "Diagnostic" and len(node.args) > 3 else None
                    stated = next((one.value for one in node.keywords if one.arg == "severity"), stated)
                    severity = stated.value if isinstance(stated, ast.Constant) else "error"
                    yield from ((code, str(severity)) for code in texts(node.args[0]))
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "code":
                yield from ((code, "error") for code in texts(node.value))


def texts(node: ast.expr) -> Iterator[str]:
    parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
    yield from (one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str) and not NO_CODE.search(one.value))


def test_every_code_that_is_said_is_registered_and_the_other_way_round() -> None:
    assert {code for code, _ in used()} == set(CODES)


def test_severities_agree() -> None:
    assert {(code, severity) for code, severity in used()} == {(one.code, one.severity) for one in CODES.values()}


def test_every_code_stands_once_in_alphabetical_order_of_its_group() -> None:
    assert sum(map(len, GROUPS.values())) == len(CODES)
    for group in GROUPS.values():
        assert [one.code for one in group] == sorted(one.code for one in group)


def test_a_phrase_says_more_than_the_code() -> None:
    assert [one.code for one in CODES.values() if one.phrase.replace(" ", "-") == one.code or len(one.phrase) > 90] == []


# ---------------------------------------------------------------- the pages

Block = tuple[str, str, str]
"""The file that a fenced block is (or nothing), what kind of text it is, and the text."""
BLOCK = re.compile(r"(?:^`([^`\n]+)`\n\n)?^(?P<fence>```+)([a-z]+)\n(.*?)^(?P=fence)$", re.M | re.S)
SOUND = {
    "my-game/pack.yaml": "id: my-game\ntitle: My Game\nversion: 1.0.0\n",
    "my-game/rules/01-game.te": "# My Game\n\nA short one.\n\n## kind: hero\nSomebody.\n- Is: an actor\n",
    "weather/pack.yaml": "id: weather\ntitle: Weather\nversion: 1.0.0\n",
    "weather/rules/01-weather.te": "# Rain\n\nIt makes wet.\n",
}


def blocks(code: str, head: str) -> list[Block]:
    """The fenced blocks below one heading of a page."""
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    found = BLOCK.finditer(re.split(r"^## (?:Wrong|Right)$", text, flags=re.M)[("Wrong", "Right").index(head) + 1])
    return [(one[1] or "", one[3], one[4]) for one in found]


def found(code: str, head: str, folder: Path) -> list[Diagnostic]:
    """What is said about an example: about its own page, where it is one."""
    shown = blocks(code, head)
    assert shown, f"{code}: no example below `## {head}`"
    if shown[0][0] == "" and shown[0][1] == "yaml":
        return of_character(SRD, shown[0][2], folder)
    if code in COMPILED:
        return of_compiled(code, head, folder)
    if code in SITUATIONS or any(name for name, _, _ in shown):
        pack = packed(code, head, folder)
        people = folder / "ann.yaml"
        return of_character(str(pack), people.read_text(encoding="utf-8"), folder) if people.exists() else load(str(pack)).diagnostics
    if shown[0][1] == "sh":
        return load(shown[0][2].split()[-1]).diagnostics
    assert [kind for _, kind, _ in shown] == ["te"]
    pages = [Source("prelude.te", (HERE / "prelude.te").read_text(encoding="utf-8")), Source("page.te", shown[0][2])]
    system, said = check(pages, PackInfo(id="small", title="A Small Game", version="1.0.0"), None, ("assets/map.png",), derived)
    if system is not None and not any(one.severity == "error" for one in said):
        said = [*said, *(one for result in play_all(system) for one in result.diagnostics)]
    return [one for one in said if one.span.file == "page.te" or one.severity == "error"]


def of_compiled(code: str, head: str, folder: Path) -> list[Diagnostic]:
    """What is said about the sound pack as a compiled one, with the mistake in it or with the mistake mended."""
    made = load(str(packed(code, head, folder)))
    assert made.system is not None
    document = json.loads(compiled(made.system))
    wrong, right = COMPILED[code]
    (wrong if head == "Wrong" else right)(document)
    raw = in_lines(document) if code == "wrong-hash" and head == "Wrong" else sealed(in_lines(document))
    (folder / "my-game.tepack.json").write_bytes(raw[:-100] if code == "not-json" and head == "Wrong" else raw)
    findings = Findings()
    linted(folder / "my-game.tepack.json", findings)
    return load(str(folder / "my-game.tepack.json")).diagnostics if code == "as-played" else list(findings)


def needing(version: str) -> dict[str, str]:
    return {"id": "srd-core", "range": ">=1.0,<2", "resolved": version}


Edit = Callable[[dict[str, Any]], object]
HERO = "my-game:kind/hero#name"
COMPILED: dict[str, tuple[Edit, Edit]] = {
    "as-played": (lambda file: file.update(as_played=True), lambda file: None),
    "bad-compiled-pack": (lambda file: file["entities"][0].pop("name"), lambda file: None),
    "dangling-id": (lambda file: file["chapters"][0]["items"].append("my-game:kind/villain"), lambda file: None),
    "missing-text": (lambda file: file["i18n"]["en"].pop(HERO), lambda file: None),
    "missing-translation": (lambda file: file["i18n"].update(de={}), lambda file: file["i18n"].update(de=file["i18n"]["en"])),
    "newer-format": (lambda file: file.update(format_version="2.0"), lambda file: None),
    "not-compiled": (lambda file: file.update(format="something-else"), lambda file: None),
    "not-json": (lambda file: None, lambda file: None),
    "other-required-pack": (
        lambda file: file["pack"].update(requires=[needing("1.4.0")]),
        lambda file: file["pack"].update(requires=[needing("1.0.0")]),
    ),
    "stale-translation": (
        lambda file: file["i18n"].update(de={**file["i18n"]["en"], "my-game:kind/knight#name": "Ritterin"}),
        lambda file: file["i18n"].update(de=file["i18n"]["en"]),
    ),
    "wrong-hash": (lambda file: file["pack"].update(version="1.0.1"), lambda file: None),
}
"""For each code of compiled packs: the mistake, and what takes its place."""
SRD = "srd-core"


@cache
def system_of(pack: str) -> System:
    system = load(pack).system
    assert system is not None
    return compose(system, switched_on(system)).system


def of_character(pack: str, text: str, folder: Path) -> list[Diagnostic]:
    """What is said about a character of a pack."""
    (folder / "ann.yaml").write_text(text, encoding="utf-8")
    source, _ = read_source(folder / "ann.yaml")
    system = at_its_table(load(pack).system or system_of(pack), belonging(source)) if source is not None else system_of(pack)
    if isinstance(system, Diagnostic):
        return [system]
    system = compose(system, switched_on(system)).system
    character, said = load_character(folder / "ann.yaml", system)
    return [*said, *(check_character(character, system) if character is not None else [])]


def packed(code: str, head: str, folder: Path) -> Path:
    """A sound pack with the files of the wrong example put into it, and for the right one mended by those of that."""
    shown = [*blocks(code, "Wrong"), *(blocks(code, "Right") if head == "Right" else [])]
    for name, text in {**SOUND, **{name: text for name, _, text in shown if name}}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    if code in SITUATIONS:
        make, mend = SITUATIONS[code]
        make(folder / "my-game")
        if head == "Right":
            mend(folder / "my-game")
    return folder / "my-game"


def page(text: str) -> Callable[[Path], None]:
    """Writes a further page of rules."""

    def write(pack: Path) -> None:
        (pack / "rules/02-more.te").write_text("# More\n\n" + text, encoding="utf-8")

    return write


def many_files(pack: Path) -> None:
    for number in range(MOST_FILES + 1):
        (pack / f"rules/{number:05}.te").touch()


def few_files(pack: Path) -> None:
    for path in pack.glob("rules/0?*.te"):
        if not path.stat().st_size:
            path.unlink()


def swapped(name: str, other: str) -> Callable[[Path], None]:
    """Gives a file another name."""

    def swap(pack: Path) -> None:
        (pack / name).rename(pack / other)

    return swap


def notes(pack: Path) -> None:
    (pack / "rules/02-weather.md").write_text("# Weather\n\nIt rains.\n", encoding="utf-8")


def city(pack: Path, version: str) -> None:
    """A pack beside this one."""
    folder = pack.parent / "city"
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    (folder / "pack.yaml").write_text(f"id: city\ntitle: City\nversion: {version}\n", encoding="utf-8")
    (folder / "rules/01-city.te").write_text("# City\n\n## kind: quarter\n- Is: an entry\n\n## quarter: Docks\n", encoding="utf-8")


def harbour(pack: Path) -> None:
    """A compiled pack beside this one, with the city that lies there."""
    folder = pack.parent / "harbour"
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    (folder / "pack.yaml").write_text("id: harbour\ntitle: Harbour\nversion: 1.0.0\nrequires: {city: '>=1.0'}\n", encoding="utf-8")
    (folder / "rules/01-harbour.te").write_text("# Harbour\n\n## quarter: Quay\n", encoding="utf-8")
    made = load(str(folder)).system
    assert made is not None
    (pack.parent / "harbour.tepack.json").write_bytes(compiled(made))
    shutil.rmtree(folder)


def city_of_today(pack: Path) -> None:
    head = pack / "pack.yaml"
    city(pack, "1.0.0")
    harbour(pack)
    city(pack, "1.1.0")
    head.write_text(head.read_text(encoding="utf-8") + "requires: {harbour: '>=1.0', city: '>=1.0'}\n", encoding="utf-8")


def linked(pack: Path) -> None:
    (pack.parent / "weather.te").write_text("# Weather\n\nIt rains.\n", encoding="utf-8")
    (pack / "rules/02-more.te").symlink_to(pack.parent / "weather.te")


def pipe(pack: Path) -> None:
    os.mkfifo(pack / "rules/02-more.te")


def copied(pack: Path) -> None:
    (pack / "rules/02-more.te").unlink()
    page("It rains.\n")(pack)


def in_another_alphabet(pack: Path) -> None:
    (pack / "rules/02-more.te").write_bytes("# More\n\nA café.\n".encode("latin-1"))


def deep(levels: int) -> str:
    lines = "".join(f"{'  ' * level}- if the gm's Doom is above {level}:\n" for level in range(1, levels))
    return f"## kind: gm\n- Is: an actor\n- How Many: 1\n## kind: pool\n- Is: a number\n## pool: Doom\n- Of: the gm\n- Starts: 3\n- Grow: after gain of Doom:\n{lines}{'  ' * levels}- the gm loses 1 Doom\n"


def told(words: int) -> str:
    return f'## kind: gm\n- Is: an actor\n- How Many: 1\n## rule: Tale\n- Tale: after a roll: the gm says "{"once " * words}"\n'


Situation = tuple[Callable[[Path], None], Callable[[Path], None]]
SITUATIONS: dict[str, Situation] = {
    "file-too-large": (page("Long ago. " * (MOST_BYTES // 5)), page("Long ago.\n")),
    "ignored-file": (notes, swapped("rules/02-weather.md", "rules/02-weather.te")),
    "no-pack-file": (swapped("pack.yaml", "package.yaml"), swapped("package.yaml", "pack.yaml")),
    "no-rules": (swapped("rules/01-game.te", "01-game.te"), swapped("01-game.te", "rules/01-game.te")),
    "not-text": (in_another_alphabet, page("A café.\n")),
    "outside-pack": (linked, copied),
    "pack-in-two-states": (city_of_today, harbour),
    "too-deep": (page(deep(45)), page(deep(3))),
    "too-long": (page(told(300)), page(told(30))),
    "too-many-chapters": (page("".join(f"# Chapter {number}\n" for number in range(2001))), page("Long ago.\n")),
    "too-many-files": (many_files, few_files),
    "too-many-findings": (page("## rule: Noise\n" + "- a line that does not read\n" * 10_100), page("Long ago.\n")),
    "unreadable-file": (pipe, copied),
}
"""For each code that no printed page can show: how the situation comes about, and how it is mended."""
NOT_ON_WINDOWS = {"outside-pack", "unreadable-file"}


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} - {"index"} == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_page_is_in_form(code: str) -> None:
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    headings = re.findall(r"^#+ .*", BLOCK.sub("", text), re.M)
    assert headings == [f"# {code}", "## Wrong", "## Right"]
    assert re.match(rf"# {code}\n\n[A-Z`]", text)
    assert len(text.partition("\n## Wrong\n")[0]) < 450, "two or three sentences"
    for link in re.findall(r"\]\(([a-z-]+)\.md\)", text):
        assert link in CODES


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("head", ["Wrong", "Right"])
def test_an_example_gives_the_code_or_does_not(code: str, head: str, tmp_path: Path) -> None:
    if code in NOT_ON_WINDOWS and sys.platform == "win32":
        pytest.skip("links need a privilege there")
    said = [(one.severity, one.code, str(one.span), one.message, one.help) for one in found(code, head, tmp_path)]
    wanted = [(CODES[code].severity, code)] if head == "Wrong" else []
    shown = [(severity, one) for severity, one, *_ in said if severity == "error" or one == code]
    assert [one for one in shown if one[1] == code] == wanted if code == "too-many-findings" and wanted else shown == wanted, said


def test_the_list_of_codes_is_not_stale() -> None:
    assert (PAGES / "index.md").read_text(encoding="utf-8") == index(), "write it anew: python -m te_forge.codes > site/docs/diagnostics/index.md"


@pytest.mark.parametrize("code", CODES)
def test_a_page_reads_well_in_a_terminal(code: str) -> None:
    text = explained(code)
    assert text.startswith(f"{code} ({CODES[code].severity}): {CODES[code].phrase}\n")
    assert not re.search(r"^```|\]\([a-z-]+\.md\)|^# ", text, re.M)
