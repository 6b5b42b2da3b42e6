"""Texts and lists that server templates print in addition to the Host, made here so that no template computes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.hosts.kernel import PAIR_SETTINGS, SETTINGS, Sysctl, metric, rule_priority
from fabricgen.hosts.model import LACP, Host, HostNetwork, Nic, NicSettings
from fabricgen.policy.nics import NIC_VENDOR_BY_NAME, split_settings, splits_of

TO_CHECK = "; TO CHECK: no source gives its PCI address, so rename the interface yourself"


class NicSplitContext(NamedTuple):
    """Firmware settings that split a NIC of one PCI device id."""

    device: str
    words: tuple[str, ...]


class Cut(NamedTuple):
    """A NIC that is split into parts. word: planes, or ports where a pair of leaves shares it."""

    label: str
    pci: str
    parts: int
    word: str
    ways: tuple[NicSplitContext, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerContext:
    """Texts by interface, and the items of each file.

    carries  whether an interface itself carries an untagged network
    """

    remarks: Mapping[str, str]
    link_local: Mapping[str, str]
    metrics: Mapping[str, int]
    priorities: Mapping[str, int]
    sources: Mapping[str, str]
    carries: Mapping[str, bool]
    lacp: Mapping[str, bool]
    members: Mapping[str, str]
    network_lines: Mapping[str, tuple[str, ...]]
    tagged: tuple[HostNetwork, ...]
    renamed: tuple[Nic, ...]
    settings: tuple[Sysctl, ...]
    cuts: tuple[Cut, ...]


class NetworkUnit(NamedTuple):
    """One .network file of systemd-networkd. nic: set where it has an address, else None; lines: remarks."""

    name: str
    remark: str
    mtu: int
    is_port: bool
    link_local: str
    dhcp: str
    bond: str
    vlans: tuple[str, ...]
    nic: Nic | None
    lines: tuple[str, ...]


class Mapped(NamedTuple):
    """Code points as ranges, with their priority."""

    dscps: str
    priority: int


class VendorContext(NamedTuple):
    """Values for a vendor's commands.

    mapping  "DSCP,priority" to configure on a NIC that starts with its own map; others: "DSCP:priority" of other RoCE
    ranges   every code point by priority, best effort first; lossy: the other priorities
    register fields and values of a register in one word, empty for none
    metres   cable length of each NIC, in bash array syntax
    """

    pfc: str
    mapping: tuple[str, ...]
    others: tuple[str, ...]
    ranges: tuple[Mapped, ...]
    lossy: tuple[int, ...]
    rate_control: str
    register: str
    metres: str


def context_of(host: Host) -> ServerContext:
    """Template values of one server."""
    untagged = {network.interface: network for network in host.networks if not network.vlan_id}
    links = [*(nic.name for nic in host.nics), *(bond.name for bond in host.bonds)]
    links += [network.interface for network in host.networks if network.vlan_id]
    by_interface = {network.interface: network for network in host.networks}
    return ServerContext(
        remarks={nic.name: "" if nic.pci else TO_CHECK for nic in host.nics},
        link_local={nic.name: "ipv6" if ":" in nic.address or nic.pair else "" for nic in host.nics},
        metrics={nic.name: metric(host, nic) for nic in host.routed},
        priorities={nic.name: rule_priority(nic) for nic in host.routed},
        sources={nic.name: source_of(nic) for nic in host.routed},
        carries={name: name in untagged for name in links},
        lacp={bond.name: bond.mode == LACP for bond in host.bonds},
        members={bond.name: ", ".join(bond.members) for bond in host.bonds},
        network_lines={name: _netplan(by_interface.get(name)) for name in links},
        tagged=tuple(network for network in host.networks if network.vlan_id),
        renamed=tuple(nic for nic in host.nics if nic.renamed),
        settings=SETTINGS + (PAIR_SETTINGS if host.pairs else ()),
        cuts=tuple(_cuts(host)),
    )


def part_word(nic: Nic) -> str:
    """What a NIC is split into: planes, or ports where a pair of leaves shares it."""
    return "ports" if nic.parts > nic.planes else "planes"


def source_of(nic: Nic) -> str:
    """The NIC's address as a host prefix."""
    address = nic.address.partition("/")[0]
    return f"{address}/{128 if ':' in address else 32}"


