"""Management part of one switch: the site's services, and its own address."""

from ipaddress import IPv4Address, IPv6Address

from fabricgen.base.addresses import NO_ADDRESS, Address, Ipv4, Prefix, interface_ipv4
from fabricgen.base.secret import secret
from fabricgen.device import management as device
from fabricgen.intent.site import Management as Intent
from fabricgen.plan.fabric import oob
from fabricgen.plan.place import UPPER
from fabricgen.resolve.context import Context


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
        users=tuple(
            device.User(name, user.role, secret(user.password), user.ssh_keys)
            for name, user in sorted(intent.users.items())
        ),
        tacacs=device.Tacacs(_texts(intent.aaa.tacacs), secret(intent.aaa.key)) if intent.aaa else None,
        snmp=_snmp(intent),
        gnmi=device.Gnmi(intent.gnmi.port, intent.gnmi.certificate) if intent.gnmi else None,
        eapi_certificate=intent.eapi.certificate if intent.eapi else "",
        access=_access(intent),
        login=_login(intent),
        lldp=intent.lldp,
        sflow=_sflow(intent) if context.place.tier not in UPPER else None,
    )


def _access(intent: Intent) -> tuple[device.ServiceAccess, ...]:
    access = intent.access
    if access is None:
        return ()
    own = {"ssh": access.ssh, "netconf": access.netconf, "gnmi": access.gnmi, "api": access.api, "snmp": access.snmp}
    return tuple(
        device.ServiceAccess(service, tuple(Prefix(str(prefix)) for prefix in prefixes or access.sources))
        for service, prefixes in own.items()
    )


def _login(intent: Intent) -> device.Login | None:
    login = intent.login
    if login is None:
        return None
    return device.Login(
        login.banner or "", login.idle_timeout or 0, not login.password_login, login.ssh_ciphers == "strong"
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
        auth_algorithm=snmp.auth_algorithm,
        privacy_algorithm=snmp.privacy_algorithm,
    )


def _sflow(intent: Intent) -> device.Sflow | None:
    sflow = intent.sflow
    if sflow is None:
        return None
    return device.Sflow(_texts(sflow.collectors), sflow.sample, sflow.polling_seconds)
