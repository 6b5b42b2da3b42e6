"""Build the servers of a plan, one at a time. Each NIC comes from its leaf's own port row, so both ends agree."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_interface
from math import ceil
from typing import NamedTuple

from fabricgen.base.addresses import InterfaceAddress
from fabricgen.hardware.model import NicGroup
from fabricgen.hosts.leaves import LeafCache, ServerPort
from fabricgen.hosts.library import library_of
from fabricgen.hosts.model import BACKUP, LACP, Bond, Host, HostNetwork, Nic, NicSettings, PairedNic, PairPort
from fabricgen.hosts.names import LONGEST, PAIR, RAIL, RDMA, function_of, rail_name, unique_name
from fabricgen.hosts.settings import nic_settings
from fabricgen.intent.fabric import Backend, is_lossless
from fabricgen.plan.exceptions import SlotKey, server_name
from fabricgen.plan.fabric import FabricPlan, asn_of, group_of
from fabricgen.plan.leaf_pairs import NicAddress, has_leaf_pairs, nic_address, server_asn
from fabricgen.plan.links import slice_name
from fabricgen.plan.plan import Plan
from fabricgen.plan.plane_prefixes import reachable_prefixes
from fabricgen.plan.tenants import PlannedTenant, owner_of
from fabricgen.plan.wiring import has_server, leaf_of
from fabricgen.policy.load_balancing import PER_PACKET
from fabricgen.resolve.context import make_site
from fabricgen.resolve.evpn import other_end
from fabricgen.resolve.profiles import VXLAN_OVERHEAD
from fabricgen.resolve.variants import balancing_of
from fabricgen.topologies.shape import GroupShape

FIRST_TABLE = 100
"""Routing table of the first NIC. Lower numbers have names in Linux and other software (rt_tables)."""
BOND = "bond-{}"


def make_hosts(plan: Plan, slots: Iterable[SlotKey]) -> Iterator[Host]:
    """The servers in these slots, in the order given. Raises FabricError as `nic_settings` does."""
    leaves = LeafCache(plan)
    tenants = {name: _Tenants(plan, name) for name in plan.fabrics}
    modes = {name: balancing_of(fabric) for name, fabric in plan.fabrics.items()}
    for key in slots:
        fabrics = [fabric for fabric in plan.fabrics.values() if key.group in fabric.fabric.connects]
        populated = [fabric for fabric in fabrics if has_server(fabric, group_of(fabric, key.group), key.slot)]
        if populated:
            yield _Builder(leaves, key, populated, tenants, modes).host()


class _Tenants:
    """Owners of the slots of a fabric."""

    def __init__(self, plan: Plan, fabric: str) -> None:
        self._owned = make_site(plan, fabric).owned
        self._by_name = {tenant.name: tenant for tenant in plan.tenants.get(fabric, ())}

    def of(self, key: SlotKey) -> PlannedTenant | None:
        """Tenant of a server."""
        return self._by_name.get(owner_of(self._owned[key.group], key.slot))


class _Builder:
    """Builds one server."""

    def __init__(
        self,
        leaves: LeafCache,
        key: SlotKey,
        fabrics: list[FabricPlan],
        tenants: dict[str, _Tenants],
        modes: Mapping[str, str],
    ) -> None:
        self._leaves, self._key, self._tenants, self._modes = leaves, key, tenants, modes
        backends = [fabric for fabric in fabrics if isinstance(fabric.fabric, Backend)]
        # Of several backends, the one with the most ports serves the GPUs; one to storage serves none.
        backends.sort(
            key=lambda fabric: (not _has_gpus(fabric), -len(group_of(fabric, key.group).columns), fabric.name)
        )
        self._backends, self._frontends = (backends, [fabric for fabric in fabrics if fabric not in backends])
        self._names: set[str] = set()
        self._tables = FIRST_TABLE
        self._pairs: dict[str, PairedNic] = {}

    def host(self) -> Host:
        """Return the complete server."""
        key, plan = self._key, self._leaves.plan
        nics: list[Nic] = []
        settings: list[NicSettings] = []
        for fabric in self._backends:
            server_ports = self._in_order(fabric)
            nics += (self._rail(fabric, server_port) for server_port in server_ports)
            settings += self._settings(fabric, server_ports)
        bonds: list[Bond] = []
        networks: list[HostNetwork] = []
        for fabric in self._frontends:
            server_ports = self._in_order(fabric)
            settings += self._settings(fabric, server_ports)
            ports = [self._port(fabric, server_port) for server_port in server_ports]
            link, bond = self._joined(fabric, ports)
            nics += ports if bond is None else (nic._replace(bond=bond.name) for nic in ports)
            bonds += [bond] if bond is not None else []
            networks += self._networks(fabric, link, bond, ports)
        host = Host(
            name=server_name((*self._backends, *self._frontends)[0].exceptions, key.group, key.slot),
            site=plan.intent.site,
            group=key.group,
            slot=key.slot,
            model=plan.intent.servers[key.group].model,
            nics=tuple(nics),
            bonds=tuple(bonds),
            networks=tuple(networks),
            settings=tuple(settings),
            pairs=tuple(self._pairs.values()),
        )
        return library_of(host, filter(_has_gpus, self._backends), self._modes)

    def _settings(self, fabric: FabricPlan, server_ports: list[ServerPort]) -> Iterator[NicSettings]:
        vendor = group_of(fabric, self._key.group).nics.vendor
        return _settings(fabric, server_ports, vendor, sprayed=self._modes[fabric.name] == PER_PACKET)

    def _in_order(self, fabric: FabricPlan) -> list[ServerPort]:
        """The server's ports by rail, then by leaf of a pair, then by plane."""
        group = group_of(fabric, self._key.group)
        ports = self._leaves.plugged(fabric, self._key.group, self._key.slot)
        return sorted(ports, key=lambda p: (group.nics.ports[p.nic].rail, group.columns[p.nic].index, p.plane))

    def _rail(self, fabric: FabricPlan, plugged: ServerPort) -> Nic:
        group = group_of(fabric, self._key.group)
        index = group.columns[plugged.nic].index
        prefix = RAIL if fabric is self._backends[0] and _has_gpus(fabric) else fabric.name[:8]
        plane = f"p{group.slice_of(plugged.nic, plugged.plane)}" if fabric.shape.slices > 1 else ""
        end = PAIR[index] if group.indexes > 1 else ""
        name = unique_name(rail_name(prefix, _number(group, plugged), plane, end), self._names)
        nic = self._nic(fabric, plugged, name)
        table, self._tables = self._tables, self._tables + 1
        row = plugged.row
        settings = plugged.leaf.settings
        mtu = settings.roce.host_mtu if isinstance(settings, Backend) else nic.mtu
        if has_leaf_pairs(fabric):
            return self._paired(fabric, plugged, nic._replace(mtu=mtu))
        if row is None or not (row.ipv4 or row.ipv6):
            return nic._replace(mtu=mtu)
        leaf_address = row.ipv4 or row.ipv6
        addressing = fabric.fabric.addressing
        leaf_interface = ip_interface(leaf_address)
        leaf, _ = leaf_of(fabric, group, self._key.slot, plugged.nic, plugged.plane)
        return nic._replace(
            mtu=min(mtu, row.profile.mtu),
            table=table,
            address=InterfaceAddress(f"{other_end(leaf_interface.ip)}/{leaf_interface.network.prefixlen}"),
            gateway=leaf_address.partition("/")[0],
            prefix=str(addressing.ipv4 if row.ipv4 else addressing.ipv6),
            reached=reachable_prefixes(fabric, leaf, "ipv4" if row.ipv4 else "ipv6"),
            tenant=row.vrf,
        )

    def _paired(self, fabric: FabricPlan, plugged: ServerPort, nic: Nic) -> Nic:
        """Return the port of a NIC that has one address behind two leaves, and note the NIC with its ports."""
        group = group_of(fabric, self._key.group)
        leaf, _ = leaf_of(fabric, group, self._key.slot, plugged.nic, plugged.plane)
        address = nic_address(fabric, leaf, group, self._key.slot, plugged.nic)
        if address is None:
            return nic
        name = nic.name.removesuffix(PAIR[nic.index])
        known = self._pairs.get(address.prefix) or self._new_pair(fabric, name, nic.rail, address)
        if nic.used:
            port = PairPort(nic.name, nic.switch, nic.port, asn_of(fabric, leaf))
            known = known._replace(ports=(*known.ports, port))
        self._pairs[address.prefix] = known
        return nic._replace(pair=known.name)

    def _new_pair(self, fabric: FabricPlan, name: str, rail: int, address: NicAddress) -> PairedNic:
        addressing = fabric.fabric.addressing
        return PairedNic(
            name=unique_name(name, self._names),
            fabric=fabric.name,
            rail=rail,
            number=1 + len(self._pairs),
            address=InterfaceAddress(address.prefix),
            prefix=str(addressing.ipv4 if addressing.hosts == "ipv4" else addressing.ipv6),
            asn=server_asn(fabric, group_of(fabric, self._key.group), self._key.slot),
            ports=(),
        )

    def _port(self, fabric: FabricPlan, plugged: ServerPort) -> Nic:
        index = group_of(fabric, self._key.group).columns[plugged.nic].index
        name = unique_name(f"{fabric.name[:12]}{index}", self._names)
        nic, settings = self._nic(fabric, plugged, name), plugged.leaf.settings
        return nic._replace(mtu=min(settings.roce.host_mtu, nic.mtu)) if is_lossless(settings) else nic

    def _nic(self, fabric: FabricPlan, plugged: ServerPort, name: str) -> Nic:
        """Return the fields that NICs of backends and frontends share."""
        group = group_of(fabric, self._key.group)
        nics, row = group.nics, plugged.row
        nic_slice = group.slice_of(plugged.nic, plugged.plane)
        halves = self._halves(fabric, len(nics.ports))
        part = plugged.nic % halves * nics.planes + nic_slice
        pci = function_of(nics.pci_addresses[plugged.nic], part) if nics.pci_addresses else ""
        return Nic(
            name=name,
            label=slice_name(group, plugged.nic, plugged.plane),
            fabric=fabric.name,
            kind=fabric.fabric.kind,
            vendor=nics.vendor,
            rail=nics.ports[plugged.nic].rail,
            plane=nic_slice,
            planes=fabric.shape.slices,
            index=group.columns[plugged.nic].index,
            position=plugged.nic,
            pci=pci,
            device=RDMA.format(name) if pci else _observed_name(nics, plugged),
            renamed=bool(pci),
            switch=plugged.leaf.name,
            port=row.name if row else "",
            speed_gbps=row.profile.speed_gbps if row else nics.speed_gbps // nics.planes,
            fec=row.profile.fec if row else "",
            mtu=(row.profile.mtu if row else fabric.fabric.mtu) - VXLAN_OVERHEAD,
            cable_m=max(ceil(row.length_m), 1) if row else 0,
            used=row is not None and row.enabled and not row.dead,
            part=part,
            parts=halves * nics.planes,
        )

    def _halves(self, fabric: FabricPlan, ports: int) -> int:
        """Number of ports that the fabric makes of one of the hardware: 2 where a pair of leaves shares each NIC."""
        plan = self._leaves.plan
        server = plan.catalog.servers[plan.intent.servers[self._key.group].model]
        return ports // len(server.nics[fabric.fabric.connects[self._key.group]].ports)

    def _joined(self, fabric: FabricPlan, ports: list[Nic]) -> tuple[str, Bond | None]:
        """Interface that carries the networks of a frontend: a bond of both ports, or the single port."""
        if len(ports) == 1:
            return ports[0].name, None
        rows = [server_port.row for server_port in self._leaves.plugged(fabric, self._key.group, self._key.slot)]
        mode = LACP if any(row is not None and row.lag for row in rows) else BACKUP
        name = unique_name(BOND.format(fabric.name)[:LONGEST].rstrip("-"), self._names)
        members = tuple(port.name for port in ports)
        return name, Bond(name, fabric.name, mode, min(port.mtu for port in ports), members)

    def _networks(self, fabric: FabricPlan, link: str, bond: Bond | None, ports: list[Nic]) -> Iterator[HostNetwork]:
        tenant = self._tenants[fabric.name].of(self._key)
        rows = [server_port.row for server_port in self._leaves.plugged(fabric, self._key.group, self._key.slot)]
        if tenant is None or not any(row is not None and row.switching is not None for row in rows):
            return
        access_vlans = (row.switching.access_vlan for row in rows if row is not None and row.switching is not None)
        untagged = next(access_vlans, 0)
        mtu = bond.mtu if bond is not None else ports[0].mtu
        for network in tenant.networks:
            is_tagged = network.vlan_id != untagged
            name = unique_name(f"vlan{network.vlan_id}", self._names) if is_tagged else link
            families = tuple(sorted({ip_interface(relay).version for relay in network.relays}))
            tag = network.vlan_id if is_tagged else 0
            yield HostNetwork(network.name, name, link, tag, fabric.name, mtu, families)


