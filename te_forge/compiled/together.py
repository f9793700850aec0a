"""What no schema sees of a compiled pack, each part of which is right by itself: two of one id, a name of nothing, gaps in tables, heads and pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from te_forge.compiled.complaints import Complaints
from te_forge.compiled.load import heads, made_of
from te_forge.compiled.picture import picture
from te_forge.compiled.read import WRONG
from te_forge.compiled.where import Path
from te_forge.compiled.whole import astray, dangling, gaps
from te_forge.source import Span
from te_forge.suggest import did_you_mean


class Together:
    """Looks at one document as a whole."""

    def __init__(self, whole: dict[str, Any], complaints: Complaints) -> None:
        self.whole, self.complaints = whole, complaints
        self.complain, self.bad, self.called = complaints.complain, complaints.bad, complaints.called

    def run(self) -> None:
        """What is seen only when each part by itself is right."""
        self.twins()
        self.undeclared()
        self.heads()
        self.pictures()
        if self.complaints.said:
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
        if self.complaints.said:
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
