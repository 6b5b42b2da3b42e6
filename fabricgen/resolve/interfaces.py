"""Interface rows of one switch, by port role."""

from collections.abc import Iterator
from operator import itemgetter

from fabricgen.base.addresses import NO_ADDRESS, InterfaceAddress, interface_ipv4, interface_ipv6
from fabricgen.device.interfaces import Ethernet, Interfaces, Loopback, Subinterface
from fabricgen.intent.fabric import overlay_of
from fabricgen.plan.exceptions import DEAD
from fabricgen.plan.fabric import binding_of, loopback4, loopback6, port_text, vtep
from fabricgen.plan.place import UPPER, Tier
from fabricgen.resolve.context import Context
from fabricgen.resolve.evpn import attached, externals_here
from fabricgen.resolve.host_rows import Keyed, host_rows
from fabricgen.resolve.kinds import Kinds, cable_length, cable_lengths
from fabricgen.resolve.links import ABSENT, LinkBundle
from fabricgen.resolve.port_overrides import Own
from fabricgen.resolve.profiles import port_profile
from fabricgen.resolve.relays import relay_loopbacks
from fabricgen.resolve.servers import lags


def resolve_interfaces(context: Context) -> Interfaces:
    """Return all interfaces of a switch, each kind in natural order."""
    # By cage and part, which is the natural order of the names.
    ethernet = tuple(sorted(_ethernet(context), key=itemgetter(0)))
    rows = Own(context).rows(row for _, row in ethernet)
    return Interfaces(
        ethernet=rows,
        lags=tuple(lags(context, rows)),
        subinterfaces=tuple(_subinterfaces(context)),
        loopbacks=tuple(_loopbacks(context)),
        idle=tuple(_idle(context, ethernet)),
    )


def _ethernet(context: Context) -> Iterator[Keyed]:
    for bundle in context.bundles:
        yield from _fabric_rows(context, bundle)
    if context.place.tier is Tier.BORDER:
        yield from _external_rows(context)
    elif context.place.tier is Tier.LEAF:
        yield from host_rows(context)


def _idle(context: Context, rows: tuple[Keyed, ...]) -> Iterator[Ethernet]:
    """Yield dead ports whose cable uses a spare port now, where other parts of their cage are in use.

    The first interface of a cage may own all of its lanes until its speed is configured.
    """
    plan, chassis = context.fabric, context.chassis
    dead = {key.port for key, state in plan.exceptions.ports.items() if (key.device, state) == (context.name, DEAD)}
    if not dead:
        return
    used, cages = {row.name for _, row in rows}, {cage for (cage, _), _ in rows}
    ports = (*chassis.down, *chassis.up, *chassis.spare)
    for port in sorted(ports, key=lambda port: (port.cage, port.part)):
        name = port_text(plan, context.place, port)
        if name in dead - used and port.cage in cages:
            profile = port_profile(context, "unused", port)
            yield Ethernet(name, "dead", profile._replace(routed=False, fec=""), enabled=False)


def _fabric_rows(context: Context, bundle: LinkBundle) -> Iterator[Keyed]:
    plan = context.fabric
    is_core = Tier.SUPERSPINE in (context.place.tier, bundle.fars[0].tier)
    default_length = plan.lengths.spine_superspine if is_core else plan.lengths.leaf_spine
    far = zip(bundle.far_names, bundle.far_ports, strict=True)
    lengths = cable_lengths(plan, context.name, bundle.names, far, default_length)
    kinds = Kinds(context, "uplink" if bundle.way.upward else "downlink").of_all(bundle.ports, lengths)
    rows = [
        Ethernet(name, text, profile, ipv4, ipv6, state != ABSENT, far_name, far_port, 0, None, headroom, length)
        for (profile, headroom), length, name, text, ipv4, ipv6, state, far_name, far_port in zip(
            kinds,
            lengths,
            bundle.names,
            bundle.far_texts,
            bundle.ipv4,
            bundle.ipv6,
            bundle.states,
            bundle.far_names,
            bundle.far_ports,
            strict=True,
        )
    ]
    return zip((port[1:3] for port in bundle.ports), rows, strict=True)


def _external_rows(context: Context) -> Iterator[Keyed]:
    plan = context.fabric
    kinds = Kinds(context, "external")
    down = binding_of(plan, context.place).down
    sessions = (external for tenant in context.site.tenants for external in externals_here(context, tenant))
    peers = {external.port: external for external in sessions}
    for number, external in sorted(peers.items()):
        port, peer = down[number], external.peer
        name = port_text(plan, context.place, port)
        length = cable_length(plan, context.name, name, (peer, ""), plan.lengths.border_external)
        profile = kinds.of(port, length).profile._replace(mtu=external.mtu)
        yield (port.cage, port.part), Ethernet(name, description=peer, profile=profile, peer=peer, length_m=length)


def _subinterfaces(context: Context) -> Iterator[Subinterface]:
    if context.place.tier is not Tier.BORDER:
        return
    plan = context.fabric
    down = binding_of(plan, context.place).down
    sessions = [
        (external.port, external.vlan, tenant.name, external)
        for tenant in context.site.tenants
        for external in externals_here(context, tenant)
    ]
    for number, vlan, tenant_name, external in sorted(sessions, key=lambda row: row[:2]):
        texts = {
            interface.address.version: InterfaceAddress(f"{interface.address}/{interface.length}")
            for interface in external.addresses
        }
        yield Subinterface(
            parent=port_text(plan, context.place, down[number]),
            vlan_id=vlan,
            description=f"{external.peer} {tenant_name}",
            vrf=tenant_name,
            ipv4=texts.get(4, NO_ADDRESS),
            ipv6=texts.get(6, NO_ADDRESS),
            mtu=external.mtu,
        )


def _loopbacks(context: Context) -> Iterator[Loopback]:
    plan, place = context.fabric, context.place
    ipv4, ipv6 = loopback4(plan, place), loopback6(plan, place)
    yield Loopback(
        number=0,
        description="router id" if ipv4 is not None else "loopback",
        ipv4=interface_ipv4(ipv4, 32) if ipv4 is not None else NO_ADDRESS,
        ipv6=interface_ipv6(ipv6, 128) if ipv6 is not None else NO_ADDRESS,
    )
    if overlay_of(plan.fabric) is not None and place.tier not in UPPER:
        yield Loopback(number=1, description="VTEP", ipv4=interface_ipv4(vtep(plan, place), 32), ipv6=NO_ADDRESS)
    yield from relay_loopbacks(context, attached(context))
