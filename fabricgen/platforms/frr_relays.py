"""From Device to the DHCP relay processes of a leaf."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.addresses import Address
from fabricgen.device.device import Device
from fabricgen.platforms.frr_links import VrfDevice


class Relay(NamedTuple):
    """One DHCP relay process: arguments of dhcrelay, in a VRF."""

    vrf: str
    arguments: str


def relays(device: Device, vrfs: tuple[VrfDevice, ...]) -> Iterator[Relay]:
    """One dhcrelay a gateway and family, in the gateway's VRF; replies come in over any VRF it may reach."""
    if device.evpn is None:
        return
    by_tenant = {vrf.tenant: vrf for vrf in vrfs}
    imports = {vrf.name: vrf.imports for vrf in device.routing.bgp.vrfs}
    for row in device.evpn.gateways:
        own = by_tenant[row.vrf]
        reached = [name for name in (row.vrf, *imports[row.vrf]) if name in by_tenant]
        up = [f"vlan{by_tenant[name].vlan_id}" for name in reached]
        up += [f"vlan{other.vlan_id}" for other in device.evpn.gateways if other.vrf in reached and other != row]
        if row.relays_ipv4:
            yield Relay(own.name, _relay_ipv4(f"vlan{row.vlan_id}", up, row.relays_ipv4))
        if row.relays_ipv6:
            yield Relay(own.name, _relay_ipv6(f"vlan{row.vlan_id}", up[0], row.relays_ipv6))


def _relay_ipv4(down: str, up: list[str], servers: Iterable[Address]) -> str:
    """`-id` where clients are, `-iu` where replies come in (dhcrelay(8))."""
    return f"-4 --no-pid -id {down} {' '.join(f'-iu {name}' for name in up)} {' '.join(servers)}"


def _relay_ipv6(down: str, up: str, servers: Iterable[Address]) -> str:
    """`-l` where clients are, `-u` server and the link towards it (dhcrelay(8))."""
    return f"-6 --no-pid -l {down} {' '.join(f'-u {server}%{up}' for server in servers)}"
