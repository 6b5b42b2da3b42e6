"""Facts of management. Secrets are references in a Device: only those are shown."""

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
from fabricgen.device.management import Gnmi, Management, Sflow, Snmp, Tacacs, User


def _user(user: User) -> str:
    return f"role {user.role}, password {user.password.written}"


MANAGEMENT: tuple[ComparedField[Management], ...] = (
    ComparedField("management.port", lambda found: found.port),
    ComparedField("management.vrf", lambda found: found.vrf),
    ComparedField("management.address", lambda found: found.address),
    ComparedField("management.gateway", lambda found: found.gateway),
    ComparedField("management.domain", lambda found: found.domain),
    ComparedField("management.eapi", lambda found: found.eapi_certificate),
    ComparedField("management.lldp", lambda found: found.lldp),
)
MANAGEMENT_MEMBERS: tuple[Members[Management], ...] = (
    Members("management.dns", lambda found: found.dns, is_subject=True),
    Members("management.ntp", lambda found: found.ntp, is_subject=True),
    Members("management.syslog", lambda found: found.syslog, is_subject=True),
)
USER = Thing[User](
    "management.user",
    key=lambda user: user.name,
    summary=_user,
    settings=(ComparedField("management.user", _user),),
)

TACACS = Thing[Tacacs](
    "management.tacacs",
    key=lambda _: "",
    summary=lambda found: f"servers {', '.join(found.servers)}, key {found.key.written}",
    settings=(ComparedField("management.tacacs", lambda found: found.key.written, subject="key"),),
    members=(Members("management.tacacs", lambda found: found.servers, is_subject=True),),
)
SNMP = Thing[Snmp](
    "management.snmp",
    key=lambda _: "",
    summary=lambda found: f"user {found.user}, traps {', '.join(found.traps) or 'none'}",
    settings=(
        ComparedField("management.snmp", lambda found: found.user, subject="user"),
        ComparedField("management.snmp", lambda found: found.auth.written, subject="authentication"),
        ComparedField("management.snmp", lambda found: found.privacy.written, subject="privacy"),
        ComparedField("management.snmp", lambda found: found.location, subject="location"),
        ComparedField("management.snmp", lambda found: found.contact, subject="contact"),
    ),
    members=(Members("management.snmp", lambda found: found.traps, is_subject=True),),
)
GNMI = Thing[Gnmi](
    "management.gnmi",
    key=lambda _: "",
    summary=lambda found: f"port {found.port}, certificate {found.certificate}",
    settings=(
        ComparedField("management.gnmi", lambda found: found.port, subject="port"),
        ComparedField("management.gnmi", lambda found: found.certificate, subject="certificate"),
    ),
)
SFLOW = Thing[Sflow](
    "management.sflow",
    key=lambda _: "",
    summary=lambda found: f"collectors {', '.join(found.collectors)}, one packet in {found.sample}",
    settings=(
        ComparedField("management.sflow", lambda found: found.sample, subject="sample"),
        ComparedField("management.sflow", lambda found: found.polling_seconds, subject="polling seconds"),
    ),
    members=(Members("management.sflow", lambda found: found.collectors, is_subject=True),),
)


def management_facts(before: Management, after: Management) -> Iterator[DeviceChange]:
    """Everything of management that differs."""
    yield from settings(MANAGEMENT, before, after, ChangeScope())
    yield from members(MANAGEMENT_MEMBERS, before, after, ChangeScope())
    yield from things(USER, before.users, after.users, lambda user: ChangeScope(user.name))
    yield from _part(TACACS, before.tacacs, after.tacacs)
    yield from _part(SNMP, before.snmp, after.snmp)
    yield from _part(GNMI, before.gnmi, after.gnmi)
    yield from _part(SFLOW, before.sflow, after.sflow)


def _part(thing: Thing[Part], before: Part | None, after: Part | None) -> Iterator[DeviceChange]:
    """Facts of something that a switch has one of, or none."""
    left, right = (() if part is None else (part,) for part in (before, after))
    return things(thing, left, right, lambda _: ChangeScope())
