"""The two sites of the inventories as plans, and what the live tests share."""

import subprocess
import sys
from functools import cache
from pathlib import Path

from fabricgen.errors import FabricError
from fabricgen.lab.build.preflight import require_host
from fabricgen.lab.build.remove import processes
from fabricgen.lab.host.place import LabPlace
from fabricgen.plan.plan import Plan
from fabricgen.site.workspace import open_workspace
from tests import forked

INVENTORIES = Path(__file__).parents[2] / "inventories"
DEMO = INVENTORIES / "demo" / "intent.yaml"
SMALL = INVENTORIES / "frr" / "intent.yaml"


@cache
def plan(path: Path) -> Plan:
    return open_workspace(path).plan


def available() -> str | None:
    """Why no lab can be built here, or None when it can."""
    try:
        require_host()
    except FabricError as error:
        return str(error)
    return None


def fabricgen(*words: object) -> list[str]:
    return [sys.executable, "-m", "fabricgen", *(str(word) for word in words)]


def lab_verb(*words: object) -> subprocess.CompletedProcess[str]:
    return forked.fabricgen(("lab", *words), 900)


def remains(place: LabPlace) -> dict[str, object]:
    """What there is of a lab on this host, by kind; kinds of which there is nothing are left out."""
    mounts = Path("/proc/self/mounts").read_text()
    found = {
        "namespaces": list(place.netns()),
        "processes": list(processes(place.id, frozenset())),
        "mounts": [line for line in mounts.splitlines() if place.id in line],
        "run": [str(place.run)] if place.run.exists() else [],
        "folder": sorted(path.name for path in place.folder.glob("*")) if place.folder.exists() else [],
        "frr": [str(path) for path in Path("/etc/frr").glob(f"*{place.id}*")],
    }
    return {kind: value for kind, value in found.items() if value}
