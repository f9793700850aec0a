"""Every code that a diagnostic may carry, once. `tests/test_codes.py` compares this with what the source says."""

from __future__ import annotations

from dataclasses import dataclass

from te_forge.diagnostics import Severity
from te_forge.resources import HERE


@dataclass(frozen=True)
class Code:
    """A kind of mistake: `phrase` says in a few words what it is, for lists of codes."""

    code: str
    severity: Severity
    phrase: str


CODES: dict[str, Code] = {
    one.code: one
    for one in (
        Code("alias-differs-by-spelling", "note", "alias differs by spelling"),
        Code("always-exploding", "error", "always exploding"),
        Code("ambiguous-name", "error", "ambiguous name"),
        Code("bad-citation", "error", "brackets in a heading that are no citation and no id"),
        Code("bad-id", "error", "bad id"),
        Code("bad-pack-field", "error", "bad pack field"),
        Code("bad-version-range", "error", "bad version range"),
        Code("bad-yaml", "error", "this file is empty"),
        Code("broken-link", "error", "broken link"),
        Code("broken-pack", "error", "broken pack"),
        Code("capital-at-start", "error", "a sentence begins with a small letter; Capitals are for the game's names"),
        Code("circular-definition", "error", "circular definition"),
        Code("circular-requires", "error", "circular requires"),
        Code("crooked-line", "error", "crooked line"),
        Code("curly-quote", "error", "quoted words take straight quotation marks"),
        Code("dash-without-space", "error", "a rule line has a space after its dash"),
        Code("doubled-word", "warning", "a word stands twice in a row"),
        Code("duplicate-id", "error", "duplicate id"),
        Code("duplicate-label", "error", "duplicate label"),
        Code("duplicate-name", "error", "duplicate name"),
        Code("empty-braces", "error", "nothing stands between these braces"),
        Code("file-too-large", "error", "file too large"),
        Code("full-stop", "error", "a rule line has no full stop at its end"),
        Code("go-back-unbounded", "error", "nothing says how often this may go back"),
        Code("heading-without-colon", "error", "a colon is missing after the kind"),
        Code("heading-without-kind", "error", "a heading with two or three # says what kind of thing it is"),
        Code("heading-without-name", "error", "this heading has no name"),
        Code("heading-without-space", "error", "a heading has a space after its #"),
        Code("hook-sets-value", "error", "hook sets value"),
        Code("ignored-file", "warning", "a link to a folder is not followed"),
        Code("image-case", "error", "image case"),
        Code("image-missing", "error", "image missing"),
        Code("impossible-bounds", "error", "impossible bounds"),
        Code("incomplete-list", "warning", "incomplete list"),
        Code("kind-name", "error", "the name of a kind is one small word"),
        Code("kind-without-nature", "error", "kind without nature"),
        Code("label-without-colon", "error", "a label is followed by a colon"),
        Code("list-with-dash", "error", "a line that begins with a dash is a rule"),
        Code("lone-brace", "error", "a brace in prose prints a number, and this one has no partner on its line"),
        Code("lost-word", "warning", "a space stands before a comma or a full stop"),
        Code("lost-otherwise", "error", "lost otherwise"),
        Code("lower-case-name", "error", "lower case name"),
        Code("lower-case-title", "error", "a name of the game begins with a capital"),
        Code("maybe-unset", "error", "maybe unset"),
        Code("missing-colon", "error", "missing colon"),
        Code("missing-dash", "error", "this reads as a rule but has no dash, so it would never be used"),
        Code("missing-pack", "error", "missing pack"),
        Code("missing-pack-field", "error", "missing pack field"),
        Code("missing-role", "error", "missing role"),
        Code("missing-the", "error", "missing the"),
        Code("name-with-small-words", "error", "name with small words"),
        Code("names-differ-by-case", "error", "names differ by case"),
        Code("near-names", "warning", "near names"),
        Code("no-outcome", "error", "no outcome"),
        Code("no-pack-file", "error", "no pack file"),
        Code("no-rules", "error", "this pack has no rules"),
        Code("no-such-die", "error", "no such die"),
        Code("no-such-pack", "error", "no such pack"),
        Code("no-when", "error", "no when"),
        Code("not-a-range", "error", "not a range"),
        Code("not-a-rule-word", "error", "not a rule word"),
        Code("not-printable", "error", "this has no value before the game begins"),
        Code("not-text", "error", "not text"),
        Code("nothing-below", "error", "this line ends in a colon, but nothing is set in below it"),
        Code("number-in-words", "error", "numbers are written in figures"),
        Code("number-of-another", "error", "number of another"),
        Code("outside-pack", "error", "this is a link to a place outside the pack, and is not opened"),
        Code("part-without-owner", "error", "a heading with three # is a part of the one with two # above it"),
        Code("patch-outside-hack", "error", "a patch is part of a hack or a reading"),
        Code("plain-comparison", "error", "a test that compares two plain numbers"),
        Code("prose-in-cell", "error", "this cell is read as a rule, but it is prose"),
        Code("prose-among-rules", "error", "this line stands among the rules of a step, so it would be printed nowhere"),
        Code("range-backwards", "error", "range backwards"),
        Code("range-gap", "error", "range gap"),
        Code("range-outside-die", "error", "range outside die"),
        Code("range-overlap", "error", "range overlap"),
        Code("row-length", "error", "row length"),
        Code("row-without-name", "error", "the first cell of this row names nothing"),
        Code("rule-not-set-in", "error", "this line stands under a step but is not set in"),
        Code("rule-outside-entry", "error", "rule outside entry"),
        Code("rule-without-label", "error", "a value needs a label"),
        Code("second-table", "error", "an entry has one table that is rolled or tracked"),
        Code("sentence-for-value", "error", "this cell takes a value, not a sentence"),
        Code("sign-for-words", "error", "sign for words"),
        Code("spent-never-gained", "warning", "spent never gained"),
        Code("stated-value-differs", "warning", "stated value differs"),
        Code("step-in-patch", "error", "a patch has no steps of its own, so this name would be lost"),
        Code("step-number", "error", "step number"),
        Code("step-without-name", "error", "a step begins with its name and a full stop"),
        Code("step-without-stop", "error", "a step's number is followed by a full stop"),
        Code("strange-sign", "error", "strange sign"),
        Code("tab-indent", "error", "tab indent"),
        Code("table-in-wrong-place", "error", "table in wrong place"),
        Code("table-without-line", "error", "the line below a table's head is missing"),
        Code("table-without-rows", "error", "table without rows"),
        Code("too-deep", "error", "too deep"),
        Code("too-long", "error", "too long"),
        Code("too-many-chapters", "error", "too many chapters"),
        Code("too-many-files", "error", "too many files"),
        Code("too-many-findings", "note", "there is more to say about this file than is listed"),
        Code("typed-number", "warning", "typed number"),
        Code("unbounded-recursion", "error", "unbounded recursion"),
        Code("unclosed-code", "error", "this block of code is never closed, so no rule below it is read"),
        Code("unclosed-comment", "error", "this comment is never closed, so it hides the rest of the page"),
        Code("unclosed-quote", "error", "this quotation mark is never closed"),
        Code("undecided-tie", "warning", "nothing is said for when both are equal"),
        Code("undefined-term", "warning", "undefined term"),
        Code("unexpected-word", "error", "unexpected word"),
        Code("unfinished-line", "error", "this line stops too early"),
        Code("unknown-column", "error", "unknown column"),
        Code("unknown-event", "error", "unknown event"),
        Code("unknown-field", "error", "unknown field"),
        Code("unknown-kind", "error", "unknown kind"),
        Code("unknown-name", "error", "unknown name"),
        Code("unknown-nature", "error", "unknown nature"),
        Code("unknown-outcome", "error", "unknown outcome"),
        Code("unknown-pack-field", "error", "unknown pack field"),
        Code("unknown-patch-verb", "error", "unknown patch verb"),
        Code("unknown-role", "error", "unknown role"),
        Code("unknown-step", "error", "unknown step"),
        Code("unknown-target", "error", "unknown target"),
        Code("unknown-value", "error", "unknown value"),
        Code("unknown-word", "error", "unknown word"),
        Code("unmet-version", "error", "unmet version"),
        Code("unreadable-file", "error", "this is not an ordinary file"),
        Code("unsafe-picture", "error", "this drawing holds a script, or could hold one"),
        Code("unused-definition", "warning", "unused definition"),
        Code("value-for-sentence", "error", "this line is a value, but a sentence is needed here"),
        Code("wrong-kind", "error", "wrong kind"),
        Code("wrong-type", "error", "this cell says what the field holds"),
        Code("yaml-not-allowed", "error", "yaml not allowed"),
        Code("yaml-twice", "error", "yaml twice"),
    )
}


def explained(code: str) -> str:
    """What there is to say about one code: its page of the reference, or its phrase."""
    for place in (HERE / "_codes", HERE.parent / "site" / "docs" / "diagnostics"):
        if (page := place / f"{code}.md").is_file():
            return page.read_text(encoding="utf-8")
    one = CODES[code]
    return f"{one.code} ({one.severity}): {one.phrase}"
