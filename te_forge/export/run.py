"""Carrying an export out: into a folder that is ours, or not at all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from te_forge.collector import collector_paused
from te_forge.compose.chosen import switched_on
from te_forge.compose.order import SWITCHES, named, switch_of
from te_forge.export.exporter import Exporter, Fate, FolderSink, NotExported, Report, Sink, Verdict, entities, report
from te_forge.export.plugins import RAISED, in_a_line
from te_forge.files import Picture
from te_forge.model.system import Entry, System
from te_forge.nearby import no_folder
from te_forge.render.matter import license_text
from te_forge.render.output import manifest, put_in_place, refuse_foreign
from te_forge.render.page import OutputRefused
from te_forge.render.workshop import OLD, clear_abandoned, workshop
from te_forge.suggest import among

REPORT = "loss-report.json"
LICENSE = "LICENSE.txt"


@dataclass(frozen=True)
class Exported:
    files: tuple[str, ...]
    report: Report


def marker(exporter: Exporter) -> str:
    """The file by which an exporter knows its own folders."""
    return f".te-forge-{exporter.id}"


IDLE = "it is not on, so what it would change is not exported; `--hack` and `--ruling` try one"
TAKEN = "a hack that is on takes it away, or what it speaks of"
NOT_ON = "it belongs to a hack or reading that is not on; `--hack` and `--ruling` try one"


def export(
    exporter: Exporter,
    system: System,
    out: Path,
    options: Mapping[str, str],
    written: System | None = None,
    pictures: Mapping[str, Picture] = MappingProxyType({}),
) -> Exported:
    """Write `system`, a game as it is played, into `out`, which is replaced whole. What stands in `written`, the packs as they are, and is not on, is
    in the report.

    `pictures` are those that its prose may show, by their path. Raises `NotExported` when the folder is not ours, an option makes no sense or the
    exporter fails; `out` is untouched then.
    """
    out = out.absolute()
    chosen = with_defaults(exporter, options)
    try:
        refuse_foreign(out, marker(exporter), exporter.kept)
        clear_abandoned(out)
        out.parent.mkdir(parents=True, exist_ok=True)
        with workshop(out) as work:
            made = work / "new"
            made.mkdir()
            told = emitted(exporter, system, FolderSink(made, pictures), chosen, written or system)
            (made / marker(exporter)).write_text(manifest(made, marker(exporter)), encoding="utf-8", errors="surrogateescape")
            files = tuple(sorted(path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file() and path.name != marker(exporter)))
            keep(exporter, out, made)
            put_in_place(made, out, work / OLD, marker(exporter), exporter.kept)
    except OutputRefused as refused:
        raise NotExported(str(refused)) from None
    return Exported(files, told)


@collector_paused()
def emitted(exporter: Exporter, system: System, sink: Sink, options: Mapping[str, str], written: System) -> Report:
    """What an exporter has written, with the license and the loss report that stand in every export."""
    try:
        told = report(exporter.emit(system, sink, options), system)
        told = with_the_rest(told, written)
    except NotExported:
        raise
    except RAISED as error:
        raise NotExported(f"the exporter `{exporter.id}` failed: {in_a_line(error)}") from error
    sink.text(REPORT, as_json(told, exporter))
    sink.text(LICENSE, license_text(system) + "\n")
    return told


def with_the_rest(told: Report, written: System) -> Report:
    """The report with what stands in the packs and not in the game: of a hack that is not on there is only the heading."""
    on = switched_on(written)
    idle = {entry.id for entry in written.entries.values() if entry.kind in SWITCHES and entry.id not in on}
    fates = [replace(one, level="degraded", reason=IDLE) if one.id in idle and one.level == "full" else one for one in told.fates]
    there = {one.id for one in fates}
    fates += [Fate(id, "dropped", NOT_ON if waits(written.entries.get(id), written, on) else TAKEN) for id in entities(written) if id not in there]
    return Report(tuple(sorted(fates, key=lambda one: one.id)))


def as_json(told: Report, exporter: Exporter) -> str:
    lost = [{"id": one.id, "level": one.level, **({"reason": one.reason} if one.reason else {})} for one in told.fates]
    return (
        json.dumps({"exporter": exporter.id, "targets": exporter.targets, "counts": told.counts, "entities": lost}, ensure_ascii=False, indent=1)
        + "\n"
    )


def with_defaults(exporter: Exporter, options: Mapping[str, str]) -> dict[str, str]:
    known = {one.name: one.default for one in exporter.options}
    for name in options:
        if name not in known:
            raise NotExported(f"the exporter `{exporter.id}` has no option `{name}`{among(name, list(known))}")
    return {**known, **options}


def keep(exporter: Exporter, out: Path, made: Path) -> None:
    """Take along what the target itself has written into the folder."""
    for name in exporter.kept:
        here = out / name
        if here.is_dir() and not here.is_symlink():
            shutil.copytree(here, made / name, symlinks=True)
        elif here.is_file() and not here.is_symlink():
            shutil.copy2(here, made / name)


def verify(exporter: Exporter, folder: Path) -> list[Verdict]:
    """What the checks of an exporter say about a folder. One that raises has failed."""
    if not folder.is_dir():
        raise NotExported(f"there is no folder {folder}")
    found: list[Verdict] = []
    try:
        for one in exporter.verify(folder):
            if not isinstance(one, Verdict):
                raise TypeError(f"verify gave {type(one).__name__}, which is no Verdict")
            found.append(one)
    except RAISED as error:
        found.append(Verdict("export", "failed", f"the exporter `{exporter.id}`", (in_a_line(error),)))
    return found


def whose(folder: Path, exporters: Iterable[Exporter]) -> Exporter:
    """The exporter that has made a folder, by its marker. Raises `NotExported`, and says what is there instead."""
    if not folder.is_dir():
        raise NotExported(f"{folder} is a file; give the folder of an export" if folder.exists() else no_folder(folder))
    known = {marker(one): one for one in exporters}
    found = next((one for name, one in known.items() if (folder / name).is_file()), None)
    if found is not None:
        return found
    below = sorted(str(folder / one.id) for name, one in known.items() if (folder / one.id / name).is_file())
    if below:
        raise NotExported(
            f"{folder} holds several exports, each in its own folder; verify {' and '.join(below)}"
            if len(below) > 1
            else f"the export is in {below[0]}; verify that"
        )
    names = ", ".join(sorted(one.id for one in known.values()))
    raise NotExported(f"{folder} is no export that is known here; say what it is (`--as NAME`), one of {names}")


def waits(entry: Entry | None, written: System, on: Collection[str]) -> bool:
    """Whether something is there with a hack or reading only that is not on."""
    if entry is None:
        return True
    switch = switch_of(entry, written)
    return (switch != "" and switch not in on) or (entry.kind == "example" and not set(on).issuperset(named(entry, "with")))
