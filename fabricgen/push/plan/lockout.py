"""Whether a configuration still lets in the push that brings it: its source, its account and its service. Pure."""

import re
from collections.abc import Iterable, Iterator
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.base.text import listed
from fabricgen.device.device import Device
from fabricgen.device.management import ServiceAccess
from fabricgen.diff.words import named
from fabricgen.errors import Problem
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.platforms.base.live.entry import API, Entry
from fabricgen.platforms.base.platform import Platform

ADMIN = "network-admin"
WORDS = re.compile(r"[^\s\"',;:{}\[\]]+")
"""Words of a raw line."""
SERVICES = {"ssh": "SSH", "netconf": "NETCONF", "api": "the HTTP API"}


class Arrival(NamedTuple):
    """How a push came into a switch that it is to change, and what the switch is to run. text: its main file."""

    device: Device
    profile: CommitProfile
    entry: Entry
    text: str


def lockouts(arrivals: Iterable[Arrival]) -> Iterator[Problem]:
    """Problems of switches whose new configuration would not let this push in again; alike ones are one problem.

    What cannot be known here, such as accounts of a TACACS+ server or an address that is translated on the way, is left
    to the new login before each confirmation.
    """
    found = ((fault, arrival.device.name) for arrival in arrivals for fault in _faults(arrival))
    for fault, names in grouped(found).items():
        yield fault._replace(what=fault.what.replace("{names}", named(names)))


def _faults(arrival: Arrival) -> Iterator[Problem]:
    """Problems of one switch, `{names}` in place of its name."""
    for fault in (_source(arrival), _account(arrival), _key(arrival), _service(arrival)):
        if fault is not None:
            yield fault


def _source(arrival: Arrival) -> Problem | None:
    service, _, source = arrival.entry
    row: ServiceAccess | None = next((row for row in arrival.device.management.access if row.service == service), None)
    if row is None or not source or _is_among(source, row.prefixes):
        return None
    if ip_address(source).version == 4:
        fix = f"add {source}/32 to management.access.{service}, or to management.access.sources if it has no {service}"
    else:
        fix = "use IPv4 addresses in the inventory: management.access lets in IPv4 alone"
    refused = f"refuses {SERVICES[service]} from {source}, from where this push comes"
    return Problem(
        code="push-source",
        what=f"the new configuration of {{names}} {refused}",
        why=f"management.access lets in {listed(map(str, row.prefixes))}",
        fix=f"{fix}; or push from a host in these prefixes",
    )


def _is_among(source: str, prefixes: Iterable[object]) -> bool:
    address = ip_address(source)
    return any(address in ip_network(str(prefix)) for prefix in prefixes)


def _account(arrival: Arrival) -> Problem | None:
    device, user = arrival.device, arrival.entry.user
    platform, management = PLATFORMS[device.system], device.management
    given = next((row for row in management.users if row.name == user), None)
    if not user or management.tacacs is not None or (given is not None and given.role == ADMIN):
        return None
    if given is not None:
        return Problem(
            code="push-account",
            what=f"the new configuration of {{names}} takes the rights of {user}, by which this push logs in",
            why=f"management.users.{user} has the role {given.role}, which may not configure",
            fix=f"write management.users.{user}.role: {ADMIN}, or use another account in the inventory",
        )
    if not _replaces_users(arrival.profile, platform) or _stays(platform, user) or _is_raw(device, user):
        return None
    admins = [row.name for row in management.users if row.role == ADMIN]
    other = f", or log in as {listed(admins)} (username in the inventory)" if admins else ""
    return Problem(
        code="push-account",
        what=f"the new configuration of {{names}} removes the account {user}, by which this push logs in",
        why=f"it is not in management.users, and on {platform.title} a push replaces all accounts",
        fix=f'write management.users.{user}: {{role: {ADMIN}, password: "${{env:{_variable(user)}_HASH}}"}}{other}',
    )


def _key(arrival: Arrival) -> Problem | None:
    """Where SSH is to take keys alone, the account has one; whether this host holds it is seen at the new login."""
    device, (service, user, _) = arrival.device, arrival.entry
    login = device.management.login
    if login is None or not login.only_keys or service == API or not user:
        return None
    if any(row.name == user and row.ssh_keys for row in device.management.users) or _is_raw(device, user):
        return None
    return Problem(
        code="push-key",
        what=f"the new configuration of {{names}} takes no password of {user}, by which this push logs in, and no key",
        why=f"management.login.password_login is false, and management.users has no key of {user}",
        fix=f"add the line of its .pub file to management.users.{user}.ssh_keys, push that first with password_login: "
        "true, and log in by this key from then on",
    )


def _variable(user: str) -> str:
    return re.sub(r"\W", "_", user).upper()


def _replaces_users(profile: CommitProfile, platform: Platform) -> bool:
    """Whether a push of a file without an account takes the account away."""
    row = platform.can("users")
    return profile.replaces and row is not None and not row.refusal


def _stays(platform: Platform, user: str) -> bool:
    """Whether an account is one that the system itself keeps."""
    own = [platform.own_admin.name] if platform.own_admin is not None else []
    return user in (*own, *(account.name for account in platform.factory))


def _is_raw(device: Device, user: str) -> bool:
    """Whether raw lines of the intent name an account: nobody knows what they say of it."""
    return any(user in WORDS.findall(line) for part in device.raw for line in part.lines)


def _service(arrival: Arrival) -> Problem | None:
    if arrival.entry.service != API or re.search(arrival.profile.api_line, arrival.text, re.MULTILINE):
        return None
    return Problem(
        code="push-service",
        what="the new configuration of {names} turns the HTTP API off, by which this push comes",
        why=f"management.eapi is not set, and a push to {PLATFORMS[arrival.device.system].title} replaces all lines",
        fix="write management.eapi: {certificate: NAME}",
    )
