"""Intents that are near to inventories/lab, labs of them, and what the kernel has in each namespace of a lab."""

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from fabricgen.lab.build.kernel import probe
from fabricgen.lab.build.up import BuiltLab, Job, up
from fabricgen.lab.host.inventory import render_files
from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.model.lab import Lab
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.lab.operate.run import run
from fabricgen.site.workspace import open_workspace
from tests.lab.sites import INVENTORIES

LAB = INVENTORIES / "lab"
SUBSET = "spines=1,links=1,leaves=2"
Intent = dict[str, Any]


def variant(folder: Path, change: Callable[[Intent], None]) -> Path:
    """An intent beside the lock that all have: the lab's site without its backend, changed."""
    intent: Intent = yaml.safe_load((LAB / "intent.yaml").read_text())
    del intent["fabrics"]["backend"]
    change(intent)
    folder.mkdir(parents=True)
    (folder / "intent.yaml").write_text(yaml.safe_dump(intent, sort_keys=False))
    lock = (LAB / "fabricgen.lock").read_text()
    (folder / "fabricgen.lock").write_text(lock)
    return folder / "intent.yaml"


def lab_of(intent: Path) -> Lab:
    return make_lab(open_workspace(intent).plan, parse_subset(SUBSET))


def build(lab: Lab, place: LabPlace, intent: Path, wait: int = 0) -> BuiltLab:
    return up(Job(lab, place, intent, probe(LabShell(place.id)).kind, lambda name, size: lambda: None, wait))


def write_interfaces(place: LabPlace, name: str, text: str) -> None:
    """Write the file that is the switch's own /etc/network/interfaces."""
    (place.files(name) / "network" / "interfaces").write_text(text)


def ifreload(place: LabPlace, name: str, *words: str) -> subprocess.CompletedProcess[str]:
    return run(place.folder, name, ["ifreload", *(words or ("-a",))])


def reload_all(place: LabPlace, lab: Lab) -> None:
    """Bring the interfaces of every switch to those of a lab that was prepared."""
    for name, files in render_files(lab.devices).items():
        write_interfaces(place, name, files["interfaces"])
        done = ifreload(place, name)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def kernel(place: LabPlace, lab: Lab) -> frozenset[str]:
    """All that the kernel has, a line each, without what it draws by lot or makes later.

    Those are indexes below 10000 and MACs, link-local addresses and carriers.
    """
    found: set[str] = set()
    for owner in (*(device.name for device in lab.devices), *(server.name for server in lab.servers)):
        for vrf in ("", *run(place.folder, owner, ["ls", "/run/netns"]).stdout.split()):
            enter = ["nsenter", f"--net=/run/netns/{vrf}"] if vrf else []
            found |= {f"{owner} {vrf}: {line}" for line in _namespace(place, owner, enter)}
    return frozenset(found)


ASKED = ("-d link", "address", "route show table all", "-6 route show table all", "rule", "-6 rule")
SCRIPT = "; echo; ".join(f"ip -j {words}" for words in ASKED) + "; cat /proc/sys/net/ipv4/ip_forward"


def _namespace(place: LabPlace, owner: str, enter: list[str]) -> Iterator[str]:
    said = [line for line in run(place.folder, owner, [*enter, "sh", "-c", SCRIPT]).stdout.splitlines() if line.strip()]
    *answers, forwards = said
    links, addresses, routes, routes6, rules, rules6 = (json.loads(line) for line in answers)
    yield from (f"{row['ifname']} {_link(row)}" for row in links)
    yield from (f"{row['ifname']} {found}" for row in addresses for found in _addresses(row))
    yield from _routes(routes, routes6)
    yield from (f"rule from {row.get('src')} to {row.get('table')}" for row in (*rules, *rules6))
    yield f"forwards {forwards}"


def _link(row: Mapping[str, Any]) -> object:
    info = row.get("linkinfo", {})
    slave, data = info.get("info_slave_data", {}), info.get("info_data", {})
    kept = {key: row.get(key) for key in ("mtu", "master", "ifalias", "inet6_addr_gen_mode")}
    kept["flags"] = sorted(set(row["flags"]) - {"LOWER_UP", "NO-CARRIER", "M-DOWN"})
    kept["kind"] = info.get("info_kind")
    kept["slave"] = {key: slave.get(key) for key in ("neigh_suppress", "learning", "proxy_arp")}
    kept["vxlan"] = {key: data.get(key) for key in ("id", "local", "port", "learning")}
    if row["ifindex"] >= 10000:
        kept["index"] = row["ifindex"]
        kept["mac"] = row["address"] if info.get("info_kind") == "bridge" else None
    return kept


def _addresses(row: Mapping[str, Any]) -> Iterator[str]:
    for address in row["addr_info"]:
        if address["scope"] != "link":
            yield f"{address['local']}/{address['prefixlen']} {address['scope']}"


def _routes(*families: list[Mapping[str, Any]]) -> Iterator[str]:
    for family in families:
        for row in family:
            if row.get("protocol") in ("bgp", "static", "zebra") or "nhid" in row or row.get("table") == "local":
                continue
            if row["dst"] == "fe80::/64":
                continue
            yield f"route {row['dst']} {row.get('gateway')} {row.get('dev')} {row.get('table')} {row.get('type')}"
