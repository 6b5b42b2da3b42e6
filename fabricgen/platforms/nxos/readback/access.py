"""Sources of the management services of NX-OS: access lists, and where they are bound.

Sources: Nexus 9000 NX-OS security guide 10.3(x), Configuring IP ACLs: the first entry that a packet matches decides,
what no entry matches is denied, an entry cannot be changed under its number; Kernel Stack ACL: entries on mgmt0 count
by addresses, protocol and ports alone, so one with other words is not understood. Batfish, nxos_ip_access_list: `host`
and prefixes. SSH has the list of `line vty`, SNMP that of its user, and mgmt0 has one for all services.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.readback import addresses
from fabricgen.readback.forms import Forms, Reader, State, add, idle, merged, opens, put

ANY = "0.0.0.0/0"
API_PORT = 443
PORTS = {"22": 22, "161": 161, "snmp": 161, "443": 443}
NOBODY6 = "over IPv6 nobody is let in"
NOBODY_TCP = "mgmt0: nobody speaks SNMP over TCP"


class Entry(NamedTuple):
    """An entry. `port` -1: all ports, and of `ip` all protocols."""

    permits: bool
    protocol: str
    source: str
    port: int


def _entry(number: int, action: str, protocol: str, source: str, port: str | None) -> tuple[int, Entry] | None:
    words = source.split()
    host = addresses.address(words[1]) if len(words) == 2 and words[0] == "host" else None
    found = ANY if source == "any" else f"{host}/32" if host else addresses.prefix(source)
    known = -1 if port is None else PORTS.get(port, int(port) if port.isdecimal() else None)
    if found is None or known is None or (protocol == "ip" and port is not None):
        return None
    return number, Entry(action == "permit", protocol, found, known)


LIST = Forms(
    {
        r"<n> (permit|deny) (ip|tcp|udp) (any|host \S+|\S+/\d+) any(?: eq (\S+))?": add("entry", by=_entry),
        "<n> remark <l>": idle("a remark"),
        "statistics per-entry": idle("counts of an access list"),
    }
)
LIST6 = Forms({"<n> deny ipv6 any any(?: log)?": add("deny")})
LINE = {"access-class <w> in": put("sources"), "ipv6 access-class <w> in": put("sources6")}
INTERFACE = {"ip access-group <w> in": put("sources"), "ipv6 traffic-filter <w> in": put("sources6")}
"""Forms of `line vty`, and of mgmt0."""
ROOT = {
    "ip access-list <w>": opens("access-list", LIST),
    "ipv6 access-list <w>": opens("access-list6", LIST6),
    "snmp-server user <w>(?: use-ipv4acl <w>)?(?: use-ipv6acl <w>)?": add("snmp-access", by=lambda *words: words),
}
"""Forms of the top level."""


class Access:
    """Writes the rows of the sources."""

    def __init__(self, root: State, own: State | None, reader: Reader) -> None:
        self._root, self._own, self._reader = root, own or State(), reader
        self._lists = merged(root.states("access-list"))
        self._lists6 = merged(root.states("access-list6"))
        self._used: set[tuple[str, str]] = set()

    def rows(self, gnmi_port: int) -> None:
        """All of them. `gnmi_port` 0: gRPC is off."""
        self._lines()
        self._users()
        if "sources" in self._own.one:
            self._port(*self._own.one["sources"], gnmi_port)
        if "sources6" in self._own.one:
            self._nobody6("mgmt0", *self._own.one["sources6"])
        for kind, lists in (("ipv4", self._lists), ("ipv6", self._lists6)):
            for name, state in lists.items():
                if (kind, name) not in self._used:
                    self._reader.idle_line(state.number, "nothing has this list")

    def _lines(self) -> None:
        for state in self._root.states("sessions"):
            if state.value == "vty":
                if "sources" in state.one:
                    self._bound("access-ssh", *state.one["sources"], "tcp", 22)
                if "sources6" in state.one:
                    self._nobody6("line vty", *state.one["sources6"])
            else:
                self._reader.out_of_place(state, frozenset({"idle"}))

    def _users(self) -> None:
        """The lists of the SNMP user; of a name the last one counts."""
        users = {name for (name, *_), _ in self._root.all("snmp-user")}
        lists: dict[tuple[str, str], tuple[str, int]] = {}
        for (user, name, name6), line in self._root.all("snmp-access"):
            if user not in users or not (name or name6):
                self._reader.unread_line(line)
                continue
            lists |= {(user, family): (found, line) for family, found in (("4", name), ("6", name6)) if found}
        for (user, family), (name, line) in lists.items():
            if family == "4":
                self._bound("access-snmp", name, line, "udp", 161)
            else:
                self._nobody6(f"SNMP user {user}", name, line)

    def _port(self, name: str, line: int, gnmi_port: int) -> None:
        """The list of mgmt0: each service's sources, then the port denied; everything else is let in."""
        entries = self._entries(name, line)
        if entries is None:
            return
        services = [("ssh", "tcp", 22), ("api", "tcp", API_PORT), ("snmp", "udp", 161)]
        services += [("gnmi", "tcp", gnmi_port)] if gnmi_port else []
        for service, protocol, port in services:
            sources = self._sources(entries, protocol, port)
            if ANY in sources and not any(entry.port == port for entry, _ in entries):
                continue  # the list says nothing of this service
            at = next((number for entry, number in entries if entry.port in (port, -1)), line)
            if service in ("api", "gnmi"):
                self._put(f"access-{service}", sources, at)
            else:
                self._reader.needed(of_port(service, sources), at)
        over_tcp = [(entry, number) for entry, number in entries if (entry.protocol, entry.port) == ("tcp", 161)]
        if over_tcp and not self._sources(entries, "tcp", 161):
            self._reader.needed(NOBODY_TCP, over_tcp[0][1])
        known = {("tcp", 161), *((protocol, port) for _, protocol, port in services)}
        others = [(entry, number) for entry, number in entries if (entry.protocol, entry.port) not in known]
        if [entry for entry, _ in others] != [Entry(permits=True, protocol="ip", source=ANY, port=-1)]:
            for number in [number for _, number in others] or [line]:
                self._reader.unread_line(number)

    def _bound(self, setting: str, name: str, line: int, protocol: str, port: int) -> None:
        """A list of one service."""
        entries = self._entries(name, line)
        if entries is not None:
            of_service = [row for row in entries if row[0].protocol in ("ip", protocol) and row[0].port in (port, -1)]
            at = of_service[0][1] if of_service else line
            self._put(setting, self._sources(entries, protocol, port), at)

    def _entries(self, name: str, line: int) -> list[tuple[Entry, int]] | None:
        """In order. None where no source says what a list does that does not exist, or that is empty."""
        self._used.add(("ipv4", name))
        found = self._lists.get(name)
        numbered: dict[int, tuple[Entry, int]] = {}
        for (number, entry), at in found.all("entry") if found is not None else ():
            if numbered.setdefault(number, (entry, at))[0] != entry:
                self._reader.unread_line(at)
        if not numbered:
            self._reader.unread_line(line)
            return None
        return [row for _, row in sorted(numbered.items())]

    def _sources(self, entries: Iterable[tuple[Entry, int]], protocol: str, port: int) -> frozenset[str]:
        """Prefixes up to the first entry that denies the rest. Another deny is not understood."""
        found: set[str] = set()
        for entry, line in entries:
            if entry.protocol not in ("ip", protocol) or entry.port not in (port, -1):
                continue
            if entry.permits:
                found.add(entry.source)
            elif entry.source != ANY:
                self._reader.unread_line(line)
            else:
                break
        return frozenset(found)

    def _put(self, setting: str, sources: frozenset[str], line: int) -> None:
        self._reader.put("management", "", setting, sources, line)

    def _nobody6(self, where: str, name: str, line: int) -> None:
        """A list of IPv6 that denies all."""
        self._used.add(("ipv6", name))
        found = self._lists6.get(name)
        if found is None or not found.all("deny"):
            self._reader.unread_line(line)
        else:
            self._reader.needed(f"{where}: {NOBODY6}", line)


def of_port(service: str, sources: Iterable[str]) -> str:
    """How the list of mgmt0 is told of a service that has a list of its own beside it."""
    return f"mgmt0: {service} from {', '.join(sorted(sources)) or 'nobody'}"


def needed(sources: Iterable[tuple[str, Iterable[str]]], user: str) -> Iterator[str]:
    """What is told beside the rows where these services have sources. `user`: of SNMP."""
    for service, prefixes in sources:
        if service in ("ssh", "snmp"):
            yield of_port(service, prefixes)
        if service == "snmp":
            yield NOBODY_TCP
            yield f"SNMP user {user}: {NOBODY6}"
        if service == "ssh":
            yield f"line vty: {NOBODY6}"
            yield f"mgmt0: {NOBODY6}"
