"""The parser against Lark's own: slow, obvious, and made from the same grammar, it must agree on every line, tree for tree and refusal for refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Token, Tree, UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import Lexer
from pages_for_tests import FILES, STRANGE, TEXTS

from te_forge.diagnostics import Findings
from te_forge.resources import folder
from te_forge.source import Source
from te_forge.syntax import grammar, parser
from te_forge.syntax.blocks import Block, page_of
from te_forge.syntax.lexer import is_keyword
from te_forge.syntax.parser import Stuck, follow, parse
from te_forge.syntax.shapes import Shaped, for_parser, page_lines, shape_lines
from te_forge.syntax.tree import Node

CUT = re.compile(
    r"""(?P<SPACE>[ \t\u00a0]+) | (?P<NAME>\[\[[^\]\n]+\]\]) | (?P<STRING>"[^"\n]*") | (?P<DIE>\d*d\d+(?![^\W_])) | (?P<INT>\d+(?!\w)) | (?P<SIGNED>[-+−–]\d+(?!\w))
      | (?P<POSS>['’]s\b) | (?P<MARK>[:;,+/()×−–-]) | (?P<WORD>[^\W\d_][^\W_]*(?:[-'’](?!s\b)[^\W_]+)*)""",
    re.VERBOSE,
)
NEXT_NAME = re.compile(r" ((?:[^\W\d_])[^\W_]*(?:[-'’](?!s\b)[^\W_]+)*)")
MARKS = {
    ":": "COLON",
    ";": "SEMI",
    ",": "COMMA",
    "+": "PLUS",
    "/": "SLASH",
    "(": "LPAR",
    ")": "RPAR",
    "×": "X",
    "-": "MINUS",
    "−": "MINUS",
    "–": "MINUS",
}


class OneByOne(Lexer):
    """Cuts a word when the parser asks for it, and looks at the parser's state to see what it is."""

    __future_interface__ = 2

    def __init__(self, conf: Any) -> None:
        self.patterns = [(one.name, re.compile(one.pattern.to_regexp())) for one in conf.terminals if one.name not in ("DIE", "POSS")]

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        text, at = lexer_state.text.text, 0
        while at < len(text):
            found = CUT.match(text, at)
            if found is None:
                raise UnexpectedCharacters(text, at, 1, at + 1)
            kind, value, end = found.lastgroup, found[0], found.end()
            possible = parser_state.parse_conf.parse_table.states[parser_state.position]
            if kind == "WORD" and value[0].islower():
                keyword = next((name for name, pattern in self.patterns if pattern.fullmatch(value)), "")
                kind = keyword if keyword and (keyword in possible or "WORD" not in possible) else "WORD"
            elif kind == "WORD":
                kind = "NAME"
                while (more := NEXT_NAME.match(text, end)) and not more[1][0].islower():
                    end = more.end()
                value = text[at:end]
            elif kind == "MARK":
                kind = MARKS[value]
            elif kind == "SIGNED" and "SIGNED" not in possible:
                kind, value, end = MARKS[value[0]], value[0], at + 1
            if kind != "SPACE":
                lexer_state.last_token = Token(kind, value, at, 1, at + 1, 1, end + 1, end)
                yield lexer_state.last_token
            at = end


