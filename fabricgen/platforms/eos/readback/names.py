"""Names and numbers as EOS writes them."""

import re
from functools import lru_cache

_PORT = re.compile(r"([A-Za-z-]+?)[ ]?(\d[\d/.]*)")
_KINDS = ("Ethernet", "Port-Channel", "Loopback", "Management", "Vlan", "Vxlan")
SHORTEST = 2


@lru_cache(maxsize=1 << 12)
def port(text: str) -> str | None:
    """The full name of an interface. EOS takes and prints short ones, such as Et49/1 (manual, Ethernet ports)."""
    match = _PORT.fullmatch(text)
    if match is None or len(match[1]) < SHORTEST:
        return None
    kinds = [kind for kind in _KINDS if kind.lower().startswith(match[1].lower())]
    return f"{kinds[0]}{match[2]}" if len(kinds) == 1 else None


def loopback(text: str) -> int | None:
    """Number of a loopback."""
    name = port(text) or ""
    digits = name.removeprefix("Loopback")
    return int(digits) if digits != name and digits.isdigit() and len(digits) < 6 else None


def milliseconds(text: str) -> int | None:
    """Seconds with a fraction as milliseconds."""
    match = re.fullmatch(r"(\d{1,6})(?:\.(\d{1,3}))?", text, re.ASCII)
    return int(match[1]) * 1000 + int((match[2] or "0").ljust(3, "0")) if match else None
