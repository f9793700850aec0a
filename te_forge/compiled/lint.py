"""What is wrong with a compiled pack, said with its place: what its schema would refuse, and what no schema can see.

`te_forge.compiled.file` reads quickly and says yes or no; this is for the no, and takes its time.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import MISSING
from typing import Any

from te_forge.compiled import forms
from te_forge.compiled.document import KINDS, document, entity
from te_forge.compiled.file import readable, seal, stated_seal
from te_forge.compiled.load import heads, made_of
from te_forge.compiled.picture import picture
from te_forge.compiled.read import MOST_DEEP, MOST_SET_IN, WRONG
from te_forge.compiled.shape import BELOW, FORMAT, OF_WHAT, VERSION, parts_of, sole, tag
from te_forge.compiled.translations import translations
from te_forge.compiled.unseen import found as unseen
from te_forge.compiled.unseen import perhaps
from te_forge.compiled.where import Path, Where, pointer
from te_forge.compiled.whole import astray, dangling, gaps
from te_forge.diagnostics import Findings, Severity
from te_forge.model.system import Line
from te_forge.source import UNSEEN, Source, Span
from te_forge.suggest import a, did_you_mean

ANEW = "compile the pack anew"
KEEP = "if the change is meant, `te-forge lint --seal` writes the hash anew"
MOST = 100
"""So many mistakes are told; nobody reads on, and they mostly follow from the first."""
MOST_STEPS = 20
"""So many steps of a path are told in words."""
WORDS: dict[type, str] = {str: "text", int: "a whole number", bool: "true or false"}


sys.setrecursionlimit(max(sys.getrecursionlimit(), 5_000))  # a formula may be `MOST_DEEP` deep, at eight calls each


class Enough(Exception):
    """More need not be said."""


def examined(source: Source, raw: bytes, findings: Findings) -> None:
    """Add all that is wrong with the text of a compiled pack."""
    try:
        whole = json.loads(source.text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(source.text.rstrip()) or error.msg.startswith("Unterminated string")
        place = Span(source.path, error.lineno, error.colno, error.colno + 1)
        findings.add(
            "not-json",
            "this file ends in the middle: it is cut off" if cut else f"here the file is no JSON: {error.msg[:1].lower()}{error.msg[1:]}",
            place,
            help="get the file again" if cut else ANEW,
        )
    except (ValueError, RecursionError) as error:
        said = (
            str(error)
            if isinstance(error, Twice)
            else "it is nested too deeply"
            if isinstance(error, RecursionError)
            else "a number in it has too many digits"
        )
        findings.add("not-json", f"this file cannot be read: {said}", source.span(1), help=ANEW)
    else:
        judged(whole, source, raw, findings)


class Twice(ValueError):
    """One name twice in an object."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        name = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise Twice(f"the property `{name[:80]}` stands in one object twice")
    return made


def judged(whole: Any, source: Source, raw: bytes, findings: Findings) -> None:
    """Add what is wrong with the JSON of a compiled pack."""
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        findings.add(
            "not-compiled",
            f'this is no compiled pack: nothing in it says `"format": "{FORMAT}"`',
            source.span(1),
            help="`te-forge compile PACK` makes one",
        )
        return
    version = whole.get("format_version")
    where = Where(source)
    if not readable(version) and isinstance(version, str) and re.fullmatch(r"\d{1,6}(\.\d{1,6})?", version):
        place = where.span(("format_version",))
        findings.add(
            "newer-format",
            f"this file is of format {version}, and this te_forge reads {VERSION.partition('.')[0]}.x",
            place,
            help="get a newer te_forge, or have the pack compiled with this one",
        )
        return
    inspector = Inspector(whole, where, findings)
    try:
        for path, letter in unseen(whole) if perhaps(raw) else ():
            inspector.complain(
                "strange-sign", f"{inspector.called(path)}: a letter that nobody sees stands here (U+{ord(letter):04X})", path, "take it out"
            )
        if inspector.said:
            raise Enough
        inspector.run()
    except Enough:
        pass
    except RecursionError:
        findings.add("not-json", "this file cannot be read: it is nested too deeply", source.span(1), help=ANEW)
    if seal(raw) != stated_seal(raw):
        findings.add(
            "wrong-hash", "this file is not as it was written: its hash does not fit", where.span(("content_sha256",)), help=f"{ANEW}; {KEEP}"
        )
    if not inspector.said:
        translations(whole, where, findings)


