"""The parts of a compiled pack as things of the model again, quickly.

For each class of the model a function is made, as text, that takes its JSON apart and makes the thing: it names the properties outright. Going
through the forms of `te_forge.compiled.shape` for each of a hundred thousand things takes four times as long. All text of the functions comes from
the classes of the model; nothing of a file gets into it.

The functions check what they read, since a file may come from anybody: what is missing or is not of its type raises one of `WRONG`, and then
`te_forge.compiled.lint` looks again and says what is wrong, and where.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import MISSING
from functools import cache
from typing import Any

from te_forge.compiled import forms
from te_forge.compiled.shape import ANYTHING, BELOW, OF_WHAT, SHARED, Part, parts_of, sole, tag
from te_forge.compiled.text import Reader as TextReader
from te_forge.model.rules import Int
from te_forge.model.system import Chapter, Entry, KindInfo, Line, Reach, Shown, Words
from te_forge.source import Span

WRONG = (KeyError, TypeError, ValueError, AttributeError, IndexError, AssertionError, RecursionError)
"""What a file that is not right may raise while it is read."""
STR = {str}
MOST_DEEP, MOST_SET_IN = 300, 100
"""So deep may sentences and formulas lie in one another, and lines; pages allow a little less. Whatever goes through them does so by calling itself."""
Json = Mapping[str, Any]
Function = Callable[[Any], Any]


class Wrong(ValueError):
    """Something is not of its type."""


class TooDeep(Wrong):
    """Something is nested so deeply that nobody could follow it."""


def wrong() -> Any:
    raise Wrong


def text(value: Any) -> str:
    return value if value.__class__ is str else wrong()


def whole(value: Any) -> int:
    return value if value.__class__ is int else wrong()


def index(value: Any) -> int:
    return value if value.__class__ is int and value >= 0 else wrong()


def listed(values: Any) -> list[Any]:
    return values if values.__class__ is list else wrong()


def strings(values: Any) -> list[str]:
    return values if values.__class__ is list and set(map(type, values)) <= STR else wrong()


def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping from pairs, of which no two have one name."""
    made = dict(pairs)
    return made if len(made) == len(pairs) else wrong()


class Made(dict[Any, Any]):
    """Things of a class with one field, by that field: each is made once."""

    def __init__(self, kind: type, of: type) -> None:
        super().__init__()
        self.kind, self.of = kind, of

    def __missing__(self, key: Any) -> Any:
        if key.__class__ is not self.of:
            raise Wrong
        made = self[key] = self.kind(key)
        return made


class Reading:
    """Reads the parts of one file. `ids` are all that its rules and texts name; the caller sees to it that they are there, and are what they must be."""

    def __init__(self, document: Json, texts: Mapping[str, str]) -> None:
        self.texts, self.numbers = texts, document.get("numbers", {})
        self.files: dict[Any, str] = dict(enumerate(document["files"]))
        self.scopes: dict[Any, Reach] = {}
        self.named: dict[str, set[Any]] = defaultdict(set)
        self.stores: list[Made] = []
        functions = code()(self.phrase, texts, self.place, self.scopes, self.named, self.stores.append)
        self.entry: Callable[[Json], Entry] = functions["Entry"]
        self.chapter: Callable[[Json], Chapter] = functions["Chapter"]
        self.kind: Callable[[Json], KindInfo] = functions["KindInfo"]
        self.writing = TextReader(functions["number"])
        self.scopes.update(enumerate(map(functions["Reach"], document["scopes"])))

    def ids(self) -> dict[str, set[str]]:
        """By the sort of what must have them, all ids that are named."""
        self.named[ANYTHING].update(self.writing.ids, *self.stores)
        return {sort: {id for id in ids if text(id) and ":" in id} for sort, ids in self.named.items()}

    def phrase(self, key: Any) -> Words:
        words = self.texts[key]
        return self.writing.words(words, self.numbers.get(key, ())) if "](te" in words or "#40;te" in words else (words,)

    def place(self, at: Any) -> Span:
        file, line, column, end = at
        if not (line.__class__ is int and column.__class__ is int and end.__class__ is int):
            raise Wrong
        return Span(self.files[file], line, column, end)


# ---------------------------------------------------------------- making the functions

