"""A new name for a thing, in every text: as a whole word, in compound names, in the plural and with `'s`.

What has the old name in its own (`Tidal Table` where `Tidal` is renamed) is renamed with it. Part of a longer word (`Tidalless`), small letters (an
ordinary word) and the titles, marks and notices of works stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

WORD = re.compile(r"\w+")
FEW = 20
"""Up to so many first words are looked for one by one, without taking a text apart."""
VOWELS = "aeiouAEIOU"
ARTICLE = re.compile(r"(?<!\w)[Aa]n?\s+\Z")
HISSING = ("s", "x", "z", "ch", "sh")


class Phrase:
    """A name or a phrase to look for: what it is now (nothing for one that stays), the pattern by which it is written, and how far its first word is
    from its beginning.
    """

    def __init__(self, new: str, pattern: str, offset: int) -> None:
        self.new, self.pattern, self.offset = new, pattern, offset

    @cached_property
    def written(self) -> re.Pattern[str]:
        return re.compile(self.pattern)  # most phrases, such as the notice of a work, are never met


class Renaming:
    """Old names and new ones; called with a text, it gives the text with the new ones. `kept` are phrases that stay whole. Plurals and articles go
    with a name in English only.

    Names are looked up by all their words, so that a text takes as long with a thousand new names as with one, whatever they begin with.
    """

    def __init__(self, names: Mapping[str, str], kept: Collection[str] = (), english: bool = True) -> None:
        self.names = {normal(old): new for old, new in names.items()}
        self.english = english
        self.lengths: dict[str, set[int]] = {}
        """By first word, of how many words the names that may begin there are."""
        self.phrases: dict[tuple[str, ...], list[Phrase]] = {}
        """By their words (and the plural of the last one), the names."""
        for text in sorted({*self.names, *map(normal, kept)} if self.names else (), key=lambda one: (-len(one), one)):
            self.look_for(text)
        self.begins = tuple({first[0] for name in self.names if (first := WORD.search(name))})

    def look_for(self, text: str) -> None:
        words = list(WORD.finditer(text))
        if not words:
            return
        kept = text not in self.names
        plural = "(?P<plural>e?s)?" if self.english and not kept else "(?P<plural>)"
        phrase = Phrase(self.names.get(text, ""), rf"{spaced(text)}{plural}(?!\w)", words[0].start())
        *before, last = [word[0] for word in words]
        for ending in ("", "s", "es") if self.english and words[-1].end() == len(text) else ("",):
            key = (*before, last + ending)
            self.phrases.setdefault(key, []).append(phrase)
            self.lengths.setdefault(key[0], set()).add(len(key))

    def __call__(self, text: str) -> str:
        if not self.begun_in(text):
            return text
        out: list[str] = []
        at = 0
        words = list(WORD.finditer(text))
        for number, word in enumerate(words):
            found = self.found(text, words, number, at) if word.start() >= at else None
            if found is not None:
                phrase, match = found
                out += [self.before(text[at : match.start()], match, phrase), self.instead(match, phrase)]
                at = match.end()
        return "".join((*out, text[at:]))

    def found(self, text: str, words: list[re.Match[str]], number: int, at: int) -> tuple[Phrase, re.Match[str]] | None:
        """The name of the most words that begins with this one, and nowhere before `at`."""
        for length in sorted(self.lengths.get(words[number][0], ()), reverse=True):
            for phrase in self.phrases.get(tuple(word[0] for word in words[number : number + length]), ()):
                begin = words[number].start() - phrase.offset
                match = phrase.written.match(text, begin) if begin >= at else None
                if match is not None:
                    return phrase, match
        return None

    def begun_in(self, text: str) -> bool:
        """Whether there may be an old name in `text` at all; most texts have none."""
        return any(map(text.__contains__, self.begins)) if len(self.begins) <= FEW else not self.lengths.keys().isdisjoint(WORD.findall(text))

    def __bool__(self) -> bool:
        return bool(self.names)

    def before(self, text: str, found: re.Match[str], phrase: Phrase) -> str:
        """What stands in front of a name, with the article that goes with the new one."""
        return article_before(text, found[0], phrase.new) if self.english and phrase.new else text

    def instead(self, found: re.Match[str], phrase: Phrase) -> str:
        if not phrase.new:
            return found[0]
        return plural(phrase.new) if found["plural"] else phrase.new


def new_titles(renamed: Iterable[Mapping[str, str]], titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Ids with the names that they would have: of `titles` those that are renamed or have a renamed name in their own, for each of the sets of old
    and new names, and for all of them at once.
    """
    by_word: dict[str, dict[str, None]] = {}
    sets = list(filter(None, renamed))
    for names in [*sets, *([undisputed(sets)] if len(sets) > 1 else [])]:
        if not by_word:
            for id, title in titles.items():
                for word in WORD.findall(title):
                    by_word.setdefault(word, {})[id] = None
        renaming = Renaming(names)
        for id in {id: None for word in renaming.lengths for id in by_word.get(word, ())}:
            if (new := renaming(titles[id])) != titles[id]:
                yield id, new


def undisputed(sets: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """All the new names, but for those of things that have several."""
    found: dict[str, set[str]] = {}
    for names in sets:
        for old, new in names.items():
            found.setdefault(old, set()).add(new)
    return {old: next(iter(new)) for old, new in found.items() if len(new) == 1}


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


def capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def kind_words(old: str, old_plural: str, new: str, new_plural: str) -> dict[str, str]:
    """How rules and prose speak of a kind: small within a sentence, with a capital at its beginning and in names, one or many."""
    small = {old: new, old_plural: new_plural}
    return {**small, **{capital(one): capital(other) for one, other in small.items()}}


def plural(name: str) -> str:
    if name.endswith(HISSING):
        return name + "es"
    return name[:-1] + "ies" if name.endswith("y") and name[-2:-1] not in VOWELS else name + "s"


def spaced(name: str) -> str:
    """A name as it may go over the end of a line, whatever its apostrophes are."""
    return r"\s+".join(re.escape(word).replace("'", "['’]") for word in normal(name).split(" "))
