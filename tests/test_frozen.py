"""Our own classes of values: they behave as what `dataclass` makes, but for guarding themselves."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, fields
from dataclasses import replace as anew

import pytest

from te_forge.frozen import frozen, mutable, replace


@frozen
class Place:
    x: int
    names: tuple[str, ...] = ()
    seen: list[str] = field(default_factory=list)


@mutable
class Shelf:
    title: str
    books: list[str] = field(default_factory=list)
    sorted: bool | None = field(default=None, init=False, repr=False, compare=False)


@dataclass
class Usual:
    title: str
    books: list[str] = field(default_factory=list)
    sorted: bool | None = field(default=None, init=False, repr=False, compare=False)


def test_values_are_equal_that_hold_the_same() -> None:
    assert Place(1, ("a",)) == Place(x=1, names=("a",)) != Place(1, ("b",))
    one: object = Place(1)
    assert one != Shelf("1")
    assert hash(Place(1, (), ())) == hash(Place(1, (), ()))  # type: ignore[arg-type]


def test_no_two_share_what_each_has_of_its_own() -> None:
    one, other = Shelf("one"), Shelf("other")
    one.books.append("Dusk")
    assert (one.books, other.books) == (["Dusk"], [])


def test_what_changes_is_as_a_usual_class_that_changes() -> None:
    ours, theirs = Shelf("one", ["Dusk"]), Usual("one", ["Dusk"])
    assert (ours.sorted, theirs.sorted) == (None, None)
    ours.sorted = theirs.sorted = True
    ours.title = theirs.title = "other"
    assert repr(ours) == repr(theirs).replace("Usual", "Shelf")
    assert ours == Shelf("other", ["Dusk"])
    assert [one.name for one in fields(ours)] == [one.name for one in fields(theirs)]
    with pytest.raises(TypeError):
        hash(ours)


def test_copies_and_what_is_replaced() -> None:
    one = Place(1, ("a",))
    assert copy.deepcopy(one) == one == replace(replace(one, x=2), x=1)
    assert anew(one, x=3) == replace(one, x=3) == Place(3, ("a",))


def test_a_class_that_says_what_its_hash_is_keeps_it() -> None:
    @frozen
    class Named:
        name: str
        weight: int

        def __hash__(self) -> int:
            return hash(self.name)

    assert hash(Named("one", 1)) == hash(Named("one", 2)) == hash("one")
    assert len({Named("one", 1), Named("one", 2), Named("one", 1)}) == 2
