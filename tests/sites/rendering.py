"""The command line in this process, and what is read out of the trees that it writes."""

import csv
import json
import re
from collections.abc import Iterator
from ipaddress import ip_interface
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from fabricgen.cli import main

ROOT = Path(__file__).parents[2]
INVENTORIES = ROOT / "inventories"
SMALL = (
    "superpod-b300",
    "spectrum-x-1k",
    "mi300x-1k",
    "jvd-gpuaas",
    "nokia-ai-nvd",
    "nexus-h200-512",
    "shared-backend-512",
    "inference-only",
    "time-sliced",
)
LARGE = "three-tier-16k"

Tree = dict[str, str]
Stanza = list[str]


def called(*words: object) -> tuple[int, str]:
    """Exit code and what the command said."""
    done = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    return done.exit_code, done.output


class Rendered(NamedTuple):
    """A site in a folder of its own, and what was written of it."""

    site: Path
    out: Path

    def tree(self) -> Tree:
        """File → text, without what is fabricgen's own."""
        found = (path for path in sorted(self.out.rglob("*")) if path.is_file())
        return {
            name: path.read_text()
            for path in found
            if not (name := path.relative_to(self.out).as_posix()).startswith(".fabricgen/")
        }

    def switches(self) -> Tree:
        """Switch → its configuration."""
        files = ("startup-config", "startup.yaml", "config_db.json", "juniper.conf", "config.json", "running-config")
        found = ((name.rpartition("/"), text) for name, text in self.tree().items())
        return {switch: text for (switch, _, file), text in found if file in files}

    def cables(self) -> list[dict[str, str]]:
        """Rows of the cabling plan."""
        with (self.out / "cabling.csv").open(newline="") as file:
            return list(csv.DictReader(file))


ADDRESS = re.compile(r"^ +(?:ip|ipv6) address (\S+/\d+)$", re.MULTILINE)
INTERFACES = re.compile(r"^ {4}interface:\n((?: {6}.*\n)+)", re.MULTILINE)
NVUE = re.compile(r"^ {6}(\w+):\n((?: {8}.*\n)+)", re.MULTILINE)
"""Interfaces of NVUE's YAML, and each with its lines."""
JUNOS = re.compile(r"^ +address (\S+/\d+)(?:;| \{)$", re.MULTILINE)


def of_json(text: str) -> Iterator[str]:
    """Addresses of SONiC's tables, or of SR Linux's interfaces but those that are anycast gateways."""
    found = json.loads(text)
    for table in (table for name, table in found.items() if name.endswith("INTERFACE")):
        yield from (key.partition("|")[2] for key in table if "|" in key)
    for interface in found.get("srl_nokia-interfaces:interface", ()):
        families = (part.get(at, {}) for part in interface.get("subinterface", ()) for at in ("ipv4", "ipv6"))
        rows = (row for family in families for row in family.get("address", ()))
        yield from (row["ip-prefix"] for row in rows if not row.get("anycast-gw"))


def addresses(switches: Tree) -> Iterator[tuple[str, str]]:
    """Switch and address, of every interface; those that all leaves of a network share are `virtual`, or of a VLAN."""
    for switch, text in switches.items():
        found = (row for part in INTERFACES.findall(text) for row in NVUE.findall(part))
        blocks = (block for name, block in found if not name.startswith("vlan"))
        nvue = (address for block in blocks for address in re.findall(r"^ +'(\S+/\d+)': \{\}$", block, re.MULTILINE))
        others = of_json(text) if text.startswith("{") else JUNOS.findall(text)
        yield from ((str(ip_interface(one).ip), switch) for one in (*ADDRESS.findall(text), *nvue, *others))


def stanzas(text: str) -> dict[str, Stanza]:
    """Interface → its lines."""
    found = re.findall(r"^interface (\S+)\n((?: .*\n)*)", text, re.MULTILINE)
    return {name: [line.strip() for line in body.splitlines()] for name, body in found}
