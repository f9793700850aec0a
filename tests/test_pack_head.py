"""pack.yaml is read in two ways: by hand where all is surely right, by pydantic where it is not. Both follow the same classes, and never contradict
each other.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from te_forge.model.pack import SAYS, Doubtful, PackInfo, Work, read_info, taken
from te_forge.model.schema import judged, model

ROOT = Path(__file__).parents[1]
RIGHT: dict[str, Any] = {"id": "dusk", "title": "Dusk", "version": "1.0.0"}

texts = st.one_of(
    st.sampled_from(["", "x", "dusk", "Dusk", "a-b-2", "1.0.0", "1.0.0\n", "\uff11.0.0", "1.0", "en", "pt-BR", "en_GB", "x" * 60, "x" * 61, "y" * 2000, "y" * 2001, "a\u200bb", "a\nb", "a\x07", "\ud800", ">=1.0"]),
    st.text(max_size=5),
)  # fmt: skip
values = st.recursive(
    st.one_of(st.none(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3).map(tuple), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=4,
)
works = st.dictionaries(st.sampled_from([*(one.name for one in fields(Work)), "pages"]), values, max_size=4)
heads = st.dictionaries(
    st.sampled_from([*(one.name for one in fields(PackInfo)), "titel"]), st.one_of(values, st.lists(works, max_size=2).map(tuple)), max_size=5
)


def by_hand(data: dict[str, Any]) -> Any:
    try:
        return taken(data, PackInfo)
    except Doubtful:
        return None


@settings(max_examples=500, deadline=None)
@given(heads, st.booleans())
@example({"sources": ({"title": "Old Lamps", "authors": ("B. Maker",), "url": None},)}, True)
@example({"requires": {"low": ">=1.0"}, "hacks": ("Morale",), "rulings": {"One": "Two"}}, True)
@example({"requires": {"Low": ">=1.0"}}, True)
@example({"sources": ({"authors": ()},)}, True)
def test_what_is_taken_by_hand_pydantic_takes_too(head: dict[str, Any], right: bool) -> None:
    data = {**RIGHT, **head} if right else head
    info, mistakes = judged(data)
    found = by_hand(data)
    assert found is None or (found, []) == (info, mistakes)
    assert read_info(data) == (info, mistakes)
    assert (info is None) == bool(mistakes)


@pytest.mark.parametrize("pack", sorted(path.parent.name for path in ROOT.glob("systems/*/pack.yaml")))
def test_a_right_head_needs_no_pydantic(pack: str) -> None:
    script = f"import sys; from te_forge.packs import load; assert load({pack!r}).system; print('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout == "False\n"


def test_every_field_says_what_it_is_for() -> None:
    for kind in (PackInfo, Work):
        described = {name: one.description for name, one in model(kind).model_fields.items()}
        assert described == {one.name: one.metadata[SAYS] for one in fields(kind)}
        assert all(described.values())


def test_a_head_that_pydantic_alone_can_judge_is_the_same_class() -> None:
    info, _ = judged({**RIGHT, "sources": ({"title": "Old Lamps"},)})
    assert info is not None
    assert info.sources == (Work("Old Lamps"),)
    assert asdict(info)["sources"][0]["title"] == "Old Lamps"
