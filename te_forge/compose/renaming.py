"""A new name for a thing, in every text: as a whole word, in compound names, in the plural and with `'s`.

What has the old name in its own (`Tidal Table` where `Tidal` is renamed) is renamed with it. Part of a longer word (`Tidalless`), small letters (an ordinary word)
and the titles, marks and notices of works stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

VOWELS = "aeiouAEIOU"
ARTICLE = re.compile(r"(?<!\w)[Aa]n?\s+\Z")
HISSING = ("s", "x", "z", "ch", "sh")


class Renaming:
    """Old names and new ones; called with a text, it gives the text with the new ones. `kept` are phrases that stay whole. Plurals and articles go with a name in English only."""

    def __init__(self, names: Mapping[str, str], kept: Collection[str] = (), english: bool = True) -> None:
        self.english = english
        self.names = {normal(old): new for old, new in names.items()}
        self.kept = frozenset(kept)
        self.pattern = re.compile(self.written()) if self.names else None
        self.begins = tuple({re.split(r"[ ']", name)[0] for name in self.names})
        """What stands in every text that has one of the names: most texts have none, and are not searched for them."""

    def written(self) -> str:
        phrases = "|".join(spaced(one) for one in longest_first(self.kept))
        olds = "|".join(spaced(one) for one in longest_first(self.names))
        kept = rf"(?P<kept>(?<!\w)(?:{phrases})(?!\w))|" if phrases else ""
        article, plural = (r"(?P<article>(?<!\w)[Aa]n?\s+)?", "(?P<plural>e?s)?") if self.english else ("(?P<article>)", "(?P<plural>)")
        return rf"{kept}{article}(?<!\w)(?P<old>{olds}){plural}(?!\w)"

    def __call__(self, text: str) -> str:
        return self.pattern.sub(self.instead, text) if self.pattern is not None and self.begun_in(text) else text

    def begun_in(self, text: str) -> bool:
        """Whether there may be an old name in `text` at all."""
        return any(map(text.__contains__, self.begins))

    def __bool__(self) -> bool:
        return bool(self.names)

    def instead(self, found: re.Match[str]) -> str:
        if found.groupdict().get("kept"):
            return found[0]
        old = normal(found["old"])
        new = self.names[old]
        return with_article(found["article"] or "", old, new) + (plural(new) if found["plural"] else new)


def normal(name: str) -> str:
    return " ".join(name.replace("’", "'").split())


def with_article(article: str, old: str, new: str) -> str:
    """`an Old Name` is `a New Name`: the article goes by what follows."""
    if not article or (old[0] in VOWELS) == (new[0] in VOWELS):
        return article
    return article[0] + ("n" if new[0] in VOWELS else "") + article.lstrip("Aan")


def article_before(text: str, old: str, new: str) -> str:
    """`text`, which stands in front of a name, with the article that goes with the new one."""
    found = ARTICLE.search(text)
    return text[: found.start()] + with_article(found[0], old, new) if found else text


def plural(name: str) -> str:
    if name.endswith(HISSING):
        return name + "es"
    return name[:-1] + "ies" if name.endswith("y") and name[-2:-1] not in VOWELS else name + "s"


def longest_first(names: Collection[str]) -> list[str]:
    return sorted(names, key=lambda name: (-len(name), name))


def spaced(name: str) -> str:
    """A name as it may go over the end of a line, whatever its apostrophes are."""
    return r"\s+".join(re.escape(word).replace("'", "['’]") for word in normal(name).split(" "))
