"""What the schema of a compiled pack would refuse, said with its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import MISSING
from typing import Any

from te_forge.compiled import forms
from te_forge.compiled.complaints import Complaints, Enough
from te_forge.compiled.document import KINDS, document, entity
from te_forge.compiled.read import MOST_DEEP, MOST_SET_IN
from te_forge.compiled.shape import BELOW, OF_WHAT, VERSION, parts_of, sole, tag
from te_forge.compiled.where import Path
from te_forge.model.system import Line
from te_forge.suggest import a, did_you_mean

WORDS: dict[type, str] = {str: "text", int: "a whole number", bool: "true or false"}


class Inspector:
    """Holds one document against the forms."""

    def __init__(self, whole: dict[str, Any], complaints: Complaints) -> None:
        self.whole = whole
        self.complain, self.bad, self.called = complaints.complain, complaints.bad, complaints.called
        self.newer = whole.get("format_version") != VERSION
        """Of a later version of the format: what is not known is left aside."""
        locales = whole.get("i18n")
        self.texts = {key for shelf in (locales.values() if isinstance(locales, dict) else ()) if isinstance(shelf, dict) for key in shelf}
        entities = whole.get("entities")
        self.kinds = {
            uid: kind
            for one in (entities if isinstance(entities, list) else ())
            if isinstance(one, dict) and isinstance(uid := one.get("uid"), str) and isinstance(kind := one.get("kind"), str)
        }
        self.levels = Counter[str]()
        self.below: list[Any] = []

    def run(self) -> None:
        self.record(document(), self.whole, ())

    def value(self, form: Any, value: Any, path: Path) -> None:
        match form:
            case forms.Plain(type_, sort):
                if self.typed(type_, value, path):
                    self.of_sort(sort, value, path)
            case forms.OneWord(words):
                if value not in words:
                    self.bad(f"this must be {' or '.join(f'`{word}`' for word in words)}", path)
            case forms.Matching(pattern, says):
                if not isinstance(value, str) or not re.search(pattern, value):
                    self.bad(f"this must be {says}", path)
            case forms.Label() | forms.Phrase():
                if self.typed(str, value, path) and value not in self.texts:
                    self.complain("missing-text", f"{self.called(path)}: there is no text `{value[:120]}` in `i18n`", path, "put the text there")
            case forms.Key(shelf):
                there = self.whole.get(shelf)
                if self.typed(str, value, path) and isinstance(there, dict) and value not in there:
                    self.complain(
                        "dangling-id",
                        f"{self.called(path)}: there is no `{value[:120]}` in `{shelf}`{did_you_mean(value[:120], there)}",
                        path,
                        f"put it into `{shelf}`, or write one that is there",
                    )
            case forms.Place():
                self.place(value, path)
            case forms.Scope():
                self.number_in("scopes", value, path)
            case forms.Open():
                self.typed(dict, value, path)
            case forms.Shelf(of, keys):
                self.shelf(of, keys, value, path)
            case forms.Rows(of, _):
                self.rows(of, value, path)
            case forms.Maybe(of):
                if value is not None:
                    self.value(of, value, path)
            case forms.Node(kind):
                self.node(kind, value, path)
            case forms.Keyed(kind, key):
                self.rows(forms.Node(kind), value, path)
                self.no_twins([one.get(key) for one in value if isinstance(one, dict)] if isinstance(value, list) else [], path)
            case forms.Pairs(of, one_each, sort):
                pair = forms.Record(
                    "", "", (forms.Property("name", forms.Plain(str, sort)), forms.Property("value", of, not isinstance(of, forms.Maybe)))
                )
                self.rows(pair, value, path)
                if one_each and isinstance(value, list):
                    self.no_twins([one.get("name") for one in value if isinstance(one, dict)], path)
            case forms.Choice():
                self.choice(form, value, path)
            case forms.Kinds():
                self.entity(value, path)
            case forms.Record():
                self.record(form, value, path)
            case _:
                raise TypeError(form)

    def typed(self, type_: type, value: Any, path: Path) -> bool:
        if type(value) is type_:
            return True
        self.bad(f"this must be {WORDS.get(type_, 'an object' if type_ is dict else 'a list')}", path)
        return False

    def of_sort(self, sort: str, value: Any, path: Path) -> None:
        """An id of something must be of the right sort; whether there is such a thing at all is seen in the end."""
        kind = self.kinds.get(value.partition("#")[0]) if sort in OF_WHAT else None
        if kind is not None and kind not in OF_WHAT[sort]:
            self.bad(f"`{value[:120]}` is {a(kind)}, and this must name {' or '.join(map(a, OF_WHAT[sort]))}", path, "name another")

    def place(self, value: Any, path: Path) -> None:
        if not isinstance(value, list) or len(value) != 4 or any(type(one) is not int or one < 0 for one in value):
            self.bad("this must be a place: the numbers of file, line, column and end", path)
        else:
            self.number_in("files", value[0], path)

    def number_in(self, shelf: str, value: Any, path: Path) -> None:
        there = self.whole.get(shelf)
        if self.typed(int, value, path) and isinstance(there, list) and not 0 <= value < len(there):
            self.bad(f"there is no number {value} in `{shelf}`, which holds {len(there)}", path)

    def shelf(self, of: Any, keys: str, value: Any, path: Path) -> None:
        for key, one in value.items() if self.typed(dict, value, path) else ():
            if keys and not re.search(keys, key):
                self.bad("this is no name for something here", (*path, key))
            self.value(of, one, (*path, key))

    def rows(self, of: Any, value: Any, path: Path) -> None:
        for number, one in enumerate(value if self.typed(list, value, path) else ()):
            self.value(of, one, (*path, number))

    def no_twins(self, names: list[Any], path: Path) -> None:
        twins = [name for name, count in Counter(map(str, names)).items() if count > 1]
        if twins:
            self.bad(f"`{twins[0][:80]}` stands here twice", path)

    def record(self, record: forms.Record, value: Any, path: Path) -> None:
        self.object({one.key: (one.form, one.needed) for one in record.properties}, value, path)

    def node(self, kind: type, value: Any, path: Path) -> None:
        before = self.below
        if kind is Line:
            self.below = value.get("lines", []) if isinstance(value, dict) else []
        with self.deeper("lines", path) if kind is Line else nullcontext():
            self.object({part.key: (part.form, part.empty is MISSING) for part in parts_of(kind)}, value, path)
        self.below = before

    @contextmanager
    def deeper(self, what: str, path: Path) -> Iterator[None]:
        """One level further down. What is nested too deeply is not looked into."""
        self.levels[what] += 1
        if self.levels[what] > (MOST_SET_IN if what == "lines" else MOST_DEEP):
            self.bad("it is nested too deeply from here on", path)
            raise Enough
        yield
        self.levels[what] -= 1

    def object(self, known: dict[str, tuple[Any, bool]], value: Any, path: Path) -> None:
        if not self.typed(dict, value, path):
            return
        for key in value.keys() - known.keys() if not self.newer else ():
            self.bad(f"there is no property `{key[:80]}` here{did_you_mean(key[:80], known)}", (*path, key), "what is your own goes into `x`")
        for key, (form, needed) in known.items():
            if key in value:
                self.value(form, value[key], (*path, key))
            elif needed:
                self.bad(f"`{key}` is missing", path)

    def choice(self, form: forms.Choice, value: Any, path: Path) -> None:
        if (form.number and type(value) is int) or (isinstance(value, str) and (form.word or value in form.words)):
            return
        kinds = {tag(one): one for one in form.types}
        if not isinstance(value, dict) or len(value) != 1:
            self.bad("this must be an object with one property, which says what it is", path)
            return
        ((which, inner),) = value.items()
        if form.below and which == BELOW:
            line = inner.get("line") if isinstance(inner, dict) else None
            sentence = inner.get("sentence") if isinstance(inner, dict) else None
            lines = self.below if isinstance(self.below, list) else []
            meaning = lines[line].get("meaning", []) if type(line) is int and 0 <= line < len(lines) and isinstance(lines[line], dict) else []
            if type(sentence) is not int or not isinstance(meaning, list) or not 0 <= sentence < len(meaning):
                self.bad("there is no such sentence on the lines below", path)
        elif which not in kinds:
            self.bad(f"`{which[:80]}` is nothing that can stand here{did_you_mean(which[:80], kinds)}", path)
        elif (one := sole(kinds[which])) is not None and not isinstance(inner, dict):
            self.value(one.form, inner, (*path, which))
        else:
            with self.deeper("sentences", path):
                self.node(kinds[which], inner, (*path, which))

    def entity(self, value: Any, path: Path) -> None:
        if not self.typed(dict, value, path):
            return
        kind = value.get("kind")
        if kind in KINDS:
            self.record(entity(kind), value, path)
        elif not self.newer:
            self.bad("`kind` must be one of " + ", ".join(sorted(KINDS)), path)
