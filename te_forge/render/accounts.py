"""What happened in a step of an example, as one paragraph of the book: how procedures end one inside of the other is said in one breath, and once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from te_forge.render.terms import stop_between

END = re.compile(r"(.+) ends with (.+)\.")
SPEECH = re.compile(r"(.+?) says: (.+)")


def paragraph(sentences: Iterable[str]) -> str:
    """`This ends with Here and That with There. Ann says "Enough."`"""
    groups = groupby(sentences, key=lambda one: END.fullmatch(one) is not None)
    return " ".join(ended(group) if ends else " ".join(map(spoken, group)) for ends, group in groups)


def ended(sentences: Iterable[str]) -> str:
    """Ends that follow one another, each named once however often it comes."""
    pairs = [found.groups() for one in dict.fromkeys(sentences) if (found := END.fullmatch(one))]
    said = [f"{who} {'ends with' if at == 0 else 'with'} {how}" for at, (who, how) in enumerate(pairs)]
    return (" and ".join([stop_between(said).join(said[:-1]), said[-1]]) if len(said) > 1 else said[0]) + "."


def spoken(sentence: str) -> str:
    found = SPEECH.fullmatch(sentence)
    return f'{found[1]} says "{found[2]}"' if found else sentence
