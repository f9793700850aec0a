"""From a parser's refusal to a plain sentence.

`explain` looks at the line, at the place where the parser stopped and at what it could have taken, and names the slip an author most likely made. The
order of the questions is from the certain to the vague; no token name of the grammar ever reaches a message.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from te_forge.blanks import placed, plain
from te_forge.frozen import replace
from te_forge.syntax import hint_fields as fields
from te_forge.syntax import hint_places as places
from te_forge.syntax import hint_sentences as sentences
from te_forge.syntax import hint_signs as signs
from te_forge.syntax import hint_words as words
from te_forge.syntax.grammar import Start
from te_forge.syntax.parser import Stuck, follow
from te_forge.syntax.stop import Said, Stop, reads_whole
from te_forge.syntax.vocabulary import NAME

QUESTIONS: tuple[Callable[[Stop], Said | None], ...] = (
    signs.empty_cell, fields.left_out, fields.said_of_field, fields.how_often, signs.was_there, signs.comment, signs.unclosed_quote, signs.curly_quote, signs.unquoted, signs.odd_label, signs.markup, signs.comma_in_sheet, signs.unsigned, words.text_of_step, words.capital_start,
    sentences.shows, sentences.faces,
    words.no_when, signs.needs_brackets, signs.sign, signs.fraction, sentences.handed, sentences.joined, sentences.added, words.idiom, sentences.commanded, words.pronoun, words.figure, words.small_words_in_name,
    words.listed_prose, words.names_only, signs.full_stop, signs.label_colon, words.synonym, words.small_label, words.lower_case_name, words.event,
    sentences.unlabelled, places.stops_early, signs.missing_colon, words.only_a_name, words.misspelt, words.stands_alone, words.starts_wrong, words.missing_the,
    signs.strange_sign,
)  # fmt: skip


EVENT = re.compile(rf"\b(?:after|before|instead of) {NAME}")
EACH = re.compile(r"\bfor each (?:other )?([a-z][\w-]*)\b[^;]*: ")
SURE = ("unclosed-quote", "curly-quote", "too-long")
"""What is wrong in any case, whatever else is."""
OF_ONE_WORD = ("missing-the", "unexpected-word")
"""What is said of a word that may be a name in small letters."""
OF_SENTENCES = ("pronoun", "unfinished-line")
"""What is said of rules only."""


def explain(text: str, start: Start, stuck: Stuck, column: str = "") -> Said:
    """The most likely slip behind a parse error in `text`. In a field of the language, a help that does not make the line read gives way to what such
    a field takes.
    """
    stop = Stop(text, min(stuck.column, len(text)), follow(stuck.states), start, column)
    said = next((said for question in QUESTIONS if (said := question(stop))), None) or places.vague(stop)
    if said.code in OF_ONE_WORD:
        said = replace(said, rather=words.carried(stop))
    if stop.field in fields.TAKES and not mends(said, stop):
        return fields.takes(stop)
    return said if isinstance(said.help, str) else replace(said, help=placed(said.help, *in_front(stop.text[: said.end])))


def in_front(text: str) -> tuple[str, str]:
    """Which procedure a part of a line follows on, and the word for each of several for whom it is said; empty where there is none."""
    events, each = EVENT.findall(text), EACH.findall(text)
    return events[-1] if events else "", each[-1] if each else ""


def mends(said: Said, stop: Stop) -> bool:
    """Whether something that the help tells to write makes the line read."""
    if said.code in SURE or (stop.start == "cell" and said.replace == "-"):
        return True
    if said.code in OF_SENTENCES or (stop.field in fields.KINDS and said.code == "not-a-rule-word"):
        return False
    starts = (said.column, len(stop.text) - len(stop.value))
    written = plain(said.help).split("`")[1::2]
    made = [f"{stop.text[:start]}{better}{stop.text[said.end :]}" for better in written for start in starts]
    made += [better.removeprefix("- ") for better in written if better.startswith(("- ", stop.field))]
    return any(reads_whole(one, stop.start) for one in made)
