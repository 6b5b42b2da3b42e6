"""The control-plane filter: entries as rows by their text, and the sources that each management service is open to.

Sources: YANG srl_nokia-acl ("lower numbered entries are evaluated before higher numbered entries"); CPM filter chapter.
An entry that accepts a prefix to the port of a service is a source of it, and is compared by that. All other entries
are rows by number and text, so that one in front of them, which accepts more, differs as well.
"""

from typing import NamedTuple

from fabricgen.platforms.srlinux.readback.config import Config
from fabricgen.platforms.srlinux.readback.document import Tree
from fabricgen.platforms.srlinux.readback.system import GRPC_PORT
from fabricgen.platforms.srlinux.readback.tree import block, flag, flat, number, rows, text
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Key, Part

PORTS = {"ssh": (("tcp", 22),), "api": (("tcp", 80), ("tcp", 443)), "snmp": (("udp", 161),)}
"""Protocol and ports of the services; gNMI has one of its own."""
SOURCE, OPENS = "ipv4 source-ip prefix ", "transport tcp-flags syn&!ack"
"""What a source of a service says, and what a drop may say that leaves replies to the switch alone."""
Port = tuple[str, int]


class Entry(NamedTuple):
    """An entry of IPv4 filters that accepts or drops, with what it says of protocol, port and source."""

    number: int
    match: str
    action: str
    line: int
    port: Port
    source: str
    plain: bool


def control_plane(config: Config) -> None:
    """Filters of `/acl`, and those that are bound to what is sent to the switch itself."""
    tree = block(config.tree, "acl")
    for row, _ in rows(tree, "policers", "system-cpu-policer"):
        name = text(row, "name")
        for said, at in flat(row):
            config.need(f"control-plane policer {name[0] if name else ''}: {said}", at)
    bound = set()
    for row, at in rows(config.tree, "system", "control-plane-traffic", "input", "acl", "acl-filter"):
        called, family = text(row, "name"), text(row, "type")
        if called is not None and family is not None:
            bound.add((called[0], family[0]))
            config.need(f"acl {called[0]} {family[0]} filters the control plane", called[1] or at)
    for row, line in rows(tree, "acl-filter"):
        called, family = text(row, "name"), text(row, "type")
        if called is None or family is None:
            row[None] = line
            continue
        flag(row, "statistics-per-entry"), text(row, "description")
        found = [_entry(entry, at) for entry, at in rows(row, "entry")]
        entries = sorted(entry for entry in found if entry is not None)
        _sources(config, (called[0], family[0]), entries, is_bound=(called[0], family[0]) in bound)


def _entry(entry: Tree, line: int) -> Entry | None:
    """An entry that accepts or drops; another action leaves it unread."""
    text(entry, "description")
    place, action = number(entry, "sequence-id"), block(entry, "action")
    done = [word for word in ("accept", "drop") if type(action.get(word)) is dict]
    if place is None or len(done) != 1:
        entry[None] = line
        return None
    policer = text(block(action, *done, "rate-limit"), "system-cpu-policer")
    how = f" at policer {policer[0]}" if policer else ", logged" if flag(action, "log")[0] else ""
    said = dict(sorted(flat(block(entry, "match"))))
    source = next((word.removeprefix(SOURCE) for word in said if word.startswith(SOURCE)), "")
    port = _port({word for word in said if word not in (OPENS, f"{SOURCE}{source}")})
    at = said.get(f"{SOURCE}{source}", place[1]) or line
    return Entry(place[0], ", ".join(said) or "all", f"{done[0]}{how}", at, port, source, OPENS not in said)


def _port(said: set[str]) -> Port:
    """Protocol and port to which an entry belongs that says nothing else."""
    for protocol in ("tcp", "udp"):
        rest = said - {f"ipv4 protocol {protocol}", "transport destination-port operator eq"}
        if len(said) == len(rest) + 2 and len(rest) == 1:
            word, _, value = rest.pop().rpartition(" ")
            if word == "transport destination-port value" and value.isdigit():
                return protocol, int(value)
    return "", 0


def _sources(config: Config, name: tuple[str, str], entries: list[Entry], *, is_bound: bool) -> None:
    """Sources of the services of a filter; one behind what drops all others, or that is not bound, lets nobody in."""
    gnmi = config.reading.rows.get(Key("management", "", "gnmi-port"))
    port = gnmi.value if gnmi is not None and isinstance(gnmi.value, int) else 0
    ports: dict[str, tuple[Port, ...]] = {**PORTS, "gnmi": (("tcp", port or GRPC_PORT),)}
    managed = {port for found in ports.values() for port in found}
    open_to: dict[Port, dict[str, int]] = {}
    closed: dict[Port, int] = {}
    for entry in entries:
        if entry.source and entry.plain and entry.port in managed and entry.action == "accept":
            if entry.port in closed or not is_bound:
                config.unread(entry.line)
            else:
                open_to.setdefault(entry.port, {}).setdefault(entry.source, entry.line)
            continue
        if not entry.source and entry.port in managed and entry.action.startswith("drop"):
            closed.setdefault(entry.port, entry.line)
        config.need(f"acl {' '.join(name)} {entry.number}: {entry.match}: {entry.action}", entry.line)
    for service, found in ports.items():
        lines = [open_to[port] for port in found if port in open_to]
        if lines or any(port in closed for port in found):
            _put(config, service, {port: open_to.get(port, {}) for port in found}, closed)


def _put(config: Config, service: str, sources: dict[Port, dict[str, int]], closed: dict[Port, int]) -> None:
    """A service of two ports has the sources of both; one of a single port says so."""
    parts: dict[Part, Lines] = {}
    lines = [closed[port] for port in sources if port in closed]
    for (_, port), found in sources.items():
        for source, line in found.items():
            common = all(source in others for others in sources.values())
            parts.setdefault(source if common else f"{source} at port {port}", line)
            lines.append(line)
    config.put("management", "", f"access-{service}", frozenset(map(str, parts)), min(lines), parts)
