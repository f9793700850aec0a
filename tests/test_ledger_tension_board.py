"""`systems/tension-board`: every row of its ledger is carried and played; games of two, three and four end, and no piece is ever lost."""

from __future__ import annotations

from functools import cache

import pytest
from ledger import SYSTEMS, Ledger

from te_forge.engine.effects import Chain, Choose, Draw, Note, Number, Offer, Several
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.index import Rules
from te_forge.engine.people import add_person
from te_forge.engine.policies import at_random
from te_forge.engine.reading import Reading
from te_forge.engine.state import State
from te_forge.model import rules as m
from te_forge.model.rules import Type
from te_forge.packs import load
from te_forge.seeded import drawn, generator

LEDGER = Ledger(
    "tension-board",
    {f"BG-{number:02}": "E" if number == 6 else "M" for number in range(1, 15)},
    {
        "last-hole-tie": ("BG-03",), "two-losers": ("BG-03", "BG-08"), "no-colour-refusal": ("BG-05",), "penalty-piece": ("BG-07",), "penalty-empty-giver": ("BG-07",),
        "two-pieces-when": ("BG-07",), "two-pieces-two-players": ("BG-07", "BG-10"), "several-misplacers": ("BG-08",), "short-of-colour": ("BG-10",),
        "last-piece": ("BG-10",), "game-end": ("BG-11",), "empty-hand-check": ("BG-11",), "empty-hand-tie": ("BG-11",), "spinner": ("BG-12",), "sectors": ("BG-12",),
    },
)  # fmt: skip
PACK = str(SYSTEMS / "tension-board")
PEOPLE = ("Ann", "Ben", "Cem", "Dot")
IN_PLAY = {2: 32, 3: 24, 4: 32}


@cache
def rules() -> Rules:
    system = load(PACK).system
    assert system is not None
    return Rules(system)


def test_the_ledger_is_carried() -> None:
    LEDGER.hold()


def test_its_examples_come_out() -> None:
    LEDGER.plays()


def test_the_list_of_components_is_printed_from_the_rules() -> None:
    page = next(page for page in LEDGER.pages() if "# In the Box" in page)
    assert "{sum Pieces of colours + [[Blue Blockers]]'s Pieces} pieces" in page
    chapter = next(chapter for chapter in rules().system.chapters if chapter.title == "In the Box")
    said = repr(chapter)
    assert "'36'" in said and "'12'" in said


class Game:
    """A whole game by the seed: hands as quick as they happen to be, slips, penalties and all. After each step nothing may be missing."""

    def __init__(self, people: int, seed: int) -> None:
        self.state = State()
        for name in PEOPLE[:people]:
            self.state = add_person(rules(), self.state, name, m.Holds(Type("actor", "player")))
        self.policy = at_random(generator(str(seed), "play", people))
        self.seed, self.draws, self.people = str(seed), 0, people
        self.counts: set[tuple[int, int]] = set()
        self.spinners: list[str] = []
        self.run = Evaluator(rules(), self.state, self.answer)

    def answer(self, effect: object) -> object:
        match effect:
            case Note("begin", (procedure, roles)) if procedure.endswith("/round"):
                self.spinners.append(dict(roles)["spinner"])
            case Chain(state, parts):
                for part in parts:
                    state, stopped = part(self.answer, state)
                    self.count(state)
                    if stopped is not None:
                        return state, stopped
                return state, None
            case Draw():
                self.draws += 1
                return drawn(self.seed, self.draws, effect)
            case Choose() | Offer() | Number() | Several():
                return self.policy(effect, self.run)
        return None

    def count(self, state: State) -> None:
        """Coloured pieces in hands and on the board, and blue ones on the board, whenever a round has come to the end of a step."""
        if not self.spinners or state.frame.procedure.rpartition("/")[2] != "round":
            return
        reading = Reading(rules(), state)
        colours = [one.id for one in rules().system.of_kind("colour")]
        board = "tension-board:kind/board"
        coloured = sum(reading.stat(who, colour) for who in (*PEOPLE[: self.people], board) for colour in colours)
        self.counts.add((coloured, reading.stat(board, "tension-board:count/blue")))

    def play(self) -> str:
        return self.run.do("tension-board:procedure/game", {"host": "Ann"}).outcome.partition("#")[2]


@cache
def played(people: int, seed: int) -> tuple[Game, str]:
    game = Game(people, seed)
    return game, game.play()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("people", [2, 3, 4])
def test_no_piece_is_lost(people: int, seed: int) -> None:
    game, _ = played(people, seed)
    assert game.counts == {(IN_PLAY[people], 4 if people == 3 else 0)}
    for first, second in zip(game.spinners, game.spinners[1:], strict=False):
        assert first != second, "they spin in turn"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("people", [2, 3, 4])
def test_games_end(people: int, seed: int) -> None:
    """Even among people who slip half of the time."""
    game, end = played(people, seed)
    assert end == "won" and len(game.spinners) < 400


@pytest.mark.parametrize("people", [1])
def test_one_is_refused(people: int) -> None:
    assert Game(people, 0).play() == "refused"
