"""Names as NX-OS writes them."""

import re

_PORT = re.compile(r"([A-Za-z-]+) ?(\d[\d/.]*)")
_KINDS = ("Ethernet", "port-channel", "loopback", "mgmt", "Vlan", "nve")
SHORTEST = 2


def port(text: str) -> str | None:
    """The full name of an interface; short ones such as Eth1/1 are taken, too (command reference, interface)."""
    match = _PORT.fullmatch(text)
    if match is None or len(match[1]) < SHORTEST:
        return None
    kinds = [kind for kind in _KINDS if kind.lower().startswith(match[1].lower())]
    return f"{kinds[0]}{match[2]}" if len(kinds) == 1 else None


def loopback(text: str) -> int | None:
    """Number of a loopback."""
    name = port(text) or ""
    digits = name.removeprefix("loopback")
    return int(digits) if digits != name and digits.isdigit() and len(digits) < 6 else None