class Inspector:
    """Holds one document against the forms."""

    def __init__(self, whole: dict[str, Any], where: Where, findings: Findings) -> None:
        self.whole, self.where, self.findings = whole, where, findings
        self.said = 0
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

    def complain(self, code: str, message: str, path: Path, help: str = ANEW, severity: Severity = "error") -> None:
        self.said += 1
        if self.said > MOST:
            raise Enough
        place = f" ({pointer(path)})" if 0 < len(path) <= MOST_STEPS * 2 else ""
        self.findings.add(code, f"{message}{place}", self.where.span(path), help=help, severity=severity)

    def bad(self, message: str, path: Path, help: str = ANEW) -> None:
        self.complain("bad-compiled-pack", f"{self.called(path)}: {message}", path, help)

    def called(self, path: Path) -> str:
        """A place in words: `my-game:skill/climbing: lines[2].label`."""
        name, rest = "", path
        if len(path) > 1 and path[0] in ("entities", "chapters"):
            found = self.whole[path[0]][path[1]]
            uid = found.get("uid") if isinstance(found, dict) else None
            if isinstance(uid, str):
                name, rest = f"{uid[:120]}, " if path[2:] else uid[:120], path[2:]
        told = "".join(f"[{step}]" if isinstance(step, int) else f".{step[:80]}" for step in rest[:MOST_STEPS]).removeprefix(".") + (
            ".." if len(rest) > MOST_STEPS else ""
        )
        return UNSEEN.sub("?", f"{name}{told}") or "the file"

    def run(self) -> None:
        self.record(document(), self.whole, ())
        if not self.said:
            self.together()

    # ------------------------------------------------------------ by form

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

    # ------------------------------------------------------------ what no schema sees

    def together(self) -> None:
        """What is seen only when each part by itself is right."""
        self.twins()
        self.undeclared()
        self.heads()
        self.pictures()
        if self.said:
            return
        try:
            system, named, chapters = made_of(self.whole)
        except WRONG:
            self.bad("it does not hang together", ())
            return
        places = dict(self.ids())
        for id in dangling(places.keys() | set().union(*named.values()), system.entries, chapters):
            path = places.get(id, self.where_named(id))
            self.complain(
                "dangling-id",
                f"{self.called(path[:2])}: there is no `{id[:120]}` in this file{did_you_mean(id[:120], system.entries)}",
                path,
                "put it into `entities`, or name another",
            )
        if self.said:
            return
        for id in astray(system.entries):
            self.complain(
                "bad-compiled-pack", f"`{id[:120]}`: its owner and what has it as a part must be the same, and stand before it", self.where_named(id)
            )
        for one in gaps(system.entries.values()):
            entry = next(number for number, each in enumerate(self.whole["entities"]) if one.span in spans(system.entries[each["uid"]].table))
            self.complain(one.code, f"{self.called(('entities', entry))}: {one.message}", ("entities", entry, "table"), one.help)

    def twins(self) -> None:
        seen: dict[str, int] = {}
        for shelf, key in (("entities", "uid"), ("chapters", "uid"), ("kinds", "name")):
            for number, one in enumerate(self.whole[shelf]):
                mark = one[key] if key == "uid" else f"kind {one[key]}"
                if mark in seen:
                    self.complain("duplicate-id", f"`{one[key][:120]}` stands in `{shelf}` twice", (shelf, number), "take one of the two out")
                seen[mark] = number

    def undeclared(self) -> None:
        kinds = {one["name"] for one in self.whole["kinds"]}
        for number, one in enumerate(self.whole["entities"]):
            if (declared := one.get("declared_kind")) is not None and declared not in kinds:
                path = ("entities", number, "declared_kind")
                self.complain(
                    "dangling-id",
                    f"{self.called(path)}: there is no `{declared[:120]}` in `kinds`{did_you_mean(declared[:120], kinds)}",
                    path,
                    "put it into `kinds`",
                )

    def heads(self) -> None:
        """The heads of the packs, as strictly as a pack.yaml."""
        for path, one in [(("pack",), self.whole["pack"]), *((("required", number), one) for number, one in enumerate(self.whole["required"]))]:
            if one["default_locale"] not in self.whole["i18n"]:
                self.complain(
                    "missing-text",
                    f"{self.called(path)}: `i18n` has nothing in `{one['default_locale'][:80]}`",
                    (*path, "default_locale"),
                    "put the texts there",
                )
                continue
            for wrong in heads(one, self.whole):
                self.bad(f"`{wrong.path[0] if wrong.path else ''}`: {wrong.message}", path)

    def pictures(self) -> None:
        for path, one in self.whole.get("assets", {}).items():
            try:
                picture(path, one)
            except ValueError:
                self.bad(
                    "this picture is damaged, is of another kind than its name says, or could run code", ("assets", path), "put a plain picture there"
                )

    def ids(self) -> Iterator[tuple[str, Path]]:
        """What only stands in the file, and in nothing that is played: where things come from, and what was renamed."""
        for number, one in enumerate(self.whole["entities"]):
            for each, change in enumerate(one["provenance"].get("modified_by", ())):
                yield change["by"], ("entities", number, "provenance", "modified_by", each)
        for number, one in enumerate(self.whole.get("aliases", ())):
            yield one["now"], ("aliases", number)
        for number, one in enumerate(self.whole.get("removed", ())):
            for key in ("uid", "by", "replaced_by"):
                if key in one and not (key == "uid" and self.whole.get("as_played")):
                    yield one[key], ("removed", number)

    def where_named(self, id: str) -> Path:
        """The first place that names an id."""
        word = json.dumps(id, ensure_ascii=False)
        mention = f"te:{id})"
        for shelf in ("entities", "chapters", "kinds", "scopes"):
            for number, one in enumerate(self.whole[shelf]):
                if word in json.dumps(one, ensure_ascii=False):
                    return (shelf, number)
        for locale, texts in self.whole["i18n"].items():
            for key, text in texts.items():
                if mention in text or mention.replace("te:", "te-number:") in text:
                    return ("i18n", locale, key)
        return ()


def spans(table: Any) -> set[Span]:
    return {table.span, *(row.span for row in table.rows)} if table is not None else set()
