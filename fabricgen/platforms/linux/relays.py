"""Device → the DHCP relay processes of a leaf."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.base.addresses import Address
from fabricgen.device.device import Device
from fabricgen.platforms.linux.interfaces import VrfDevice


class RelayProcess(NamedTuple):
    """One DHCP relay process: arguments of dhcrelay, in a VRF."""

    vrf: str
    arguments: str


def relays(device: Device, vrfs: tuple[VrfDevice, ...]) -> Iterator[RelayProcess]:
    """One dhcrelay per gateway and family, in the gateway's VRF; replies come in over any VRF that it imports."""
    if device.evpn is None:
        return
    by_tenant = {vrf.tenant: vrf for vrf in vrfs}
    imports = {vrf.name: vrf.imports for vrf in device.routing.bgp.vrfs}
    for row in device.evpn.gateways:
        vrf_device, down = by_tenant[row.vrf], f"vlan{row.vlan_id}"
        reached = [name for name in (row.vrf, *imports[row.vrf]) if name in by_tenant]
        up = [f"vlan{by_tenant[name].vlan_id}" for name in reached]
        up += [f"vlan{other.vlan_id}" for other in device.evpn.gateways if other.vrf in reached and other != row]
        if row.relays_ipv4:
            yield RelayProcess(vrf_device.name, _relay_ipv4(down, up, row.relays_ipv4))
        if row.relays_ipv6:
            yield RelayProcess(vrf_device.name, _relay_ipv6(down, up[0], row.relays_ipv6))


def _relay_ipv4(down: str, up: list[str], servers: Iterable[Address]) -> str:
    """`-id` interface of clients, `-U` interface with the relay's address, `-iu` others for replies (dhcrelay(8)).

    The first of `up` is the VLAN of the VRF's L3 VNI. `-U` adds the option that names the client's link (RFC 3527);
    `-D` drops replies to a VLAN that is not on this switch.
    """
    others = " ".join(f"-iu {name}" for name in up[1:])
    return " ".join(filter(None, ("-4 --no-pid -D", f"-id {down}", f"-U {up[0]}", others, *servers)))


def _relay_ipv6(down: str, up: str, servers: Iterable[Address]) -> str:
    """`-l` interface of clients, `-u` server and the interface towards it with the relay's address (dhcrelay(8))."""
    return f"-6 --no-pid -l {down} {' '.join(f'-u {server}%{up}' for server in servers)}"