def _has_gpus(fabric: FabricPlan) -> bool:
    """Whether a fabric joins GPUs, and not servers to storage."""
    return fabric.fabric.kind == "backend"


class _Kind(NamedTuple):
    """The values that settings depend on."""

    marking: str
    vendor: str


def _settings(fabric: FabricPlan, plugged: list[ServerPort], vendor: str, *, sprayed: bool) -> Iterator[NicSettings]:
    """Settings of a fabric's NICs, one per marking, none without a lossless class.

    A check ensures that its leaves share one marking.
    """
    done_kinds: set[_Kind] = set()
    for server_port in plugged:
        marking = server_port.leaf.marking
        if marking is not None and _Kind(marking.name, vendor) not in done_kinds:
            done_kinds.add(_Kind(marking.name, vendor))
            yield nic_settings(fabric.name, server_port.leaf.settings, marking, vendor, sprayed=sprayed)


def _number(group: GroupShape, plugged: ServerPort) -> int:
    """Number in an interface's name: the rail, or the port's position where a leaf has several ports of one rail."""
    rail = group.nics.ports[plugged.nic].rail
    ports = Counter((port.rail, column.index) for port, column in zip(group.nics.ports, group.columns, strict=True))
    return rail if max(ports.values()) == 1 else plugged.nic


def _observed_name(nics: NicGroup, plugged: ServerPort) -> str:
    """RDMA device name as observed on this model; empty for a slice of a plane, which has no observed name."""
    if not nics.device_names or nics.planes > 1:
        return ""
    return nics.device_names[plugged.nic]
