"""All seeded faults and all harmless edits, platform by platform.

A test of detection renders the site of a row once, edits one switch, and expects a report:

    files = sites.render(site_of(row, folder), folder / "out")[row.switch]
    changed = edited(row, files)
    wanted = places(row, files)
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from tests.audit.seeded import harmless, sites
from tests.audit.seeded.row import KINDS, Seeded, edited, places

__all__ = ["CANNOT", "HARMLESS", "KINDS", "ROWS", "SYSTEMS", "edited", "places", "site_of"]

SYSTEMS = tuple(sites.SYSTEMS)
ROWS: Mapping[str, tuple[Seeded, ...]] = {name: import_module(f"tests.audit.seeded.{name}").ROWS for name in SYSTEMS}
"""Platform → faults: an audit must report each at one of its places."""
HARMLESS: Mapping[str, tuple[Seeded, ...]] = harmless.ROWS
"""Platform → edits that change nothing: an audit must say nothing of them."""

_BONDS = dict.fromkeys(("esi", "lacp-system-id", "df-preference"), "servers have no bond over two leaves there")
_QUEUES = dict.fromkeys(
    (
        "class-queue-map",
        "dscp-map",
        "ecn",
        "headroom",
        "pfc-lost",
        "pfc-priority",
        "pool",
        "scheduler",
        "watchdog",
    ),
    "queues and buffers are the driver's: no file has them",
)
CANNOT: Mapping[str, Mapping[str, str]] = {
    "eos": {},
    "frr": {
        **_BONDS,
        **_QUEUES,
        "gnmi": "FRR has no server of gNMI",
        "sflow": "no file has it",
        "user": "accounts are made when the switch is installed",
    },
    "sonic": {
        **_BONDS,
        "dhcp-relay": "not rendered there",
        "load-balancing": "the seed follows from the type of the switch: no field has it",
        "user": "there is no table of users",
    },
    "cumulus": {"gnmi": "not in the rendered release"},
    "nxos": {**_BONDS, "headroom": "the switch computes it", "pool": "the switch computes it"},
    "srlinux": {"dhcp-relay": "not rendered there"},
    "junos": {},
}
"""Platform → kinds that its rendered files cannot have, and why."""


def site_of(row: Seeded, folder: Path) -> Path:
    """Write the intent of the row's site into a folder. Returns its path."""
    return sites.write(folder, row.system, row.variant)
