"""How a pack is held against the ledger of its source: each row and each ruling against the heading, row or step that carries it.

The `.te` files are read as text on purpose: a test must not trust the parser with the question of whether a rule is there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from te_forge.examples import play_all
from te_forge.packs import load

SYSTEMS = Path(__file__).parent.parent / "systems"
CITE = re.compile(r"\[([A-Z]+-\d+)\]")
CARRIES = re.compile(r"#{1,3} |\d+\. |\| ")
RULING = re.compile(r"## ruling: .*\{#([a-z0-9-]+)\}")
ABOUT = ("## ruling:", "## reading:", "## example:")
"""What speaks about a rule, and is not the rule itself."""


@dataclass(frozen=True)
class Ledger:
    """The rows (by id, with their kind: M mechanical, T text, E example) and the rulings (by slug, with the rows that they are about) of one source."""

    pack: str
    rows: dict[str, str]
    rulings: dict[str, tuple[str, ...]]

    def pages(self) -> list[str]:
        return [path.read_text(encoding="utf-8") for path in sorted((SYSTEMS / self.pack / "rules").glob("*.te"))]

    def cited(self) -> dict[str, list[str]]:
        """Each id with the headings, rows and steps that cite it."""
        found: dict[str, list[str]] = {}
        for line in (line for page in self.pages() for line in page.splitlines()):
            for id in CITE.findall(line) if CARRIES.match(line) else ():
                found.setdefault(id, []).append(line)
        return found

    def parts(self, kind: str) -> list[str]:
        return [part for page in self.pages() for part in re.split(r"(?m)^(?=#{1,2} )", page) if part.startswith(f"## {kind}:")]

    def stated_rulings(self) -> dict[str, str]:
        return {found[1]: part for part in self.parts("ruling") if (found := RULING.match(part))}

    def answered(self) -> set[str]:
        """The rulings that have a reading, by slug."""
        names = {part.splitlines()[0].partition(":")[2].partition("{")[0].strip(): slug for slug, part in self.stated_rulings().items()}
        answers = [re.search(r"(?m)^- Answers: \[*([^\]\n]+)", part) for part in self.parts("reading")]
        return {names[found[1].strip()] for found in answers if found}

    # ------------------------------------------------------------ what must hold

    def hold(self) -> None:
        carried = self.cited()
        assert set(carried) == set(self.rows), "each row is cited, and nothing else"
        for id, kind in self.rows.items():
            if kind == "M":
                assert any(not line.startswith(ABOUT) for line in carried[id]), f"{id} is carried by nothing but rulings and examples"
            if kind in "ME":
                assert any(line.startswith("## example:") for line in carried[id]), f"no example names {id}"
        stated = self.stated_rulings()
        assert set(stated) == set(self.rulings)
        for slug, rows in self.rulings.items():
            heading = stated[slug].splitlines()[0]
            assert tuple(CITE.findall(heading)) == rows, slug
            for field in ("Reads", "Why", "Other"):
                assert f'\n- {field}: "' in stated[slug], f"{slug} has no {field}"
        assert 3 * len(self.answered()) >= len(self.rulings), "a third of the rulings can be turned"
        for part in self.parts("reading"):
            name = part.splitlines()[0].partition(":")[2].partition("[")[0].strip()
            assert re.search(r"(?m)^### (?:changes|deletes) ", part)
            assert any(f"- With: [[{name}]]" in example for example in self.parts("example")), f"no example is played by {name}"

    def plays(self) -> None:
        """The pack has no mistake, and each of its examples comes out."""
        loaded = load(str(SYSTEMS / self.pack))
        assert loaded.diagnostics == [] and loaded.system is not None
        results = list(play_all(loaded.system))
        assert [(one.example.name, one.diagnostics) for one in results if one.diagnostics] == []
        assert len(results) == len(self.parts("example"))
