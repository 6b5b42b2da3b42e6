"""The secrets of a switch. Only these may be filled into its files, whatever else is marked in them."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.secret import REFERENCE, Secret, shown
from fabricgen.device.device import Device

USER_PASSWORD, TACACS_KEY = "users.*.password", "aaa.key"
SNMP_AUTH, SNMP_PRIVACY, BGP_PASSWORD = "snmp.auth", "snmp.privacy", "external.*.password"
FABRIC_PASSWORD = "bgp.password"  # noqa: S105 - the name of a field
FIELDS = (USER_PASSWORD, TACACS_KEY, SNMP_AUTH, SNMP_PRIVACY, BGP_PASSWORD, FABRIC_PASSWORD)
"""Fields of a Device that are secrets, each named by the end of its path in an intent."""


class SecretField(NamedTuple):
    """A secret of a switch and the field that has it, one of FIELDS."""

    field: str
    secret: Secret


def secret_fields(device: Device) -> Iterator[SecretField]:
    """Yield every secret of a switch outside its raw lines; one that several fields use comes several times."""
    management = device.management
    yield from (SecretField(USER_PASSWORD, user.password) for user in management.users)
    if management.tacacs is not None:
        yield SecretField(TACACS_KEY, management.tacacs.key)
    if management.snmp is not None:
        yield SecretField(SNMP_AUTH, management.snmp.auth)
        yield SecretField(SNMP_PRIVACY, management.snmp.privacy)
    outside = (neighbor for vrf in device.routing.bgp.vrfs for neighbor in vrf.neighbors)
    yield from (SecretField(BGP_PASSWORD, neighbor.password) for neighbor in outside if neighbor.password is not None)
    groups = (group.password for group in device.routing.bgp.groups)
    yield from (SecretField(FABRIC_PASSWORD, password) for password in groups if password is not None)


def references(device: Device) -> frozenset[str]:
    """Return every reference to a secret of a switch, as people write it."""
    raw = (match.group() for part in device.raw for line in part.lines for match in REFERENCE.finditer(line))
    return frozenset((*(field.secret.written for field in secret_fields(device)), *map(shown, raw)))
