"""Hosts stay apart, by the rendered text of each system, class of packet by class of packet.

Who may reach what comes from the intent: a tenant reaches its own addresses, research what its firewall announces, a
GPU server of a backend without tenants other GPU servers, a manager the management address. What else is refused is
named with what refuses it. ICMP and the protocols of the fabric are apart: see PROTOCOLS.
"""

from collections.abc import Iterator, Mapping
from ipaddress import ip_address

import pytest

from tests.isolation import changed, sites
from tests.isolation.model import Frame, Packet, Site, broadcast, judge
from tests.isolation.words import BFD, BGP, VXLAN

SYSTEMS = tuple(sites.READERS)
SERVICES = (("tcp", 22), ("tcp", 443), ("tcp", 830), ("tcp", 8765), ("tcp", sites.GNMI), ("udp", 161), ("udp", 123))
"""SSH, HTTP APIs, NETCONF, NVUE's API, gNMI, SNMP, NTP."""
PROTOCOLS = (("tcp", BGP), ("udp", BFD), ("udp", VXLAN))
"""BGP, BFD, VXLAN."""
Rows = tuple[tuple[str, int], ...]
REFUSED = frozenset({"filter", "service"})
MANAGED = tuple(row for row in SERVICES if row != ("udp", 123))
"""Services that `management.access` names the sources of."""
MANAGEMENT = {"nxos": "management", "junos": "mgmt_junos", "srlinux": "mgmt"}
"""Name of the management VRF where it is not that of the intent; SONiC and the others say mgmt."""


def vrf_of(system: str, tenant: str) -> str:
    """SONiC's names of VRFs begin with Vrf (sonic-vrf)."""
    return f"Vrf_{tenant}" if system.startswith("sonic") else tenant


def verdicts(found: Site, at: sites.Place, own: str, addresses: tuple[str, ...], rows: Rows) -> set[str]:
    """What becomes of packets to addresses of the family of the own one."""
    alike = (there for there in addresses if ip_address(there).version == ip_address(own).version)
    return {word for there in alike for word in judge(found, at.leaf, at.frame, Packet(own, there), rows)}


ALL = (("icmp", 0), *SERVICES, *PROTOCOLS)