def _netplan(network: HostNetwork | None) -> tuple[str, ...]:
    """Netplan keys of an interface, with or without a network."""
    if network is None:
        return ("link-local: []",)
    dhcp = tuple(f"dhcp{family}: true" for family in network.families)
    return (*dhcp, *_remarks(network)) if dhcp else ("link-local: [ipv6]", *_remarks(network))


def _remarks(network: HostNetwork) -> tuple[str, ...]:
    remark = f"# network {network.name}"
    return (remark if network.families else f"{remark}: no relay hands out addresses; give one in a file of your own",)


def _cuts(host: Host) -> Iterator[Cut]:
    """NICs that are split, each once, where their PCI address is known."""
    for nic in host.nics:
        if nic.parts > 1 and nic.part == 0 and nic.pci:
            ways = tuple(
                NicSplitContext(split.device, split_settings(split)) for split in splits_of(nic.vendor, nic.parts)
            )
            if ways:
                # A half and a slice of it each have a number behind the NIC's name.
                is_shared = nic.parts > nic.planes
                label = nic.label.rsplit("/", is_shared + (nic.planes > 1))[0]
                yield Cut(label, nic.pci, nic.parts, part_word(nic), ways)


def units_of(host: Host) -> Iterator[NetworkUnit]:
    """Files of systemd-networkd: NICs, then bonds, then tagged networks."""
    for nic in host.nics:
        remark = f"{nic.label} to {nic.switch} {nic.port}{'' if nic.pci else TO_CHECK}"
        addressed_nic = nic if nic.address else None
        unit = _unit(host, nic.name, remark, nic.mtu)
        link_local = "ipv6" if ":" in nic.address or nic.pair else "no"
        if addressed_nic is not None or nic.bond or nic.pair:
            unit = unit._replace(link_local=link_local, dhcp="", lines=())
        yield unit._replace(is_port=True, bond=nic.bond, nic=addressed_nic)
    for bond in host.bonds:
        yield _unit(host, bond.name, f"both ports towards {bond.fabric}", bond.mtu)
    for network in host.networks:
        if network.vlan_id:
            yield _unit(host, network.interface, f"{network.name} of {network.fabric}", network.mtu)


def _unit(host: Host, name: str, remark: str, mtu: int) -> NetworkUnit:
    """Unit of an interface that may carry an untagged network, and tagged networks on top."""
    network = next((row for row in host.networks if row.interface == name), None)
    families = network.families if network is not None else ()
    return NetworkUnit(
        name=name,
        remark=remark,
        mtu=mtu,
        is_port=False,
        link_local="no" if network is None else "ipv6",
        dhcp={(4,): "ipv4", (6,): "ipv6", (4, 6): "yes"}.get(families, ""),
        bond="",
        vlans=tuple(row.interface for row in host.networks if row.vlan_id and row.link == name),
        nic=None,
        lines=_remarks(network) if network is not None else (),
    )


def words_of(settings: NicSettings, nics: Iterable[Nic]) -> VendorContext:
    """Values of the vendor's commands for these settings and NICs."""
    priorities = sorted({0, settings.priority, settings.cnp_priority})
    return VendorContext(
        pfc=",".join(map(str, settings.pfc)),
        mapping=tuple(f"{dscp},{priority}" for dscp, priority in settings.remapped_priorities),
        others=tuple(
            f"{dscp}:{priority}"
            for dscp, priority in enumerate(settings.priorities)
            if priority == settings.priority and dscp != settings.data_dscp
        ),
        ranges=tuple(Mapped(ranges(settings.priorities, priority), priority) for priority in priorities),
        lossy=tuple(priority for priority in range(8) if priority != settings.priority),
        rate_control=" ".join(f"{row.option} {row.value}" for row in NIC_VENDOR_BY_NAME[settings.vendor].rate_control),
        register=",".join(f"{field.name}={field.value:#x}" for field in settings.reordering),
        metres=" ".join(f"[{nic.name}]={nic.cable_m}" for nic in nics),
    )


def ranges(priorities: tuple[int, ...], priority: int) -> str:
    """Code points of a priority as ranges, e.g. 0-23,25-45."""
    spans: list[list[int]] = []
    for dscp, dscp_priority in enumerate(priorities):
        if dscp_priority != priority:
            continue
        if spans and spans[-1][1] == dscp - 1:
            spans[-1][1] = dscp
        else:
            spans.append([dscp, dscp])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
