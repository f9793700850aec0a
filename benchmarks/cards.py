"""A chain of guesses with playing cards, counted out with best play: `python benchmarks/cards.py`.

Every card that was seen counts, so the odds driver keeps apart as many decks as can be left. The answers are compared with a walk over all orders of the cards;
the times are CPU seconds, and the last column is how much longer one guess more takes.
"""

# ruff: noqa: E402
from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from time import process_time

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from test_ledger_tension_tests import all_seen, odds, passed, walk

EXACT = {1: Fraction(173, 221), 2: Fraction(9827, 16575), 3: Fraction(24237, 54145)}

if __name__ == "__main__":
    print("guesses  all right  te_forge  walk    te_forge, against one guess less")
    before = 0.0
    for guesses, exact in EXACT.items():
        start = process_time()
        found = passed(odds(guesses, "highest passes"))
        ours = process_time() - start
        start = process_time()
        by_hand = walk(guesses, all_seen)[guesses]
        theirs = process_time() - start
        assert found == by_hand == exact
        print(f"{guesses:7}  {float(exact):9.4f}  {ours:6.1f} s  {theirs:5.2f} s  {f'{ours / before:.1f}x' if before else ''}")
        before = ours
