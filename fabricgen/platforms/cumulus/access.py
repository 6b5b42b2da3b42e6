"""Sources of the management services, as an ACL of the control plane for each family.

The default firewall opens the services to any source. An ACL of the user's own stands in front of it: rules are
installed in the order of their files, 01control_plane (the default DoS rules), 50_nvue, 98control_plane_whitelist.
So each service has its sources, to the address of management alone, and a rule that denies it to all others. All
services are in one list, whose rules have an order that is known; that of several lists is in no document. The default
firewall has no IPv6: a second list denies the services there.

Sources: Cumulus Linux 5.11 Firewall Rules ("control plane ACLs take precedence over acl-default-whitelist rules"); 5.11
Access Control List Configuration c5ea6e2d ("the ordering of rules during installation follows the sort order of the
files according to their file names"; no rule may deny all); 5.16 of the same (Control Who Can SSH into the Switch:
source-ip, dest-ip, permit, then deny); 5.11 NVUE API 0f31ea64 (Control Plane ACLs: sources, the switch itself, deny).
"""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.management import Management, ServiceAccess

LOCAL = "127.0.0.1"
"""The switch itself, which speaks to its own API."""
NAMES = {"ipv4": "MANAGEMENT", "ipv6": "MANAGEMENT-IPV6"}


class AclRule(NamedTuple):
    """A rule of an ACL: what it does with TCP packets to a port; empty addresses match all."""

    number: int
    action: str
    port: int
    source: str = ""
    destination: str = ""


class Acl(NamedTuple):
    """An ACL of the control plane: its name, its family, its rules."""

    name: str
    family: str
    rules: tuple[AclRule, ...]


def acls(device: Device) -> tuple[Acl, ...]:
    """The lists of both families; none where the intent lists no sources."""
    if not device.management.access:
        return ()
    rules = {"ipv4": list(_rules(device)), "ipv6": [AclRule(0, "deny", port) for _, port in ports(device.management)]}
    return tuple(
        Acl(NAMES[family], family, tuple(rule._replace(number=10 * at) for at, rule in enumerate(found, 1)))
        for family, found in rules.items()
    )


def _rules(device: Device) -> Iterator[AclRule]:
    management = device.management
    sources = {row.service: row.prefixes for row in served(management)}
    address = f"{management.address.partition('/')[0]}/32"
    for service, port in ports(management):
        for prefix in sources[service]:
            yield AclRule(0, "permit", port, "ANY" if prefix == "0.0.0.0/0" else prefix, address)
        if service == "api":
            yield AclRule(0, "permit", port, LOCAL)
        yield AclRule(0, "deny", port)


def ports(management: Management) -> Iterator[tuple[str, int]]:
    """Services that run, with their ports of TCP: NGINX serves the API, and 443 is open in the default firewall."""
    yield "ssh", 22
    yield "api", 443
    yield "api", 8765
    if management.gnmi is not None:
        yield "gnmi", management.gnmi.port


def served(management: Management) -> tuple[ServiceAccess, ...]:
    """The rows of the services that a switch answers: NETCONF is none of Cumulus, and SNMP is refused."""
    runs = {"ssh": True, "api": True, "gnmi": management.gnmi is not None}
    return tuple(row for row in management.access if runs.get(row.service))
