"""What is done for speed changes nothing: the collector comes back, and lines that are understood once mean what each would mean alone."""

from __future__ import annotations

import gc
from dataclasses import replace

import pytest

from te_forge.check import check
from te_forge.collector import collector_paused
from te_forge.model.pack import PackInfo
from te_forge.model.system import Entry, Line
from te_forge.source import UNSEEN, Source, Span

INFO = PackInfo(id="twice", title="Twice", version="1.0.0")
HEAD = """## kind: character
- Is: an actor

## kind: pool
- Is: a number of a character

## pool: Luck
- Starts: 1

## kind: trait
- Is: a trait of a character

## kind: item
- Is: an entry

"""


def test_the_collector_rests_inside_and_comes_back() -> None:
    assert gc.isenabled()
    with collector_paused():
        assert not gc.isenabled()
        with collector_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_it_comes_back_after_an_error_and_stays_off_for_who_wants_it_off() -> None:
    with pytest.raises(ZeroDivisionError), collector_paused():
        raise ZeroDivisionError
    assert gc.isenabled()
    gc.disable()
    with collector_paused():
        pass
    assert not gc.isenabled()
    gc.enable()


def entries(page: str) -> dict[str, Entry]:
    system, _ = check([Source("page.te", HEAD + page)], INFO)
    assert system is not None
    return {entry.name: entry for entry in system.entries.values()}


def bare(line: Line) -> Line:
    return replace(line, span=Span("", 1, 1, 1), lines=tuple(bare(below) for below in line.lines))


LINE = "- Lucky: after gain of Luck by a character: the owner gains 1 Luck"


def test_equal_lines_of_two_traits_are_equal_and_each_has_its_place() -> None:
    found = entries(f"## trait: Cat\n{LINE}\n\n## trait: Dog\n{LINE}\n")
    cat, dog = found["Cat"].lines[0], found["Dog"].lines[0]
    alone = entries(f"## trait: Dog\n{LINE}\n")["Dog"].lines[0]
    assert bare(cat) == bare(dog) == bare(alone)
    assert dog.meaning
    assert dog.span.line == cat.span.line + 3


def test_both_count_as_users_of_what_the_line_mentions() -> None:
    system, _ = check([Source("page.te", f"{HEAD}## trait: Cat\n{LINE}\n\n## trait: Dog\n{LINE}\n")], INFO)
    assert system is not None
    assert {"twice:trait/cat", "twice:trait/dog"} <= set(system.users["twice:pool/luck"])


def test_equal_lines_of_different_owners_are_read_apart() -> None:
    _, found = check([Source("page.te", f"{HEAD}## trait: Cat\n{LINE}\n\n## item: Dog\n{LINE}\n\n## trait: Fox\n{LINE}\n")], INFO)
    alone = check([Source("page.te", f"{HEAD}## item: Dog\n{LINE}\n")], INFO)[1]
    assert [one.code for one in found if one.severity == "error"] == [one.code for one in alone if one.severity == "error"]


def test_a_mistake_is_said_on_every_line_that_has_it() -> None:
    wrong = LINE.replace("1 Luck", "1 Lukc")
    _, found = check([Source("page.te", f"{HEAD}## trait: Cat\n{wrong}\n\n## trait: Dog\n{wrong}\n")], INFO)
    assert [one.code for one in found if one.severity == "error"] == ["unknown-name", "unknown-name"]


def test_nothing_is_left_for_the_collector() -> None:
    """A pack that holds itself in a circle would stay in memory: during the work nobody collects."""
    page = HEAD + "# Words\n{Luck's start} and [[Luck]] and [[Nobody]]\n\n## trait: Cat\n- Lucky: after gain of Luck: the gm looses 1\n- Purr: the owner gains 1 Lukc\n"
    check([Source("page.te", page)], INFO)
    gc.collect()
    with collector_paused():
        check([Source("page.te", page)], INFO)
        assert gc.collect() == 0


def test_letters_that_nobody_sees_cannot_be_printed() -> None:
    """A page of printable letters is not searched for them."""
    assert [hex(code) for code in range(0x110000) if UNSEEN.match(chr(code)) and chr(code).isprintable()] == []
