"""Problems, each with a fix, for the parts of a server's configuration that cannot be written; none is silent."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.hosts.model import Host, Nic, NicSettings
from fabricgen.hosts.operator import GIVE_PCI, operator_names
from fabricgen.hosts.template_context import part_word
from fabricgen.policy.nics import NIC_VENDOR_BY_NAME, splits_of


def missing(host: Host) -> Iterator[Problem]:
    """Problems for the parts that are left out of a server's files; they are the same for every server of its group."""
    for fabric in dict.fromkeys(nic.fabric for nic in host.nics):
        nics = tuple(nic for nic in host.nics if nic.fabric == fabric)
        if not all(nic.pci for nic in nics):
            yield Problem(
                code="no-nic-names",
                what=f"PCI addresses of the NICs of {host.group} ({host.model}) towards {nics[0].fabric}",
                why="they are undocumented; the interface names that depend on them are marked TO CHECK in the "
                "servers' files",
                fix=GIVE_PCI,
                where=("servers", host.group, "model"),
            )
        if nics[0].parts > 1:
            yield from _planes(host, nics[0])
    for settings in host.settings:
        yield from _buffers(host, settings)
    rails = operator_names(host)
    if isinstance(rails, Problem):
        yield rails


def _buffers(host: Host, row: NicSettings) -> Iterator[Problem]:
    """Problem where the NICs keep the vendor's default PFC buffers and a cable may be too long for these."""
    vendor = NIC_VENDOR_BY_NAME[row.vendor]
    longest = max((nic.cable_m for nic in host.nics_with(row)), default=0)
    if longest <= vendor.longest_cable_m:
        return
    limit = f"supports {vendor.longest_cable_m} m at most" if row.takes_cable else "has no documented command for it"
    yield Problem(
        code="no-nic-cable",
        what=f"PFC buffers of the NICs of {host.group} ({host.model}) towards {row.fabric} for cables of {longest} m",
        why=f"a NIC of {vendor.title} {limit}",
        fix="ask the vendor for the maximum cable length, and keep `server_leaf` and the cable file within it",
        where=("servers", host.group, "model"),
    )


def _planes(host: Host, nic: Nic) -> Iterator[Problem]:
    """Problem where no script can split a NIC."""
    is_known = bool(splits_of(nic.vendor, nic.parts))
    if is_known and nic.pci:
        return
    yield Problem(
        code="no-plane-script",
        what=f"the script to divide the NICs of {host.group} ({host.model}) into {nic.parts} {part_word(nic)} for "
        f"{nic.fabric}",
        why="their PCI addresses are undocumented" if is_known else "the commands are undocumented",
        fix=GIVE_PCI if is_known else "use the vendor's own tool",
        where=("servers", host.group, "model"),
    )
