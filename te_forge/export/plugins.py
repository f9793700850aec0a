"""Which exporters there are. One that cannot be loaded is named, and the others are there all the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from te_forge.export.exporter import SORTS, Exporter, NotExported
from te_forge.suggest import did_you_mean

GROUP = "te_forge.exporters"
OWN = {"csv": "te_forge.export.csv_package:CsvPackage", "foundry": "te_forge.export.foundry:FoundryModule", "obsidian": "te_forge.export.obsidian:ObsidianVault"}
"""Those of te_forge, loaded in the same way. They stand here, so that a checkout has them however it was installed."""
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
        raise NotExported(f"there is no exporter `{id}`{did_you_mean(id, self.exporters)}; there are {', '.join(sorted(self.exporters))}")


@cache
def installed() -> Shelf:
    """The exporters of all packages that are installed."""
    found: dict[str, Exporter] = {}
    broken: dict[str, str] = {}
    own = [EntryPoint(name, value, GROUP) for name, value in OWN.items()]
    for point in (*own, *sorted(entry_points(group=GROUP), key=lambda one: (one.name, one.value))):
        try:
            made = loaded(point)
        except Exception as error:  # whatever somebody's package raises
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
    if not NAME.fullmatch(made.id) or made.id != point.name:
        raise ValueError(f"it calls itself `{made.id}`; it must be the name of its entry point, in small letters, digits and hyphens")
    if set(made.capabilities) != set(SORTS):
        raise ValueError(f"its capabilities must name each of {', '.join(SORTS)}")
    return made


def in_a_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
