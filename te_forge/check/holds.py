"""What a field, a role or a value can hold: the words `a number`, `a group of ..`, `one of ..` as a type."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from te_forge.check.names import Names
from te_forge.diagnostics import Findings
from te_forge.keys import fold
from te_forge.model.rules import CHANGE, DICE, NUMBER, TEXT, UNKNOWN, Type
from te_forge.source import Span
from te_forge.syntax.tree import Node

PLAIN = {
    "number": NUMBER,
    "text": TEXT,
    "word": TEXT,
    "change": CHANGE,
    "actor": Type("actor"),
    "entry": Type("entry"),
    "dice": DICE,
    "thing": UNKNOWN,
}

OWN_WORDS = ("number", "actor", "entry", "dice")
"""Of these, no game can make kinds. The others mean a kind of the game where it has one of that name."""


def called(node: Node) -> str:
    """The word that `as the roll` brings in; empty when nothing is called so."""
    as_ = node.node("as_")
    return str(as_.children[-1]) if as_ is not None else ""


def holds_type(node: Node, names: Names, findings: Findings, span: Span) -> tuple[Type, str]:
    """The type that a `holds`, `one_of` or `holds_dice` value speaks of, and the word it brings in."""
    word = called(node)
    if node.data == "holds_dice":
        return DICE, ""
    if node.data == "one_of":
        return Type("choice", "", tuple(fold(str(token)) for token in node.all("NAME"))), word
    words = [str(token) for token in node.children if not isinstance(token, Node) and token.type not in ("A", "OF")]
    return kind_type(words, names, findings, span), word


def kind_type(words: list[str], names: Names, findings: Findings, span: Span, of_one: bool = True) -> Type:
    if not words:
        return UNKNOWN
    if words[0] == "group" and len(words) > 1:
        inner = kind_type([words[1].removesuffix("s") if words[1] in ("actors", "numbers") else words[1]], names, findings, span, False)
        return Type("group", inner.kind or inner.name)
    word = words[0]
    if word in ("table", "procedure", "deck"):
        return Type("entry", word)
    info = names.kind(word) if word not in OWN_WORDS else None
    if word in PLAIN and info is None:
        return PLAIN[word]
    if word == "trait":
        return Type("entry", "trait")
    if info is None:
        findings.add(
            "unknown-kind",
            f"there is no kind called `{word}`{names.did_you_mean(word, chain(names.kinds, PLAIN))}",
            span,
            help=names.known_kinds(word if of_one else word.removesuffix("s")),
        )
        return UNKNOWN
    return Type("actor" if info.nature == "actor" else "entry", info.name)


def all_nodes(node: Node) -> Iterator[Node]:
    """`node` and every node below it."""
    yield node
    for child in node.nodes():
        yield from all_nodes(child)
