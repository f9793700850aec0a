"""The schema of compiled packs in the hands of others' programs: each takes what te-forge writes, makes types of the schema that fit it, and refuses
a broken file.

They are programs of Python and Node.js (tests/package.json); `.ci/run` has them all, and elsewhere a missing one is a reason to skip.
"""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tools import HERE, absent, node_packages

import te_forge

PUBLISHED = HERE.parent / "site/docs/tepack-1.schema.json"
SMALL = "tension-tests"
STRICT = ("--spec=draft2020", "--strict=true", "--strict-types=false", "--strict-required=false", "-c", "ajv-formats")
Edit = Callable[[dict[str, Any]], object]


@cache
def whole() -> dict[str, Any]:
    """A compiled pack with something of nearly everything."""
    found: dict[str, Any] = json.loads(te_forge.load(SMALL).compile())
    return found


def procedure(file: dict[str, Any]) -> dict[str, Any]:
    return next(one for one in file["entities"] if one["kind"] == "procedure" and one.get("steps"))


BROKEN: dict[str, Edit] = {
    "a property that is missing": lambda file: procedure(file).pop("name"),
    "a property that nobody knows": lambda file: procedure(file).update(nmae="x"),
    "a kind that there is not": lambda file: procedure(file).update(kind="spell"),
    "a sentence that there is not": lambda file: procedure(file)["steps"][0]["lines"][0]["meaning"].append({"dance": 1}),
    "a place that is none": lambda file: procedure(file).update(at=[1, 2]),
    "another format": lambda file: file.update(format="other"),
}


def written(folder: Path, edit: Edit | None = None) -> Path:
    document = copy.deepcopy(whole())
    if edit is not None:  # of one entity, since validators take their time to say what is wrong with something
        document |= {"entities": [procedure(document)], "chapters": []}
        edit(document)
    path = folder / "it.tepack.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)


def python_tool(module: str, package: str) -> list[str]:
    if find_spec(module) is None:
        absent(package, "the tests of compiled packs want `pip install -e '.[dev]'`")
    return [sys.executable, "-m", module]


