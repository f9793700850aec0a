"""The options `--hack`, `--without` and `--ruling`: what is on at this table, for every command that reads a pack to play or print it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from te_forge.model.system import System
    from te_forge.tried import Tried

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS = (
    click.option("--hack", "hacks", multiple=True, metavar="NAME", help="Try a hack: as if pack.yaml had it on. May be given several times."),
    click.option("--without", multiple=True, metavar="NAME", help="Leave out a hack that pack.yaml has on. May be given several times."),
    click.option(
        "--ruling",
        "rulings",
        multiple=True,
        metavar="NAME=READING",
        help="Read a ruling in another way, such as environment-tie=the-world-holds. May be given several times.",
    ),
)


def table_options(command: F) -> F:
    """Adds the three options; the command gets them as one parameter, `tried`."""

    @wraps(command)
    def wrapped(*words: Any, hacks: tuple[str, ...], without: tuple[str, ...], rulings: tuple[str, ...], **named: Any) -> Any:
        from te_forge.tried import Tried

        return command(*words, tried=Tried(hacks, without, rulings), **named)

    for option in reversed(OPTIONS):
        wrapped = option(wrapped)
    return wrapped  # type: ignore[return-value]  # the parameters are those that click passes


def sat_down(system: System, tried: Tried) -> System:
    """The system with what is tried on; what makes no sense is a mistake of the command."""
    from te_forge.compose.tried import NotTried, at_table

    try:
        return at_table(system, tried)
    except NotTried as reason:
        raise click.UsageError(str(reason)) from None


def at_this_table(system: System) -> System:
    """What is played: the rules with all that is on."""
    from te_forge.compose import compose
    from te_forge.compose.chosen import switched_on

    made = compose(system, switched_on(system))
    wrong = [one for one in made.diagnostics if one.severity == "error"]
    if wrong:
        raise click.UsageError(f"these hacks and readings do not go together: {wrong[0].message}")
    return made.system


def told_of(system: System, on: Iterable[str] | None = None) -> list[str]:
    """What stands above whatever comes out: which hacks and readings are on, if any are."""
    from te_forge.compose.chosen import names_of, switched_on

    names = names_of(system, switched_on(system) if on is None else on)
    return [f"On: {', '.join(names)}"] if names else []
