"""Changes of management. Secrets are references in a Device: only the references are shown."""

from collections.abc import Iterator

from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.values import (
    ChangeScope,
    ComparedField,
    Members,
    Part,
    Thing,
    members,
    settings,
    things,
)
from fabricgen.device.management import Gnmi, Login, Management, ServiceAccess, Sflow, Snmp, Tacacs, User


def _user(user: User) -> str:
    return f"role {user.role}, password {user.password.written}"


MANAGEMENT: tuple[ComparedField[Management], ...] = (
    ComparedField("management.port", lambda management: management.port),
    ComparedField("management.vrf", lambda management: management.vrf),
    ComparedField("management.address", lambda management: management.address),
    ComparedField("management.gateway", lambda management: management.gateway),
    ComparedField("management.domain", lambda management: management.domain),
    ComparedField("management.eapi", lambda management: management.eapi_certificate),
    ComparedField("management.lldp", lambda management: management.lldp),
)
MANAGEMENT_MEMBERS: tuple[Members[Management], ...] = (
    Members("management.dns", lambda management: management.dns, is_subject=True),
    Members("management.ntp", lambda management: management.ntp, is_subject=True),
    Members("management.syslog", lambda management: management.syslog, is_subject=True),
)
USER = Thing[User](
    "management.user",
    key=lambda user: user.name,
    summary=_user,
    settings=(ComparedField("management.user", _user),),
    members=(Members("management.user", lambda user: tuple(key.line for key in user.ssh_keys), is_subject=True),),
)

TACACS = Thing[Tacacs](
    "management.tacacs",
    key=lambda _: "",
    summary=lambda tacacs: f"servers {', '.join(tacacs.servers)}, key {tacacs.key.written}",
    settings=(ComparedField("management.tacacs", lambda tacacs: tacacs.key.written, subject="key"),),
    members=(Members("management.tacacs", lambda tacacs: tacacs.servers, is_subject=True),),
)
SNMP = Thing[Snmp](
    "management.snmp",
    key=lambda _: "",
    summary=lambda snmp: f"user {snmp.user}, traps {', '.join(snmp.traps) or 'none'}",
    settings=(
        ComparedField("management.snmp", lambda snmp: snmp.user, subject="user"),
        ComparedField("management.snmp", lambda snmp: snmp.auth.written, subject="authentication"),
        ComparedField("management.snmp", lambda snmp: snmp.privacy.written, subject="privacy"),
        ComparedField("management.snmp", lambda snmp: snmp.auth_algorithm, subject="authentication algorithm"),
        ComparedField("management.snmp", lambda snmp: snmp.privacy_algorithm, subject="privacy algorithm"),
        ComparedField("management.snmp", lambda snmp: snmp.location, subject="location"),
        ComparedField("management.snmp", lambda snmp: snmp.contact, subject="contact"),
    ),
    members=(Members("management.snmp", lambda snmp: snmp.traps, is_subject=True),),
)
GNMI = Thing[Gnmi](
    "management.gnmi",
    key=lambda _: "",
    summary=lambda gnmi: f"port {gnmi.port}, certificate {gnmi.certificate}",
    settings=(
        ComparedField("management.gnmi", lambda gnmi: gnmi.port, subject="port"),
        ComparedField("management.gnmi", lambda gnmi: gnmi.certificate, subject="certificate"),
    ),
)
SFLOW = Thing[Sflow](
    "management.sflow",
    key=lambda _: "",
    summary=lambda sflow: f"collectors {', '.join(sflow.collectors)}, one packet in {sflow.sample}",
    settings=(
        ComparedField("management.sflow", lambda sflow: sflow.sample, subject="sample"),
        ComparedField("management.sflow", lambda sflow: sflow.polling_seconds, subject="polling seconds"),
    ),
    members=(Members("management.sflow", lambda sflow: sflow.collectors, is_subject=True),),
)


ACCESS = Thing[ServiceAccess](
    "management.access",
    key=lambda access: access.service,
    summary=lambda access: f"{access.service} from {', '.join(access.prefixes)}",
    members=(Members("management.access", lambda access: access.prefixes, is_subject=True),),
)


LOGIN = Thing[Login](
    "management.login",
    key=lambda _: "",
    summary=lambda login: "; ".join(
        text
        for text in (
            f"banner {login.banner}" if login.banner else "",
            f"idle {login.idle_minutes} min" if login.idle_minutes else "",
            "keys alone" if login.only_keys else "",
            "strong ciphers" if login.strong else "",
        )
        if text
    ),
    settings=(
        ComparedField("management.login", lambda login: login.banner, subject="banner"),
        ComparedField("management.login", lambda login: login.idle_minutes, subject="idle minutes"),
        ComparedField("management.login", lambda login: login.only_keys, subject="keys alone"),
        ComparedField("management.login", lambda login: login.strong, subject="strong ciphers"),
    ),
)


def management_changes(before: Management, after: Management) -> Iterator[DeviceChange]:
    """All changes of management."""
    yield from settings(MANAGEMENT, before, after, ChangeScope())
    yield from members(MANAGEMENT_MEMBERS, before, after, ChangeScope())
    yield from things(USER, before.users, after.users, lambda user: ChangeScope(user.name))
    yield from things(ACCESS, before.access, after.access, lambda access: ChangeScope(access.service))
    yield from _part(LOGIN, before.login, after.login)
    yield from _part(TACACS, before.tacacs, after.tacacs)
    yield from _part(SNMP, before.snmp, after.snmp)
    yield from _part(GNMI, before.gnmi, after.gnmi)
    yield from _part(SFLOW, before.sflow, after.sflow)


def _part(thing: Thing[Part], before: Part | None, after: Part | None) -> Iterator[DeviceChange]:
    """Changes of a part of which a switch has one or none."""
    old_parts, new_parts = (() if part is None else (part,) for part in (before, after))
    return things(thing, old_parts, new_parts, lambda _: ChangeScope())
