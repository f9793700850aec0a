"""Every code that a diagnostic may carry, once, in the groups of the reference. `tests/test_codes.py` compares this with what the source says.

`python -m te_forge.codes` prints the list of codes as the reference shows it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from te_forge.diagnostics import Severity
from te_forge.resources import HERE


class Code(NamedTuple):
    """A kind of mistake: `phrase` says in a few words what it is, for lists of codes."""

    code: str
    severity: Severity
    phrase: str


GROUPS: dict[str, tuple[Code, ...]] = {
    "Rule lines": (
        Code("capital-at-start", "error", "a sentence of a rule begins with a capital"),
        Code("crooked-line", "error", "a line that is not in line with its neighbours"),
        Code("curly-quote", "error", "curly quotation marks in a rule"),
        Code("dash-without-space", "error", "no space behind the dash of a rule"),
        Code("full-stop", "error", "a full stop at the end of a rule"),
        Code("label-without-colon", "error", "no colon behind the label of a rule"),
        Code("list-with-dash", "error", "a list in prose whose items begin with a dash"),
        Code("lost-line", "error", "text or a table set in below a rule, where only rules are read"),
        Code("lower-case-name", "error", "a name of the game written small"),
        Code("missing-colon", "error", "no colon between when and what"),
        Code("missing-dash", "error", "a rule without its dash, which would never be played"),
        Code("missing-the", "error", "somebody or something without `the` in front"),
        Code("name-with-small-words", "error", "a name with small words in it, without double brackets"),
        Code("no-when", "error", "`when` leaves open whether once or all the time"),
        Code("not-a-rule-word", "error", "an everyday word where the rules have one of their own"),
        Code("nothing-below", "error", "a colon at the end of a line, and nothing below it"),
        Code("number-in-words", "error", "a number written as a word"),
        Code("pronoun", "error", "a word such as `it` or `their`, which does not say who"),
        Code("rule-not-set-in", "error", "a rule below a step that is not set in"),
        Code("rule-without-label", "error", "a rule or value that has no label"),
        Code("rule-without-lines", "warning", "a rule, or an example, of which nothing is played"),
        Code("sign-for-words", "error", "a sign such as `>` or `=` in place of words"),
        Code("strange-sign", "error", "a sign that means nothing in a rule"),
        Code("tab-indent", "error", "a rule set in with a tab"),
        Code("too-deep", "error", "lines set in below one another too often"),
        Code("too-long", "error", "a rule too long to be read"),
        Code("too-many-digits", "error", "a number of more than nine digits"),
        Code("unclosed-quote", "error", "a quotation mark that is never closed"),
        Code("unexpected-word", "error", "a word that does not fit where it stands"),
        Code("unfinished-line", "error", "a rule that stops in mid-sentence"),
        Code("wrong-form", "warning", "a verb or an article that does not go with its word"),
    ),
    "Headings, steps and tables": (
        Code("bad-citation", "error", "brackets in a heading that are no citation and no id"),
        Code("bad-id", "error", "an id with capitals, spaces or odd signs in it"),
        Code("capital-in-head", "error", "a capital in the head of a table, which would then only be printed"),
        Code("heading-without-colon", "error", "no colon behind the kind in a heading"),
        Code("heading-without-kind", "error", "a heading that does not say what kind of thing it is"),
        Code("heading-without-name", "error", "a heading that names nothing"),
        Code("heading-without-space", "error", "no space behind the # of a heading"),
        Code("hidden-heading", "error", "a heading in bold, in a quotation, with too many # or underlined"),
        Code("kind-name", "error", "a kind whose name is not one small word"),
        Code("kind-without-nature", "error", "a kind that does not say what it is"),
        Code("lower-case-title", "error", "a heading whose name begins with a small letter"),
        Code("no-such-die", "error", "a die that nobody can roll"),
        Code("not-a-range", "error", "a row of a die table without a number in front"),
        Code("part-without-owner", "error", "a heading with three # and none with two # above it"),
        Code("patch-outside-hack", "error", "a change that stands outside a hack"),
        Code("prose-in-cell", "error", "prose in a cell that is read as a rule"),
        Code("range-backwards", "error", "a range that ends before it begins"),
        Code("range-gap", "error", "a result of the die that no row covers"),
        Code("range-outside-die", "error", "a row for a result that the die never shows"),
        Code("range-overlap", "error", "one result of the die in two rows"),
        Code("row-length", "error", "a row with more or fewer cells than its table"),
        Code("row-without-name", "error", "a row whose first cell names nothing"),
        Code("rule-outside-entry", "error", "a rule or step that belongs to nothing"),
        Code("second-table", "error", "a second table to roll on below one heading"),
        Code("step-in-patch", "error", "a new step in a change, where only lines can be changed"),
        Code("step-number", "error", "steps that are not numbered 1, 2, 3"),
        Code("step-without-name", "error", "a step without a name and a full stop"),
        Code("step-without-stop", "error", "the number of a step written with something else than a full stop"),
        Code("table-in-wrong-place", "error", "a table of fields or values below the wrong heading"),
        Code("table-without-line", "error", "no line between the head of a table and its rows"),
        Code("table-without-rows", "error", "a table with nothing to roll on"),
        Code("unclosed-code", "error", "a block of code that is never closed"),
        Code("unclosed-comment", "error", "a comment that is never closed and hides the rest of the page"),
        Code("unknown-column", "error", "a column that such a table does not have"),
        Code("unknown-nature", "error", "a kind that is not an actor, an entry, a number or a trait"),
        Code("unknown-patch-verb", "error", "a change that is not called changes, deletes or renames"),
    ),
    "Names": (
        Code("alias-differs-by-spelling", "note", "an alias that is only another spelling, and used"),
        Code("ambiguous-name", "error", "a name that could mean two things"),
        Code("duplicate-id", "error", "two names that make the same id"),
        Code("duplicate-label", "error", "two lines or steps in one place with the same name"),
        Code("duplicate-name", "error", "two things of one kind with the same name"),
        Code("names-differ-by-case", "error", "two names that only capitals tell apart"),
        Code("near-names", "warning", "one name in two spellings"),
        Code("odd-name", "error", "a name that no rule could speak of"),
        Code("unknown-field", "error", "a field that things of this kind do not have"),
        Code("unknown-kind", "error", "a kind that is declared nowhere"),
        Code("unknown-name", "error", "a name that nothing has"),
        Code("unknown-target", "error", "a change to something that is not there"),
        Code("unknown-value", "error", "a value that no procedure declares"),
        Code("unknown-word", "error", "`the` somebody or something that was never brought in"),
        Code("unused-definition", "warning", "a definition that nothing uses"),
        Code("wrong-kind", "error", "a name of another kind of thing than is needed"),
    ),
    "Values and types": (
        Code("always-exploding", "error", "dice that explode on every face"),
        Code("always-the-same", "warning", "a test or a level that is decided before anybody plays"),
        Code("bad-deck", "error", "a deck that nobody could draw from"),
        Code("change-twice", "warning", "one list that changes a number twice"),
        Code("change-without-end", "error", "a change of a number that nothing ends"),
        Code("changed-too-late", "error", "a number that is changed after its last use"),
        Code("circular-definition", "error", "something that is defined by itself"),
        Code("compared-too-early", "error", "a number that decides something while it can still change"),
        Code("counts-nothing", "warning", "a number of times, dice or points that is 0"),
        Code("divided-by-nothing", "error", "a division by 0"),
        Code("impossible-bounds", "error", "a number outside of its own bounds"),
        Code("loose-brackets", "warning", "a sum behind `greater of ..` or a narrowed group that can be read in two ways"),
        Code("maybe-unset", "error", "a value that may be missing when it is read"),
        Code("missing-field", "error", "a field that each thing of its kind must state, and one does not"),
        Code("never-read", "warning", "a value that is given and that nothing reads"),
        Code("no-such-face", "error", "a face that no die of the game shows"),
        Code("number-of-another", "error", "a number asked of somebody who does not have it"),
        Code("number-of-nobody", "error", "a number of which nothing says who has it"),
        Code("plain-comparison", "error", "a test of one plain number against another"),
        Code("sentence-for-value", "error", "a sentence in a place for a value"),
        Code("spent-never-gained", "warning", "a pool that is spent and never filled"),
        Code("stated-value-differs", "warning", "a printed number that its formula does not give"),
        Code("two-bases", "error", "two values given to one word on one way"),
        Code("two-thresholds", "warning", "one thing that comes at a level here and above it there"),
        Code("value-for-sentence", "error", "a value in a place for a sentence"),
        Code("value-of-nobody", "error", "a value that is looked for where nobody has put it"),
        Code("wrong-type", "error", "a value of the wrong sort, such as dice for a number"),
    ),
    "Procedures": (
        Code("endless-repeat", "error", "a repeat until something that nothing in it changes"),
        Code("go-back-unbounded", "error", "a way back that can be taken for ever"),
        Code("hook-sets-value", "error", "a rule that overrides a number of the procedure it hooks into"),
        Code("lost-otherwise", "error", "an `otherwise` without its `if`"),
        Code("missing-die", "warning", "dice laid side by side, where one side may have fewer"),
        Code("missing-role", "error", "a procedure called without somebody it needs"),
        Code("never-happens", "error", "a rule that says what happens, and not when"),
        Code("never-reached", "warning", "a line that nothing ever comes to"),
        Code("no-outcome", "error", "a procedure that can end without an outcome"),
        Code("two-replacements", "error", "two rules that both stand in for the same thing"),
        Code("unbounded-recursion", "error", "rules that set each other off for ever"),
        Code("undecided-tie", "warning", "a tie that no rule decides"),
        Code("unknown-event", "error", "a rule that waits for something that never happens"),
        Code("unknown-outcome", "error", "an outcome that the procedure does not have"),
        Code("unknown-role", "error", "a role that the procedure does not have"),
        Code("unknown-step", "error", "a step that the procedure does not have"),
        Code("unused-outcome", "warning", "an outcome that nothing ends with"),
    ),
    "Hacks": (
        Code("circular-needs", "error", "hacks that need each other"),
        Code("fixed-base", "error", "a hack would base a thing on something else"),
        Code("fixed-kind", "error", "a kind that a hack would make something else, or give a successor"),
        Code("idle-patch", "warning", "a change after which everything is as before"),
        Code("missing-hack", "error", "a hack without another one that it needs"),
        Code("other-name", "note", "a change of something by another of its names"),
        Code("overruled-patch", "note", "a change that has the last word over that of a pack below"),
        Code("patch-conflict", "error", "two hacks that say different things about one place"),
        Code("still-named", "warning", "something that a hack takes away and prose still speaks of"),
        Code("still-used", "error", "something that a hack takes away and rules still speak of"),
        Code("unknown-hack", "error", "a hack or reading that is switched on and is not there"),
        Code("waiting-patch", "note", "a change to a part of a hack that is off"),
    ),
    "Examples": (
        Code("example-differs", "error", "an example that expects something else than the rules come to"),
        Code("example-script", "error", "an example whose script does not fit what the rules ask"),
        Code("example-stops", "error", "a mistake in the rules that an example runs into"),
    ),
    "Prose and pictures": (
        Code("broken-link", "error", "a link to a name that nothing has"),
        Code("doubled-word", "warning", "a word that stands twice in a row"),
        Code("empty-braces", "error", "braces with nothing in them"),
        Code("image-case", "error", "a picture whose name differs from its file in capitals"),
        Code("image-missing", "error", "a picture that is not in the pack"),
        Code("incomplete-list", "warning", "a list in prose that forgets one or two"),
        Code("leftover-note", "warning", "a note to yourself that would be printed"),
        Code("lone-brace", "error", "a brace in prose without its partner"),
        Code("lost-bullet", "warning", "an item of a list in prose without its bullet"),
        Code("lost-word", "warning", "a space before a comma or a full stop, as if a word had been lost"),
        Code("not-printable", "error", "a number that the book cannot know"),
        Code("printed-html", "warning", "a tag of HTML in prose, which would be printed as it is typed"),
        Code("typed-number", "warning", "a number typed into prose that a rule knows"),
        Code("undefined-term", "warning", "a term in prose that is explained nowhere"),
    ),
    "Packs and files": (
        Code("bad-lock", "error", "a pack.lock that does not count"),
        Code("bad-pack-field", "error", "a field of pack.yaml that holds the wrong thing"),
        Code("bad-version-range", "error", "a range of versions that cannot be read"),
        Code("bad-yaml", "error", "a pack.yaml that cannot be read"),
        Code("broken-pack", "error", "a required pack that has mistakes of its own"),
        Code("circular-requires", "error", "packs that require each other"),
        Code("clashing-ranges", "error", "packs that want versions of one pack which no version is"),
        Code("file-too-large", "error", "a file that is too large"),
        Code("ignored-file", "warning", "a file or folder that is not read"),
        Code("lock-behind", "note", "a pack.lock that does not have every change of its pack"),
        Code("missing-attribution", "warning", "a notice that is owed and not handed on"),
        Code("missing-pack", "error", "a required pack that is not here"),
        Code("missing-pack-field", "error", "a field that pack.yaml must have, and has not"),
        Code("no-pack-file", "error", "a folder without a pack.yaml"),
        Code("no-rules", "error", "a pack without a page of rules"),
        Code("no-such-pack", "error", "a pack that is not found"),
        Code("not-text", "error", "a page that is not saved as UTF-8 text"),
        Code("outside-pack", "error", "a link that leads out of the pack"),
        Code("pack-in-two-states", "error", "a pack that two required packs bring, each in another state"),
        Code("stale-patch", "error", "a change to something that is not what it was"),
        Code("too-many-chapters", "error", "more chapters than a book can have"),
        Code("too-many-files", "error", "too many files, or folders too deep"),
        Code("too-many-findings", "note", "more findings in one file than are listed"),
        Code("unknown-pack-field", "error", "a field that pack.yaml does not have"),
        Code("unmet-version", "error", "a required pack that is here in another version"),
        Code("unreadable-file", "error", "a file that cannot be opened"),
        Code("unsafe-picture", "error", "a drawing that could run a script"),
        Code("yaml-not-allowed", "error", "a part of YAML that packs do without"),
        Code("yaml-twice", "error", "a field of pack.yaml that is stated twice"),
    ),
    "Compiled packs": (
        Code("as-played", "error", "a compiled pack with its hacks done, which is for other tools"),
        Code("bad-compiled-pack", "error", "something in a compiled pack that is missing or not of its form"),
        Code("dangling-id", "error", "an id or a key in a compiled pack that nothing has"),
        Code("missing-text", "error", "the key of a text that is not in a compiled pack"),
        Code("missing-translation", "warning", "texts that a further language of a compiled pack does not have"),
        Code("newer-format", "error", "a compiled pack of a format that is newer than te_forge"),
        Code("not-compiled", "error", "a JSON file that is no compiled pack"),
        Code("not-json", "error", "a compiled pack that is cut off, or no JSON"),
        Code("other-required-pack", "warning", "a compiled pack that holds another version of a pack than the one that lies beside it"),
        Code("stale-translation", "warning", "a translation of a text that a compiled pack does not have"),
        Code("wrong-hash", "error", "a compiled pack that was changed after it was written"),
    ),
    "Characters": (
        Code("above-most", "error", "a number of a character above its most"),
        Code("bad-answer", "error", "an answer of a making that the rules do not offer"),
        Code("bad-character-field", "error", "a line of a character file that holds the wrong thing"),
        Code("bad-number", "error", "no whole number where a character file needs one"),
        Code("below-least", "error", "a number of a character below its least"),
        Code("cannot-be-on", "error", "a hack or reading in a character file that cannot be on"),
        Code("extra-trait", "error", "a trait that the making of a character does not give"),
        Code("making-unclear", "note", "a character of whom nobody can tell how they were made"),
        Code("missing-character-field", "error", "a line that a character file must have, and has not"),
        Code("missing-trait", "error", "a trait that the making of a character gives, and that is not there"),
        Code("not-from-making", "error", "a number that the making of a character does not give"),
        Code("not-in-play", "warning", "a change since the making that no rule brings in play"),
        Code("note-missing", "warning", "a trait that asks for a few words, and has none"),
        Code("other-pack", "error", "a character of another game"),
        Code("other-version", "warning", "a character made with another version of the rules"),
        Code("points-left", "error", "points that must be spent, and are not"),
        Code("too-many-points", "error", "more points spent than the rules give"),
        Code("trait-twice", "error", "the same trait twice on one character"),
        Code("unfinished-character", "error", "a character whose making was stopped on the way"),
        Code("unknown-character-field", "error", "a line that a character file does not have"),
    ),
}
CODES: dict[str, Code] = {one.code: one for group in GROUPS.values() for one in group}


def explained(code: str) -> str:
    """What there is to say about one code, as it reads in a terminal: its phrase, and its page of the reference."""
    one = CODES[code]
    head = f"{one.code} ({one.severity}): {one.phrase}\n"
    for place in (HERE / "_codes", HERE.parent / "site" / "docs" / "diagnostics"):
        if (page := place / f"{code}.md").is_file():
            return head + plain(page.read_text(encoding="utf-8").partition("\n")[2]).rstrip()
    return head


FENCE = re.compile("```+")
LINK = re.compile(r"\[([^\]\n]+)\]\([^)\s]+\.md\)")


def plain(page: str) -> str:
    """Markdown as it reads best in a terminal: examples set in, headings and links as mere words."""
    lines: list[str] = []
    fence = ""
    for line in page.split("\n"):
        if fence and line == fence:
            fence = ""
        elif not fence and (found := FENCE.match(line)):
            fence = found[0]
        elif fence:
            lines.append(f"    {line}".rstrip())
        else:
            lines.append(LINK.sub(r"\1", re.sub(r"^## (.*)", r"\1:", line)))
    return "\n".join(lines)


def index() -> str:
    """The page of the reference that lists all codes."""
    groups = "\n".join(listed(title, group) for title, group in GROUPS.items())
    return f"{ABOUT}\n{groups}"


ABOUT = """\
# Diagnostics

Everything that `te-forge check` can find (and `te-forge test` and `build` in examples, `te-forge character check` in characters, and `te-forge lint` in compiled packs), each with a wrong and a right example. In a terminal, `te-forge codes unknown-name` shows the page of a code.

An **error** stops the book from being printed. A **warning** is hardly meant, and a **note** is worth knowing: the book is printed all the same.
"""


def listed(title: str, group: tuple[Code, ...]) -> str:
    rows = "".join(f"| [{one.code}]({one.code}.md) | {one.severity} | {one.phrase} |\n" for one in group)
    return f"## {title}\n\n| code | severity | what is wrong |\n|---|---|---|\n{rows}"


if __name__ == "__main__":
    print(index(), end="")
