"""A small backend of each system: typed secrets wherever it has some, and free text that only looks like one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.lab.mixed import BACKEND, HEAD, backend, written

PLAIN = "see ${env:VAULT_TOKEN}"
PLAIN_FILE = "at ${file:keys/tacacs}"
"""Free text: one reference that is nowhere else, and one that is also a secret's."""
VALUES: Mapping[str, str] = {
    "ADMIN_HASH": f"$6$salt${'h4sh' * 21}xx",
    "AUTH": "auth0auth0",
    "PRIV": "priv0priv0",
    "RAW_KEY": "rawrawraw",
    "VAULT_TOKEN": "c4n4ry-vault-token",
}
HASHES: Mapping[str, str] = {"nxos-10.5": f"$5$salt${'h4sh' * 10}xxx"}
"""What ADMIN_HASH is on systems that do not take that of VALUES."""
TACACS = "t4c4cst4c4cs"
"""What keys/tacacs holds."""
MANAGEMENT: Mapping[str, Any] = {
    "users": {"admin": {"password": "${env:ADMIN_HASH}"}},
    "aaa": {"tacacs": ["10.0.0.7"], "key": "${file:keys/tacacs}"},
    "snmp": {
        "user": "monitor",
        "auth": "${env:AUTH}",
        "privacy": "${env:PRIV}",
        "contact": PLAIN,
        "location": PLAIN_FILE,
    },
}


class System(NamedTuple):
    """How a system takes part: a model of a switch, what of MANAGEMENT it has, a port, and raw lines of its own.

    raw  with RAW_KEY twice, of which an entry lists one, and where its secret is seen: before and behind it
    """

    model: str
    has: tuple[str, ...]
    port: str
    raw: str
    artifact: str = ""
    mtu: int = 9214


ALL = ("users", "aaa", "snmp")
SYSTEMS: Mapping[str, System] = {
    "eos-4.34": System("arista-7060x6-64pe", ALL, "Ethernet1/1", "snmp-server community {}"),
    "frr-8.4": System("arista-7060x6-64pe", (), "swp1s0", "rpki cache {} 323 preference 1"),
    "sonic-202505": System("nvidia-sn5600", ("aaa", "snmp"), "Ethernet0", '{{"RAW": {{"{0}": {{"word": "{0}"}}}}}}'),
    "sonic-master": System("nvidia-sn5600", ("aaa", "snmp"), "Ethernet0", '{{"RAW": {{"{0}": {{"word": "{0}"}}}}}}'),
    "cumulus-5.11": System("nvidia-sn5600", ("users", "aaa"), "swp1s0", '- set: {{system: {{word: "{}"}}}}'),
    "junos-24.4": System("juniper-qfx5240-64od", ALL, "et-0/0/0:0", 'event-options {{ word "{}"; }}', mtu=9202),
    "srlinux-25.3": System("nokia-7220-ixr-h5-64o", ALL, "ethernet-1/1/1", '{{"word": ["{}"]}}'),
    "nxos-10.5": System("cisco-n9364e-sg2-o", ALL, "Ethernet1/1/1", "snmp-server community {}"),
}


def values_of(name: str) -> Mapping[str, str]:
    """VALUES as the fields of a system want them."""
    return {**VALUES, "ADMIN_HASH": HASHES.get(name, VALUES["ADMIN_HASH"])}


def intent_of(name: str) -> dict[str, Any]:
    """The intent: every switch has raw lines with a secret that is listed, and the same text where it is not."""
    system = SYSTEMS[name]
    own = {"model": system.model, "os": name}
    fabric = {**BACKEND, "leaf": own, "spine": dict(own), "mtu": system.mtu}
    management = {**HEAD["management"], **{key: MANAGEMENT[key] for key in system.has}}
    platform = name.partition("-")[0]
    return backend(
        fabrics={"backend": fabric},
        management=management,
        overrides={f"be-leaf-000/{system.port}": {"description": PLAIN}},
        raw=[
            {"system": platform, "lines": [system.raw.format("${env:RAW_KEY}")], "references": ["${env:RAW_KEY}"]},
            {"system": platform, "lines": [system.raw.format("${env:VAULT_TOKEN}")]},
        ],
    )


def site_of(name: str, folder: Path) -> Path:
    """The intent in a folder, and the file of a secret beside it."""
    (folder / "keys").mkdir(parents=True)
    (folder / "keys/tacacs").write_text(f"{TACACS}\n")
    return written(folder, intent_of(name))
