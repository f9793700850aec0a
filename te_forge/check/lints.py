from collections.abc import Collection
from te_forge.diagnostics import Diagnostic
from te_forge.model.system import System
def lint(system: System, pack_id: str, assets: Collection[str]) -> list[Diagnostic]:
    return []
