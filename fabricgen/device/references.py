"""Which secrets a switch has: nothing else may be filled into its files, whatever is marked in them."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.secret import REFERENCE, Secret, shown


def references(device: Device) -> frozenset[str]:
    """Every reference to a secret of a switch, as people write it."""
    raw = (found.group() for part in device.raw for line in part.lines for found in REFERENCE.finditer(line))
    return frozenset((*(each.written for each in _typed(device)), *map(shown, raw)))


def _typed(device: Device) -> Iterator[Secret]:
    management = device.management
    yield from (user.password for user in management.users)
    if management.tacacs is not None:
        yield management.tacacs.key
    if management.snmp is not None:
        yield from (management.snmp.auth, management.snmp.privacy)
    outside = (neighbor for vrf in device.routing.bgp.vrfs for neighbor in vrf.neighbors)
    yield from (neighbor.password for neighbor in outside if neighbor.password is not None)
