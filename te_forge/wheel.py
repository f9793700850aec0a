"""A pack as a Python package: what stands in its pyproject.toml.

The package holds the files of the pack and no line of Python. Its entry point (`te_forge.packs`) says in which folder they are; nobody ever imports
it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from te_forge import __version__
from te_forge.installed import packages

PREFIX = "te-pack-"


def package_name(id: str) -> str:
    return PREFIX + id


def folder_name(id: str) -> str:
    return package_name(id).replace("-", "_")


def dependencies_of(id: str, range_: str, shipped: Collection[str], beside: Path) -> list[str]:
    """The requirement of the package that brings the pack `id`. One that te_forge ships needs none."""
    if id in shipped:
        return []
    brought = packages().get(id, ())
    name = brought[0].name if brought and not (beside / id / "pack.yaml").is_file() else package_name(id)
    return [f"{name}{range_}"]


def package(id: str, readme: str, dependencies: Iterable[str]) -> dict[str, str]:
    """The files that make a package of the pack, by path."""
    needs = "".join(f'  "{one}",\n' for one in (f"te-forge>={__version__.rpartition('.')[0]}", *dependencies))
    text = PROJECT
    for name, word in {"id": id, "package": package_name(id), "folder": folder_name(id), "needs": needs}.items():
        text = text.replace(f"@{name}@", word)
    return {"pyproject.toml": text, "README.md": readme + README.replace("@package@", package_name(id))}


PROJECT = """\
# Makes a Python package of the pack, to be given to others: `python -m build`. It holds the files of the pack and nothing that runs.
[build-system]
requires = ["hatchling>=1.25"]
build-backend = "hatchling.build"

[project]
name = "@package@"
description = "A pack of tabletop rules for te_forge."
readme = "README.md"
requires-python = ">=3.11"
# The version is that of pack.yaml.
dynamic = ["version"]
# A pack that pack.yaml requires comes with a package of its own, which stands here with the same range.
dependencies = [
@needs@]
classifiers = ["Topic :: Games/Entertainment :: Role-Playing"]

# Where te_forge finds the pack. The first word is its id, the second the folder it is in.
[project.entry-points."te_forge.packs"]
@id@ = "@folder@"

[tool.hatch.version]
path = "pack.yaml"
pattern = '''^version: *["']?(?P<version>[0-9.]+)'''

[tool.hatch.build.targets.wheel]
only-include = ["pack.yaml", "pack.lock", "rules", "book", "assets", "starter"]

[tool.hatch.build.targets.wheel.sources]
"" = "@folder@"

[tool.hatch.build.targets.sdist]
only-include = ["pack.yaml", "pack.lock", "rules", "book", "assets", "starter", "README.md"]
"""

README = """
## For others

    python -m build           make a package of it, in `dist/`
    twine check dist/*        see whether an index of packages would take it

Whoever installs it (`pip install @package@`) can name the pack from anywhere, and require it in a pack of their own.
"""