GIVEN = ("phrase", "texts", "place", "scopes", "named", "store")
"""What the functions are handed of one reading."""
READ = (Reach, KindInfo, Entry, Chapter)
NAMING = ("def a_{0}(id, add=named[{0!r}].add): add(id); return id", "def some_{0}(ids, add=named[{0!r}].update): add(strings(ids)); return ids")
"""Each id is noted down among those that must be of its sort."""
BELOW_A_LINE = (
    "here = [()]",
    "deep = set_in = 0",
    "def lay(lines): here[0] = lines; return lines",
    "def lift(meaning): here[0] = (); return meaning",
    "def below(o): return here[0][index(o['line'])].meaning[index(o['sentence'])]",
)
"""What a line says may stand on the lines below it, which are read before it, and lie ready until it has been read."""
AROUND = {"lines": "lay", "meaning": "lift"}


@cache
def code() -> Callable[..., dict[str, Function]]:
    """Makes the functions for one reading."""
    author = Author()
    space = author.space
    exec(author.text(), space)
    return space["functions"]  # type: ignore[no-any-return]


def counted(level: str, most: int, made: str) -> list[str]:
    """The lines of a function that makes something one level deeper."""
    return [f"    {level} += 1", f"    if {level} > {most}: raise TooDeep", f"    made = {made}", f"    {level} -= 1", "    return made"]


