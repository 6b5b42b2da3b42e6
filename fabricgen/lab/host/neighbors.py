"""Limits of the host's neighbor tables, which all namespaces share; a lab needs more entries than a host alone.

Above gc_thresh1 entries a neighbor that was idle for a minute is dropped, and with it the EVPN route of its address;
above gc_thresh3 nothing converges any more (arp(7); seen on Linux 6.18). The limits in a switch's own sysctl.conf can
be set in the host's own namespace only: they are raised there, and restored by the last lab that is removed.
"""

from dataclasses import replace
from pathlib import Path

from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.host.record import Record, labs, write_record
from fabricgen.lab.model.lab import Lab

SETTINGS = Path("/proc/sys")
THRESHOLDS = {"gc_thresh1": 8192, "gc_thresh2": 16384, "gc_thresh3": 32768}
A_CABLE = {"ipv4": 2, "ipv6": 9}
"""Entries per cable by family: both ends; in IPv6 also link-local addresses and multicast groups (measured)."""
SPARE = 2
"""Entries that a neighbor may use for a while: old and new ones, and those of other labs."""


def is_of_the_host(name: str) -> bool:
    """Whether a setting, as named in sysctl.conf, is one of these limits: no other namespace has them."""
    return ".neigh.default.gc_thresh" in name


def entries(lab: Lab, family: str) -> int:
    """Number of neighbors in the namespaces of a lab in a family, ipv4 or ipv6: those of cables, and of tenants."""
    return A_CABLE[family] * len(lab.links) + len(lab.servers) * len(lab.devices) // 4


def thresholds(lab: Lab) -> dict[str, tuple[int, int]]:
    """Limits to raise: name → current value, required value; empty where the tables are large enough."""
    limits: dict[str, tuple[int, int]] = {}
    for family in A_CABLE:
        limit = _read(f"net/{family}/neigh/default/gc_thresh1")
        if limit is None or limit > SPARE * entries(lab, family):
            continue
        for key, required in THRESHOLDS.items():
            name = f"net/{family}/neigh/default/{key}"
            current = _read(name)
            if current is not None and current < required:
                limits[name] = (current, required)
    return limits


def raise_thresholds(record: Record) -> None:
    """Set the limits of a record that has been written."""
    for name, (_, required) in sorted(record.thresholds.items(), reverse=True):
        (SETTINGS / name).write_text(str(required))


def restore_thresholds(place: LabPlace, record: Record) -> None:
    """Restore the limits that this lab raised, or pass them on to another lab that needs them too.

    A limit that somebody else has changed since remains unchanged.
    """
    others = [(other, other_record) for other, other_record in labs() if other.id != place.id]
    for name, (before, raised) in sorted(record.thresholds.items()):
        if _read(name) != raised:
            continue
        heir = next(iter(others), None)
        if heir is None:
            (SETTINGS / name).write_text(str(before))
        else:
            write_record(heir[0], replace(heir[1], thresholds={name: (before, raised), **heir[1].thresholds}))
            others[0] = (heir[0], replace(heir[1], thresholds={name: (before, raised), **heir[1].thresholds}))


def _read(name: str) -> int | None:
    try:
        return int((SETTINGS / name).read_text())
    except (OSError, ValueError):
        return None
