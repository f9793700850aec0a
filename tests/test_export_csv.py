"""The CSV Data Package: what a spreadsheet gets, and what comes back from it."""

from __future__ import annotations

import csv
import io
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from beginnings import as_played, as_written, run
from tools import PACKS, python_package

from te_forge.check import check
from te_forge.export.csv_import import Imported, put_on, read_back
from te_forge.export.csv_package import ALIVE, CsvPackage, defused, fused, sheets
from te_forge.export.exporter import NotExported
from te_forge.export.run import export, verify
from te_forge.model.pack import PackInfo
from te_forge.model.system import Row, System
from te_forge.options import at_this_table
from te_forge.packs import load
from te_forge.source import Source

PAGE = """# Small

## kind: gm
- Is: an actor
- How Many: 1

## kind: hero
- Is: an actor
- Plural: "heroes"

## kind: might
- Is: a number of a hero

## might: Brawn
- Starts: 2

## kind: knack
- Is: a trait of a hero

| label | holds    | default | text     |
|-------|----------|---------|----------|
| Worth | a number | 1       | its cost |

| knack  | Worth | text                                   |
|--------|-------|----------------------------------------|
| Nimble | 2     | Over the wall, {Brawn's start} at once. |
| Tough  | 3     | =HYPERLINK("http://x") is no formula.  |

## knack: Careful
* one
* two, as [[Tough|the tough]] are

## procedure: Night

1. Sleep. Well.
   - Rest: each hero gains 1 Brawn
   - Sky: the gm rolls Weather
   - Gift: for each hero: the hero chooses a knack; the hero takes the knack
   - Dream: if number of heroes is above 1:
     - Mare: each hero loses 1 Brawn

## table: Weather

| d6  | row  | text       | effect                  |
|-----|------|------------|-------------------------|
| 1-2 | Rain | It rains.  | each hero loses 1 Brawn |
| 3-6 | Sun  | It shines. | -                       |
""".replace("- @Also: 1\n", "")
HEAD = "id: small\ntitle: Small\nversion: 1.0.0\nlicense: CC0 1.0\nauthors: [Nobody]\n"


@pytest.fixture
def small(tmp_path: Path) -> System:
    (tmp_path / "small/rules").mkdir(parents=True)
    (tmp_path / "small/pack.yaml").write_text(HEAD, encoding="utf-8")
    (tmp_path / "small/rules/01.te").write_text(PAGE, encoding="utf-8")
    loaded = load(str(tmp_path / "small"))
    assert loaded.system is not None and not [one for one in loaded.diagnostics if one.severity == "error"], loaded.diagnostics
    return loaded.system


@pytest.fixture
def tables(small: System, tmp_path: Path) -> Path:
    export(CsvPackage(), at_this_table(small), tmp_path / "out", {}, small)
    return tmp_path / "out"


