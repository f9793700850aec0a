"""Did you mean: the nearest known word, and only when it is near."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import islice

MOST_LISTED = 8
"""So many names a message lists; a reader looks for one, and a pack may have thousands."""
VOWELLESS = re.compile(r"[b-df-hj-np-tv-xz]{2,4}")
"""A word that cannot be spoken is an abbreviation, such as `gm`."""


def nearest(word: str, known: Iterable[str], cutoff: float = 0.74) -> str | None:
    """The known word most like `word`, ignoring case, or None when nothing is close (`cutoff` as difflib's ratio)."""
    import difflib  # most packs read well, and need none of it

    by_fold = {name.casefold(): name for name in sorted(known, reverse=True)}
    close = difflib.get_close_matches(word.casefold(), list(by_fold), 1, cutoff)
    return by_fold[close[0]] if close else None


SOUNDS = tuple(
    (re.compile(letters), one)
    for letters, one in (
        ("tion|sion|cian|shion|shun|shin|shen|shon", "Sn"), ("ture|cher|chur", "Cr"), ("sch|sh", "S"), ("tch|ch", "C"), ("^kn", "n"), ("^wr", "r"), ("ph", "f"), ("gh", ""),
        ("ck|q|c(?![eiy])", "k"), ("c|z", "s"), ("x", "ks"), ("(?<!^)[aeiouyhw]", ""), (r"(.)\1+", r"\1"),
    )
)  # fmt: skip
"""Letters that sound alike, roughly, replaced one row after the other."""
FEWEST_SOUNDS = 3
"""Of a word that is known by its sound: shorter ones are like too many."""
SORTS = ("Table", "Deck", "Test", "Roll", "Check", "Pool", "Points", "Step", "Procedure", "Rule", "Skill", "Attribute")
"""Words that people put behind a name to say what it is."""


@lru_cache(maxsize=50_000)
def sound(word: str) -> str:
    """What is heard of a word, without its vowels: the same for `Station` and `Stashun`."""
    heard = word.casefold()
    for letters, one in SOUNDS:
        heard = letters.sub(one, heard)
    return heard


def heard_alike(word: str, known: Iterable[str]) -> str | None:
    """The known word that sounds like `word`, where one alone does."""
    wanted = sound(word)
    found = (
        {name for name in known if name[:1].casefold() == word[:1].casefold() and sound(name) == wanted} if len(wanted) >= FEWEST_SOUNDS else set()
    )
    return found.pop() if len(found) == 1 else None


def called_in_short(word: str, known: Iterable[str]) -> str | None:
    """The known name that begins with `word` (`Oak` for `Oak Door`), or that is `word` without its sort (`Oak Table` for `Oak`),
    where one alone does.
    """
    first, _, last = word.rpartition(" ")
    found = {name for name in known if name.casefold().startswith(f"{word.casefold()} ") or (last in SORTS and name.casefold() == first.casefold())}
    return found.pop() if len(found) == 1 else None


def a(noun: str) -> str:
    """The noun with its article: `a pool`, `an attribute`, and `an npc` where letters are read one by one."""
    word = noun.partition(" ")[0].lower()
    spelled = word.isalpha() and not set(word) & set("aeiouy")
    vowel = word[:1] in tuple("fhlmnrsx" if spelled else "aeio") or word[:3] == "unu"
    return f"{'an' if vowel else 'a'} {noun}"


def heading(word: str) -> str:
    """A small word, such as a kind or a column, at the head of something: with a capital, or in capitals when it is an abbreviation (`PC`, and
    `PCs`).
    """
    if VOWELLESS.fullmatch(word):
        several = len(word) > 2 and word.endswith("s")
        return word[:-1].upper() + "s" if several else word.upper()
    return word[:1].upper() + word[1:]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean `X`?`, or nothing."""
    return asked(nearest(word, known))


def asked(best: str | None) -> str:
    return f"; did you mean `{best}`?" if best else ""


def among(word: str, known: Collection[str]) -> str:
    """`; did you mean `X`? There are X, Y and Z`, for a few names that may all be told."""
    near = did_you_mean(word, known)
    there = f"here {'are' if len(known) > 1 else 'is'} {', '.join(known)}" if known else "here are none"
    return f"{near} T{there}" if near else f"; t{there}"


def listed(names: Collection[str]) -> str:
    """The first of these names, and how many more there are."""
    more = len(names) - MOST_LISTED
    return ", ".join(islice(names, MOST_LISTED)) + (f" and {more} more" if more > 0 else "")


def usual_plurals(word: str) -> tuple[str, ...]:
    """Plurals that English makes in other ways than with an s: `bodies`, `boxes`, `wolves`, `knives`."""
    return (word.removesuffix("y") + "ies", word + "es", word.removesuffix("e").removesuffix("f") + "ves")