class Author:
    """Writes the functions for the classes of the model."""

    def __init__(self) -> None:
        self.space: dict[str, Any] = {
            "wrong": wrong,
            "TooDeep": TooDeep,
            "text": text,
            "whole": whole,
            "index": index,
            "listed": listed,
            "strings": strings,
            "mapping": mapping,
            "Made": Made,
            "flags": {True: True, False: False},
        }
        self.stores: list[str] = []
        self.functions: list[str] = []
        self.tables: list[str] = []
        self.known: set[type] = set()
        self.brief: set[str] = set()
        self.choices: dict[forms.Choice, str] = {}

    def text(self) -> str:
        number = next(part.form for part in parts_of(Shown) if part.name == "expr")
        made = [*(f"{kind.__name__!r}: {self.function(kind)}" for kind in READ), f"'number': lambda o: {self.value(number, 'o')}"]
        ids = [line.format(sort) for sort in (ANYTHING, *OF_WHAT) for line in NAMING]
        lines = [*ids, *BELOW_A_LINE, *self.stores, *self.functions, *self.tables, f"return {{{', '.join(made)}}}"]
        return "\n".join([f"def functions({', '.join(GIVEN)}):", *(f"    {line}" for line in lines)])

    def constant(self, value: Any) -> str:
        """A value, or its name in the functions' space. Nothing that is read is ever changed, so that all may share it."""
        if isinstance(value, str | int | None) or value == ():
            return repr(value)
        name = f"constant_{len(self.space)}"
        self.space[name] = value
        return name

    # ------------------------------------------------------------ a class

    def function(self, kind: type) -> str:
        """The name of the function that reads a class; it is written if it is not yet."""
        name = f"read_{kind.__name__}"
        if kind not in self.known:
            self.known.add(kind)
            self.space[kind.__name__] = kind
            parts = parts_of(kind)
            made = f"{kind.__name__}({', '.join([self.field(part, kind) for part in parts])})"
            if kind is Line:
                self.functions += [f"def {name}(o):", "    nonlocal set_in", *counted("set_in", MOST_SET_IN, made)]
            else:
                self.functions.append(f"def {name}(o): {'return' if any(part.empty is MISSING for part in parts) else 'get = o.get; return'} {made}")
        return name

    def chosen(self, kind: type) -> str:
        """The name of the function that reads a class where it is one of several."""
        one = sole(kind)
        if one is None:
            return self.function(kind)
        name = f"made_{kind.__name__}.__getitem__" if kind in SHARED else f"brief_{kind.__name__}"
        if name not in self.brief:
            self.brief.add(name)
            self.space[kind.__name__] = kind
            if kind in SHARED:
                self.store(kind, one)
            else:
                values = [self.value(part.form, "o") if part is one else self.constant(part.empty) for part in parts_of(kind)]
                whole = f"{self.function(kind)}(o) if o.__class__ is dict else " if len(values) > 1 else ""
                self.functions.append(f"def {name}(o): return {whole}{kind.__name__}({', '.join(values)})")
        return name

    def store(self, kind: type, part: Part) -> None:
        self.stores.append(f"made_{kind.__name__} = Made({kind.__name__}, {part.form.type.__name__})")
        if part.form.names:
            self.stores.append(f"store(made_{kind.__name__})")

    def field(self, part: Part, kind: type) -> str:
        """An expression for a field of the class whose JSON is `o`."""
        if kind is Entry and part.name == "kind":
            return "o.get('declared_kind') or o['kind']"
        if part.empty is MISSING:
            return self.value(part.form, f"o[{part.key!r}]")
        form = part.form.of if isinstance(part.form, forms.Maybe) else part.form
        found = f"{self.constant(part.empty)} if (v := o.get({part.key!r})) is None else {self.value(form, 'v')}"
        return f"{AROUND[part.name]}({found})" if kind is Line and part.name in AROUND else found

    # ------------------------------------------------------------ by form

    def value(self, form: Any, at: str) -> str:
        """An expression for what the JSON `at` is."""
        match form:
            case forms.Plain(type_, sort):
                return f"flags[{at}]" if type_ is bool else f"whole({at})" if type_ is int else f"a_{sort}({at})" if sort else f"text({at})"
            case forms.OneWord(words):
                return f"{self.constant({word: word for word in words})}[{at}]"
            case forms.Phrase():
                return f"phrase({at})"
            case forms.Label():
                return f"texts[{at}]"
            case forms.Place():
                return f"place({at})"
            case forms.Scope():
                return f"scopes[{at}]"
            case forms.Node(kind):
                return f"{self.function(kind)}({at})"
            case forms.Choice():
                return f"{self.choice(form)}({at})"
            case forms.Rows(of, is_set):
                return f"{'frozenset' if is_set else 'tuple'}({self.rows(of, at)})"
            case forms.Pairs(of, one_each, sort):
                name = f"a_{sort}(text(x['name']))" if sort else "text(x['name'])"
                value = (
                    f"(None if (y := x.get('value')) is None else {self.value(of.of, 'y')})"
                    if isinstance(of, forms.Maybe)
                    else self.value(of, "x['value']")
                )
                return f"{'mapping' if one_each else 'tuple'}([({name}, {value}) for x in listed({at})])"
            case forms.Keyed(kind, key):
                own = f"y.{key}.rpartition('#')[2]" if key == "id" else f"y.{key}"
                return f"mapping([({own}, y) for y in map({self.function(kind)}, listed({at}))])"
            case forms.Maybe(of):
                return f"(None if {at} is None else {self.value(of, at)})"
        raise TypeError(form)

    def rows(self, of: Any, at: str) -> str:
        """An expression for the items of a list."""
        match of:
            case forms.Plain(type_, sort) if type_ is str:
                return f"{f'some_{sort}({at})' if sort else f'strings({at})'}"
            case forms.Node(kind):
                return f"map({self.function(kind)}, listed({at}))"
            case forms.Choice():
                return f"map({self.choice(of)}, listed({at}))"
        depth = at.count("x") + 1 if at.startswith("x") else 1
        each = "x" * depth
        return f"[{self.value(of, each)} for {each} in listed({at})]"

    def choice(self, form: forms.Choice) -> str:
        """The name of the function for one of several classes: a look at the one property finds the right one."""
        if form in self.choices:
            return self.choices[form]
        name = self.choices[form] = f"choice_{len(self.choices)}"
        body = [f"def {name}(o):", "    nonlocal deep"]
        if form.number:
            self.chosen(Int)
            body.append("    if o.__class__ is int: return made_Int[o]")
        if form.word:
            body.append(f"    if o.__class__ is str: return {f'a_{ANYTHING}(o)' if form.id else 'o'}")
        if form.words:
            body.append(f"    if o.__class__ is str: return {self.constant({word: word for word in form.words})}[o]")
        self.functions += [*body, "    ((which, inner),) = o.items()", *counted("deep", MOST_DEEP, f"table_{name}[which](inner)")]
        rows = [(tag(one), self.chosen(one)) for one in form.types] + ([(BELOW, "below")] if form.below else [])
        self.tables.append(f"table_{name} = {{{', '.join(f'{name!r}: {function}' for name, function in rows)}}}")
        return name
