"""Values of NX-OS's `| json` output. Any other form than expected raises NotUnderstoodError.

Tables are objects TABLE_x with rows ROW_x: a list, or for a single row the row itself; `| json native` (recorded on
9.3(4)) always has a list. Numbers and truth values may be text, depending on the release.
"""

import json
import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_interface

from fabricgen.platforms.base.live.values import NotUnderstoodError, whole

Row = Mapping[str, object]

SHORT = {"Eth": "Ethernet", "Lo": "loopback", "Po": "port-channel"}
"""Short names of interfaces, in routes, LLDP and BFD → the long ones."""
_SHORT = re.compile(rf"({'|'.join(SHORT)})([\d/.]+)", re.ASCII)
_WORDS = {"true": True, "false": False}
REFUSED = "gave the error"
"""In NAPALM's error if the switch refused a command (napalm/nxapi_plumbing/errors.py), and in no other."""


def parsed(shown: str) -> Row:
    """Return the object that a command printed. Raises NotUnderstoodError."""
    try:
        value = json.loads(shown, strict=False)
    except (ValueError, RecursionError):
        raise NotUnderstoodError("no whole JSON") from None
    return mapping(value, "the answer")


def mapping(value: object, name: str) -> Row:
    """Return a value as an object; `name` is for the error."""
    if not isinstance(value, Mapping):
        raise NotUnderstoodError(f"no object {name!r}")
    return value


def rows(value: Row, name: str) -> Iterator[Row]:
    """Yield the rows of a table inside another; none if the table is missing."""
    table = value.get(f"TABLE_{name}")
    for part in table if isinstance(table, list) else () if table is None else (table,):
        table_rows = mapping(part, f"TABLE_{name}").get(f"ROW_{name}")
        for row in table_rows if isinstance(table_rows, list) else () if table_rows is None else (table_rows,):
            yield mapping(row, f"ROW_{name}")


def top(value: Row, name: str) -> Iterator[Row]:
    """Return the rows of the table that an output consists of; any other output is not understood, `{}` has none."""
    if value and f"TABLE_{name}" not in value:
        raise NotUnderstoodError(f"no table 'TABLE_{name}'")
    return rows(value, name)


def text(row: Row, name: str, default: str | None = None) -> str:
    """Return the text under `name`, also if it is a number; without a default it must exist."""
    value = row.get(name)
    if value is None and default is not None:
        return default
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise NotUnderstoodError(f"no text {name!r}")
    return value.strip()


def number(row: Row, name: str, default: int | None = None) -> int:
    """Return the whole number under `name`."""
    value = row.get(name)
    return default if value is None and default is not None else whole(value, name)


def flag(row: Row, name: str) -> bool:
    """Return the truth value under `name`, which must exist."""
    value = row.get(name)
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in _WORDS:
        return _WORDS[value.lower()]
    raise NotUnderstoodError(f"no truth value {name!r}")


def long_name(name: str) -> str:
    """Ethernet1/1 for Eth1/1."""
    match = _SHORT.fullmatch(name)
    return f"{SHORT[match[1]]}{match[2]}" if match else name


def is_address(value: str) -> bool:
    """Return whether a text is an address."""
    try:
        ip_address(value)
    except ValueError:
        return False
    return True


def own_address(value: str) -> str:
    """Return a canonical address with its prefix length; "" for a link-local one (RFC 4291 section 2.5.6)."""
    try:
        address = ip_interface(value)
    except ValueError:
        raise NotUnderstoodError("an interface address that is none") from None
    return "" if address.version == 6 and address.is_link_local else str(address)


def vrf_name(shown: str, names: Mapping[str, str]) -> str:
    """Return the plan's VRF for one of the switch; "" for the default one."""
    return "" if shown == "default" else names.get(shown, shown)
