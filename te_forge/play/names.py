"""How things are called at the table, and what a typed name means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from shutil import get_terminal_size

from te_forge import suggest
from te_forge.asked import Refused
from te_forge.asked import called as asked
from te_forge.asked.somebody import is_actor
from te_forge.engine.index import OUT_OF_PLAY, Rules
from te_forge.engine.state import State
from te_forge.engine.tell import Teller, listed, text
from te_forge.keys import slug
from te_forge.model.system import Entry, KindInfo, Line
from te_forge.report import in_columns
from te_forge.suggest import did_you_mean


def name(rules: Rules, id: object) -> str:
    """How somebody or something is called in a sentence."""
    return Teller(rules).value(id)


def called(rules: Rules, id: object) -> str:
    """The same, to begin a sentence with."""
    return first_up(name(rules, id))


def first_up(said: str) -> str:
    return said[:1].upper() + said[1:]


def as_sentence(reason: object) -> str:
    """What somebody is told, from a reason: with a capital, and something at the end."""
    return ended(first_up(str(reason)))


def ended(said: str) -> str:
    return said if said.endswith((".", "?", "!")) else said + "."


def because(rules: Rules, why: str, owner: str = "") -> tuple[str, str]:
    """The rule behind a question: what it is called, and its text, about `owner` where it is known whose rule it is."""
    id, _, line = why.partition("#")
    entry = rules.entries.get(id)
    if entry is None:
        return "", ""
    for step in entry.steps:
        if step.id in (why, line):
            return f"{entry.name}, {step.name}", text(step.prose)
    todo = list(entry.lines)
    while todo:
        one = todo.pop()
        if one.id == line:
            said = sentence(one)
            return entry.name, re.sub(r"\bthe owner\b", lambda _: owner, said) if owner else said
        todo += one.lines
    return entry.name, text(entry.prose[0].words) if entry.prose else ""


def sentence(line: Line) -> str:
    """A line with all that is set in below it."""
    below = "; ".join(f"{one.label}: {sentence(one)}" if one.label else sentence(one) for one in line.lines)
    return f"{text(line.words)} {below}".strip()


def wrapped(line: str, first: int | str = 0, then: int = 0) -> list[str]:
    """A paragraph in lines as wide as the terminal, and not wider than one reads well. `first` is how far the first line is set in, or what stands
    there.
    """
    width = max(40, min(get_terminal_size().columns - 1, 110))
    return in_columns(line, width, " " * first if isinstance(first, int) else first, " " * then)


def playable(rules: Rules) -> Iterator[Entry]:
    return (entry for entry in rules.entries.values() if entry.kind not in OUT_OF_PLAY)


def key_of(name: str) -> str:
    """A name as it is compared; one without a letter (an emoji, say) stands for itself."""
    return slug(name) or name.strip().casefold()


def meant(typed: str, names: Iterable[Iterable[str]]) -> list[int]:
    """Which of these somebody means, each by any of its names: those that are called so, else those whose name begins so, else those that have a word
    that does.
    """
    wanted = key_of(typed)
    known = [[key_of(one) for one in each] for each in names]
    exact = [at for at, each in enumerate(known) if wanted in each]
    begins = [at for at, each in enumerate(known) if wanted and any(one.startswith(wanted) for one in each)]
    return exact or begins or [at for at, each in enumerate(known) if wanted and any(f"-{wanted}" in one for one in each)]


def entry_called(typed: str, among: Iterable[Entry], what: str) -> Entry:
    """The entry that somebody means, by its name, another name of it, or the beginning of one."""
    found = list(among)
    said = typed.strip().removeprefix("the ").strip()
    by_id = [one for one in found if one.id == said]
    near = by_id or [found[at] for at in meant(said, ((one.name, *one.aliases) for one in found))]
    if not said:
        raise Refused(f"say which {what}; {there_is([one.name for one in found])}")
    if len({one.id for one in near}) > 1 and not any(slug(one.name) == slug(said) for one in near):
        raise Refused(f"`{said}` can be {listed(one.name for one in near)}; type more of it")
    if not near:
        names = [one.name for one in found]
        raise Refused(f"no {what} is called `{said}`{did_you_mean(said, names) or '; ' + there_is(names)}")
    return near[0]


def there_is(names: list[str]) -> str:
    return f"there is {suggest.listed(names) or 'none'}"


def kind_names(rules: Rules, info: KindInfo) -> tuple[str, ...]:
    """What a kind is called, one and many, with other names that it has, such as an old one."""
    entry = rules.entries.get(info.id)
    return (info.name, info.plural, *(entry.aliases if entry is not None else ()))


def somebody(rules: Rules, state: State, typed: str) -> str:
    """The id of who is there and is called so, or whose name begins so: a person, or somebody of whom there is one."""
    said = typed.strip().removeprefix("the ").strip()
    single = [info for info in rules.system.kinds.values() if info.single and info.nature == "actor"]
    ids = [*state.people, *(info.id for info in single)]
    names = [*(person.name for person in state.people.values()), *(info.name for info in single)]
    found = meant(said, (*((person.name,) for person in state.people.values()), *(kind_names(rules, info) for info in single)))
    if len(found) == 1:
        return ids[found[0]]
    if found:
        raise Refused(f"`{said}` can be {listed(names[at] for at in found)}; type more of it")
    if said and (absent := asked.called(rules, said, lambda entry: entry.kind != "kind" and is_actor(rules, entry))) is not None:
        raise Refused(f"{absent.name} is not here; `add {absent.name}` brings them in")
    raise Refused(f"nobody here is called `{said}`{did_you_mean(said, names) or '; ' + there_is(names)}" if said else f"say who; {there_is(names)}")
