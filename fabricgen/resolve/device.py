"""The whole switch: puts the parts of all features together."""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address

from fabricgen.base.addresses import NO_ADDRESS, Address, Ipv4, interface_ipv4
from fabricgen.base.secret import marked, secret
from fabricgen.device import management as device
from fabricgen.device.device import Device, Hardware, RawLines
from fabricgen.device.qos import Qos
from fabricgen.intent.site import Management as Intent
from fabricgen.intent.site import Raw
from fabricgen.plan.fabric import name_of, oob, present_places, state_of
from fabricgen.plan.overrides import is_named
from fabricgen.plan.place import UPPER, Place
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.lossless import RenderedLossless, as_given
from fabricgen.resolve.context import Context, FabricContext, make_context, make_site
from fabricgen.resolve.evpn import resolve_evpn
from fabricgen.resolve.interfaces import resolve_interfaces
from fabricgen.resolve.qos import resolve_load_balancing, resolve_qos
from fabricgen.resolve.routing import resolve_routing
from fabricgen.resolve.telemetry import resolve_telemetry
from fabricgen.topologies.shape import Chassis


def devices(plan: Plan, known: Iterable[Device] = ()) -> Iterator[Device]:
    """Yield every configured switch of the site, fabric by fabric. `known`: devices that are already resolved."""
    resolved = {(device.fabric, device.name): device for device in known}
    for name in plan.fabrics:
        site = make_site(plan, name)
        for place in present_places(site.fabric):
            yield resolved.get((name, name_of(site.fabric, place))) or resolve(site, place)


def resolve(site: FabricContext, place: Place) -> Device:
    """Return one switch, computed from its place alone."""
    context = make_context(site, place)
    system, _, version = context.chassis.system.partition("-")
    interfaces = resolve_interfaces(context)
    return Device(
        name=context.name,
        site=site.plan.intent.site,
        fabric=site.fabric.name,
        kind=site.fabric.fabric.kind,
        role=place.tier.value,
        system=system,
        version=version,
        state=state_of(site.fabric, place),
        hardware=hardware_of(context.chassis),
        management=resolve_management(context),
        interfaces=interfaces,
        routing=resolve_routing(context),
        evpn=resolve_evpn(context),
        qos=resolve_qos(context, interfaces.ethernet),
        load_balancing=resolve_load_balancing(context, interfaces.ethernet),
        telemetry=resolve_telemetry(context),
        raw=tuple(raw_lines(site.plan.intent.raw, place, context.name, system)),
    )


def raw_lines(entries: Iterable[Raw], place: Place, name: str, system: str) -> Iterator[RawLines]:
    """Yield the raw lines of an intent for a switch, by its name and its operating system without the release."""
    for index, raw in enumerate(entries):
        if raw.system == system and _selects(raw, place, name):
            lines = tuple(marked(line, raw.references) for line in raw.lines)
            yield RawLines(artifact=raw.artifact or "", lines=lines, where=f"raw[{index}]")


def _selects(raw: Raw, place: Place, name: str) -> bool:
    return raw.fabric in (None, place.fabric) and raw.role in (None, place.tier.value) and is_named(raw.device, name)


def hardware_of(chassis: Chassis) -> Hardware:
    """Return what the platform of a chassis needs to know about the hardware."""
    system = chassis.system.partition("-")[0]
    return Hardware(
        model=chassis.switch.model,
        asic=chassis.asic.name,
        spellings={**chassis.asic.spellings.get(system, {}), **chassis.switch.spellings.get(system, {})},
    )


def rendered_lossless(chassis: Chassis, qos: Qos, mtu: int) -> RenderedLossless:
    """Return the lossless class of a chassis as its system rounds it. mtu: largest packet of its ports, octets."""
    system = chassis.system.partition("-")[0]
    rendered = PLATFORMS[system].rendered if system in PLATFORMS else as_given
    return rendered(hardware_of(chassis), qos, mtu)


def _texts(addresses: tuple[IPv4Address | IPv6Address, ...]) -> tuple[Address, ...]:
    return tuple(Ipv4(str(address)) for address in addresses)


def resolve_management(context: Context) -> device.Management:
    """Return the management settings of the intent, with the switch's out-of-band address and port."""
    address = interface_ipv4(oob(context.fabric, context.place), context.management.oob.prefixlen)
    system, model = context.chassis.system.partition("-")[0], context.chassis.switch.model
    return context.alike(("management", system, model), lambda: _without_address(context, system))._replace(
        address=address
    )


def _without_address(context: Context, system: str) -> device.Management:
    intent = context.management
    return device.Management(
        port=context.chassis.switch.management_port[system],
        vrf=intent.vrf,
        address=NO_ADDRESS,
        gateway=Ipv4(str(intent.gateway)),
        domain=intent.domain or "",
        dns=_texts(intent.dns),
        ntp=_texts(intent.ntp),
        syslog=_texts(intent.syslog),
        users=tuple(device.User(name, user.role, secret(user.password)) for name, user in sorted(intent.users.items())),
        tacacs=device.Tacacs(_texts(intent.aaa.tacacs), secret(intent.aaa.key)) if intent.aaa else None,
        snmp=_snmp(intent),
        gnmi=device.Gnmi(intent.gnmi.port, intent.gnmi.certificate) if intent.gnmi else None,
        eapi_certificate=intent.eapi.certificate if intent.eapi else "",
        lldp=intent.lldp,
        sflow=_sflow(intent) if context.place.tier not in UPPER else None,
    )


def _snmp(intent: Intent) -> device.Snmp | None:
    snmp = intent.snmp
    if snmp is None:
        return None
    return device.Snmp(
        user=snmp.user,
        auth=secret(snmp.auth),
        privacy=secret(snmp.privacy),
        location=snmp.location or "",
        contact=snmp.contact or "",
        traps=_texts(snmp.traps),
    )


def _sflow(intent: Intent) -> device.Sflow | None:
    sflow = intent.sflow
    if sflow is None:
        return None
    return device.Sflow(_texts(sflow.collectors), sflow.sample, sflow.polling_seconds)
