"""The host's neighbor tables have one size for all namespaces together; a lab needs more than a host alone.

Above gc_thresh1 entries a neighbor that was quiet for a minute is forgotten, and with it the EVPN route of its address;
above gc_thresh3 nothing converges any more (arp(7); seen on Linux 6.18). What a switch's own sysctl.conf asks for can
be set in the host's own namespace only: the limits are raised there, and put back by the last lab that goes.
"""

from dataclasses import replace
from pathlib import Path

from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.host.record import Record, labs, write_record
from fabricgen.lab.model.lab import Lab

SETTINGS = Path("/proc/sys")
THRESHOLDS = {"gc_thresh1": 8192, "gc_thresh2": 16384, "gc_thresh3": 32768}
A_CABLE = {"ipv4": 2, "ipv6": 9}
"""Entries of a cable by family: both ends; in IPv6 also their link-local addresses and multicast groups (measured)."""
SPARE = 2
"""Entries a neighbor may take for a while: old and new ones, and those of other labs."""


def is_of_the_host(name: str) -> bool:
    """Whether a setting, as sysctl.conf names it, is one of these limits: no other namespace has them."""
    return ".neigh.default.gc_thresh" in name


def entries(lab: Lab, family: str) -> int:
    """Neighbors that the namespaces of a lab will know in a family, ipv4 or ipv6: those of cables, and of tenants."""
    return A_CABLE[family] * len(lab.links) + len(lab.servers) * len(lab.devices) // 4


def thresholds(lab: Lab) -> dict[str, tuple[int, int]]:
    """Limits to raise: name → value now, value wanted; empty where the tables are large enough."""
    found: dict[str, tuple[int, int]] = {}
    for family in A_CABLE:
        limit = _read(f"net/{family}/neigh/default/gc_thresh1")
        if limit is None or limit > SPARE * entries(lab, family):
            continue
        for key, wanted in THRESHOLDS.items():
            name = f"net/{family}/neigh/default/{key}"
            now = _read(name)
            if now is not None and now < wanted:
                found[name] = (now, wanted)
    return found


def raise_thresholds(record: Record) -> None:
    """Write the limits of a record that has been written."""
    for name, (_, wanted) in sorted(record.thresholds.items(), reverse=True):
        (SETTINGS / name).write_text(str(wanted))


def restore_thresholds(place: LabPlace, record: Record) -> None:
    """Put back what this lab raised, or leave it to another lab that needs it too.

    A limit that somebody else has changed since is left alone.
    """
    others = [(other, found) for other, found in labs() if other.id != place.id]
    for name, (before, wanted) in sorted(record.thresholds.items()):
        if _read(name) != wanted:
            continue
        heir = next(iter(others), None)
        if heir is None:
            (SETTINGS / name).write_text(str(before))
        else:
            write_record(heir[0], replace(heir[1], thresholds={name: (before, wanted), **heir[1].thresholds}))
            others[0] = (heir[0], replace(heir[1], thresholds={name: (before, wanted), **heir[1].thresholds}))


def _read(name: str) -> int | None:
    try:
        return int((SETTINGS / name).read_text())
    except (OSError, ValueError):
        return None
