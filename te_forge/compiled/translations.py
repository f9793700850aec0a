"""Languages of a compiled pack beside those that its packs are written in."""

from __future__ import annotations

from typing import Any

from te_forge.compiled.where import Where
from te_forge.diagnostics import Findings


def translations(whole: dict[str, Any], where: Where, findings: Findings) -> None:
    """Add what is missing in them, and what is there for nothing."""
    own = {one["default_locale"] for one in (whole["pack"], *whole["required"])}
    needed = {key for locale in own for key in whole["i18n"][locale]}
    for locale, texts in whole["i18n"].items():
        if locale in own:
            continue
        missing, stale = sorted(needed - texts.keys()), sorted(texts.keys() - needed)
        if missing:
            findings.add(
                "missing-translation",
                f"{len(missing)} of {len(needed)} texts are not there in `{locale}`, `{missing[0]}` first",
                where.span(("i18n", locale)),
                severity="warning",
                help="the text in the language of the pack stands for them",
            )
        if stale:
            findings.add(
                "stale-translation",
                f"`{stale[0]}` is the key of no text{f', and {len(stale) - 1} more' if len(stale) > 1 else ''}",
                where.span(("i18n", locale, stale[0])),
                severity="warning",
                help="take it out, or give it the key of the text that it translates",
            )
