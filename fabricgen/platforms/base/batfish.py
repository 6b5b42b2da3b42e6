"""How Batfish reads a platform's configurations: files of a snapshot, and parts of a switch that it has no model of.

Each `batfish.py` of a platform names its sources, files of github.com/batfish/batfish cba1873 (2026-08-21) and
docs/source/formats.md of github.com/batfish/pybatfish 9ecc844 (2026-07-20).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.routing import Neighbor

RENDERED = Mapping[str, str]
"""Name of a rendered file → its text."""


class Unmodelled(NamedTuple):
    """A part of a switch that Batfish has no model of: its name, which switches have it, and why."""

    feature: str
    concerns: Callable[[Device], bool]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotFormat:
    """How the configuration of a switch is put into a snapshot.

    name        of the format, as the question fileParseStatus prints it
    paths       of its files in the snapshot, with {name} for the name of the switch
    texts       (name of the switch, its rendered files) → the text of each
    barriers    parts without which a switch would be modelled as another one: a switch that has one is left out
    unmodelled  parts that Batfish passes over, while all else of the switch is modelled
    """

    name: str
    paths: tuple[str, ...]
    texts: Callable[[str, RENDERED], tuple[str, ...]]
    barriers: tuple[Unmodelled, ...] = ()
    unmodelled: tuple[Unmodelled, ...] = ()

    def paths_of(self, name: str) -> tuple[str, ...]:
        """Paths of the files of a switch."""
        return tuple(path.format(name=name) for path in self.paths)


class BatfishReading(NamedTuple):
    """The format of a platform, or the reason why Batfish cannot read its configurations."""

    format: SnapshotFormat | None
    refusal: str = ""


def with_header(header: str, file: str) -> Callable[[str, RENDERED], tuple[str, ...]]:
    """One file of a switch, below a line that names its format (grammar/VendorConfigurationFormatDetector.java)."""
    return lambda _, files: (f"{header}\n{files[file]}",)


CONFIGS = ("configs/{name}.cfg",)
"""Path of a switch that has one file."""

FAMILIES = "projects/common/src/main/java/org/batfish/datamodel/bgp/AddressFamily.java"
QOS = Unmodelled(
    "queues, PFC, ECN, buffers",
    lambda device: device.qos is not None,
    "Batfish is a model of routing and filters, and ignores their lines",
)
IPV6 = Unmodelled(
    "IPv6 sessions and routes",
    lambda device: any(":" in row.address for row in device.routing.bgp.neighbors),
    f"its BGP supports only the families IPv4 and EVPN ({FAMILIES})",
)
EVERYWHERE = (QOS, IPV6)
"""What Batfish has no model of on any system."""


def sessions(device: Device, family: str) -> Iterator[Neighbor]:
    """Sessions inside the fabric that carry a family and that Batfish can have: over IPv4, or unnumbered links."""
    groups = {group.name: group for group in device.routing.bgp.groups}
    # A server of Batfish has no BGP.
    to_servers = {row.name for row in device.interfaces.ethernet if row.profile.role == "host"}
    rows = (row for row in device.routing.bgp.neighbors if family in groups[row.group].families)
    return (row for row in rows if row.interface not in to_servers and (row.interface or ":" not in row.address))


def has_tenants(device: Device) -> bool:
    """Whether a switch has an overlay for tenants, though none may have a network yet, or VRFs of theirs."""
    return device.evpn is not None or bool(device.routing.bgp.vrfs)


WITHOUT_SESSIONS = Unmodelled(
    "no BGP session",
    lambda device: not device.routing.bgp.neighbors,
    "the questions are about sessions and their routes, and no other switch has one with it",
)
WITHOUT_IPV4 = Unmodelled(
    "no IPv4 in the underlay",
    lambda device: not any(sessions(device, "ipv4")),
    f"Batfish has no BGP of IPv6 ({FAMILIES}), so the switch would have no neighbor",
)
UNDERLAY = (WITHOUT_SESSIONS, WITHOUT_IPV4)
"""What every system needs below all else; the first that is missing is the reason."""
