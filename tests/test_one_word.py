"""One word of a sound pack is lost, doubled, misspelt or taken for another: checking ends soon, never falls, and what it says leads to that word.

That it says something at all is not asked for: what prose means is the author's, and many a slip in a rule is a rule as well (`1 Tension` for `2
Tension`).
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from te_forge.check import check
from te_forge.diagnostics import Diagnostic
from te_forge.packs import load
from te_forge.source import Source

SEED, CASES, SECONDS = 20, 100, 20
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


class Slip(NamedTuple):
    """`line` of `page` (an index) was changed at the word `word`, and reads `now`."""

    page: Source
    line: int
    how: str
    word: str
    now: str

    @property
    def source(self) -> Source:
        lines = (*self.page.lines[: self.line], self.now, *self.page.lines[self.line + 1 :])
        return Source(self.page.path, "\n".join(lines))


def slips(pages: list[Source], chance: random.Random) -> Iterator[Slip]:
    while True:
        page = chance.choice(pages)
        line = chance.choice([at for at, text in enumerate(page.lines) if WORD.search(text) and not text.lstrip().startswith("<!--")])
        text = page.lines[line]
        found = chance.choice(list(WORD.finditer(text)))
        how = chance.choice(["lose", "double", "misspell", "replace"])
        before, word, behind = text[: found.start()], found[0], text[found.end() :]
        other = {"lose": "", "double": f"{word} {word}", "misspell": misspelt(word, chance), "replace": chance.choice(WORD.findall(page.text))}[how]
        now = before + other + (behind if other or not behind.startswith(" ") else behind[1:])
        if now != text:
            yield Slip(page, line, how, word, now)


def misspelt(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    letter = chance.choice("abcdefghijklmnopqrstuvwxyz")
    return chance.choice(
        [
            word[:at] + word[at + 1 :] or letter,
            word[:at] + word[at] + word[at:],
            word[:at] + letter + word[at + 1 :],
            word[:at] + word[at:][:2][::-1] + word[at + 2 :],
        ]
    )


def leads_to(one: Diagnostic, slip: Slip) -> bool:
    """Whether a finding is about the changed line, or names what is missing since."""
    places = [one.span, *(label.span for label in one.labels)]
    return any((place.file, place.line) == (slip.page.path, slip.line + 1) for place in places) or slip.word in f"{one.message} {one.help}"


def test_one_wrong_word_is_found_or_harmless() -> None:
    loaded = load("srd-core")
    assert loaded.system is not None and not loaded.diagnostics
    pages = [source for path, source in sorted(loaded.sources.items()) if path.endswith(".te")]
    taken: list[float] = []
    missed: list[tuple[Slip, list[Diagnostic]]] = []
    told = 0
    for slip, _ in zip(slips(pages, random.Random(SEED)), range(CASES), strict=False):
        start = time.process_time()
        _, found = check([slip.source if page is slip.page else page for page in pages], loaded.system.pack)
        taken.append(time.process_time() - start)
        told += bool(found)
        if found and not any(leads_to(one, slip) for one in found):
            missed.append((slip, found))
    assert missed == []
    assert max(taken) < SECONDS / 4 and sum(taken) < SECONDS * 3
    assert told > CASES // 3


@pytest.mark.parametrize(
    ("line", "now"),
    [
        ("## procedure: Finding The Weakest", "## procedure: Finding The Weakest [SRd-30]"),
        ("1. Measure.", "1 1. Measure."),
        ("| skill         | text", "| skill         | text text"),
        ("- Limit: the limit is the share", "- Limit Limit: the limit is the share"),
    ],
)
def test_slips_that_once_were_said_elsewhere_or_never(line: str, now: str) -> None:
    loaded = load("srd-core")
    assert loaded.system is not None
    pages = [source for path, source in sorted(loaded.sources.items()) if path.endswith(".te")]
    page, at = next((page, at) for page in pages for at, text in enumerate(page.lines) if line in text)
    slip = Slip(page, at, "by hand", "", page.lines[at].replace(line, now))
    _, found = check([slip.source if one is page else one for one in pages], loaded.system.pack)
    places = [place for one in found for place in (one.span, *(label.span for label in one.labels))]
    assert (page.path, at + 1) in {(place.file, place.line) for place in places}
