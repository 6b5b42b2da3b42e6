"""What cannot be written of a server, and what a person can do about it: told, never silent."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.hosts.model import Host, Nic, NicSettings
from fabricgen.hosts.operator import operator_names
from fabricgen.policy.nics import NIC_VENDOR_BY_NAME, splits_of

GIVE = "copy the file of the model to hardware/servers beside the intent and give the NIC group pci_addresses"


def missing(host: Host) -> Iterator[Problem]:
    """Parts that are left out of a server's files, the same for every server of its group."""
    for fabric in dict.fromkeys(nic.fabric for nic in host.nics):
        nics = tuple(nic for nic in host.nics if nic.fabric == fabric)
        if not all(nic.pci for nic in nics):
            yield Problem(
                code="no-nic-names",
                what=f"PCI addresses of the NICs of {host.group} ({host.model}) towards {nics[0].fabric}",
                why="they are undocumented, so interface names are marked TO CHECK",
                fix=GIVE,
                where=("servers", host.group, "model"),
            )
        if nics[0].planes > 1:
            yield from _planes(host, nics[0])
    for own in host.settings:
        yield from _buffers(host, own)
    rails = operator_names(host)
    if isinstance(rails, Problem):
        yield rails


def _buffers(host: Host, own: NicSettings) -> Iterator[Problem]:
    """Why NICs keep the maker's own PFC buffers, where they do: they may be too small for a long cable."""
    vendor = NIC_VENDOR_BY_NAME[own.vendor]
    longest = max((nic.cable_m for nic in host.told(own)), default=0)
    if longest <= vendor.longest_cable_m:
        return
    limit = (
        f"takes {vendor.longest_cable_m} m at most" if own.takes_cable else "is set for it by no command of any source"
    )
    yield Problem(
        code="no-nic-cable",
        what=f"PFC buffers of the NICs of {host.group} ({host.model}) towards {own.fabric} for cables of {longest} m",
        why=f"a NIC of {vendor.title} {limit}",
        fix="ask the maker which length its buffers are made for, and keep `server_leaf` and the cable file within it",
        where=("servers", host.group, "model"),
    )


def _planes(host: Host, nic: Nic) -> Iterator[Problem]:
    """Why no script cuts a NIC into its planes, where none does."""
    is_known = bool(splits_of(nic.vendor, nic.planes))
    if is_known and nic.pci:
        return
    yield Problem(
        code="no-plane-script",
        what=f"the script to divide the NICs of {host.group} ({host.model}) into {nic.planes} planes for {nic.fabric}",
        why="their PCI addresses are undocumented" if is_known else "the commands are undocumented",
        fix=GIVE if is_known else "cut them by the maker's own tool",
        where=("servers", host.group, "model"),
    )
