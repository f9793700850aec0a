"""Which exporters there are. One that cannot be loaded is named, and the others are there all the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from te_forge.export.exporter import SORTS, Exporter, NotExported, Option
from te_forge.suggest import among

GROUP = "te_forge.exporters"
OWN = {
    "csv": "te_forge.export.csv_package:CsvPackage",
    "foundry": "te_forge.export.foundry:FoundryModule",
    "obsidian": "te_forge.export.obsidian:ObsidianVault",
}
"""Those of te_forge, loaded in the same way. They stand here, so that a checkout has them however it was installed."""
RAISED = (Exception, SystemExit)
"""What somebody's package may raise. One that wants to end the program has failed like any other."""
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Shelf:
    """Exporters by id, and by name of the entry point why one is not among them."""

    exporters: Mapping[str, Exporter]
    broken: Mapping[str, str] = field(default_factory=dict)

    def named(self, id: str) -> Exporter:
        if id in self.exporters:
            return self.exporters[id]
        if id in self.broken:
            raise NotExported(f"the exporter `{id}` cannot be used: {self.broken[id]}")
        raise NotExported(f"there is no exporter `{id}`{among(id, sorted(self.exporters))}")


@cache
def installed() -> Shelf:
    """The exporters of all packages that are installed."""
    found: dict[str, Exporter] = {}
    broken: dict[str, str] = {}
    own = [EntryPoint(name, value, GROUP) for name, value in OWN.items()]
    for point in (*own, *sorted(entry_points(group=GROUP), key=lambda one: (one.name, one.value))):
        try:
            made = loaded(point)
        except RAISED as error:
            broken.setdefault(point.name, in_a_line(error))
            continue
        if made.id in found:
            broken.setdefault(f"{point.name} of {point.value}", f"another exporter is called `{made.id}` too")
        else:
            found[made.id] = made
    return Shelf(found, broken)


def loaded(point: EntryPoint) -> Exporter:
    """The exporter of an entry point, when it is one."""
    made = point.load()
    made = made() if isinstance(made, type) else made
    if not isinstance(made, Exporter):
        raise TypeError(f"{point.value} is no Exporter")
    if wrong := misstated(made):
        raise TypeError(f"its {wrong}")
    if not NAME.fullmatch(made.id) or made.id != point.name:
        raise ValueError(f"it calls itself `{made.id}`; it must be the name of its entry point, in small letters, digits and hyphens")
    if set(made.capabilities) != set(SORTS):
        raise ValueError(f"its capabilities must name each of {', '.join(SORTS)}")
    return made


def misstated(made: Exporter) -> str:
    """What an exporter says of itself that is not of the type it must be."""
    if not all(isinstance(getattr(made, name, None), str) for name in ("id", "title")):
        return "id and title must be text"
    if not all(isinstance(texts := getattr(made, name, None), tuple) and all(isinstance(one, str) for one in texts) for name in ("targets", "kept")):
        return "targets and kept must be tuples of text"
    if not isinstance(getattr(made, "capabilities", None), Mapping):
        return "capabilities must be a mapping"
    if not isinstance(made.options, tuple) or not all(isinstance(one, Option) for one in made.options):
        return "options must be a tuple of `Option`"
    return ""


def in_a_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
