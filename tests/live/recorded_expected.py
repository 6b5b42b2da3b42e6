"""From the recorded configurations of a site to what each of its switches must show."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_interface, ip_network

from fabricgen.state.state import ETHERNET, L2, L3, LAG, LOOPBACK, SVI
from fabricgen.verify.expect.model import (
    Expected,
    ExpectedBfd,
    ExpectedEvpnRoute,
    ExpectedInterface,
    ExpectedRoute,
    ExpectedSession,
    ExpectedVni,
    ForbiddenRoute,
)
from fabricgen.verify.finding import FindingEnd
from tests.live.bgp_paths import Table, tables
from tests.live.running_config import Port, Switch, Tenant, announced, read, subnets

Site = Mapping[str, Switch]

KINDS = (("Port-Channel", LAG), ("Loopback", LOOPBACK), ("Vlan", SVI), ("Ethernet", ETHERNET), ("Management", ETHERNET))


def expected(running: Mapping[str, str]) -> dict[str, Expected]:
    """Expected of every switch of a site; `running` is its running-config by name."""
    site = {name: read(text) for name, text in running.items()}
    paths = tables(site)
    return {
        name: Expected(
            device=name,
            system="eos",
            asn=switch.asn,
            router_id=switch.router_id,
            interfaces=tuple(_interface(port) for port in switch.ports.values()),
            adjacencies=(),
            sessions=tuple(_sessions(switch, site)),
            bfd=tuple(ExpectedBfd(peer.vrf, peer.address) for peer in switch.peers if peer.bfd),
            routes=tuple(_routes(switch, site, paths[name])),
            forbidden=tuple(_forbidden(switch, site)),
            vnis=tuple(_vnis(switch, site)),
            evpn=tuple(_evpn(switch, site)),
            qos=(),
            configuration=running[name],
            management="Management1",
            closed=("", *(tenant.name for tenant in switch.tenants)),
        )
        for name, switch in site.items()
    }


def _interface(port: Port) -> ExpectedInterface:
    """A port that nobody configured may be up or not; a bundle of no ports is not asked for either."""
    kind = next(kind for start, kind in KINDS if port.name.startswith(start))
    used = bool(port.addresses) or (port.members > 0 if kind == LAG else kind != ETHERNET)
    comparable = port.routed and kind != LOOPBACK
    return ExpectedInterface(
        name=port.name,
        kind=kind,
        up=False if port.shut else (True if used else None),
        mtu=port.mtu if comparable else 0,
        addresses=port.addresses,
        vrf=port.vrf,
        vlan_id=int(port.name.removeprefix("Vlan")) if kind == SVI else 0,
    )


def _routes(switch: Switch, site: Site, table: Table) -> Iterator[ExpectedRoute]:
    yield from _connected(switch)
    yield from _learned(switch, table)
    yield from _link_local(switch, site)
    yield from _tenant_routes(switch, site)


def _owner(site: Site, near: Switch, address: str, vrf: str) -> FindingEnd:
    """Whose address it is, with its port where the link has two ends."""
    for far in site.values():
        for port in far.ports.values():
            if far.name != near.name and port.vrf == vrf and address in {a.partition("/")[0] for a in port.addresses}:
                return FindingEnd(far.name, "" if port.name.startswith("Loopback") else port.name)
    raise AssertionError(f"nobody of the site has {address}")


def _sessions(switch: Switch, site: Site) -> Iterator[ExpectedSession]:
    """Sessions; one over link-local addresses is named by its port, since no configuration says the far address."""
    for port, remote_as in switch.unnumbered:
        yield ExpectedSession("", port, remote_as, ("ipv4",), FindingEnd(f"AS {remote_as}", ""))
    for peer in switch.peers:
        far = _owner(site, switch, peer.address, peer.vrf)
        yield ExpectedSession(peer.vrf, peer.address, peer.remote_as, peer.families, far)


def _vrfs(switch: Switch) -> list[str]:
    return sorted({port.vrf for port in switch.ports.values()})


def _connected(switch: Switch) -> Iterator[ExpectedRoute]:
    for vrf in _vrfs(switch):
        for prefix, port in subnets(switch, vrf).items():
            yield ExpectedRoute(vrf, prefix, 1, (port.name,), (), False, switch.name)
    for vrf, prefix, hop in switch.statics:
        yield ExpectedRoute(vrf, prefix, 1, (_port_to(switch, vrf, hop),), (hop,), False, "static")


def _port_to(switch: Switch, vrf: str, hop: str) -> str:
    here = subnets(switch, vrf)
    return next(port.name for prefix, port in here.items() if ip_address(hop) in ip_network(prefix))


def _learned(switch: Switch, table: Table) -> Iterator[ExpectedRoute]:
    for prefix, paths in table.items():
        ways = sorted((_port_to(switch, "", path.hop), path.hop) for path in paths if path.hop)
        if ways:
            ports, hops = tuple(port for port, _ in ways), tuple(hop for _, hop in ways)
            yield ExpectedRoute("", prefix, len(hops), ports, hops, False, "BGP")


def _link_local(switch: Switch, site: Site) -> Iterator[ExpectedRoute]:
    """What the other end announces over sessions between link-local addresses: all ports of the same far AS."""
    for far in site.values():
        ports = tuple(sorted(port for port, remote_as in switch.unnumbered if remote_as == far.asn))
        for prefix in sorted(announced(far)) if ports else ():
            yield ExpectedRoute("", prefix, len(ports), ports, (), False, far.name)


def _with(site: Site, target: str) -> Iterator[tuple[Switch, Tenant]]:
    """Switches that have a VRF of this route target."""
    for far in site.values():
        for tenant in far.tenants:
            if tenant.target == target:
                yield far, tenant


def _tenant_routes(switch: Switch, site: Site) -> Iterator[ExpectedRoute]:
    """Over the session inside the VRF what the other of the pair has (no AS in the path), else over the tunnels."""
    for tenant in switch.tenants:
        here = subnets(switch, tenant.name)
        pair, away = {}, dict[str, set[str]]()
        for far, other in _with(site, tenant.target):
            for prefix in subnets(far, other.name):
                if far.asn == switch.asn:
                    pair[prefix] = [peer.address for peer in switch.peers if peer.vrf == tenant.name]
                else:
                    away.setdefault(prefix, set()).add(far.vtep)
        for prefix in sorted({*pair, *away} - {*here}):
            hops = tuple(pair.get(prefix) or sorted(away[prefix]))
            ports = (_port_to(switch, tenant.name, hops[0]),) if prefix in pair else ("Vxlan1",)
            yield ExpectedRoute(tenant.name, prefix, len(hops), ports, hops, False, "tenant")


def _forbidden(switch: Switch, site: Site) -> Iterator[ForbiddenRoute]:
    """Subnets of every other VRF that the own one has not too."""
    everything = {
        (far.name, t.target, prefix) for far in site.values() for t in far.tenants for prefix in subnets(far, t.name)
    }
    for tenant in switch.tenants:
        own = {prefix for _, target, prefix in everything if target == tenant.target}
        for prefix in sorted({prefix for _, _, prefix in everything} - own):
            yield ForbiddenRoute(tenant.name, prefix, "another tenant")


def _vnis(switch: Switch, site: Site) -> Iterator[ExpectedVni]:
    targets = {vlan: bundle.target for bundle in switch.bundles for vlan in bundle.vlans}
    for vlan, vni in switch.vlans.items():
        far = {
            other.vtep
            for other in site.values()
            for bundle in other.bundles
            if bundle.target == targets[vlan] and vni in {other.vlans.get(number) for number in bundle.vlans}
        }
        yield ExpectedVni(vni, L2, vlan, "", tuple(sorted(far - {switch.vtep})))
    for vrf, vni in switch.vnis.items():
        yield ExpectedVni(vni, L3, 0, vrf, ())


def _evpn(switch: Switch, site: Site) -> Iterator[ExpectedEvpnRoute]:
    """Own routes, and those of every switch of another AS: a path with the own AS in it is refused."""
    for far in site.values():
        if far.name != switch.name and far.asn == switch.asn:
            continue
        hop = "" if far.name == switch.name else far.vtep
        for bundle in far.bundles:
            if bundle.vlans:
                yield ExpectedEvpnRoute(3, bundle.rd, far.vtep, hop, far.name)
        for tenant in far.tenants:
            for prefix in subnets(far, tenant.name):
                yield ExpectedEvpnRoute(5, tenant.rd, str(ip_interface(prefix)), hop, far.name)
