"""A small backend of each system: typed secrets wherever it has some, and free text that only looks like one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.lab.mixed import BACKEND, HEAD, backend, written
from tests.platform_case import SecretSite
from tests.platform_cases import CASES

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


SYSTEMS: Mapping[str, SecretSite] = {name: site for case in CASES.values() for name, site in case.secrets.items()}


def values_of(name: str) -> Mapping[str, str]:
    """VALUES as the fields of a system want them."""
    return {**VALUES, "ADMIN_HASH": CASES[name.partition("-")[0]].admin_hash or VALUES["ADMIN_HASH"]}


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
