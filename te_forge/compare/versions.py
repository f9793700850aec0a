"""Versions of rules: what a difference means to games that are built on these rules.

Major: something that others lean on is gone, is called otherwise without its old name as an alias, or says something else. Minor: something is new.
Patch: only prose is different. Below 1.0.0 nothing is promised yet, and every step counts one place less.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from te_forge.compare.change import Change, Comparison
from te_forge.compare.phrases import where
from te_forge.model.system import plain

Level = Literal["major", "minor", "patch", "none"]
LEVELS: tuple[Level, ...] = ("none", "patch", "minor", "major")
PROSE = ("Why", "Other", "Replaces", "Asks")
"""Fields that only say something to people."""
MOST_REASONS = 12


@dataclass(frozen=True, slots=True)
class Reason:
    level: Level
    why: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """The version that a changed pack should have. `verdict` is said of the one that it has."""

    old: str
    new: str
    level: Level
    reasons: tuple[Reason, ...]
    verdict: str = ""


def propose(found: Comparison, old: str, now: str) -> Proposal:
    reasons = [reason(one) for one in found.changes]
    level = LEVELS[max((LEVELS.index(one.level) for one in reasons), default=0)]
    new = bumped(old, level)
    ranked = sorted(reasons, key=lambda one: -LEVELS.index(one.level))
    return Proposal(old, new, level, shortened(ranked), verdict(old, new, now, level))


def shortened(ranked: list[Reason]) -> tuple[Reason, ...]:
    """Of each level the first reasons, and how many more there are."""
    out: list[Reason] = []
    for level in reversed(LEVELS):
        of_level = list(dict.fromkeys(one for one in ranked if one.level == level))
        out += of_level[:MOST_REASONS]
        if len(of_level) > MOST_REASONS:
            out.append(Reason(level, f"and {len(of_level) - MOST_REASONS} more"))
    return tuple(out)


def bumped(version: str, level: Level) -> str:
    major, minor, patch = map(int, version.split("."))
    at = ("major", "minor", "patch", "none").index(level) + (major == 0 and level in ("major", "minor"))
    return (f"{major + 1}.0.0", f"{major}.{minor + 1}.0", f"{major}.{minor}.{patch + 1}", version)[at]


def verdict(old: str, new: str, now: str, level: Level) -> str:
    have, need = (tuple(map(int, one.split("."))) for one in (now, new))
    if level == "none":
        return "" if now == old else f"pack.yaml says {now}"
    if now == old:
        return f"pack.yaml still says {now}"
    return f"pack.yaml says {now}, which will do" if have >= need else f"pack.yaml says {now}, which promises too much"


def reason(one: Change) -> Reason:
    level, said = judged(one)
    thing = f"{one.kind} {one.name}"
    return Reason(level, f"{thing}: {said}" if one.part not in ("entry", "switch", "chapter") else f"{thing} {said}")


def judged(one: Change) -> tuple[Level, str]:
    place = where(one)
    match one.part, one.verb:
        case "switch", _:
            return "major", "is on" if one.verb == "added" else "is off"
        case "entry", "added":
            return "minor", "is new"
        case "entry" | "chapter", "removed":
            return "major", "is gone"
        case "entry", "renamed":
            was = plain(one.before.words) if one.before is not None else ""
            return (
                ("minor", f"was called {was}, which still means it") if one.aliased else ("major", f"was called {was}, which means nothing any more")
            )
        case "chapter", "added":
            return "minor", "is new"
        case "chapter", "changed":
            return "patch", "reads otherwise"
        case "chapter", _:
            return "major", "has another title, which games may name in pack.yaml"
        case "text", _:
            return "patch", f"{place} reads otherwise"
        case "alias", "added":
            return "minor", f"{place} is new"
    if one.path[-1:] and one.path[-1] in PROSE:
        return "patch", f"{place} reads otherwise"
    match one.verb:
        case "added":
            return "minor", f"{place} is new"
        case "removed":
            return "major", f"{place} is gone"
        case "moved":
            return "major", f"{place} stand in another order"
    return "major", f"{place} says something else"
