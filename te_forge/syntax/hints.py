"""From a parser's refusal to a plain sentence.

`explain` looks at the line, at the place where the parser stopped and at what it could have taken, and names the slip an author most likely made. The
order of the questions is from the certain to the vague; no token name of the grammar ever reaches a message.
"""

from __future__ import annotations

from collections.abc import Callable

from te_forge.syntax import hint_signs as signs
from te_forge.syntax import hint_words as words
from te_forge.syntax.grammar import Start
from te_forge.syntax.parser import Stuck, follow
from te_forge.syntax.stop import Said, Stop

QUESTIONS: tuple[Callable[[Stop], Said | None], ...] = (
    signs.empty_cell, signs.was_there, signs.comment, signs.unclosed_quote, signs.curly_quote, signs.unquoted, signs.odd_label, signs.comma_in_sheet, signs.unsigned, words.text_of_step, words.capital_start,
    words.no_when, signs.needs_brackets, signs.sign, signs.fraction, words.idiom, words.pronoun, words.figure, words.small_words_in_name,
    words.listed_prose, signs.full_stop, signs.label_colon, words.synonym, words.small_label, words.lower_case_name, words.event,
    words.stops_early, signs.missing_colon, words.only_a_name, words.misspelt, words.stands_alone, words.starts_wrong, words.missing_the,
    signs.strange_sign,
)  # fmt: skip


def explain(text: str, start: Start, stuck: Stuck) -> Said:
    """The most likely slip behind a parse error in `text`."""
    stop = Stop(text, min(stuck.column, len(text)), follow(stuck.states), start)
    for question in QUESTIONS:
        if said := question(stop):
            return said
    return words.vague(stop)
