"""Files of a running lab: rendered switches, a Nornir inventory (SimpleInventory), and facts for later commands."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from fabricgen.device.device import Device
from fabricgen.lab.host.daemons import expected
from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.model.lab import Lab, LabEnd, LabLink, LabNic
from fabricgen.lab.model.routing_text import LabRenderer
from fabricgen.platforms.frr.platform import FRR

FACTS = "lab.json"
STATE_DIR = "/run/napalm-frr"
"""Folder for the driver's candidate and rollback files: each switch has its own /run."""

Files = Mapping[str, str]
"""Text of a switch's files by name."""


class LabSwitch(NamedTuple):
    """Expected state of a switch in a running lab. `ports`: those with a cable that are enabled."""

    daemons: tuple[str, ...]
    sessions: int
    ports: tuple[str, ...]


def write_files(place: LabPlace, name: str, files: Files) -> None:
    """Write a switch's rendered files, for root only."""
    folder = place.files(name)
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")


def render_files(
    devices: Iterable[Device], templates: Path | None = None, systems: Mapping[str, str] | None = None
) -> dict[str, Files]:
    """Files of every switch. `templates`: the user's, which override ours; `systems`: as in a Lab."""
    renderer = LabRenderer(systems or {}, templates)
    return {device.name: {file.name: file.text for file in renderer.render(device)} for device in devices}


def expected_sessions(device: Device) -> int:
    """Number of sessions that come up in this lab, counted per address family."""
    families = {group.name: len(group.families) for group in device.routing.bgp.groups}
    return sum(families[row.group] for row in device.routing.bgp.neighbors)


def write_facts(place: LabPlace, lab: Lab, intent: Path, rendered: Mapping[str, Files]) -> None:
    """Write the facts for status, ping and exec, and the inventory."""
    switches = {
        device.name: LabSwitch(
            daemons=expected(device, rendered[device.name]["daemons"]),
            sessions=expected_sessions(device),
            ports=tuple(row.name for row in device.interfaces.ethernet if row.enabled),
        )._asdict()
        for device in lab.devices
    }
    servers = {
        server.name: {"tenant": server.tenant, "nics": [nic._asdict() for nic in server.nics]} for server in lab.servers
    }
    head = {"name": lab.name, "subset": lab.subset.text, "intent": str(intent.resolve()), "dir": str(place.folder)}
    facts = {
        **head,
        "switches": switches,
        "servers": servers,
        "links": [[*link.near, *link.far] for link in lab.links],
        "skipped": [row._asdict() for row in lab.skipped],
    }
    (place.folder / FACTS).write_text(json.dumps(facts, indent=1), encoding="utf-8")
    folder = place.folder / "inventory"
    folder.mkdir(exist_ok=True)
    hosts = {device.name: _host(place, device, lab.systems.get(device.name, "")) for device in lab.devices}
    groups: dict[str, object] = {device.role: {} for device in lab.devices}
    for name, content in (("hosts", hosts), ("groups", groups), ("defaults", {"data": {"lab": head}})):
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(content, sort_keys=True), encoding="utf-8")


def _host(place: LabPlace, device: Device, system: str) -> dict[str, object]:
    """A host of the inventory: NAPALM enters its namespaces, as the switch has no management network.

    system  platform whose routing configuration its FRR runs; empty for FRR's own
    """
    space = place.space(device.name)
    arguments = {
        "transport": "local",
        "namespace": space.netns,
        "uts": str(space.uts),
        "mount": str(space.mount),
        "state_dir": STATE_DIR,
    }
    return {
        "hostname": device.name,
        "platform": FRR.name,
        "groups": [device.role],
        "data": {"fabric": device.fabric, "role": device.role, **({"routing_of": system} if system else {})},
        "connection_options": {"napalm": {"extras": {"optional_args": arguments}}},
    }


class RunningLab(NamedTuple):
    """Servers and cables of a running lab. `servers`: name → its NICs."""

    servers: dict[str, tuple[LabNic, ...]]
    links: frozenset[LabLink]


def read_running_lab(folder: Path) -> RunningLab:
    """Servers and cables of a running lab; empty where the folder holds no running lab."""
    try:
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        servers = {name: tuple(LabNic(**nic) for nic in row["nics"]) for name, row in facts["servers"].items()}
        links = frozenset(LabLink(LabEnd(*row[:2]), LabEnd(*row[2:])) for row in facts["links"])
    except (FileNotFoundError, ValueError, KeyError):
        return RunningLab({}, frozenset())
    return RunningLab(servers, links)


def read_facts(folder: Path) -> dict[str, LabSwitch]:
    """Expected state of each switch of a running lab; empty where the folder holds no running lab."""
    try:
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))["switches"]
    except (FileNotFoundError, ValueError, KeyError):
        return {}
    return {
        name: LabSwitch(tuple(body["daemons"]), body["sessions"], tuple(body["ports"])) for name, body in facts.items()
    }