def edit(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_bytes().decode()
    assert text.count(old) == 1, text
    path.write_bytes(text.replace(old, new).encode())


def hack_of(made: Imported) -> str:
    assert made.lost == () and made.diagnostics == (), (made.lost, made.diagnostics, made.page)
    return made.page.partition("Made from a spreadsheet.\n\n")[2]


# ---------------------------------------------------------------- what goes out


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", "'=1", "''-", "a=1", "'a", "", "'", "1"])
def test_a_formula_is_defused_and_comes_back_as_it_was(text: str) -> None:
    assert fused(defused(text)) == text
    assert not ALIVE.match(defused(text)) or defused(text).startswith("'")


@pytest.mark.parametrize("pack", PACKS)
def test_no_cell_of_any_pack_is_a_formula(pack: str) -> None:
    for sheet in sheets(as_played(pack)):
        rows = list(csv.reader(io.StringIO(sheet.raw.decode(), newline="")))
        assert not [cell for row in rows for cell in row if cell[:1] in "=+-@\t\r" and cell]
        assert {len(row) for row in rows} == {len(sheet.columns)}


def test_what_stands_in_the_pack_stands_in_the_cells(tables: Path) -> None:
    rows = list(csv.DictReader((tables / "entries/knack.csv").open(encoding="utf-8", newline="")))
    assert [(row["name"], row["Worth"], row["text"]) for row in rows] == [
        ("Nimble", "2", "Over the wall, {Brawn's start} at once."),
        ("Tough", "3", '\'=HYPERLINK("http://x") is no formula.'),
        ("Careful", "", "* one\n* two, as [[Tough|the tough]] are"),
    ]
    rows = list(csv.DictReader((tables / "rules.csv").open(encoding="utf-8", newline="")))
    assert ("Sleep > Dream", "Mare", "each hero loses 1 Brawn") in [(row["below"], row["label"], row["text"]) for row in rows]


@pytest.mark.parametrize("pack", PACKS)
def test_frictionless_accepts_every_pack(pack: str, tmp_path: Path) -> None:
    python_package("frictionless")
    export(CsvPackage(), as_played(pack), tmp_path / "out", {}, as_written(pack))
    assert [(one.outcome, one.complaints) for one in verify(CsvPackage(), tmp_path / "out")] == [("passed", ()), ("passed", ())]


SPOILERS: dict[str, Callable[[Path], None]] = {
    "type-error": lambda folder: edit(folder, "entries/knack.csv", "Tough,3", "Tough,three"),
    "primary-key": lambda folder: edit(folder, "entries/knack.csv", "small:knack/tough", "small:knack/nimble"),
    "constraint": lambda folder: edit(folder, "entries/knack.csv", "small:knack/tough", ""),
    "a file is gone": lambda folder: (folder / "rules.csv").unlink(),
}


@pytest.mark.parametrize("name", SPOILERS)
def test_frictionless_refuses_a_broken_one(name: str, tables: Path) -> None:
    python_package("frictionless")
    SPOILERS[name](tables)
    found = verify(CsvPackage(), tables)[1]
    assert found.outcome == "failed" and found.tool.startswith("frictionless ") and found.complaints


def test_our_own_look_refuses_a_live_cell(tables: Path) -> None:
    edit(tables, "entries/knack.csv", "'=HYPER", "=HYPER")
    found = verify(CsvPackage(), tables)[0]
    assert found.outcome == "failed" and "entries/knack.csv, row 3" in found.complaints[0]


def test_a_missing_tool_has_verified_nothing(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import PackageNotFoundError

    def gone(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("te_forge.export.tools.version", gone)
    found = verify(CsvPackage(), tables)[1]
    assert (found.outcome, found.tool) == ("not verified", "frictionless is not installed; `pip install frictionless`")


# ---------------------------------------------------------------- what comes back

EDITS: dict[str, tuple[str, str, str, str]] = {
    "a number": ("entries/knack.csv", "Nimble,2", "Nimble,5", "### changes knack: Nimble\n- Worth: 5 (was 2)\n"),
    "a field that was not stated": ("entries/knack.csv", "Careful,,", "Careful,4,", "### changes knack: Careful\n- Worth: 4\n"),
    "a text": ("entries/knack.csv", "at once.", "in a leap.", "### changes knack: Nimble\nOver the wall, {Brawn's start} in a leap.\n"),
    "a text that looks like a formula": ("entries/knack.csv", "is no formula", "is none", '### changes knack: Tough\n=HYPERLINK("http://x") is none.\n'),
    "blanks around the name of a column": ("entries/knack.csv", "id,name,Worth,text,part of,cites\r\nsmall:knack/nimble,Nimble,2", " id , name,Worth ,text,part of,cites\r\nsmall:knack/nimble,Nimble,5", "### changes knack: Nimble\n- Worth: 5 (was 2)\n"),
    "a name": ("entries/knack.csv", "Nimble,2", "Quick,2", '### renames knack: Nimble\n- To: "Quick"\n'),
    "a new thing": ("entries/knack.csv", "small:knack/tough", ",Sly,4,Quietly.,,\r\nsmall:knack/tough", "### knack: Sly\nQuietly.\n- Worth: 4\n"),
    "a thing less": ("entries/knack.csv", "small:knack/nimble,Nimble,2,\"Over the wall, {Brawn's start} at once.\",,\r\n", "", "### deletes knack: Nimble\n"),
    "a rule": ("rules.csv", "each hero gains 1 Brawn", "each hero gains 2 Brawn", "### changes procedure: Night\n- Sleep:\n  - Rest: each hero gains 2 Brawn\n"),
    "a rule below another": ("rules.csv", ",each hero loses 1 Brawn", ",each hero loses 2 Brawn", "### changes procedure: Night\n- Sleep:\n  - Dream:\n    - Mare: each hero loses 2 Brawn\n"),
    "a rule less": ("rules.csv", "small:procedure/night#Sleep > Rest,small:procedure/night,Night,Sleep,Rest,each hero gains 1 Brawn\r\n", "", "### changes procedure: Night\n- Sleep:\n  - Rest: nothing\n"),
    "a cell of a table": ("tables/weather.csv", "It rains.", "It pours.", "### changes table: Weather\n\n| row | text | effect |\n|---|---|---|\n| Rain | It pours. | - |\n"),
    "an effect taken away": ("tables/weather.csv", "each hero loses 1 Brawn", "", "### changes table: Weather\n\n| row | text | effect |\n|---|---|---|\n| Rain | - | nothing |\n"),
    "the faces of a table": (
        "tables/weather.csv", "1,2,,Rain,It rains.,each hero loses 1 Brawn\r\n3,6,", "1,3,,Rain,It rains.,each hero loses 1 Brawn\r\n4,6,",
        "### changes table: Weather\n\n| d6 | row | text | effect |\n|---|---|---|---|\n| 1-3 | Rain | It rains. | each hero loses 1 Brawn |\n| 4-6 | Sun | It shines. | nothing |\n",
    ),
    "a row in two places": (
        "tables/weather.csv", "1,2,,Rain,It rains.,each hero loses 1 Brawn\r\n3,6,,Sun", "1,2,6,Rain,It rains.,each hero loses 1 Brawn\r\n3,5,,Sun",
        "### changes table: Weather\n\n| d6 | row | text | effect |\n|---|---|---|---|\n| 1-2, 6 | Rain | It rains. | each hero loses 1 Brawn |\n| 3-5 | Sun | It shines. | nothing |\n",
    ),
    "a step": ("steps.csv", "Well.", "Badly.", "### changes procedure: Night\n- Sleep:\n  Badly.\n"),
    "a row between": (
        "tables/weather.csv", "3,6,,Sun,It shines.,", "3,4,,Sun,It shines.,\r\n5,6,,Fog,Grey.,",
        "### changes table: Weather\n\n| d6 | row | text | effect |\n|---|---|---|---|\n| 3-4 | Sun | It shines. | nothing |\n| 5-6 | Fog | Grey. | nothing |\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_comes_back_as_a_patch(name: str, small: System, tables: Path) -> None:
    file, old, new, hack = EDITS[name]
    edit(tables, file, old, new)
    assert hack_of(read_back(tables, small)) == hack


def test_all_edits_that_go_together_come_back_together(small: System, tables: Path) -> None:
    for name in ("a number", "a text that looks like a formula", "a new thing", "a rule", "a rule below another", "a cell of a table", "a step"):
        edit(tables, *EDITS[name][:3])
    made = read_back(tables, small)
    hack_of(made)
    system, said = put_on(made.page, small, "Spreadsheet Changes")
    assert system is not None and not [one for one in said if one.severity == "error"]
    edited = {sheet.path: sheet.raw for sheet in sheets(system)}
    assert edited["tables/weather.csv"] == (tables / "tables/weather.csv").read_bytes()
    assert edited["rules.csv"] == (tables / "rules.csv").read_bytes()
    assert edited["steps.csv"] == (tables / "steps.csv").read_bytes()


@pytest.mark.parametrize("pack", PACKS)
def test_every_number_and_text_of_every_pack_can_be_edited(pack: str, tmp_path: Path) -> None:
    """All at once: each comes back as a change, or is told with a reason that is not the checker's."""
    out = tmp_path / "out"
    export(CsvPackage(), as_played(pack), out, {}, as_written(pack))
    edits = 0
    for path in [*out.glob("entries/*.csv"), *out.glob("tables/*.csv"), out / "steps.csv"]:
        with path.open(encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
        for row in rows:
            for number, column in enumerate(head):
                if column == "text" and row[number]:
                    row[number], edits = f"{row[number]} Indeed.", edits + 1
                elif row[number].isdigit() and path.parent.name == "entries":
                    row[number], edits = str(int(row[number]) + 1), edits + 1
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([head, *rows])
    made = read_back(out, as_written(pack))
    assert made.diagnostics == ()
    assert made.changes + len(made.lost) == edits > 50
    assert {lost.why for lost in made.lost} <= {
        "an example is set up in the pack only",
        "this text prints a number that the rules work out; change it in the pack",
        "a hack cannot link to a chapter; change this text in the pack",
    }


def test_no_row_of_a_large_table_is_compared_with_all_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = 300
    page = f"# One\n\n## table: Weather\n\n| d{size} | text |\n|---|---|\n" + "".join(f"| {face} | It rains. |\n" for face in range(1, size + 1))
    system, _ = check([Source("one.te", page)], PackInfo(id="one", title="One", version="1.0.0"), None)
    assert system is not None
    export(CsvPackage(), at_this_table(system), tmp_path / "out", {}, system)
    path = tmp_path / "out/tables/weather.csv"
    path.write_bytes(path.read_bytes().replace(b"It rains.", b"It pours."))
    looks: list[Row] = []
    contains = Row.contains
    monkeypatch.setattr(Row, "contains", lambda row, other: looks.append(row) or contains(row, other))
    made = read_back(tmp_path / "out", system)
    assert (made.changes, made.lost, made.diagnostics) == (size, (), ())
    assert size <= len(looks) <= 10 * size


LOSSES: dict[str, tuple[str, str, str, str]] = {
    "a cell in no column": ("entries/knack.csv", "is no formula.\",,", "is no formula.\",,,mine", "entries/knack.csv, row 3, column 7: te-forge has no such column"),
    "an id that nothing has": ("entries/knack.csv", "small:knack/tough,", "small:knack/rough,", "entries/knack.csv, row 3, column id: nothing has the id small:knack/rough"),
    "one id twice": ("entries/knack.csv", "small:knack/tough,Tough", "small:knack/nimble,Tough", "entries/knack.csv, row 3, column id: this id stands in row 2 too"),
    "no name": ("entries/knack.csv", "Nimble,2", ",2", "entries/knack.csv, row 2, column name: this is no name"),
    "a row that ends early": ("entries/knack.csv", ',2,"Over the wall, {Brawn\'s start} at once.",,', ",2", "entries/knack.csv, row 2, column text: a hack can put other prose here"),
    "no text": ("entries/knack.csv", '"Over the wall, {Brawn\'s start} at once."', "", "entries/knack.csv, row 2, column text: a hack can put other prose here"),
    "a heading in a text": ("entries/knack.csv", "Over the wall,", "# Over the wall,", "a text has no line that begins with `#`"),
    "where it belongs": ("entries/knack.csv", "is no formula.\",,", "is no formula.\",Nimble,", "entries/knack.csv, row 3, column part of: this is changed in the pack only"),
    "a step's name": ("steps.csv", "Sleep,Well.", "Wake,Well.", "steps.csv, row 2, column name: this is changed in the pack only"),
    "a step without a text": ("steps.csv", "Sleep,Well.", "Sleep,", "steps.csv, row 2, column text: a hack can put other prose here"),
    "half a range": ("tables/weather.csv", "3,6,,Sun", "3,6,4 to,Sun", "`low` and `high` are numbers of the die"),
    "a chapter": ("chapters.csv", "small:chapter/small#1,small:chapter/small,Small,", "small:chapter/small#1,small:chapter/small,Smaller,", "chapters.csv, row 2, column title: this is changed in the pack only"),
    "a rule with others below": ("rules.csv", "above 1:", "above 2:", "rules.csv, row 5, column text: lines are set in below this one"),
    "a gap in a table": ("tables/weather.csv", "3,6,,Sun,It shines.,\r\n", "", "tables/weather.csv: the row 3-6 is gone"),
    "a bar in a table": ("tables/weather.csv", "It rains.", "It | rains.", "tables/weather.csv, row 2: a cell of a table is one line"),
    "letters for faces": ("tables/weather.csv", "3,6,,Sun", "three,6,,Sun", "`low` and `high` are numbers of the die"),
    "a column less": ("entries/knack.csv", "id,name,Worth,text", "id,name,Price,text", "entries/knack.csv, row 1, column Worth: this column is gone"),
    "a column twice": ("entries/knack.csv", "id,name,Worth,text", "id,name,name,text", "this column stands here twice"),
    "no heads": ("entries/knack.csv", "id,name,Worth,text,part of,cites\r\n", "", "the first row must hold the names of the columns"),
    "a new kind": ("entries/kind.csv", "small:kind/gm", ",ghost,,,,,,\r\nsmall:kind/gm", "a row says too little to make a new kind"),
    "a new rule": ("rules.csv", "small:procedure/night#Sleep > Rest", ",small:procedure/night,Night,Sleep,More,each hero gains 9 Brawn\r\nsmall:procedure/night#Sleep > Rest", "a new row in this file makes nothing"),
}  # fmt: skip


@pytest.mark.parametrize("name", LOSSES)
def test_what_cannot_come_back_is_said(name: str, small: System, tables: Path) -> None:
    file, old, new, says = LOSSES[name]
    edit(tables, file, old, new)
    made = read_back(tables, small)
    assert any(says in str(lost) for lost in made.lost), made.lost


def test_a_value_that_makes_no_sense_is_said_with_its_line(small: System, tables: Path) -> None:
    edit(tables, "entries/knack.csv", "Nimble,2", "Nimble,many")
    made = read_back(tables, small)
    assert made.diagnostics and made.page.splitlines()[made.diagnostics[0].span.line - 1] == "- Worth: many (was 2)"


def test_a_decimal_comma_is_not_two_numbers(small: System, tables: Path) -> None:
    edit(tables, "entries/knack.csv", "Nimble,2", 'Nimble,"3,5"')
    made = read_back(tables, small)
    assert [one.message for one in made.diagnostics] == ["`Worth` is one number, and here are 2"]


@pytest.mark.parametrize("how", ["semicolons", "tabs", "byte-order mark", "line ends", "no change"])
def test_whatever_a_spreadsheet_makes_of_the_form_is_no_change(how: str, small: System, tables: Path) -> None:
    for path in tables.rglob("*.csv"):
        rows = list(csv.reader(path.open(encoding="utf-8", newline="")))
        out = io.StringIO()
        csv.writer(
            out,
            delimiter={"semicolons": ";", "tabs": "\t"}.get(how, ","),
            quoting=csv.QUOTE_ALL,
            lineterminator="\n" if how == "line ends" else "\r\n",
        ).writerows(rows)
        path.write_bytes((b"\xef\xbb\xbf" if how == "byte-order mark" else b"") + out.getvalue().encode())
    made = read_back(tables, small)
    assert (made.page, made.lost) == ("", ())
    edit(tables, "entries/knack.csv", '"2"', '"5"')
    assert hack_of(read_back(tables, small)) == EDITS["a number"][3]


def test_a_file_that_is_no_text_or_gone_is_said(small: System, tables: Path) -> None:
    (tables / "entries/knack.csv").write_bytes("id,name,Worth,text\r\nsmall:knack/nimble,Flinkfüßig".encode("latin-1"))
    (tables / "rules.csv").unlink()
    (tables / "extra.csv").write_text("a,b\n", encoding="utf-8")
    said = [str(lost) for lost in read_back(tables, small).lost]
    assert (
        any("save it as `CSV UTF-8`" in one for one in said)
        and any(one.startswith("rules.csv: this file is gone") for one in said)
        and any(one.startswith("extra.csv: this file is not part") for one in said)
    )


@pytest.mark.parametrize("name", ["entries/knack.csv", "datapackage.json"])
@pytest.mark.parametrize("how", ["a folder", "a pipe", "a link to itself"])
def test_what_is_no_file_is_said_and_nothing_waits_for_it(how: str, name: str, small: System, tables: Path) -> None:
    path = tables / name
    path.unlink()
    if how == "a folder":
        path.mkdir()
    elif how == "a pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path.name)
    try:
        said = "\n".join(map(str, read_back(tables, small).lost))
    except NotExported as reason:
        said = str(reason)
    assert name in said and (
        "no ordinary file" in said or "not an ordinary file" in said or "cannot be read" in said or "no file can be read" in said
    )


def test_a_row_whose_id_was_changed_by_mistake_is_not_deleted(small: System, tables: Path) -> None:
    edit(tables, "entries/knack.csv", "small:knack/tough,", "small:knack/rough,")
    made = read_back(tables, small)
    assert made.page == "" and any("small:knack/tough is gone, and is not deleted: row 3 may be what it was" in one.why for one in made.lost)


@pytest.mark.parametrize("path", ["", "entries", "a\\u0000b", "x" * 500])
def test_a_path_that_no_file_can_have_is_said(path: str, small: System, tables: Path) -> None:
    edit(tables, "datapackage.json", '"path": "rules.csv"', f'"path": "{path}"')
    assert any("ordinary file" in one.why or "cannot be read" in one.why or "no file can be read" in one.why for one in read_back(tables, small).lost)


def test_a_pack_that_has_changed_since_is_not_silently_put_back(small: System, tables: Path, tmp_path: Path) -> None:
    """The edited file was made of an older pack: what is different in it may be the pack's doing."""
    page = tmp_path / "small/rules/01.te"
    page.write_text(PAGE.replace("| Tough  | 3 ", "| Tough  | 9 "), encoding="utf-8")
    edit(tables, "entries/knack.csv", "Nimble,2", "Nimble,5")
    now = load(str(tmp_path / "small")).system
    assert now is not None
    made = read_back(tables, now)
    assert made.page == "" and "has changed here since it was exported" in str(made.lost[0])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"te_forge": {"pack": "small"}, "resources": 5}',
        '{"te_forge": {"pack": "small"}, "resources": [{"path": 1}]}',
        "[" * 100_000,
        '{"te_forge": {"pack": "small"}, "resources": [{"path": "a", "te_forge": {"sha256": "", "holds": [], "of": ""}}]}',
    ],
)
def test_a_broken_descriptor_is_a_sentence(text: str, small: System, tables: Path) -> None:
    (tables / "datapackage.json").write_text(text, encoding="utf-8")
    with pytest.raises(NotExported, match="is not as te-forge wrote it"):
        read_back(tables, small)


def test_a_descriptor_cannot_lead_out_of_the_folder(small: System, tables: Path) -> None:
    edit(tables, "datapackage.json", '"path": "rules.csv"', '"path": "../small/pack.yaml"')
    with pytest.raises(NotExported, match="which is not in this folder"):
        read_back(tables, small)


def test_another_pack_or_folder_is_refused(small: System, tables: Path) -> None:
    edit(tables, "datapackage.json", '"pack": "small"', '"pack": "large"')
    with pytest.raises(NotExported, match="was exported from the pack `large`"):
        read_back(tables, small)
    shutil.rmtree(tables / "entries")
    (tables / "datapackage.json").unlink()
    with pytest.raises(NotExported, match="holds no datapackage"):
        read_back(tables, small)


def test_a_strange_column_is_said_once_and_only_when_something_stands_in_it(small: System, tables: Path) -> None:
    path = tables / "entries/knack.csv"
    whole = path.read_text(encoding="utf-8-sig").splitlines()
    path.write_text("\n".join([f"{whole[0]},Mine,Empty", *(f"{line},x," for line in whole[1:])]), encoding="utf-8")
    assert len(whole) > 2
    assert [(lost.row, lost.column) for lost in read_back(tables, small).lost] == [(1, "Mine")]


def test_what_is_wrong_is_said_of_the_page_that_was_written(small: System, tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    edit(tables, "entries/knack.csv", "Nimble,2", "Nimble,many")
    said = run("import", "csv", "out", "small", "-o", "small/rules/90-edited.te")
    assert f"{Path('small/rules/90-edited.te')}:7: " in said.output
    assert "many" in (tmp_path / "small/rules/90-edited.te").read_text(encoding="utf-8").splitlines()[6]


def test_a_page_that_cannot_be_written_is_called_by_its_name(small: System, tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    edit(tables, "entries/knack.csv", "Nimble,2", "Nimble,5")
    said = run("import", "csv", "out", "small", "-o", "none/it.te")
    assert said.exit_code == 2
    assert f"{Path('none/it.te')} cannot be written: no such file or directory" in said.output


def test_the_whole_way_round(small: System, tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("import", "csv", "out", "small").output == "nothing was changed\n"
    edit(tables, "entries/knack.csv", "Nimble,2", "Nimble,5")
    done = run("import", "csv", "out", "small", "-o", "small/rules/90-spreadsheet.te")
    assert done.exit_code == 0 and "1 change." in done.output
    assert "is there already" in run("import", "csv", "out", "small", "-o", "small/rules/90-spreadsheet.te").output
    (tmp_path / "small/pack.yaml").write_text(HEAD + "hacks: [Spreadsheet Changes]\n", encoding="utf-8")
    assert run("check", "small").output == "no mistakes found\n"
    assert "5" in run("explain", "small", "Nimble.Worth").output
    assert run("export", "small", "--to", "csv", "-o", "out").exit_code == 2, "the edited tables are somebody's work"
    assert run("export", "small", "--to", "csv", "-o", "new").exit_code == 0
    assert "Nimble,5" in (tmp_path / "new/entries/knack.csv").read_text(encoding="utf-8")
