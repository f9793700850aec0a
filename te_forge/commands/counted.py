"""What was counted out, in words and as data: for one question, and for each of several numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction

from te_forge.asked import Asked, goal, named
from te_forge.asked.choices import Choice
from te_forge.asked.counting import Question, deciders, in_order, number_name, outcomes_of
from te_forge.asked.ranges import Questions
from te_forge.compose.chosen import switched_on
from te_forge.engine.live import Liveness
from te_forge.engine.policies import POLICIES
from te_forge.engine.reading import Reading
from te_forge.engine.table import Key, Table
from te_forge.options import told_of


def as_text(question: Question, policy: str, best: str | None) -> str:
    asked, found, likely = question.asked, question.table, question.best
    lines = heading(asked, "counted out", policy)
    if likely is not None and best is not None:
        told = f"mean {float(likely):.4f} ({fraction(likely)})" if is_mean(asked, best) else shown(likely)
        lines += [decides(asked, best) + f": {told}", FIRST_COUNTS]
    outcomes = in_order(asked, found.outcomes)
    if outcomes.keys() - {""}:
        lines += ["", *rows([(name or "no outcome", weight) for name, weight in outcomes.items()])]
    certain = {key: value for key, law in found.numbers.items() if (value := certain_value(law)) is not None}
    for key, law in found.numbers.items():
        if key in certain:
            continue
        mean = found.mean(key)
        others = found.beyond.get(key)
        about = f", mean {float(mean):.4f}" if mean is not None else ""
        about += f" ({fraction(mean)})" if mean is not None and others and not found.missing else ""
        values = sorted(law.items(), key=lambda one: (one[0] is None, one[0] or 0))
        shares = [("no value" if value is None else str(value), weight) for value, weight in values]
        shares = with_others(shares, others.share) if others else shares
        lines += ["", f"{number_name(asked, key)}{about}{' where it has a value' if None in law else ''}", *rows(shares)]
    if certain:
        lines += ["", f"The same in all cases: {', '.join(f'{number_name(asked, key)} {value}' for key, value in certain.items())}."]
    if not found.numbers and not outcomes.keys() - {""} and not found.missing:
        lines += [
            "",
            NOTHING_COUNTED,
        ]
    if found.missing:
        nothing = (
            ["  Nothing of it came to an end as far as it was followed; perhaps it never does: `te-forge roll` shows a run of it."]
            if found.missing == 1
            else []
        )
        lines += [
            "",
            f"Not followed: {shown(found.missing)}, so this is not exact: what is followed is, and each share may be higher by up to that.",
            *(f"  {one}" for one in found.cut),
            *nothing,
        ]
    if found.beyond:
        exact = "" if found.missing else " The means are exact."
        told = "All shares are exact" if found.told_apart else "Each share above them may be higher by up to theirs"
        lines += ["", f"`others` are the cases that are left when a repeat goes on for long; it may go on for ever. {told}.{exact}"]
    lines += answers_told(asked, question.choices)
    if any(LONG in line for line in lines):
        lines += ["", f"{LONG} is a fraction of more than {MOST_DIGITS} digits; `--format json` prints it."]
    return "\n".join(lines)


def certain_value(law: Mapping[int | None, Fraction]) -> int | None:
    """What a number is in any case, if that is always the same."""
    return next((value for value, share in law.items() if share == 1), None)


MOST_ANSWERS = 4
"""Answers to one question that are printed; more would be no answer."""


def answers_told(asked: Asked, choices: Sequence[Choice]) -> list[str]:
    """What somebody was asked on the way: whoever reads odds wants to know what was taken for granted."""
    if not choices:
        return []
    told = [(f"{named(asked.rules, asked.state, one.who)}: {one.asked}", answer_told(one)) for one in choices]
    wide = max(len(what) for what, _ in told)
    return ["", "asked on the way, and the answers", *(f"  {what:<{wide}}  {answer}" for what, answer in told)]


def answer_told(choice: Choice) -> str:
    return " or ".join(choice.answers) if len(choice.answers) <= MOST_ANSWERS else f"one of {len(choice.answers)} answers"


NOTHING_COUNTED = (
    "It has no outcome, and no number changes. How often somebody has a trait afterwards is asked in an example: `expect Ann has .. in 25 percent`."
)
HARDLY = Fraction(1, 20_000)
LONG = "(long)"
MOST_DIGITS = 20
"""Above or below the line of a fraction that is printed for people. A fight of many rounds is counted out to hundreds of digits, and a line is to be
read.
"""


def fraction(weight: Fraction) -> str:
    return LONG if max(abs(weight.numerator), weight.denominator) >= 10**MOST_DIGITS else str(weight)


def rows(items: list[tuple[str, Fraction]]) -> list[str]:
    wide, long = max(len(name) for name, _ in items), max(len(fraction(weight)) for _, weight in items)
    return [f"  {name:<{wide}}  {percent(weight):>8}  {fraction(weight):>{long}}" for name, weight in items]


def with_others(shares: list[tuple[str, Fraction]], others: Fraction) -> list[tuple[str, Fraction]]:
    """The last line of a number that has no highest value: with it, the values before it that are hardly ever come to."""
    while shares and others + shares[-1][1] < HARDLY:
        others += shares.pop()[1]
    return [*shares, ("others", others)]


def is_mean(asked: Asked, best: str) -> bool:
    """Whether the goal is a number as high or as low as possible, and not something that is reached or not."""
    return goal(asked, best, Liveness(asked.rules).yields(asked.procedure.id)).is_mean


def shown(weight: Fraction) -> str:
    return f"{percent(weight)} ({fraction(weight)})"


def percent(weight: Fraction) -> str:
    if 0 < weight < HARDLY:
        return "<0.01 %"
    if Fraction(19_999, 20_000) < weight < 1:
        return ">99.99 %"
    return f"{float(weight * 100):.2f} %"


def policy_told(policy: str) -> str:
    text = (POLICIES[policy].__doc__ or "").strip().rstrip(".")
    return f"{policy}: {text[:1].lower()}{text[1:]}"


def first_of(asked: Asked) -> str:
    return " and ".join(named(asked.rules, asked.state, one) for one in deciders(asked))


def heading(asked: Asked, what: str, policy: str) -> list[str]:
    lines = [f"{asked.procedure.name}, {what}", *(f"  {line}" for line in told_of(asked.rules.system))]
    return [*lines, f"  decided by the policy {policy_told(policy)}"]


def decides(asked: Asked, best: str) -> str:
    return f"  {first_of(asked)} decides for {best}, knowing everything that has been rolled"


FIRST_COUNTS = "  of answers that are equally good for that, the first counts, so the other shares can depend on that"


# ---------------------------------------------------------------- for each of several numbers


Columns = list[tuple[str, list[str]]]
"""What stands above each column, and its cells."""


def table_as_text(questions: Questions, policy: str, best: str | None) -> str:
    """A line for each question: the shares of the outcomes, and below them the means of the numbers."""
    lines = heading(questions.first, f"counted out for each {told_together(questions.names, 'and')}", policy)
    columns = shares_of(questions)
    if best is not None:
        goal = [goal_told(one, best) for one in questions.each.values()]
        above = next((name for name, cells in columns if cells == goal), "the goal")
        columns += [(above, goal)] if above == "the goal" else []
        lines += [decides(questions.first, best) + f"; what comes of that stands under `{above}`", FIRST_COUNTS]
    if any(one.table.missing for one in questions.each.values()):
        columns.append(("not followed", [percent(one.table.missing) for one in questions.each.values()]))
    means = [(number_name(questions.first, key), [mean_told(one, key) for one in questions.each.values()]) for key in numbers_in(questions)]
    differing = [(name, cells) for name, cells in means if len(set(cells)) > 1]
    for part in (columns, differing):
        lines += ["", *grid(questions, part)] if part else []
    lines += (
        ["", *told_of_means(questions, differing, means, "The second table" if columns else "The table")]
        if means
        else []
        if columns
        else ["", NOTHING_COUNTED]
    )
    lines += answers_told(questions.first, questions.choices)
    inexact = any(one.table.missing for one in questions.each.values())
    exact = "What is `not followed` is missing: each share beside it may be higher by up to that." if inexact else "All shares are exact."
    return "\n".join([*lines, "", f"{exact} `--format json` has them as fractions, and each value of a number."])


def told_of_means(questions: Questions, differing: Columns, means: Columns, where: str) -> list[str]:
    """What the numbers of the last table are, and those that are the same in all lines."""
    at_times = [
        number_name(questions.first, key)
        for key in numbers_in(questions)
        if any(None in one.table.numbers.get(key, {}) for one in questions.each.values())
    ]
    alike = [f"{name} {cells[0]}" for name, cells in means if (name, cells) not in differing]
    return [
        *([f"{where} has the mean of each number."] if differing else []),
        *([f"Not in all cases has {told_together(at_times, 'or')} a value; the mean is that of the others."] if at_times else []),
        *([f"The same in all lines, as a mean: {', '.join(alike)}."] if alike else []),
    ]


def told_together(names: Sequence[str], word: str) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f" {word} ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def shares_of(questions: Questions) -> Columns:
    """The outcomes."""
    shares = [in_order(questions.first, one.table.outcomes) for one in questions.each.values()]
    names = [name for name in [*outcomes_of(questions.first), ""] if any(name in law for law in shares)]
    return [(name or "no outcome", [percent(law.get(name, Fraction(0))) for law in shares]) for name in names if names != [""]]


def goal_told(one: Question, best: str) -> str:
    assert one.best is not None, "a goal was given"
    return f"{float(one.best):.4f}" if is_mean(one.asked, best) else percent(one.best)


def mean_told(one: Question, key: Key) -> str:
    if key in one.table.numbers:
        mean = one.table.mean(key)
        return f"{float(mean):.4f}" if mean is not None else "-"
    return f"{Reading(one.asked.rules, one.asked.state).stat(*key):.4f}" if key[1] in one.asked.rules.entries else "-"


def numbers_in(questions: Questions) -> list[Key]:
    return sorted({key for one in questions.each.values() for key in one.table.numbers})


def grid(questions: Questions, columns: Columns) -> list[str]:
    """Lines below headings; where several numbers change, an empty line whenever another one than the last does."""
    heads = [*questions.names, *(name for name, _ in columns)]
    cells = [[*map(str, numbers), *told] for numbers, told in zip(questions.each, zip(*(told for _, told in columns), strict=True), strict=True)]
    wide = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    lines = ["  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(heads, wide, strict=True))]
    before: list[str] = []
    for cell in cells:
        first = cell[: len(questions.names) - 1]
        lines += [""] if before and first != before else []
        before = first
        lines.append("  " + "  ".join(f"{one:>{width}}" for one, width in zip(cell, wide, strict=True)))
    return lines


# ---------------------------------------------------------------- as data


def as_json(question: Question, policy: str, best: str | None) -> str:
    return written({**about(question.asked, policy), "choices": choices_data(question.asked, question.choices), **data(question, best)})


def table_as_json(questions: Questions, policy: str, best: str | None) -> str:
    each = [{"given": dict(zip(questions.names, numbers, strict=True)), **data(one, best)} for numbers, one in questions.each.items()]
    return written({**about(questions.first, policy), "choices": choices_data(questions.first, questions.choices), "each": each})


def written(made: dict[str, object]) -> str:
    return json.dumps(made, indent=1, ensure_ascii=False)


def about(asked: Asked, policy: str) -> dict[str, object]:
    return {"procedure": asked.procedure.id, "on": switched_on(asked.rules.system), "policy": policy}


def choices_data(asked: Asked, choices: Sequence[Choice]) -> list[dict[str, object]]:
    return [{"who": one.who, "name": named(asked.rules, asked.state, one.who), "asked": one.asked, "answers": list(one.answers)} for one in choices]


def data(question: Question, best: str | None) -> dict[str, object]:
    asked, found, likely = question.asked, question.table, question.best
    made: dict[str, object] = {}
    if likely is not None and best is not None:
        made["best"] = {"goal": best, "by": first_of(asked), **({"mean": str(likely)} if is_mean(asked, best) else weight(likely))}
    made["outcomes"] = [{"outcome": name, **weight(share)} for name, share in in_order(asked, found.outcomes).items()]
    made["numbers"] = [number_data(asked, found, key) for key in found.numbers]
    made["missing"] = {**weight(found.missing), "why": list(found.cut)}
    made["exact"] = not found.missing and found.told_apart
    return made


def number_data(asked: Asked, found: Table, key: Key) -> dict[str, object]:
    mean, others = found.mean(key), found.beyond.get(key)
    values = sorted(found.numbers[key].items(), key=lambda one: (one[0] is None, one[0] or 0))
    return {
        "of": key[0],
        "number": key[1],
        "name": number_name(asked, key),
        "mean": str(mean) if mean is not None else None,
        "exact_mean": not found.missing,
        **({"others": {**weight(others.share), "mean": str(others.mean), "above": others.above}} if others else {}),
        "values": [{"value": value, **weight(share)} for value, share in values],
    }


def weight(one: Fraction) -> dict[str, object]:
    return {"fraction": str(one), "percent": float(one * 100)}
