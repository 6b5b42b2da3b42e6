"""Names as EOS writes them."""

import re
from collections.abc import Mapping

from fabricgen.platforms.base.live.values import address

ZONES = {"Et": "Ethernet", "Vl": "Vlan", "Po": "Port-Channel", "Ma": "Management"}
"""Short names of interfaces, as zones have them → the long ones."""
_ZONE = re.compile(rf"({'|'.join(ZONES)})([\d/.]+)", re.ASCII)


def peer_name(text: str) -> str:
    """What a session is known by: the port behind which a link-local address is (`fe80::2%Et1/1`), else the address.

    Source: peers of `show bgp summary vrf all` in the test data of ANTA (`fe80::2%Et1`, `fe80::...%Vl4094`).
    """
    far, _, zone = text.partition("%")
    port = _ZONE.fullmatch(zone)
    return f"{ZONES[port[1]]}{port[2]}" if port and address(far) else address(far)


def vrf_name(shown: str, names: Mapping[str, str]) -> str:
    """VRF of the plan for one of the switch; the default one is ""."""
    return "" if shown == "default" else names.get(shown, shown)