@cache
def lark() -> Lark:
    text = (folder("grammars") / "te.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer=OneByOne, start=list(grammar.STARTS), maybe_placeholders=False, keep_all_tokens=True)


Shown = tuple[Any, ...]


def shown(part: Any) -> Shown:
    if isinstance(part, Node | Tree):
        return (str(part.data), *map(shown, part.children))
    return (part.type, str(part), part.start_pos, part.end_pos)


def by_lark(text: str, start: str) -> Shown:
    """The tree; or where it stops, and what could stand there."""
    try:
        return shown(lark().parse(text, start=start))
    except UnexpectedInput as error:
        if not isinstance(error, UnexpectedToken):
            return error.pos_in_stream, frozenset()
        column = len(text.rstrip()) if error.token.type == "$END" else error.token.start_pos
        return column, frozenset(error.interactive_parser.accepts())


def by_us(text: str, start: Any) -> Shown:
    try:
        return shown(parse(text, start))
    except Stuck as stuck:
        return stuck.column, follow(stuck.states)


LINES = sorted({line.strip().removeprefix("- ") for text in TEXTS for line in text.split("\n") if line.strip()})
WORDS = sorted({word for line in LINES for word in re.findall(r"\w+|\S", line)} | set(STRANGE) - {"\n", "\n\n", "\r\n"})


def test_every_line_of_the_repository() -> None:
    assert [line for line in LINES if by_us(line, "line") != by_lark(line, "line")] == []


def test_every_cell_and_expression_of_the_repository() -> None:
    cells = sorted({cell.strip() for line in LINES if line.startswith("|") for cell in line.split("|")})
    values = sorted({value for line in LINES for value in re.findall(r"\{([^{}]+)\}", line)})
    assert [cell for cell in cells if by_us(cell, "cell") != by_lark(cell, "cell")] == []
    assert [value for value in values if by_us(value, "expr") != by_lark(value, "expr")] == []


@given(st.sampled_from(LINES), st.lists(st.tuples(st.integers(0, 60), st.sampled_from(WORDS), st.booleans()), min_size=1, max_size=3))
def test_damaged_lines(line: str, damage: list[tuple[int, str, bool]]) -> None:
    words = re.split(r"(\s+)", line)
    for at, word, instead in damage:
        words[at % len(words) : at % len(words) + instead] = [word]
    text = "".join(words).replace("\n", " ")
    for start in ("line", "cell", "expr"):
        assert by_us(text, start) == by_lark(text, start)


@pytest.mark.parametrize(
    "text",
    [
        "2 - 1",
        "2-1",
        "2 -1",
        "Might -1",
        "Might −1",
        "+1",
        "2 +1 x 3",
        "(2)-1",
        "Health: 2-1",
        "Health: +1, -2",
        "d6_",
        "the x x 2",
        "2 x 2",
        "[[a b]] C's d",
    ],
)
def test_signs_and_words_with_two_readings(text: str) -> None:
    for start in ("line", "cell", "expr"):
        assert by_us(text, start) == by_lark(text, start)


def test_keywords_are_those_of_the_grammar() -> None:
    assert is_keyword("rolls") and is_keyword("an") and not is_keyword("tower") and not is_keyword("Roll")


# ---------------------------------------------------------------- the lines of a page


def lines_of(text: str) -> list[Shaped]:
    findings = Findings()
    return for_parser(page_lines(shape_lines(Source("page.te", text), findings), findings), lambda _: False)


def by_the_grammar(lines: list[Shaped]) -> Block:
    block: Block = parser.grow(parser.plan("page", tuple(line.shape for line in lines)), lines, Block)
    return block


@pytest.mark.parametrize("text", TEXTS, ids=[path.name for path in FILES])
def test_blocks_of_lines_are_what_the_grammar_makes_of_them(text: str) -> None:
    lines = lines_of(text)
    assert page_of(lines) == by_the_grammar(lines)


@given(
    st.sampled_from(TEXTS), st.integers(0, 10_000), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9), st.sampled_from("-#|1 ")), max_size=8)
)
def test_blocks_of_crooked_lines_are_what_the_grammar_makes_of_them(text: str, first: int, slips: list[tuple[int, int, str]]) -> None:
    pieces = text.splitlines()
    pieces = pieces[first % len(pieces) :][:30]
    for number, far, mark in slips:
        at = number % len(pieces)
        pieces[at] = f"{' ' * far}{mark} {pieces[at].lstrip()}"
    lines = lines_of("\n".join(pieces))
    assert page_of(lines) == by_the_grammar(lines)


# ---------------------------------------------------------------- tables that are kept


def forget() -> None:
    """Everything that hangs on the tables of this process, whose states are numbered anew each time that Lark makes them."""
    for one in (grammar.tables, parser.parse, parser.plan, parser.passed, parser.decided, parser.follow):
        one.cache_clear()


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    forget()
    yield tmp_path / "te-forge"
    forget()


def test_tables_are_kept_and_read_again(kept: Path) -> None:
    made = grammar.tables()
    (file,) = kept.iterdir()
    forget()
    assert grammar.read(body_of(file)) == grammar.tables() == made


def body_of(file: Path) -> bytes:
    return file.read_bytes().split(b"\n", 1)[1]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[[], [], 3]", "[[],[],[],{},{},{}]", "\udcff"])
@pytest.mark.parametrize("whole", [True, False])
def test_a_broken_file_is_made_anew(kept: Path, text: str, whole: bool) -> None:
    grammar.tables()
    (file,) = kept.iterdir()
    harm = text.encode("utf-8", "surrogateescape")
    file.write_bytes(harm if whole else file.read_bytes().split(b"\n", 1)[0] + b"\n" + harm)
    assert_made_anew(file)


def assert_made_anew(file: Path) -> None:
    forget()
    assert by_us("the owner gains 1 Luck", "line") == by_lark("the owner gains 1 Luck", "line")
    assert grammar.read(body_of(file)) == grammar.tables()


@pytest.mark.parametrize("place", [0, 17, 40, -40, -1])
def test_one_changed_byte_is_seen(kept: Path, place: int) -> None:
    grammar.tables()
    (file,) = kept.iterdir()
    words = bytearray(file.read_bytes())
    words[place] ^= 1
    file.write_bytes(words)
    assert_made_anew(file)


def test_numbers_of_the_right_shape_are_not_believed(kept: Path) -> None:
    """Another state to go to here and there: a set of tables like any other, and the wrong one."""
    grammar.tables()
    (file,) = kept.iterdir()
    digest, words = file.read_text("utf-8").split("\n", 1)
    file.write_text(digest + "\n" + re.sub(r'": (\d+)1\b', r'": \g<1>2', words), "utf-8")
    assert_made_anew(file)


def test_tables_of_another_version_are_not_believed(kept: Path) -> None:
    grammar.tables()
    (file,) = kept.iterdir()
    other = b"[[], [], [], {}, {}, {}]"
    file.write_bytes(grammar.hashed(b"another version" + other).encode() + b"\n" + other)
    assert_made_anew(file)


def test_a_folder_that_cannot_be_written_costs_time_only(kept: Path) -> None:
    kept.write_text("no folder")
    assert by_us("the owner gains 1 Luck", "line") == by_lark("the owner gains 1 Luck", "line")
