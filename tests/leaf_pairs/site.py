"""A small site whose NICs have one address behind two leaves: four servers, two rails, two units, FRR."""

import copy
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from fabricgen.device.device import Device
from fabricgen.plan.plan import Plan
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace

Document = dict[str, Any]
HERE = Path(__file__).parent
FRR = ("frr-8.4", "arista-7060x6-64pe")
EOS = ("eos-4.34", "arista-7060x6-64pe")


def written(folder: Path, *, system: tuple[str, str] = FRR, **backend: object) -> Path:
    """The intent in a folder, with its hardware beside it.

    system   release and model of all switches; backend: keys of the fabric, or of a part of it
    """
    shutil.copytree(HERE / "hardware", folder / "hardware", dirs_exist_ok=True)
    found = yaml.safe_load((HERE / "intent.yaml").read_text())
    if not system[0].startswith(("frr", "sonic")):
        found["management"]["users"] = {"admin": {"role": "network-admin", "password": "${env:ADMIN_HASH}"}}
    fabric = found["fabrics"]["backend"]
    switch = {"os": system[0], "model": system[1]}
    for key, value in {"leaf": switch, "spine": switch, **backend}.items():
        fabric[key] = fabric[key] | value if isinstance(value, dict) else value
    path = folder / "intent.yaml"
    path.write_text(yaml.safe_dump(found))
    return path


def with_unequal_rails() -> Plan:
    """The plan with a second server group, of one rail."""
    return edited(lambda found: _join(found, "backend"))


def on_two_fabrics() -> Plan:
    """The plan with a second backend of leaf pairs, on which the same servers are."""

    def another(found: Document) -> None:
        first = copy.deepcopy(found["fabrics"]["backend"])
        found["fabrics"]["another"] = first | {
            "prefix": "se",
            "connects": {"train": "single"},
            "asns": "4203000000-4203999999",
            "addressing": {"links": ["unnumbered"], "hosts": "ipv4", "ipv4": "10.96.0.0/16"},
        }

    return edited(another)


def _join(found: Document, fabric: str) -> None:
    found["servers"]["other"] = {"model": "duo", "slots": "0-1"}
    found["fabrics"][fabric]["connects"]["other"] = "single"


def edited(edit: Callable[[Document], None]) -> Plan:
    """The plan of the intent after an edit."""
    with TemporaryDirectory() as folder:
        path = written(Path(folder))
        found = yaml.safe_load(path.read_text())
        edit(found)
        path.write_text(yaml.safe_dump(found))
        return open_workspace(path).plan


def planned(overrides: Mapping[str, object] | None = None, *, system: tuple[str, str] = FRR, **backend: object) -> Plan:
    """The plan, with overrides."""
    with TemporaryDirectory() as folder:
        path = written(Path(folder), system=system, **backend)
        if overrides:
            path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text()) | {"overrides": dict(overrides)}))
        return open_workspace(path).plan


@cache
def fleet() -> Mapping[str, Device]:
    """Switches by name."""
    return {device.name: device for device in devices(planned())}


def text(device: Device, name: str = "frr.conf") -> str:
    """A file of a switch."""
    return next(file.text for file in Renderer().render(device) if Path(file.path).name == name)