def elsewhere(system: str, tenant: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is not a tenant's: addresses of other tenants and of switches, of the leaf itself and of each other one."""
    for other, subnets in sites.SUBNETS.items():
        if other != tenant:
            yield f"gateway of {other}", tuple(sites.hosts(subnet, 1) for subnet in subnets)
            yield f"server of {other}", tuple(sites.hosts(subnet, 100) for subnet in subnets)
    for name in sites.fleet(system):
        yield from ((f"{what} of {name}", rows) for what, rows in sites.switch_addresses(system, name).items() if rows)


def sources(tenant: str) -> tuple[str, ...]:
    return tuple(sites.hosts(subnet, 50) for subnet in sites.SUBNETS[tenant])


def strangers(system: str, found: Site, tenant: str) -> dict[str, set[str]]:
    """What of others a tenant's server reaches."""
    at = sites.place(system, sites.SERVERS[tenant])
    wanted = {f"outside {vrf_of(system, tenant)}"} if tenant == sites.ROUTED_OUT else {"no route"}
    seen = {
        f"{tenant}, {own} to {what}": verdicts(found, at, own, there, ALL)
        for own in sources(tenant)
        for what, there in elsewhere(system, tenant)
    }
    assert len(seen) > 30
    return {what: got for what, got in seen.items() if got - wanted}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("tenant", sites.SUBNETS)
def test_a_tenants_server_reaches_nothing_of_others(system: str, tenant: str) -> None:
    """Research has a default route of its firewall: what is not its own leaves the fabric there, by its own VRF."""
    assert strangers(system, sites.site(system, "frontend"), tenant) == {}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("tenant", sites.SUBNETS)
def test_a_tenants_server_reaches_its_own(system: str, tenant: str) -> None:
    found, at = sites.site(system, "frontend"), sites.place(system, sites.SERVERS[tenant])
    for own, subnet in zip(sources(tenant), sites.SUBNETS[tenant], strict=True):
        gateway, far = (sites.hosts(subnet, 1),), (sites.hosts(subnet, 100),)
        assert verdicts(found, at, own, gateway, (("icmp", 0),)) == {"answered"}
        assert verdicts(found, at, own, far, ALL) == {f"forwarded {vrf_of(system, tenant)}"}


def open_services(system: str, found: Site, tenant: str) -> set[tuple[str, int]]:
    """Services of management that answer a tenant's server at its own gateway."""
    at = sites.place(system, sites.SERVERS[tenant])
    pairs = tuple(zip(sources(tenant), sites.SUBNETS[tenant], strict=True))
    return {
        row
        for row in SERVICES
        for own, subnet in pairs
        if verdicts(found, at, own, (sites.hosts(subnet, 1),), (row,)) - REFUSED
    }


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_service_answers_at_a_gateway(system: str) -> None:
    assert open_services(system, sites.site(system, "frontend"), "storage") == set()


BY_SOURCE = {"nxos": {("tcp", 22), ("udp", 161)}}
"""Where any source is listed: NX-OS compares the source alone, in every VRF (`InBand.by_source` of the platform)."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_with_any_source_services_answer_at_the_management_address_alone(system: str) -> None:
    found = sites.site(system, "frontend", sites.ANYBODY)
    assert open_services(system, found, "storage") == BY_SOURCE.get(system, set())
    backend = sites.site(system, "backend", sites.ANYBODY)
    assert {row for _, row in in_band(system, backend)} == BY_SOURCE.get(system, set())
    assert strangers(system, found, "storage") == {}


def in_band(system: str, found: Site) -> set[tuple[str, tuple[str, int]]]:
    """Services that answer a GPU server at addresses of switches."""
    at, own = sites.place(system, "train-000", "backend"), sites.gpu_address(system)
    return {
        (f"{what} of {name}", row)
        for name in found
        for what, there in sites.switch_addresses(system, name).items()
        if there and what != "management"
        for row in SERVICES
        if verdicts(found, at, own, there, (row,)) - REFUSED - {"no route"}
    }


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_gpu_server_is_answered_by_no_service_of_a_switch(system: str) -> None:
    """Its VRF is that of the fabric: it may ping switches, and has no route to the management network."""
    found, at = sites.site(system, "backend"), sites.place(system, "train-000", "backend")
    own = sites.gpu_address(system)
    assert in_band(system, found) == set()
    for name in found:
        addresses = sites.switch_addresses(system, name)
        assert verdicts(found, at, own, addresses["management"], ALL) == {"no route"}
        assert verdicts(found, at, own, addresses["router id"], (("icmp", 0),)) == {"answered"}
    for subnets in sites.SUBNETS.values():
        assert verdicts(found, at, own, (sites.hosts(subnets[0], 1),), ALL) == {"no route"}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_peer_outside_reaches_its_own_tenant_alone(system: str) -> None:
    found = sites.site(system, "frontend")
    at = sites.place(system, sites.FIREWALL, tag=sites.FIREWALL_VLAN)
    vrf = vrf_of(system, sites.ROUTED_OUT)
    for own in ("198.51.100.7", "2001:db8::7"):
        servers = tuple(sites.hosts(subnet, 100) for subnet in sites.SUBNETS[sites.ROUTED_OUT])
        assert verdicts(found, at, own, servers, ALL) == {f"forwarded {vrf}"}
        for what, there in elsewhere(system, sites.ROUTED_OUT):
            assert (what, verdicts(found, at, own, there, ALL)) in ((what, {f"outside {vrf}"}), (what, set()))
        untagged = at._replace(frame=(at.frame[0], 0))
        assert verdicts(found, untagged, own, servers, ALL) == {"no interface"}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_manager_reaches_the_management_address_alone(system: str) -> None:
    for kind in ("frontend", "backend"):
        found = sites.site(system, kind)
        leaf = next(name for name, device in sites.fleet(system).items() if device.kind == kind)
        port = sites.fleet(system)[leaf].management.port
        at = sites.Place(leaf, (port, 0))
        addresses = sites.switch_addresses(system, leaf)
        assert verdicts(found, at, "10.0.0.9", addresses["management"], (("tcp", 22),)) == {"answered"}
        assert verdicts(found, at, "10.0.0.200", addresses["management"], MANAGED) <= REFUSED
        others = (*addresses["router id"], *addresses["VTEP"], *addresses["link of the fabric"])
        others += tuple(sites.hosts(subnets[0], 1) for subnets in sites.SUBNETS.values())
        outside = f"outside {MANAGEMENT.get(system, 'mgmt')}"
        assert verdicts(found, at, "10.0.0.9", others, ALL) == {outside}


def flooded(system: str, found: Site, tenant: str) -> set[tuple[str, Frame]]:
    """Ports of other hosts that a broadcast of a tenant's server leaves by."""
    at = sites.place(system, sites.SERVERS[tenant])
    return broadcast(found, at.leaf, at.frame)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("tenant", sites.SUBNETS)
def test_a_broadcast_leaves_by_ports_of_its_tenant_alone(system: str, tenant: str) -> None:
    members = {"storage": ("store-",), "research": ("web-000", "web-001"), "serving": ("web-002", "web-003")}[tenant]
    at = sites.place(system, sites.SERVERS[tenant])
    wanted = {
        (name, (row.name, 0))
        for name, device in sites.fleet(system).items()
        if device.kind == "frontend"
        for row in device.interfaces.ethernet
        if row.peer.startswith(members)
    }
    assert flooded(system, sites.site(system, "frontend"), tenant) == wanted - {(at.leaf, at.frame)}
    assert len(wanted) > 3


def meeting(system: str, change: changed.Change | None = None) -> dict[str, set[str]]:
    """What a GPU server of serving reaches on a shared backend that is not serving's; a change of its leaf's files."""
    devices = sites.shared_fleet(system)[1]
    leaf, port = next(
        (device, row)
        for device in devices.values()
        for row in device.interfaces.ethernet
        if row.peer == "train-002" and row.vrf == "serving"
    )
    files = {name: dict(rows) for name, rows in sites.shared_files(system).items()}
    if change is not None:
        files[leaf.name] = change(files[leaf.name])
    found = {name: sites.READERS[system](rows) for name, rows in files.items()}
    at, own = sites.Place(leaf.name, (port.name, 0)), sites.far_end(port.ipv4)
    others: dict[str, tuple[str, ...]] = {
        f"{row.peer} at {device.name} {row.name}": (sites.far_end(row.ipv4), row.ipv4.partition("/")[0])
        for device in devices.values()
        for row in device.interfaces.ethernet
        if row.vrf == "research"
    }
    for name, device in devices.items():
        others |= {f"{what} of {name}": rows for what, rows in sites.addresses_of(device, devices).items() if rows}
    assert len(others) > 20
    if change is None:
        near = sites.far_end(next(row.ipv4 for row in leaf.interfaces.ethernet if row.peer == "train-003"))
        assert verdicts(found, at, own, (near,), ALL) == {f"forwarded {vrf_of(system, 'serving')}"}
    seen = {what: verdicts(found, at, own, there, ALL) for what, there in others.items()}
    return {what: got for what, got in seen.items() if got - {"no route"}}


SHARED = tuple(system for system in SYSTEMS if system != "srlinux")
"""Nokia's models of backends here have no EVPN: tenants are refused there."""


def test_a_backend_without_evpn_refuses_tenants() -> None:
    assert [problem.code for problem in sites.shared_fleet("srlinux")[0]] == ["platform-cannot"]


@pytest.mark.parametrize("system", SHARED)
def test_gpu_servers_of_tenants_do_not_meet(system: str) -> None:
    assert meeting(system) == {}


LEFT: Mapping[str, tuple[str, str]] = {
    "eos": (r"^   vrf serving\n(   ip address)", r"\1"),
    "nxos": (r"^  vrf member serving\n", ""),
    "junos": (r"^        interface et-0/0/2\.0;\n", ""),
    "cumulus": (r"^          vrf: serving\n", ""),
    "sonic": (r',\n +"vrf_name": "Vrf_serving"|"vrf_name": "Vrf_serving"', ""),
}
"""A GPU server's port leaves the VRF of its tenant."""


@pytest.mark.parametrize("system", SHARED)
def test_a_gpu_server_whose_port_left_its_vrf_is_seen(system: str) -> None:
    """Then it is in the default VRF, with the loopbacks of all switches; its neighbors of serving are, too, or gone."""
    file = "config_db" if system == "sonic" else ""
    assert meeting(system, changed.edit(LEFT[system], file=file)) != {}


IN_BAND: Mapping[str, set[tuple[str, int]]] = {
    "eos": {("tcp", 179), ("udp", 3784)},  # default-control-plane-acl, from any source
    "nxos": {("tcp", 179), ("udp", 3784)},  # CoPP polices and filters nothing
    "junos": {("tcp", 179), ("udp", 3784)},  # terms BGP and BFD of PROTECT-RE, from any source
    "srlinux": {("tcp", 179), ("udp", 3784)},  # entries of Nokia's cpm, from any source
    "cumulus": {("tcp", 179), ("udp", 3784)},  # the whitelist, from any source
    "sonic": {("tcp", 179)},  # caclmgrd leaves BGP open; BFD of planned neighbors alone
}
"""Protocols of the fabric that take a packet of a GPU server: none speaks with one that is no neighbor of the plan."""
AT_GATEWAYS = {system: rows & {("tcp", 179)} for system, rows in IN_BAND.items() if system not in ("junos", "srlinux")}
"""The same at the gateway of a tenant; Junos and SR Linux have no BGP in a VRF without peers outside."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_protocols_of_the_fabric_that_take_a_packet_of_a_host(system: str) -> None:
    """VXLAN is none of them: no host has a route to a VTEP."""
    backend, at = sites.site(system, "backend"), sites.place(system, "train-000", "backend")
    there, own = sites.switch_addresses(system, at.leaf)["router id"], sites.gpu_address(system)
    answered = {row for row in PROTOCOLS if verdicts(backend, at, own, there, (row,)) == {"answered"}}
    assert answered == IN_BAND[system]
    found, at = sites.site(system, "frontend"), sites.place(system, sites.SERVERS["storage"])
    gateway = (sites.hosts(sites.SUBNETS["storage"][0], 1),)
    own = sources("storage")[0]
    answered = {row for row in PROTOCOLS if verdicts(found, at, own, gateway, (row,)) == {"answered"}}
    assert answered == AT_GATEWAYS.get(system, set())


def let_in(system: str, found: Site, leaf: str) -> bool:
    """Whether a manager who is not listed gets into a leaf."""
    device = sites.fleet(system)[leaf]
    at = sites.Place(leaf, (device.management.port, 0))
    addresses = sites.switch_addresses(system, leaf)["management"]
    return bool(verdicts(found, at, "10.0.0.200", addresses, MANAGED) - REFUSED)


def numbers(system: str) -> changed.Numbers:
    """Route targets of storage and research, by the plan."""
    leaves = [device for device in sites.fleet(system).values() if device.evpn is not None]
    targets = {vrf.name: vrf.export_target for device in leaves for vrf in device.routing.bgp.vrfs}
    vlans = {vlan.vrf: vlan.route_target for device in leaves if device.evpn for vlan in device.evpn.vlans}
    return changed.Numbers(targets["storage"], targets["research"], vlans["storage"], vlans["research"])


@pytest.mark.parametrize(("system", "name"), changed.NAMES)
def test_a_line_that_lets_hosts_through_is_seen(system: str, name: str) -> None:
    """Each line that refuses is taken away or changed once; what it kept apart meets then."""
    fault = changed.FAULTS[system](numbers(system))[name]
    wanted = sites.ANYBODY if fault.anybody else sites.NAMED
    kind = "backend" if fault.leaf == "backend" else "frontend"
    peer = "train-000" if kind == "backend" else sites.SERVERS[fault.leaf]
    leaf = sites.place(system, peer, kind).leaf
    files = dict(sites.files(system, wanted)[leaf])
    found = {**sites.site(system, kind, wanted), leaf: sites.READERS[system](fault.change(files))}
    seen = {
        "others": lambda: bool(strangers(system, found, "storage")),
        "gateway": lambda: open_services(system, found, "storage") != set(),
        "in band": lambda: in_band(system, found) != set(),
        "broadcast": lambda: (
            flooded(system, found, "research") != flooded(system, sites.site(system, kind), "research")
        ),
        "manager": lambda: let_in(system, found, leaf),
    }
    assert seen[fault.shows](), (system, name)
