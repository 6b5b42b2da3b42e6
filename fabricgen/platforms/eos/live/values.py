"""Names as EOS writes them."""

import re
from collections.abc import Mapping

from fabricgen.platforms.base.live.values import address

ZONES = {"Et": "Ethernet", "Vl": "Vlan", "Po": "Port-Channel", "Ma": "Management"}
"""Short names of interfaces in zones → the long names."""
_ZONE = re.compile(rf"({'|'.join(ZONES)})([\d/.]+)", re.ASCII)


def peer_name(text: str) -> str:
    """Name of a session: the port of a link-local address (`fe80::2%Et1/1`), else the address.

    Source: peers of `show bgp summary vrf all` in the test data of ANTA (`fe80::2%Et1`, `fe80::...%Vl4094`).
    """
    peer, _, zone = text.partition("%")
    match = _ZONE.fullmatch(zone)
    return f"{ZONES[match[1]]}{match[2]}" if match and address(peer) else address(peer)


def vrf_name(name: str, names: Mapping[str, str]) -> str:
    """The plan's name of a VRF; the default one is ""."""
    return "" if name == "default" else names.get(name, name)
