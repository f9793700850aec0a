"""Answers that are given beforehand, such as `trick=yes` or `trick=total <= 2`: to which questions they are given, and that each was wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from te_forge.asked.called import Refused, number_called, numbers, roles_of
from te_forge.asked.comparison import Comparison, comparison
from te_forge.asked.somebody import somebody
from te_forge.asked.stated import whose_what
from te_forge.engine.effects import Choose, Decision, Keep, Number, Offer, Several
from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading
from te_forge.engine.state import Dice, State
from te_forge.frozen import mutable
from te_forge.keys import slug
from te_forge.model.system import Entry
from te_forge.suggest import did_you_mean, listed

YES, NO = ("yes", "true", "1"), ("no", "false", "0", "nothing")
VERBS = {"keep": "keeps", "keeps": "keeps", "reroll": "rerolls", "rerolls": "rerolls"}


@mutable
class Preset:
    """An answer that is given beforehand: to the choices called `word`, of `who` (empty: of anybody)."""

    word: str
    who: str
    values: tuple[str, ...]
    text: str
    when: Comparison | None = None
    """Yes as long as this holds."""
    used: bool = False
    others: set[str] = field(default_factory=set)
    """What could have been answered where the word fitted and no value did."""
    heard: dict[str, None] = field(default_factory=dict)
    """What was asked for instead, each thing by the first of its names."""


def preset(rules: Rules, state: State, procedure: Entry, key: str, text: str) -> Preset:
    whose, word = whose_what(rules, key)
    who = somebody(rules, state, whose)[1] if whose else ""
    refuse_unknown(rules, procedure, word)
    return Preset(slug(word), who, tuple(one.strip() for one in text.split(",")), f"{key}={text}", comparison(rules, state, text))


def refuse_unknown(rules: Rules, procedure: Entry, word: str) -> None:
    """Refuses the name of something that is no number, and that nobody chooses."""
    if slug(word) in rules.once(slugs_of_questions) or number_called(rules, word) is not None:
        return
    roles = [role.word for role in roles_of(procedure)]
    near = did_you_mean(word, [*questions(rules), *(entry.name for entry in numbers(rules)), *roles])
    has = f"; its roles are {', '.join(roles)}" if roles else ""
    raise Refused(f"`{word}` is no role of {procedure.name}, no number, and nothing that anybody is asked for{has}{near}")


def questions(rules: Rules) -> set[str]:
    """What can be answered beforehand."""
    return {"option", *VERBS, *rules.questions}


def slugs_of_questions(rules: Rules) -> frozenset[str]:
    return frozenset(map(slug, questions(rules)))


def answered(presets: tuple[Preset, ...], decision: Decision, reading: Reading) -> tuple[Any, ...]:
    """The answer that is given beforehand, as the only one of a tuple; empty when there is none."""
    words = tuple(words_for(decision))
    for one in presets:
        if not one.used and words:
            one.heard[words[0]] = None
        if one.who in ("", decision.who) and any(slug(word) == one.word for word in words):
            found = value_for(one, decision, reading)
            if found:
                one.used = True
                return found
    return ()


def words_for(decision: Decision) -> Iterator[str]:
    match decision:
        case Choose(word=word) | Number(word=word) | Several(word=word):
            yield word
        case Offer(names=names):
            yield from names
        case Keep(verb=verb):
            yield from (word for word, means in VERBS.items() if means == verb)
        case _:
            pass


def value_for(one: Preset, decision: Decision, reading: Reading) -> tuple[Any, ...]:
    match decision:
        case Choose(options=options, labels=labels):
            for value in one.values:
                for option, label in zip(options, labels, strict=True):
                    if slug(value) in (slug(label), slug(str(option)), *map(slug, reading_names(reading, option))):
                        return (option,)
            one.others |= set(labels)
        case Offer():
            if one.when is not None:
                return (one.when.holds(decision.who, reading, one.text),)
            if one.values[0].casefold() in (*YES, *NO):
                return (one.values[0].casefold() in YES,)
            one.others |= {"yes", "no", "a comparison such as total <= 2"}
        case Number(low=low, high=high):
            if re.fullmatch(r"\d{1,9}", one.values[0]):
                return (min(max(int(one.values[0]), low), high),)
            one.others |= {f"a number up to {high}"}
        case Several(options=options):
            wanted = {slug(value) for value in one.values}
            found = tuple(option for option in options if not wanted.isdisjoint((slug(option), *map(slug, reading_names(reading, option)))))
            if found or wanted <= {"nothing", "none"}:
                return (found,)
            one.others |= set(options)
        case Keep():
            return dice_for(one, decision)
        case _:
            pass
    return ()


def dice_for(one: Preset, decision: Keep) -> tuple[Dice, ...]:
    """`highest`, `lowest`, `all`, `none`, or faces: these first, as many as may be taken, and the highest where too few show them."""
    least, most, dice = decision.least, decision.most, decision.dice
    match one.values:
        case ("highest",) | ("all",):
            return (dice[:most],)
        case ("lowest",):
            return (dice[len(dice) - max(least, 1) :] if most else (),)
        case ("none",):
            return (dice[:least],)
    if not all(value.isdecimal() for value in one.values):
        one.others |= {"highest", "lowest", "all", "none", "faces such as 1,2"}
        return ()
    faces = [int(value) for value in one.values if len(value) < 10]
    if not any(1 <= face <= sides for face in faces for _, sides in dice):
        one.others |= {f"faces from 1 to {max(sides for _, sides in dice)}"}
        return ()
    taken = [die for die in dice if die[0] in faces][:most]
    rest = [die for die in dice if die[0] not in faces]
    return (tuple(sorted([*taken, *rest[: max(0, least - len(taken))]], reverse=True)),)


def reading_names(reading: Reading, id: object) -> tuple[str, ...]:
    """How somebody or something may be called."""
    entry, person = reading.rules.entries.get(str(id)), reading.state.people.get(str(id))
    if person is not None:
        return (person.name,)
    return (entry.name, *entry.aliases) if entry is not None else (str(id),)


def refuse_wrong(presets: tuple[Preset, ...]) -> None:
    """Refuses an answer that is none of those that could be given."""
    for one in presets:
        if not one.used and one.others:
            near = did_you_mean(one.values[-1], one.others)
            raise Refused(f"`{one.text}` is none of the answers there{f'{near} There' if near else '; there'} are {', '.join(sorted(one.others))}")


def unasked(presets: tuple[Preset, ...], procedure: Entry) -> list[str]:
    """The answers that nobody asked for. Where all that can happen was followed, that is a mistake; in a single run it may be how the dice fell."""
    return [
        f"`{one.text}` answers nothing: nobody is asked for that in {procedure.name} as it stands here{heard(one)}; what cannot be paid is not offered"
        for one in presets
        if not one.used
    ]


def heard(one: Preset) -> str:
    """What was asked for, where it was not what is answered."""
    return f", but for {listed([f'`{word}`' for word in one.heard])}" if one.heard else ""


def refuse_unasked(presets: tuple[Preset, ...], procedure: Entry) -> None:
    """Refuses what was never wanted: a typing mistake would otherwise pass in silence."""
    for sentence in unasked(presets, procedure):
        raise Refused(sentence)
