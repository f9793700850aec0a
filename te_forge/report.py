"""Diagnostics for people (text with the line they are about) and for programs (JSON, SARIF)."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import quote

from te_forge.diagnostics import Diagnostic
from te_forge.source import NOWHERE, Source, Span

COLOURS = {"error": "31", "warning": "33", "note": "36"}
LEVELS = {"error": "error", "warning": "warning", "note": "note"}
WIDEST = 110
MOST_SHOWN = 100
"""So much of one file is shown to a person, errors first of all; programs get everything."""
LONGEST_SAID = 500
"""Of a message or a help, which may repeat what somebody wrote."""
JOINERS = "\u200c\u200d"
"""Not printable by themselves, and harmless: many scripts and emoji need them."""


def renamed(found: Iterable[Diagnostic], names: Mapping[str, str]) -> list[Diagnostic]:
    """The same diagnostics with files called as `names` says, so that a terminal or an editor can open them from where it is."""

    def at(span: Span) -> Span:
        return span._replace(file=names.get(span.file, span.file))

    return [
        replace(
            one,
            span=at(one.span),
            labels=tuple(replace(label, span=at(label.span)) for label in one.labels),
            fix=replace(one.fix, span=at(one.fix.span)) if one.fix else None,
        )
        for one in found
    ]


def as_text(found: Sequence[Diagnostic], sources: Mapping[str, Source], colour: bool = False) -> str:
    """Each diagnostic with its line and what to write instead, then the sum of them. Of a file with very many, those that stop the work."""
    blocks: list[str] = []
    for file, of_file in by_file(found).items():
        shown = first_ones(of_file)
        blocks += [block(one, sources, colour) for one in shown]
        if len(shown) < len(of_file):
            blocks.append(f"... and {len(of_file) - len(shown):,} more in {visible(file)}; mend these first, or ask for --format json\n")
    return "\n".join([*blocks, summary(found)])


def by_file(found: Iterable[Diagnostic]) -> dict[str, list[Diagnostic]]:
    files: dict[str, list[Diagnostic]] = {}
    for one in found:
        files.setdefault(one.span.file, []).append(one)
    return files


def first_ones(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """As many as are shown, in the order of the file; where not all have room, errors go before warnings and notes."""
    ranked = sorted(range(len(found)), key=lambda at: (list(LEVELS).index(found[at].severity), at))
    return [found[at] for at in sorted(ranked[:MOST_SHOWN])]


def block(one: Diagnostic, sources: Mapping[str, Source], colour: bool) -> str:
    head = painted(f"{one.severity}[{one.code}]", COLOURS[one.severity], colour) + f": {visible(cut(one.message))}"
    lines = [head, *([f"  --> {visible(str(one.span))}"] if one.span != NOWHERE else []), *excerpt(one.span, sources)]
    for label in one.labels:
        lines += [f"  {visible(label.text)}: {visible(str(label.span))}", *excerpt(label.span, sources)]
    if one.help:
        lines.append(f"  {painted('help', '32', colour)}: {visible(cut(one.help))}")
    return "\n".join(lines) + "\n"


def cut(text: str) -> str:
    return text if len(text) <= LONGEST_SAID else text[:LONGEST_SAID] + " ..."


def painted(text: str, code: str, colour: bool) -> str:
    return f"\x1b[1;{code}m{text}\x1b[0m" if colour else text


def excerpt(span: Span, sources: Mapping[str, Source]) -> list[str]:
    """The line that a span is on, with carets below the stretch."""
    source = sources.get(span.file)
    if source is None or not 0 < span.line <= len(source.lines):
        return []
    line = source.lines[span.line - 1]
    start = max(0, span.column - 1 - WIDEST // 2) if len(line) > WIDEST else 0
    shown = visible(line[start : start + WIDEST])
    before = width(visible(line[start : span.column - 1]))
    under = max(1, width(visible(line[span.column - 1 : min(span.end - 1, start + WIDEST)])))
    number = str(span.line)
    return [f"  {number} | {'...' if start else ''}{shown}", f"  {' ' * len(number)} | {'   ' if start else ''}{' ' * before}{'^' * under}"]


def visible(text: str) -> str:
    """Without anything that a terminal would obey."""
    return "".join(" " if c in "\t\n" else c if c.isprintable() or c in JOINERS else "\ufffd" for c in text)


def width(text: str) -> int:
    """How many columns a terminal gives to `text`."""
    return sum(0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def in_columns(text: str, columns: int, first: str = "", then: str = "") -> list[str]:
    """A paragraph in lines that are at most `columns` wide, whatever script it is in. `first` and `then` stand before the first line and the others."""
    lines, line, empty = [], first, True
    for word in text.split():
        while word:
            room = columns - width(line) - (not empty)
            if width(word) <= room:
                line, empty, word = line + ("" if empty else " ") + word, False, ""
            elif not empty:
                lines.append(line)
                line, empty = then, True
            else:
                part = fitting(word, max(room, 2))
                lines.append(line + part)
                line, word = then, word[len(part) :]
    return [*lines, line] if not empty or not lines else lines


def fitting(word: str, room: int) -> str:
    """As much of a word as there is room for."""
    taken = 1
    while taken < len(word) and width(word[: taken + 1]) <= room:
        taken += 1
    return word[:taken]


def summary(found: Iterable[Diagnostic]) -> str:
    """`2 errors, 1 warning in 3 files`."""
    found = list(found)
    if not found:
        return "no mistakes found"
    counts = [(word, sum(one.severity == word for one in found)) for word in ("error", "warning", "note")]
    said = ", ".join(f"{n} {word}{'s' * (n != 1)}" for word, n in counts if n)
    files = len({one.span.file for one in found if one.span != NOWHERE})
    return f"{said} in {files} file{'s' * (files != 1)}" if files else said


def as_json(found: Iterable[Diagnostic]) -> str:
    return json.dumps([record(one) for one in found], indent=1)


def record(one: Diagnostic) -> dict[str, object]:
    made: dict[str, object] = {"code": one.code, "severity": one.severity, "message": one.message, "help": one.help, **place(one.span)}
    made["labels"] = [{"text": label.text, **place(label.span)} for label in one.labels]
    made["fix"] = {"text": one.fix.text, **place(one.fix.span)} if one.fix else None
    return made


def place(span: Span) -> dict[str, object]:
    return {"file": span.file, "line": span.line, "column": span.column, "end": span.end}


def as_sarif(found: Sequence[Diagnostic], version: str) -> str:
    """SARIF 2.1.0, for code hosts and editors."""
    from te_forge.codes import CODES  # nobody else asks for the phrase of a code

    codes = sorted({one.code for one in found})
    rules = [{"id": code, "shortDescription": {"text": CODES[code].phrase if code in CODES else code}} for code in codes]
    driver = {"name": "te-forge", "version": version, "rules": rules}
    results = [
        {
            "ruleId": one.code,
            "ruleIndex": codes.index(one.code),
            "level": LEVELS[one.severity],
            "message": {"text": one.message + (f" ({one.help})" if one.help else "")},
            "locations": [location(one.span)] if one.span != NOWHERE else [],
            "relatedLocations": [{**location(label.span), "message": {"text": label.text}} for label in one.labels],
        }
        for one in found
    ]
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    return json.dumps(log, indent=1)


def location(span: Span) -> dict[str, object]:
    region = {"startLine": span.line, "startColumn": span.column, "endColumn": max(span.end, span.column + 1)}
    return {"physicalLocation": {"artifactLocation": {"uri": quote(span.file, errors="replace")}, "region": region}}
