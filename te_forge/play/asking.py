"""Questions to a person, and what the answers mean. `read` turns what was typed into an answer or says why it is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from te_forge.asked import Refused, whole
from te_forge.characters.present import nodes_of
from te_forge.engine.effects import Choose, Decision, Keep, Number, Offer, Several, Share, allowed
from te_forge.engine.index import Rules
from te_forge.engine.purse import height, left
from te_forge.engine.reading import Reading
from te_forge.engine.state import Dice, Die, bag
from te_forge.engine.tell import Teller, faces, listed, offer_name
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.play.names import called, meant, name

YES, NO = ("y", "yes"), ("n", "no")


def question(rules: Rules, effect: Decision, reading: Reading) -> list[str]:
    """What is asked, with the options numbered."""
    who = called(rules, effect.who)
    match effect:
        case Choose(word=word):
            asked = "chooses one" if word == "option" else "says who is next" if word == "next" else f"chooses the {word}"
            return [
                f"{who} {asked}{counted(rules, effect, reading)}:",
                *numbered(worth(rules, effect.who, option, Teller(rules).label(effect, option), reading) for option in effect.options),
            ]
        case Offer(price=price, fact=fact):
            said = f"{who} may take {offer_name(effect)}" + (f" for {price}" if price else "")
            noted = reading.state.notes.get((effect.who, effect.why.partition("#")[0]), "")
            return [said + (f" ({noted})" if noted else "") + (f', if it is so: "{fact}".' if fact else ".")]
        case Keep(verb=verb, dice=dice, least=least, most=most):
            many = str(least) if least == most else f"{least} to {most}"
            return [f"{who} {verb} {many} of these {len(dice)} dice: {faces(dice)}"]
        case Number(word=word, low=low, high=high):
            moved = moved_by(rules, effect)
            return [
                f"{who} {moved.verb} {low} to {high} {name(rules, moved.amount.stat.id)}, as the {word}:"
                if moved and isinstance(moved.amount.stat, m.Thing)
                else f"{who} chooses the {word}, a number from {low} to {high}:"
            ]
        case Share(total=total, exactly=exactly, places=places, most=most):
            said = f"{who} divides {'exactly' if exactly else 'up to'} {total} points:"
            return [said, *numbered(f"{place} (at most {limit} more)" for place, limit in zip(places, most, strict=True))]
        case Several(word=word, options=options):
            return [f"{who} chooses any of these, or none:", *numbered(name(rules, option) for option in options)]
    return [who]


def moved_by(rules: Rules, effect: Number) -> m.Transfer | None:
    """The sentence that moves as many points as the number says, where it is one that does (`pays any X as the n`)."""
    entry = rules.entries.get(effect.why.partition("#")[0])
    found = (node for node in (nodes_of(entry) if entry is not None else ()) if isinstance(node, m.Transfer))
    return next((node for node in found if node.amount.how == "any" and node.amount.word == effect.word), None)


def numbered(options: Iterator[str]) -> Iterator[str]:
    return (f"{number:>3}  {option}" for number, option in enumerate(options, 1))


def worth(rules: Rules, who: str, option: object, shown: str, reading: Reading) -> str:
    """An option that is a number of who chooses, or of the one it is about, says how much it is."""
    high = height(reading, who, option) if isinstance(option, str) and is_number(rules, option) else None
    return shown if high is None else f"{shown} {high}"


def counted(rules: Rules, effect: Choose, reading: Reading) -> str:
    said = left(rules, reading.state, effect.why)
    return f" ({said})" if said else ""


def is_number(rules: Rules, id: str) -> bool:
    return id in rules.entries and rules.nature(rules.entries[id].kind) == "number"


def hint(effect: Decision) -> str:
    """What can be typed."""
    match effect:
        case Choose(options=options):
            return f"1-{len(options)} or a name"
        case Offer():
            return "y or n"
        case Keep(least=least, dice=dice, most=most):
            return f"faces, such as {faces(dice[: most or least])}" + ("" if least else ", or none")
        case Number(low=low, high=high):
            return f"{low}-{high}"
        case Share(places=places):
            return "a number for each, such as " + " ".join(["1", "0", "2", "0"][: min(len(places), 4)]) + (" .." if len(places) > 4 else "")
        case Several():
            return "numbers or names, or none"
    return ""


def read(rules: Rules, effect: Decision, typed: str) -> Any:
    """The answer that was typed; `Refused` when it is none of those that are allowed."""
    said = typed.strip()
    answer = reader(rules, effect, said)
    if not allowed(effect, answer):
        raise Refused(f"`{said}` is not possible here; {hint(effect)} is")
    return answer


def reader(rules: Rules, effect: Decision, said: str) -> Any:
    match effect:
        case Choose(options=options):
            return options[one_of([Teller(rules).label(effect, option) for option in options], now_called(rules, options, said))]
        case Offer(names=names):
            if said.lower() in (*YES, *NO):
                return said.lower() in YES
            if slug(said) in map(slug, names):
                return True
            raise Refused(f"`{said}` is neither y nor n")
        case Keep():
            return dice_of(effect, said)
        case Number():
            return whole(said, "this")
        case Share(places=places):
            return shares(places, said)
        case Several(options=options):
            if slug(said) in ("none", "nothing"):
                return ()
            shown = [name(rules, option) for option in options]
            taken = {one_of(shown, now_called(rules, options, part)) for part in parts(said)}
            return tuple(options[at] for at in sorted(taken))
    raise Refused("this cannot be answered")


def now_called(rules: Rules, options: Sequence[object], said: str) -> str:
    """What was typed; of another name that an option has, such as an old one, its name."""
    wanted = slug(said)
    entries = (rules.entries[option] for option in options if isinstance(option, str) and option in rules.entries)
    return next((entry.name for entry in entries if wanted in map(slug, entry.aliases)), said)


def one_of(shown: Sequence[str], said: str) -> int:
    """Which of the options somebody means: its number, its name, or enough of the beginning of its name."""
    if said.isdecimal() and 1 <= int(said) <= len(shown):
        return int(said) - 1
    near = meant(said, ((one,) for one in shown))
    if len(near) == 1:
        return near[0]
    if near:
        raise Refused(f"`{said}` can be {listed(shown[at] for at in near)}; type more of it, or its number")
    raise Refused(f"`{said}` is none of these: {', '.join(shown)}")


def several_of(shown: Sequence[str], said: str) -> list[int]:
    """Which of the options somebody means who may take several, in their order."""
    return sorted({one_of(shown, part) for part in parts(said)})


def parts(said: str) -> list[str]:
    """Several things in one line: with commas, or numbers with spaces."""
    if "," in said:
        return [part.strip() for part in said.split(",") if part.strip()]
    words = said.split()
    return words if all(word.isdecimal() for word in words) and words else [said]


def dice_of(effect: Keep, said: str) -> Dice:
    dice, least, most = effect.dice, effect.least, effect.most
    left, taken = list(dice), list[Die]()
    for word in said.replace(",", " ").split():
        if word in ("none", "nothing", "0") and not any(face == 0 for face, _ in dice):
            continue
        if not word.isdecimal():
            raise Refused(f"`{word}` is no face of a die; type faces, such as {faces(dice[: most or least])}")
        face = whole(word, "a face of a die")
        die = next((one for one in left if one[0] == face), None)
        if die is None:
            raise Refused(f"there is no {'further ' if face in [one for one, _ in taken] else ''}{face} among {faces(dice)}")
        left.remove(die)
        taken.append(die)
    if not least <= len(taken) <= most:
        many = str(least) if least == most else f"{least} to {most}"
        raise Refused(f"{many} {'die is' if many == '1' else 'dice are'} needed, and these are {len(taken)}")
    return bag(taken)


def shares(places: Sequence[str], said: str) -> tuple[int, ...]:
    """`2 0 1`, or `Might 2, Wits 1`."""
    words = said.replace(",", " ").split()
    if words and all(word.lstrip("-").isdecimal() for word in words):
        if len(words) != len(places):
            raise Refused(f"{len(places)} numbers are needed, one for each; you can also type names: {places[0]} 1")
        return tuple(whole(word, "a share") for word in words)
    given = [0] * len(places)
    for part in said.split(","):
        place, _, number = part.strip().replace("=", " ").rpartition(" ")
        if part.strip():
            given[one_of(places, place.strip())] += whole(number, "a share")
    return tuple(given)
