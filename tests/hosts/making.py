"""Small sites to take servers from: one backend of two units, with what a test wants of it."""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

import fabricgen
from fabricgen.device.device import Device
from fabricgen.hosts.build import make_hosts
from fabricgen.hosts.model import Host
from fabricgen.hosts.selection import selected
from fabricgen.plan.plan import Plan
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace

Json = dict[str, Any]
HARDWARE = Path(fabricgen.__file__).parent / "hardware/servers"
DEMO = Path(__file__).parents[2] / "inventories/demo/intent.yaml"


@cache
def _demo() -> Json:
    found: Json = yaml.safe_load(DEMO.read_text())
    return found


def demo() -> Json:
    """The demo: EOS, 1:1, a frontend with three tenants."""
    return deepcopy(_demo())


def backend(model: str = "dgx-h200", group: str = "compute", **fabric: object) -> Json:
    """The demo's backend alone, with four servers of a model; `fabric`: keys of it."""
    site = demo()
    site["servers"] = {"train": {"model": model, "slots": "0-3"}}
    del site["fabrics"]["frontend"], site["tenants"]
    site["fabrics"]["backend"] |= {"connects": {"train": group}, **fabric}
    site["fabrics"]["backend"]["topology"] = {"design": "rail-optimized", "rails_per_leaf": 2}
    return site


def planned(site: Json, beside: Mapping[str, str] | None = None) -> Plan:
    """The plan of a site; `beside`: path → text of files beside the intent."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "intent.yaml").write_text(yaml.safe_dump(site))
        for name, text in (beside or {}).items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return open_workspace(home / "intent.yaml").plan


def hosts(plan: Plan, *texts: str) -> dict[str, Host]:
    """Servers by name."""
    return {host.name: host for host in make_hosts(plan, selected(plan, texts))}


def switches(plan: Plan) -> dict[str, Device]:
    """Switches by name, whole."""
    return {device.name: device for device in devices(plan)}
