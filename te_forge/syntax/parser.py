"""The parser: words in, tree out.

An LALR parser looks at the kinds of words only, so all lines of one pattern (`Name: INT`, `the WORD gains INT NAME`) have the same tree but for the
words in it. `plan` runs the parser over the kinds and notes which nodes it makes, in order; `grow` makes these nodes out of the words of a line. A
rulebook says many things in the same few patterns: planning is remembered, and growing is all that most lines cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from te_forge.syntax.grammar import END, Start, tables
from te_forge.syntax.lexer import STRANGE, cut
from te_forge.syntax.tree import Node, Token, Tree

Leaf = TypeVar("Leaf")
Branch = TypeVar("Branch")


class Stuck(Exception):
    """The parser cannot go on at `column` of the text, or at its end. `states` are those that are open; none, where no word could be cut."""

    def __init__(self, column: int, states: tuple[int, ...]) -> None:
        super().__init__(column)
        self.column, self.states = column, states


class NoPlan(Exception):
    """The parser cannot go on with word number `at`."""

    def __init__(self, at: int, states: list[int]) -> None:
        super().__init__(at)
        self.at, self.states = at, tuple(states)


class Plan(NamedTuple):
    """What the tree of a pattern is made of. `kinds` are those of the leaves, each decided; a node is its name and what takes its children out of all
    parts.

    The parts are the leaves, then the nodes, which are made from the last one to the first: so a node has its number, which counts from the end, as
    soon as it is planned. The root is made last of all. `split` are the leaves that come from one word with the leaf behind them: a sign and its
    number.
    """

    kinds: tuple[str, ...]
    nodes: tuple[tuple[str, Callable[[list[Any]], Iterable[Any]]], ...]
    split: tuple[int, ...]


@lru_cache(maxsize=200_000)
def parse(text: str, start: Start) -> Tree:
    """The tree of one line, cell or expression. Equal texts share one tree. Raises `Stuck`."""
    kinds, words, starts = cut(text)
    try:
        made = plan(start, tuple(kinds))
    except NoPlan as error:
        if error.at == len(kinds):
            raise Stuck(len(text.rstrip()), error.states) from None
        raise Stuck(starts[error.at], error.states if kinds[error.at] != STRANGE else ()) from None
    for at in made.split:
        words[at : at + 1] = words[at][0], words[at][1:]
        starts[at : at + 1] = starts[at], starts[at] + 1
    leaves = tokens(made.kinds, words, starts)
    root = grow(made, leaves, Node)
    return Tree(root.data, root.children, leaves)


def tokens(kinds: tuple[str, ...], words: list[str], starts: list[int]) -> list[Token]:
    """Tokens, as `Token(..)` makes them, without a call for each."""
    out: list[Token] = []
    new = str.__new__
    for kind, word, start in zip(kinds, words, starts, strict=True):
        leaf = new(Token, word)
        leaf.type = kind
        leaf.start_pos = start
        out.append(leaf)
    return out


def grow(made: Plan, leaves: Sequence[Leaf], node: Callable[[str, list[Leaf | Branch]], Branch]) -> Branch:
    """The tree of a plan over its leaves; `node` makes its nodes."""
    parts: list[Any] = [*leaves, *made.nodes]
    for number, (name, children) in enumerate(made.nodes):
        parts[~number] = node(name, list(children(parts)))
    root: Branch = parts[len(leaves)]
    return root


# ------------------------------------------------------------ planning

Value = int | list[int]
"""A leaf by its number, a node by its number below 0, or the parts of a repetition."""


@lru_cache(maxsize=20_000)
def plan(start: Start, kinds: tuple[str, ...]) -> Plan:
    """What to make of words of these kinds: LALR, by the tables that Lark has made. Raises `NoPlan`."""
    actions, gotos, rules, starts, ends, _ = tables()
    states = [starts[start]]
    values: list[Value] = []
    leaves: list[str] = []
    nodes: list[tuple[str, Callable[[list[Any]], Iterable[Any]]]] = []
    split: list[int] = []
    for at, kind in enumerate((*kinds, END)):
        terminals = decided(kind, states[-1])
        if len(terminals) > 1:
            split.append(len(leaves))
        for terminal in terminals:
            action = actions[states[-1]].get(terminal)
            while action is None or action < 0:
                if action is None:
                    raise NoPlan(at, states)
                origin, node, size, inline = rules[~action]
                if inline and size == 1 and isinstance(values[-1], int):
                    state = states[-1] = passed(states[-2], states[-1], terminal)
                else:
                    parts: list[Any] = values[len(values) - size :]
                    del values[len(values) - size :]
                    if list in map(type, parts):
                        parts = flat(parts)
                    if not node:
                        values.append(parts)
                    elif inline and len(parts) == 1:
                        values.append(parts[0])
                    else:
                        nodes.append((node, taker(parts)))
                        values.append(-len(nodes))
                    del states[len(states) - size :]
                    state = gotos[states[-1]][origin]
                    states.append(state)
                if kind == END and state == ends[start]:
                    return Plan(tuple(leaves), tuple(nodes), tuple(split))
                action = actions[state].get(terminal)
            states.append(action)
            values.append(len(leaves))
            leaves.append(terminal)
    raise AssertionError("a line is refused, or comes to its end")


@cache
def passed(below: int, state: int, terminal: str) -> int:
    """The state that comes to stand on `below` in place of `state` by all reductions in a row that leave one part as it is: from a word to a number, to a
    sum, to an expression.
    """
    actions, gotos, rules, _, ends, _ = tables()
    while (action := actions[state].get(terminal)) is not None and action < 0:
        rule = rules[~action]
        if not (rule.inline and rule.size == 1):
            break
        state = gotos[below][rule.origin]
        if terminal == END and state in ends.values():
            break
    return state


@cache
def decided(kind: str, state: int) -> tuple[str, ...]:
    """The terminals that a kind stands for, where the parser is in `state`.

    A word is the keyword where that can stand; else a plain word, unless this cannot stand here either (a message then speaks of the keyword).
    """
    possible = tables().actions[state]
    if kind.islower():
        return (kind.upper() if kind.upper() in possible or "WORD" not in possible else "WORD",)
    if " " in kind:
        return ("SIGNED",) if "SIGNED" in possible else tuple(kind.split())
    return (kind,)


def flat(values: list[Value]) -> list[int]:
    """The values with the parts of repetitions in their places. A repetition that comes first grows in place: a long one is not taken over for each
    part.
    """
    first = values[0]
    out = first if isinstance(first, list) else []
    for value in values[1:] if isinstance(first, list) else values:
        if isinstance(value, list):
            out += value
        else:
            out.append(value)
    return out


def taker(numbers: list[int]) -> Callable[[list[Any]], Iterable[Any]]:
    """What takes the parts of these numbers out of a list; an `itemgetter`, since growing a tree is mostly this."""
    if len(numbers) > 1:
        return itemgetter(*numbers)
    return itemgetter(slice(numbers[0], numbers[0] + 1 or None) if numbers else slice(0))


# ------------------------------------------------------------ what could follow


@lru_cache(maxsize=10_000)
def follow(states: tuple[int, ...]) -> frozenset[str]:
    """The terminals that the parser can really take when these states are open: each is tried, not only looked up, since LALR reduces on hope."""
    return frozenset(name for name in tables().actions[states[-1]] if takes(list(states), name)) if states else frozenset()


def takes(states: list[int], terminal: str) -> bool:
    """Whether the parser, after whatever reductions, could go on with `terminal`."""
    actions, gotos, rules, _, ends, _ = tables()
    while not (terminal == END and states[-1] in ends.values()):
        action = actions[states[-1]].get(terminal)
        if action is None or action >= 0:
            return action is not None
        rule = rules[~action]
        del states[len(states) - rule.size :]
        goto = gotos[states[-1]].get(rule.origin)
        if goto is None:
            return False
        states.append(goto)
    return True
