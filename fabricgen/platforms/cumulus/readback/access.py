"""ACLs of the control plane: the sources of each management service.

Sources: 5.11 and 5.16 user guide, Access Control List Configuration, Firewall Rules; NVUE API (Control Plane ACLs).
Rules count by their numbers. Which of two lists of a family comes first is in no document, so the second is not
understood; nor is a list that is not bound, a source behind the rule that denies the rest, or a rule of another form.
"""

from typing import NamedTuple

from fabricgen.platforms.cumulus.readback.nvue import Nvue
from fabricgen.platforms.cumulus.readback.tree import Tree
from fabricgen.platforms.linux.readback.words import number, prefix
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Key, Part, Row

PORTS = {22: "ssh", 443: "api", 8765: "api"}
LOCAL = "127.0.0.1"
EVERYBODY = "0.0.0.0/0"
DEFAULTS = ("acl-default-dos", "acl-default-whitelist")


class Rule(NamedTuple):
    """A rule: its action, the TCP port, addresses as they are written, and where it is."""

    action: str
    port: int
    source: str
    destination: str
    row: Tree


class Port:
    """A port of a service: its sources with their lines, and the families in which it is denied to others."""

    def __init__(self) -> None:
        self.sources: dict[str, int] = {}
        self.closed: dict[str, int] = {}


def ra_guards(nvue: Nvue) -> frozenset[str]:
    """Names of the lists that deny router advertisements and nothing else (NVUE reference, ACL: icmpv6-type)."""
    return frozenset(name for name, acl in nvue.root.take("acl").each() if _is_ra_guard(acl))


def _is_ra_guard(acl: Tree) -> bool:
    rules = [row for _, row in acl.take("rule").each()]
    if acl.text("type") != "ipv6" or len(rules) != 1:
        return False
    actions = [key for key, _ in rules[0].take("action").each()]
    matches = [key for key, _ in rules[0].take("match").each()]
    match = {key: said.value for key, said in rules[0].take("match", "ip").each()}
    advertisements = {"icmpv6-type": "router-advertisement", "protocol": "icmpv6"}
    return (actions, matches, match) == (["deny"], ["ip"], advertisements)


def put_access(nvue: Nvue) -> None:
    """Rows of management's services, and lines of what is denied. After management itself."""
    rows = nvue.reading.rows
    address, gnmi = (rows.get(Key("management", "", setting)) for setting in ("address", "gnmi-port"))
    own = str(address.value).partition("/")[0] if address is not None else ""
    services = PORTS | ({gnmi.value: "gnmi"} if gnmi is not None and isinstance(gnmi.value, int) and gnmi.value else {})
    bound = {
        name
        for name, row in nvue.root.take("system", "control-plane", "acl").each()
        if name not in DEFAULTS and row.take("inbound")
    }
    found: dict[int, Port] = {}
    families: set[str] = set()
    for name, acl in sorted(nvue.root.take("acl").each()):
        if name in nvue.guards:
            continue
        family = acl.text("type")
        if name not in bound or family not in ("ipv4", "ipv6") or family in families:
            acl.refuse()
            continue
        families.add(family)
        for rule in _rules(acl):
            _put(nvue, services, found, rule, family, own)
    for service in dict.fromkeys(services.values()):
        _write(nvue, service, {port: found.get(port, Port()) for port in services if services[port] == service})
    for port, said in sorted(found.items()):
        for family, line in sorted(said.closed.items()):
            nvue.say(f"TCP port {port} is denied to others over {family}", line)


def _rules(acl: Tree) -> list[Rule]:
    """Rules that match TCP packets to a port, by number; another is not understood."""
    found = []
    for name, row in acl.take("rule").each():
        actions = [key for key, _ in row.take("action").each()]
        match = row.take("match", "ip")
        ports = [key for key, _ in match.take("tcp", "dest-port").each()]
        words = match.text("protocol"), match.text("source-ip"), match.text("dest-ip")
        port, place = number(ports[0]) if len(ports) == 1 else None, number(name)
        row.take("remark")
        if place is None or not port or len(actions) != 1 or words[0] != "tcp":
            row.refuse()
        else:
            found.append((place, Rule(actions[0], port, words[1], words[2], row)))
    return [rule for _, rule in sorted(found, key=lambda pair: pair[0])]


def _put(nvue: Nvue, services: dict[int, str], found: dict[int, Port], rule: Rule, family: str, own: str) -> None:
    """A source to the address of management, the switch itself at its API, or what is denied to all others."""
    said = found.setdefault(rule.port, Port()) if rule.port in services else Port()
    is_open = rule.port in services and family == "ipv4" and family not in said.closed
    source = EVERYBODY if rule.source == "ANY" else prefix(rule.source) or rule.source
    if rule.action == "deny" and rule.port in services and not rule.source and not rule.destination:
        said.closed.setdefault(family, rule.row.line)
    elif rule.action == "permit" and is_open and rule.destination == f"{own}/32" and source:
        said.sources.setdefault(source, rule.row.line)
    elif rule.action == "permit" and is_open and (rule.source, rule.destination) == (LOCAL, ""):
        nvue.say(f"TCP port {rule.port} is open to the switch itself", rule.row.line)
    else:
        rule.row.refuse()


def _write(nvue: Nvue, service: str, ports: dict[int, Port]) -> None:
    """A service of two ports has the sources of both; one of a single port says so."""
    parts: dict[Part, Lines] = {}
    lines = [line for said in ports.values() for line in said.closed.values()]
    for port, said in ports.items():
        for source, line in said.sources.items():
            common = all(source in others.sources for others in ports.values())
            parts.setdefault(source if common else f"{source} at port {port}", line)
            lines.append(line)
    if lines:
        row = Row(frozenset(map(str, parts)), nvue.file, min(lines), parts or None)
        nvue.reading.add(Key("management", "", f"access-{service}"), row)
