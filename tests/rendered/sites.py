"""Small lossless sites of each system, model and length of cable, written to disk and rendered by the command line."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner, Result

from fabricgen.cli import main
from tests.accounts import takes_users

INTENT = """\
fabricgen: 1
site: lab
management: {{oob: 10.0.0.0/20, gateway: 10.0.0.1, lldp: false{users}}}
cables: {{default: {{server_leaf: {near}, leaf_spine: {far}}}}}
servers: {{train: {{model: {server}, slots: {slots}}}}}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {{train: compute}}
    topology: {{design: tor, servers_per_unit: {unit}, spines: {{now: 2}}{more}}}
    leaf: {{model: {model}, os: {os}}}
    spine: {{model: {model}, os: {os}}}
    addressing: {{links: [ipv4], hosts: ipv4, ipv4: 10.64.0.0/12}}
    asns: 4201000000-4201999999
    mtu: {mtu}
    roce: {roce}
{waivers}"""

USERS = ', users: {admin: {role: network-admin, password: "${env:ADMIN_HASH}"}}'


class Site(NamedTuple):
    """One site; lengths in metres."""

    os: str
    model: str
    near: int
    far: int
    server: str = "dgx-h100"
    unit: int = 2
    slots: str = "0-3"
    mtu: int = 9000
    roce: str = "{host_mtu: 8900, headroom_overcommit: 8}"
    more: str = ""
    waivers: str = ""

    def __str__(self) -> str:
        return f"{self.os}-{self.model}-{self.near}-{self.far}{'-800G' if 'uplink_gbps: 800' in self.more else ''}"

    @property
    def system(self) -> str:
        return self.os.partition("-")[0]


AT_800G: dict[str, Any] = {"server": "dgx-b300", "unit": 1, "more": ", planes: 1, uplink_gbps: 800"}
"""NICs in one plane of 800G, and links of 800G between switches."""


def call(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def write(site: Site, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    intent = folder / "intent.yaml"
    intent.write_text(INTENT.format(users=USERS if takes_users(site.system) else "", **site._asdict()))
    return intent


def page(intent: Path) -> dict[str, Any]:
    """The lossless part of the plan page of the backend."""
    result = call("plan", intent, "--json")
    assert result.exit_code == 0, result.stdout + result.stderr
    found: dict[str, Any] = next(row for row in json.loads(result.stdout)["fabrics"] if row["name"] == "backend")
    lossless: dict[str, Any] = found["lossless"]
    return lossless


def files(intent: Path, out: Path) -> dict[str, dict[str, str]]:
    """Switch → its files by name."""
    result = call("render", intent, "-o", out)
    assert result.exit_code == 0, result.stdout + result.stderr
    folders = (folder for folder in sorted(out.glob("be-*")) if folder.is_dir())
    return {folder.name: {path.name: path.read_text() for path in sorted(folder.iterdir())} for folder in folders}