def node_tool(name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    node_packages(monkeypatch)
    path = Path(os.environ["TE_FORGE_NODE"]) / "node_modules/.bin" / name
    if not path.exists():
        absent(name, "`npm install --prefix tests`")
    return str(path)


# ---------------------------------------------------------------- validators


def test_check_jsonschema_takes_the_schema_and_the_pack(tmp_path: Path) -> None:
    tool = python_tool("check_jsonschema", "check-jsonschema")
    assert run(*tool, "--check-metaschema", str(PUBLISHED), folder=tmp_path).returncode == 0
    done = run(*tool, "--schemafile", str(PUBLISHED), str(written(tmp_path)), folder=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", BROKEN)
def test_check_jsonschema_refuses(name: str, tmp_path: Path) -> None:
    tool = python_tool("check_jsonschema", "check-jsonschema")
    done = run(*tool, "--schemafile", str(PUBLISHED), str(written(tmp_path, BROKEN[name])), folder=tmp_path)
    assert done.returncode == 1
    assert "it.tepack.json" in done.stdout


def test_ajv_takes_all_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = node_tool("ajv", monkeypatch)
    for pack in te_forge.discover():
        if pack.source == "shipped":
            te_forge.load(pack.id).compile(tmp_path / f"{pack.id}.tepack.json")
    done = run(tool, "validate", *STRICT, "-s", str(PUBLISHED), "-d", "*.tepack.json", folder=ajv_home(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(" valid") == len(list(tmp_path.glob("*.tepack.json")))


@pytest.mark.parametrize("name", BROKEN)
def test_ajv_refuses(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = node_tool("ajv", monkeypatch)
    done = run(tool, "validate", *STRICT, "-s", str(PUBLISHED), "-d", str(written(tmp_path, BROKEN[name])), folder=ajv_home(tmp_path))
    assert done.returncode == 1
    assert "it.tepack.json invalid" in done.stderr


def ajv_home(folder: Path) -> Path:
    """ajv looks for its plug-ins where it runs."""
    (folder / "node_modules").symlink_to(Path(os.environ["TE_FORGE_NODE"]).resolve() / "node_modules")
    return folder


# ---------------------------------------------------------------- types of the schema

PROGRAM = """
import { CompiledPack, Entity } from "./tepack";
import document from "./it.tepack.json";

const pack: CompiledPack = document as unknown as CompiledPack;
function title(one: Entity): string {
  switch (one.kind) {
    case "procedure": return `${one.name}: ${one.steps?.length ?? 0} steps`;
    case "table": return `${one.name}: ${one.table.die}`;
    case "number": return `${one.declared_kind ?? "number"} ${one.name}`;
    default: return one.name;
  }
}
export const titles: string[] = pack.entities.map(title);
export const first: string | undefined = pack.pack.requires?.[0]?.resolved;
"""
WRONG = {
    "one.name}: ${one.table.die}": "one.name}: ${one.table.dice}",
    'case "procedure": return': 'case "spell": return',
    "pack.entities.map(title)": "pack.entities.map((one) => one.at)",
    "?.[0]?.resolved": "?.[0]?.sha512",
}


def typed(folder: Path, program: str, monkeypatch: pytest.MonkeyPatch) -> subprocess.CompletedProcess[str]:
    shutil.copy(PUBLISHED.with_name("tepack-1.d.ts"), folder / "tepack.d.ts")
    written(folder)
    (folder / "program.ts").write_text(program, encoding="utf-8")
    tsc = node_tool("tsc", monkeypatch)
    return run(
        tsc,
        "--strict",
        "--noEmit",
        "--resolveJsonModule",
        "--esModuleInterop",
        "--moduleResolution",
        "node",
        "--module",
        "commonjs",
        "--target",
        "es2020",
        "program.ts",
        folder=folder,
    )


def test_types_for_typescript_know_what_a_kind_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = typed(tmp_path, PROGRAM, monkeypatch)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("right", WRONG)
def test_types_for_typescript_refuse(right: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert right in PROGRAM
    done = typed(tmp_path, PROGRAM.replace(right, WRONG[right]), monkeypatch)
    assert done.returncode != 0
    assert "program.ts" in done.stdout


def test_the_published_types_are_those_of_the_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = run(node_tool("json2ts", monkeypatch), "-i", str(PUBLISHED), "-o", "tepack-1.d.ts", "--unreachableDefinitions", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    here = PUBLISHED.with_name("tepack-1.d.ts")
    assert here.read_text(encoding="utf-8") == (tmp_path / "tepack-1.d.ts").read_text(encoding="utf-8"), (
        "write it anew: tests/node_modules/.bin/json2ts --unreachableDefinitions -i site/docs/tepack-1.schema.json -o site/docs/tepack-1.d.ts"
    )


LOADS = """
import sys
from pathlib import Path
from tepack import CompiledPack
pack = CompiledPack.model_validate_json(Path(sys.argv[1]).read_text(encoding="utf-8"))
print(pack.pack.id, len(pack.entities))
"""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the classes that datamodel-code-generator makes of the schema."""
    folder = tmp_path_factory.mktemp("models")
    tool = python_tool("datamodel_code_generator", "datamodel-code-generator")
    words = (
        "--input",
        str(PUBLISHED),
        "--input-file-type",
        "jsonschema",
        "--output",
        "tepack.py",
        "--output-model-type",
        "pydantic_v2.BaseModel",
        "--extra-fields",
        "forbid",
        "--class-name",
        "CompiledPack",
    )
    done = run(*tool, *words, "--disable-timestamp", folder=folder)
    assert done.returncode == 0, done.stderr
    (folder / "loads.py").write_text(LOADS, encoding="utf-8")
    return folder


def test_classes_for_python_load_the_pack(models: Path, tmp_path: Path) -> None:
    done = run(sys.executable, "loads.py", str(written(tmp_path)), folder=models)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout == f"{SMALL} {len(whole()['entities'])}\n"


@pytest.mark.parametrize("name", BROKEN)
def test_classes_for_python_refuse(name: str, models: Path, tmp_path: Path) -> None:
    done = run(sys.executable, "loads.py", str(written(tmp_path, BROKEN[name])), folder=models)
    assert done.returncode != 0
    assert "validation error" in done.stderr
