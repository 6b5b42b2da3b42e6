"""ACL tables of the control plane: the sources of each management service, and neighbors whose BFD is let in.

Sources: sonic-host-services, scripts/caclmgrd (c2a4cdf): tables by name, rules by priority as text from the highest,
one rule per priority, one family per table; the drop of all else comes by itself once there is a rule. A table of
another type, service or form is not understood, and so is a source that comes after a drop of the same service.
"""

from typing import NamedTuple

from fabricgen.platforms.linux.readback.words import prefix
from fabricgen.platforms.sonic.readback.database import Database, lines_at, plain
from fabricgen.readback.fields import Field
from fabricgen.readback.rows import Key

CONTROL, LISTED = "CTRLPLANE", "EXTERNAL_CLIENT"
PORTS = {"SSH": "ssh", "SNMP": "snmp"}
"""Services that caclmgrd knows the port of."""
REST_PORT = "443"
FAMILIES = {"SRC_IP": ("IPv4", "0.0.0.0/0"), "SRC_IPV6": ("IPv6", "::/0")}
"""Field of the source → family, and everybody in it."""


class Rule(NamedTuple):
    """A row of ACL_RULE: its priority as text, its other fields, and where it is."""

    priority: str
    fields: dict[str, str]
    row: Field


class Service:
    """What is said of one service so far: prefixes with their lines, and the families in which it is closed."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.sources: dict[str, int] = {}
        self.closed: set[str] = set()


def put_access(db: Database) -> None:
    """Rows of management's services, and lines of what is closed and of neighbors. After management itself."""
    address = db.reading.rows.get(Key("management", "", "address"))
    own = str(address.value).partition("/")[0] if address is not None else ""
    port = db.reading.rows.get(Key("management", "", "gnmi-port"))
    listed = {REST_PORT: "api"} | ({str(port.value): "gnmi"} if port is not None else {})
    rules = _rules(db)
    found: dict[str, Service] = {}
    neighbors = False
    for name, row in sorted(db.rows("ACL_TABLE").items()):
        words = list(lines_at(row, "services"))
        kind, mine = row.text("type"), rules.pop(name, [])
        service = words[0] if len(words) == 1 and kind == CONTROL else ""
        row.take("policy_desc"), row.take("stage"), row.take("ports")
        if service == "ANY":
            neighbors = True
            _put_neighbors(db, mine)
        elif neighbors or service not in (*PORTS, LISTED):
            row.used = False  # behind neighbors a drop comes too late
            _leave(mine)
        else:
            _put_service(found, row, mine, own, {"": PORTS[service]} if service in PORTS else listed)
    for left in rules.values():
        _leave(left)
    for name, one in found.items():
        db.put_members("management", "", f"access-{name}", one.sources, one.line)
        for family in sorted(one.closed):
            db.say(f"{name} is closed to others in {family}", one.line)


def _rules(db: Database) -> dict[str, list[Rule]]:
    """Rules by table, in caclmgrd's order. One without a priority, or with that of another, is not understood."""
    found: dict[str, dict[str, Rule]] = {}
    for key, row in db.rows("ACL_RULE").items():
        table, _, _ = key.partition("|")
        fields = {child.key: plain(child) for child in row.each()}
        priority = fields.pop("PRIORITY", "")
        if not priority or priority in found.get(table, {}):
            row.used = False
        else:
            found.setdefault(table, {})[priority] = Rule(priority, fields, row)
    return {table: [rows[key] for key in sorted(rows, reverse=True)] for table, rows in found.items()}


def _leave(rules: list[Rule]) -> None:
    for rule in rules:
        rule.row.used = False


def _put_service(found: dict[str, Service], table: Field, rules: list[Rule], own: str, ports: dict[str, str]) -> None:
    """Sources by IPv4 to the address of management, up to the drop of everybody else; a drop of IPv6."""
    families = {family for rule in rules for family in FAMILIES if family in rule.fields}
    ends = {rule.fields.get("L4_DST_PORT", "") for rule in rules}
    if len(families) != 1 or len(ends) != 1 or not ends <= ports.keys():
        table.used = False
        _leave(rules)
        return
    family = families.pop()
    name, everybody = FAMILIES[family]
    service = found.setdefault(ports[ends.pop()], Service(table.number))
    for rule in rules:
        fields = dict(rule.fields)
        action, source = fields.pop("PACKET_ACTION", ""), fields.pop(family, "")
        fields.pop("L4_DST_PORT", None)
        is_open = name == "IPv4" and name not in service.closed
        if action == "DROP" and source == everybody and not fields:
            service.closed.add(name)
        elif action == "ACCEPT" and is_open and fields == {"DST_IP": f"{own}/32"}:
            service.sources.setdefault(prefix(source) or source, rule.row.number)
        else:
            rule.row.used = False


def _put_neighbors(db: Database, rules: list[Rule]) -> None:
    for rule in rules:
        said = ", ".join(f"{key} {value}" for key, value in sorted(rule.fields.items()))
        db.say(f"control plane, any service: {said}", rule.row)
