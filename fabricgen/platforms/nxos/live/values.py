"""Reading values out of what NX-OS prints for `| json`. Whatever has not the expected form is NotUnderstood.

Tables are objects TABLE_x with rows ROW_x: a list, or where there is one row the row itself; `| json native` (recorded
on 9.3(4)) has always a list. Numbers and truth values are text or not, from one release to the next.
"""

import json
import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_interface

from fabricgen.platforms.base.live.values import NotUnderstoodError, whole

Row = Mapping[str, object]

SHORT = {"Eth": "Ethernet", "Lo": "loopback", "Po": "port-channel"}
"""Short names of interfaces, as routes, LLDP and BFD have them → the long ones."""
_SHORT = re.compile(rf"({'|'.join(SHORT)})([\d/.]+)", re.ASCII)
_WORDS = {"true": True, "false": False}
REFUSED = "gave the error"
"""In the words of NAPALM where the switch refused a command (napalm/nxapi_plumbing/errors.py), and never else."""


def parsed(shown: str) -> Row:
    """The object that a command printed. Raises NotUnderstoodError."""
    try:
        found = json.loads(shown, strict=False)
    except (ValueError, RecursionError):
        raise NotUnderstoodError("no whole JSON") from None
    return mapping(found, "the answer")


def mapping(value: object, name: str) -> Row:
    """Value as an object; `name` is for the complaint."""
    if not isinstance(value, Mapping):
        raise NotUnderstoodError(f"no object {name!r}")
    return value


def rows(value: Row, name: str) -> Iterator[Row]:
    """Rows of a table inside another; none where the table is not there."""
    table = value.get(f"TABLE_{name}")
    for part in table if isinstance(table, list) else () if table is None else (table,):
        inside = mapping(part, f"TABLE_{name}").get(f"ROW_{name}")
        for row in inside if isinstance(inside, list) else () if inside is None else (inside,):
            yield mapping(row, f"ROW_{name}")


def top(value: Row, name: str) -> Iterator[Row]:
    """Rows of the table that an answer consists of; an answer with something else is not understood, `{}` has none."""
    if value and f"TABLE_{name}" not in value:
        raise NotUnderstoodError(f"no table 'TABLE_{name}'")
    return rows(value, name)


def text(row: Row, name: str, default: str | None = None) -> str:
    """Text under `name`, also where it is written as a number; without a default it must be there."""
    found = row.get(name)
    if found is None and default is not None:
        return default
    if isinstance(found, int) and not isinstance(found, bool):
        return str(found)
    if not isinstance(found, str):
        raise NotUnderstoodError(f"no text {name!r}")
    return found.strip()


def number(row: Row, name: str, default: int | None = None) -> int:
    """Whole number under `name`."""
    found = row.get(name)
    return default if found is None and default is not None else whole(found, name)


def flag(row: Row, name: str) -> bool:
    """Truth value under `name`, which must be there."""
    found = row.get(name)
    if isinstance(found, bool):
        return found
    if isinstance(found, str) and found.lower() in _WORDS:
        return _WORDS[found.lower()]
    raise NotUnderstoodError(f"no truth value {name!r}")


def long_name(name: str) -> str:
    """Ethernet1/1 for Eth1/1."""
    short = _SHORT.fullmatch(name)
    return f"{SHORT[short[1]]}{short[2]}" if short else name


def is_address(found: str) -> bool:
    """Whether a text is an address."""
    try:
        ip_address(found)
    except ValueError:
        return False
    return True


def own_address(found: str) -> str:
    """Canonical address with its length; empty for one of the link only (RFC 4291 section 2.5.6)."""
    try:
        address = ip_interface(found)
    except ValueError:
        raise NotUnderstoodError("an interface address that is none") from None
    return "" if address.version == 6 and address.is_link_local else str(address)


def vrf_name(shown: str, names: Mapping[str, str]) -> str:
    """VRF of the plan for one of the switch; the default one is ""."""
    return "" if shown == "default" else names.get(shown, shown)
