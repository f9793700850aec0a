"""Laws of composing, on generated hacks over a little game: no order of anything shows, what changes nothing changes nothing, and once more is the
same.

The hacks are made to meet: there are few things to change, so they agree, add up, quarrel, delete what others change, and need each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_compose import BASE, INFO, consistent

from te_forge.check import check
from te_forge.compose import Composed, compose, derived
from te_forge.model.pack import PackInfo
from te_forge.model.system import Entry, System
from te_forge.packs import joined
from te_forge.source import Source

NAMES = ("Ash", "Birch", "Cedar", "Dogwood", "Elm")
FEW = st.integers(0, 3)
CHANGE = st.builds("{} {}".format, FEW, st.sampled_from(["more", "less", "times as much"])) | st.builds(
    "at {} {}".format, st.sampled_from(["least", "most"]), FEW
)
PERCENT = st.builds("{} percent rounded {}".format, st.sampled_from([50, 150]), st.sampled_from(["up", "down"]))
NUMBER = FEW.map(str) | CHANGE | PERCENT
TRICK = st.sampled_from(["Jump", "Hide", "Whisper"])
TRICKS = st.builds("{} {}".format, st.sampled_from(["with", "without"]), TRICK) | TRICK | st.just("nothing")
GAIN = st.builds("the {} gains {} {}".format, st.just("gm"), st.integers(1, 3), st.just("Doom"))
SAYS = st.builds('the leaper says "{}"'.format, st.sampled_from(["now", "then"]))

PATCHES = st.one_of(
    st.builds("### changes pool: Luck\n- Starts: {}\n".format, NUMBER),
    st.builds("### changes pool: Doom\n- {}: {}\n".format, st.sampled_from(["Starts", "At Most"]), NUMBER),
    st.builds("### changes pool: Doom\n- Grow: {}\n".format, st.builds("after gain of Luck: {}".format, GAIN) | st.just("nothing")),
    st.builds("### changes gift: Might\n{}".format, st.sampled_from(["Lifting.\n", "Strength.\n", "Weight.\n- Starts: 1 more\n"])),
    st.builds("### changes monster: {}\n- Tricks: {}\n".format, st.sampled_from(["Ogre", "Worm"]), TRICKS),
    st.builds("### changes monster: Ogre\n- Teeth: {}\n".format, NUMBER | st.just("nothing")),
    st.builds("### changes kind: monster\n\n| label | holds    | default | text     |\n|-------|----------|---------|----------|\n| Teeth | a number | {}       | how many |\n\n".format, FEW),
    st.builds("### changes procedure: Leap\n- Ready:\n  - Look: {}\n".format, SAYS | st.just("nothing")),
    st.builds("### changes procedure: Leap\n- Ready:\n  - {} {} Look: {}\n".format, st.sampled_from(["Aha", "Oho"]), st.sampled_from(["after", "before"]), SAYS),
    st.builds("### changes procedure: Leap\n- Go:\n  - Way:\n    - {}: {}\n".format, st.sampled_from(["High", "Low"]), GAIN | st.just("nothing")),
    st.builds("### changes procedure: Leap\n- {} after Ready:\n  - Words: {}\n".format, st.sampled_from(["Wait", "Doubt"]), SAYS),
    st.builds("### changes table: Weather\n\n| row  | text | effect |\n|------|------|--------|\n| {} | {} | {} |\n\n".format, st.sampled_from(["Rain", "Snow"]), st.sampled_from(["Drip.", "-"]), GAIN | st.just("-")),
    st.builds("### changes table: Weather\n\n| d6  | row  | text | effect |\n|-----|------|------|--------|\n| {} | Mist | Grey. | - |\n\n".format, st.sampled_from(["1-2", "1", "6", "3-5", "2-3"])),
    st.builds("### renames gift: {}\n- To: \"{}\"\n".format, st.sampled_from(["Might", "Wit"]), st.sampled_from(["Brawn", "Cunning"])),
    st.builds("### deletes trick: Whisper\n{}".format, st.sampled_from(["", "- Successor: Jump\n", "- Successor: Hide\n"])),
    st.builds("### deletes monster: Worm\n{}".format, st.sampled_from(["", "- Successor: Ogre\n"])),
    st.builds("### monster: Kin\n- Based On: {} as {}\n- Teeth: {}\n- Tricks: {}\n".format, st.sampled_from(["Ogre", "Worm"]), st.sampled_from(["played", "printed"]), NUMBER, TRICKS),
    st.builds("### trick: {}\nNew.\n".format, st.sampled_from(["Spit", "Howl"])),
)  # fmt: skip


@dataclass(frozen=True)
class Hack:
    """A hack as it is written, and in which of two packs it is."""

    name: str
    needs: tuple[str, ...]
    patches: tuple[str, ...]
    pack: int

    @property
    def id(self) -> str:
        return f"mod-{self.pack}:hack/{self.name.lower()}"

    @property
    def text(self) -> str:
        needs = f"- Needs: {', '.join(self.needs)}\n" if self.needs else ""
        return f"# {self.name} Things\n## hack: {self.name}\n{needs}" + "".join(
            patch.replace("trick: Spit", f"trick: {self.name} Spit")
            .replace("trick: Howl", f"trick: {self.name} Howl")
            .replace("monster: Kin", f"monster: {self.name} Kin")
            for patch in self.patches
        )


@st.composite
def some_hacks(draw: st.DrawFn) -> tuple[Hack, ...]:
    """Hacks that need only earlier ones of their own pack."""
    made: list[Hack] = []
    for name in NAMES[: draw(st.integers(1, len(NAMES)))]:
        pack = draw(st.integers(0, 1))
        friends = [hack.name for hack in made if hack.pack == pack]
        needs = draw(st.lists(st.sampled_from(friends), unique=True, max_size=2)) if friends else []
        patches = draw(st.lists(PATCHES, min_size=1, max_size=3, unique_by=lambda patch: patch.partition("\n")[0]))
        made.append(Hack(name, tuple(needs), tuple(patches), pack))
    return tuple(made)


def pack_of(number: int, hacks: Sequence[Hack], base: System) -> System | None:
    """A pack of hacks on the little game, a file each. None when a hack makes no sense by itself, which is said elsewhere."""
    pages = [Source(f"mod-{number}/{hack.name.lower()}.te", hack.text) for hack in hacks if hack.pack == number]
    info = PackInfo(id=f"mod-{number}", title=f"Mod {number}", version="1.0.0", requires={"small": ">=1.0"})
    made, said = check([*pages, Source(f"mod-{number}/start.te", "# Start\nText.\n")], info, base, derive=derived)
    return made if not any(one.severity == "error" for one in said) else None


def base() -> System:
    made, _ = check([Source("base.te", BASE)], INFO)
    assert made is not None
    return made


LITTLE = base()


def game(hacks: Sequence[Hack], packs: Sequence[int] = (0, 1)) -> System | None:
    made = [pack_of(number, hacks, LITTLE) for number in packs]
    return joined(made[0], made[1]) if made[0] is not None and made[1] is not None else None


def seen(made: Composed) -> tuple[object, ...]:
    """All that anybody can see of a composition but the order of chapters and of mentions, which is that of the book."""
    return (
        made.system.entries,
        made.system.kinds,
        {id: set(users) for id, users in made.system.users.items()},
        set(made.system.chapters),
        made.diagnostics,
        made.on,
        made.changed,
    )


def anywhere(entry: Entry) -> str:
    """An entry without the places where it is written."""
    return re.sub(r"Span\([^)]*\)", "", repr(entry))


LAW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.large_base_example]
)


@LAW
@given(some_hacks(), st.randoms(use_true_random=False))
def test_no_order_shows(hacks: tuple[Hack, ...], luck) -> None:
    """Of packs, of files, and of the lines that switch the hacks on."""
    system = game(hacks)
    if system is None:
        return
    first = compose(system, [hack.id for hack in hacks])
    files, lines = list(hacks), [hack.id for hack in hacks]
    luck.shuffle(files)
    luck.shuffle(lines)
    other = game(files, (1, 0))
    assert other is not None
    assert seen(compose(other, lines)) == seen(first)
    if not any(one.severity == "error" for one in first.diagnostics):
        consistent(first.system)


@LAW
@given(some_hacks())
def test_what_changes_nothing_changes_nothing(hacks: tuple[Hack, ...]) -> None:
    """One hack more that says nothing, and one that says what is so already of something that nobody else speaks of."""
    names = [hack.id for hack in hacks]
    system = game(hacks)
    if system is None:
        return
    before = compose(system, names)
    for patch, said in (("", []), ("### changes procedure: Fall\n- Drop:\n  - After: the faller takes Hide\n", ["idle-patch"])):
        idle = Hack("Zinnia", (), (patch,), 0)
        more = game((*hacks, idle))
        assert more is not None
        after = compose(more, [*names, idle.id])
        assert {id: anywhere(entry) for id, entry in after.system.entries.items() if id != idle.id} == {
            id: anywhere(entry) for id, entry in before.system.entries.items()
        }
        told = [one for one in after.diagnostics if one not in before.diagnostics]
        assert [one.code for one in told] == said and len(after.diagnostics) == len(before.diagnostics) + len(said)


@LAW
@given(some_hacks(), st.integers(0, 4))
def test_on_off_and_on_again(hacks: tuple[Hack, ...], which: int) -> None:
    """A hack that goes and comes back leaves no trace."""
    system = game(hacks)
    if system is None:
        return
    names = [hack.id for hack in hacks]
    first = compose(system, names)
    compose(system, [id for number, id in enumerate(names) if number != which])
    assert compose(system, names) == first
    assert compose(system).system.entries == {
        **LITTLE.entries,
        **{id: entry for id, entry in compose(system).system.entries.items() if id not in LITTLE.entries},
    }


def test_the_laws_are_put_to_the_test() -> None:
    """The generated hacks do all the verbs, and most of them make sense: quarrels, and games without a mistake."""
    errors: list[set[str]] = []

    @settings(LAW, database=None, max_examples=150)
    @given(some_hacks())
    def look(hacks: tuple[Hack, ...]) -> None:
        system = game(hacks)
        if system is not None:
            errors.append({one.code for one in compose(system, [hack.id for hack in hacks]).diagnostics if one.severity == "error"})

    look()
    assert len(errors) > 15 and set() in errors and sum("patch-conflict" in one for one in errors) > 3
