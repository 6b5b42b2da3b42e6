"""Rows: one setting of one thing each, in the same words for every operating system.

A parser writes rows with the line that each was read on; `intended.py` writes the rows that a Device asks for. The two
are then compared key by key. Values are text, numbers, booleans, frozensets of text, tuples of numbers, or a Policy.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fabricgen.base.secret import WRITTEN, shown
from fabricgen.readback.policy import Lines, Policy

Value = str | int | bool | frozenset[str] | tuple[int, ...] | Policy

FAMILIES = ("ipv4", "ipv6", "evpn")

SETTINGS: Mapping[str, Mapping[str, str]] = {
    "switch": {
        "hostname": "name of the switch",
        "headroom-pool": "octets of headroom that ports share",
        "resume": "octets that a queue must drain before its peer may send again",
        "alpha": "share of the free buffer that a lossless queue may use, as the system writes it",
        "load-balancing": "mode: ecmp, ecmp-queue-pair, dlb-flowlet, dlb-global, dlb-per-packet, cluster",
        "hash-seed": "seed of the hash over equal paths",
        "flowlet-gap": "microseconds after which a flow may take another path",
        "ecn-counters": "marked packets are counted",
        "queue-monitor": "events of deep queues are reported",
        "load-interval": "seconds over which rates are averaged",
        "lldp": "LLDP runs",
    },
    "port": {
        "description": "",
        "enabled": "not shut down",
        "mtu": "octets of the largest IP packet",
        "speed": "Gb/s",
        "lanes": "electrical lanes",
        "fec": "rs-fec, fc-fec, none; empty: the system's default",
        "ipv4": "addresses with their lengths",
        "ipv6": "addresses with their lengths, without link-local ones",
        "vrf": "empty: the default VRF",
        "lag": "number of its aggregate, 0: none",
        "unnumbered": "IPv6 link-local only, with router advertisements",
        "access-vlan": "untagged VLAN, 0: none",
        "trunk-vlans": "tagged VLANs, sorted",
        "bpdu-guard": "",
        "broadcast-limit": "percent, 0: none",
        "multicast-limit": "percent, 0: none",
        "unknown-unicast-limit": "percent, 0: none",
        "mac-limit": "learned MAC addresses, 0: no limit",
        "ra-guard": "router advertisements of the server are dropped",
        "tracking": "upstream or downstream of link tracking",
        "pfc": "priorities that PFC may pause, sorted",
        "watchdog": "detect, restore, polling in milliseconds; -1: the system's default. Empty: none",
        "watchdog-action": "drop or notify",
        "headroom": "octets of PFC headroom",
        "cable": "metres of cable, where the system computes headroom",
        "ecn": "of the lossless queue: queue, minimum and maximum octets, percent. Empty: none",
        "queues": "of each queue: number, weight in percent (0: strict), cap in percent (0: none), in order of number",
        "dscp-classes": "traffic class of each DSCP from 0 to 63; empty: the port does not trust DSCP",
        "class-queues": "transmit queue of each traffic class that a DSCP maps to: class, queue, class, queue ...",
        "sflow": "packets are sampled",
    },
    "lag": {
        "description": "",
        "enabled": "",
        "mtu": "octets of the largest IP packet",
        "members": "names of its ports",
        "esi": "ten octets as 00:11:..., empty: no Ethernet segment",
        "es-import": "six octets as 00:11:...",
        "system-id": "LACP system id, six octets as 00:11:...",
        "df-preference": "of the election of the designated forwarder; 0: by the system's default",
        "fallback": "forwards for a server that speaks no LACP yet",
        "access-vlan": "untagged VLAN, 0: none",
        "trunk-vlans": "tagged VLANs, sorted",
        "bpdu-guard": "",
        "broadcast-limit": "percent, 0: none",
        "multicast-limit": "percent, 0: none",
        "unknown-unicast-limit": "percent, 0: none",
        "mac-limit": "learned MAC addresses, 0: no limit",
        "ra-guard": "router advertisements of the server are dropped",
        "tracking": "upstream or downstream of link tracking",
    },
    "subinterface": {
        "description": "",
        "vlan": "its tag",
        "vrf": "",
        "ipv4": "addresses with their lengths",
        "ipv6": "addresses with their lengths",
        "mtu": "octets of the largest IP packet",
    },
    "loopback": {
        "description": "",
        "ipv4": "addresses with their lengths",
        "ipv6": "addresses with their lengths",
        "vrf": "empty: the default VRF",
    },
    "bgp": {
        "asn": "",
        "router-id": "",
        "maximum-paths": "equal paths of the underlay",
        "overlay-paths": "equal paths in VRFs",
        "wait-install": "a route is announced once it is in the forwarding table",
    },
    "session": {
        "description": "",
        "remote-as": "",
        "enabled": "not shut down",
        "families": "address families: ipv4, ipv6, evpn",
        **{f"policy-in.{name}": "terms for routes that come in" for name in FAMILIES},
        **{f"policy-out.{name}": "terms for routes that go out" for name in FAMILIES},
        **{f"maximum-routes.{name}": "expected routes at most; 0: no limit" for name in FAMILIES},
        **{f"own-as.{name}": "times that a received AS path may have the own AS number; 0: never" for name in FAMILIES},
        **{f"as-override.{name}": "the peer's AS number becomes the own one in paths that go out" for name in FAMILIES},
        **{f"remove-private-as.{name}": "private AS numbers leave paths that go out" for name in FAMILIES},
        "restart": "minutes that a session with more routes stays closed; 0: it stays open",
        "bfd": "",
        "multihop": "most hops to the peer; 0: it is on the link",
        "ttl-hops": "most hops that a packet may have come, by its TTL (RFC 5082); 0: not checked",
        "source": "number of the loopback that it speaks from; -1: the link's own address",
        "extended-communities": "extended communities are sent",
        "next-hop-unchanged": "routes keep their next hop when they are handed on",
        "extended-next-hop": "IPv4 prefixes have IPv6 next hops (RFC 8950)",
        "keepalive": "seconds",
        "hold": "seconds",
        "password": "reference to its password, empty: none",
    },
    "policy": {"terms": "a map that no session uses now, such as one for a drain"},
    "network": {"originated": "the prefix is announced"},
    "static-route": {"next-hop": "`discard` for a route to nowhere"},
    "vlan": {
        "name": "",
        "vni": "",
        "rd": "",
        "imports": "route targets",
        "exports": "route targets",
        "mac-limit": "learned MAC addresses, 0: no limit",
    },
    "vrf": {
        "vni": "of routed packets, 0: none",
        "rd": "",
        "imports": "route targets of routes that it takes, those of leaks included",
        "exports": "route targets",
        "import-policy": "terms for routes that are imported",
    },
    "gateway": {
        "description": "",
        "vrf": "",
        "ipv4": "addresses with their lengths, the same on every leaf",
        "ipv6": "addresses with their lengths, the same on every leaf",
        "mac": "as 00:11:...",
        "mtu": "octets of the largest IP packet",
        "relays": "DHCP servers",
        "relay-source": "number of the loopback that relayed packets come from; -1: none",
    },
    "vtep": {
        "address": "source of tunnels",
        "mtu": "octets of the largest IP packet in a tunnel, 0: not said",
        "duplicate-mac": "moves, window and recovery in seconds, 0: the system's own; empty: nothing is said",
    },
    "management": {
        "port": "",
        "vrf": "",
        "address": "with its length",
        "gateway": "",
        "domain": "",
        "dns": "servers",
        "ntp": "servers",
        "syslog": "servers",
        "tacacs": "servers",
        "tacacs-key": "reference",
        "snmp-user": "",
        "snmp-auth": "reference",
        "snmp-privacy": "reference",
        "snmp-auth-algorithm": "sha or sha256",
        "snmp-privacy-algorithm": "aes128 or aes256",
        "snmp-location": "",
        "snmp-contact": "",
        "snmp-traps": "receivers",
        "gnmi-port": "0: gNMI is off",
        "gnmi-certificate": "",
        "eapi-certificate": "empty: eAPI is off",
        "access-ssh": "prefixes that are let in; absent: any",
        "access-netconf": "prefixes that are let in; absent: any",
        "access-gnmi": "prefixes that are let in; absent: any",
        "access-api": "prefixes that are let in; absent: any",
        "access-snmp": "prefixes that are let in; absent: any",
        "login-banner": "shown before a login",
        "login-idle": "minutes after which a session without input ends",
        "login-keys": "SSH takes keys alone",
        "ssh-ciphers": "what SSH offers, as the system lists it",
        "sflow": "collectors",
        "sflow-sample": "one packet in so many",
        "sflow-polling": "seconds",
    },
    "user": {"role": "", "password": "reference to its hash", "ssh-keys": "types and keys"},
    "line": {"present": "a line of the system that the fabric needs, without a value of the plan"},
}
"""Thing → setting → what its value is. Nothing else is compared, and no row has another word.

Names of things: a port as the system calls it; a session by the far address, or by the port of an unnumbered link,
`VRF address` in a tenant's VRF; a network and a static route as `VRF prefix`, or the prefix alone in the default VRF;
a subinterface as `port.VLAN`; a VLAN, gateway, loopback or aggregate by its number. The switch, bgp, vtep and
management have the empty name.
"""


class Key(NamedTuple):
    """Which setting of which thing."""

    thing: str
    name: str
    setting: str

    def __str__(self) -> str:
        return f"{' '.join(filter(None, self[:2]))}: {self.setting}"


Part = int | str
"""A part of a value: an index of a tuple, or a member of a frozenset."""


class Row(NamedTuple):
    """A value and where it was read: file of the switch and line, from 1.

    parts  lines of parts of the value, where they are not on `line`
    """

    value: Value
    file: str
    line: int
    parts: Mapping[Part, Lines] | None = None


new = tuple.__new__
"""Makes a Key or a Row in half the time of its constructor: a switch has thousands."""


class TextLine(NamedTuple):
    """A line of a file. `why` says why it has no meaning here; empty: it was not understood."""

    file: str
    line: int
    text: str
    why: str = ""


@dataclass(slots=True)
class Reading:
    """What was read in the files of one switch.

    rows      key → row
    others    rows of the same key with another value: the switch has both. Where the later line of two replaces the
              earlier one the parser leaves that one out
    unread    lines that were not understood
    idle      lines that are known to have no meaning for a fabric, with the reason
    lines     lines with text in all files
    """

    rows: dict[Key, Row] = field(default_factory=dict)
    others: list[tuple[Key, Row]] = field(default_factory=list)
    unread: list[TextLine] = field(default_factory=list)
    idle: list[TextLine] = field(default_factory=list)
    lines: int = 0

    def put(self, thing: str, name: str | int, setting: str, value: Value, file: str, line: int) -> None:
        """Add a row. Raises KeyError for a word outside the vocabulary."""
        self.add(new(Key, (thing, str(name), setting)), new(Row, (value, file, line, None)))

    def add(self, key: Key, row: Row) -> None:
        """Add a row whose parts may have lines of their own. Raises KeyError for a word outside the vocabulary."""
        if key[2] not in SETTINGS[key[0]]:
            raise KeyError(f"{key.thing}: {key.setting}")
        before = self.rows.setdefault(key, row)
        if before is row:
            return
        if before.value == row.value or _has_all_of(key.setting, before.value, row.value):
            self.rows[key] = row
        elif is_nothing(key.setting, row.value):
            self.others.append((key, row))
        else:
            self.others.append((key, before))
            self.rows[key] = row

    def put_all(self, thing: str, name: str, rows: Iterable[tuple[str, Value, int]], file: str) -> None:
        """Add rows of one thing: settings, values, lines. Raises KeyError for a word outside the vocabulary."""
        made = ((setting, new(Row, (value, file, line, None))) for setting, value, line in rows)
        self.add_all(thing, name, made)

    def add_all(self, thing: str, name: str, rows: Iterable[tuple[str, Row]]) -> None:
        """Add rows of one thing, each with its setting. Raises KeyError for a word outside the vocabulary."""
        known, have = SETTINGS[thing], self.rows
        for setting, row in rows:
            key = new(Key, (thing, name, setting))
            if setting not in known or have.setdefault(key, row) is not row:
                self.add(key, row)

    def names(self, thing: str) -> Iterator[str]:
        """Names of all things of a kind, each once, in the order in which they were read."""
        return iter(dict.fromkeys(key.name for key in self.rows if key.thing == thing))


NOTHING = ("", 0, -1, False, frozenset[str](), ())
"""Values that say as much as no row at all."""
SHUT = "shut down"
"""Value of a service that is configured and shut down: it says as much as no row, and has a line."""
FROM_ZERO = frozenset({"source", "relay-source"})
"""Settings that are numbers of loopbacks: 0 is one."""


def is_nothing(setting: str, value: Value) -> bool:
    """Whether a value says as much as no row at all."""
    return (not value or value in (-1, SHUT)) and not (setting in FROM_ZERO and value == 0)


def _has_all_of(setting: str, before: Value, value: Value) -> bool:
    """Whether the second of two values says all that the first one says: a set may be written while it grows."""
    if isinstance(before, frozenset) and isinstance(value, frozenset):
        return before <= value
    return is_nothing(setting, before)


def written(text: str) -> int:
    """How many lines of a text have something on them."""
    return sum(map(bool, map(str.strip, text.splitlines())))


A_VALUE = "(a value)"
"""Stands for a secret that is in a file as a value. The value itself is kept nowhere."""


def reference(text: str) -> str:
    """The reference that a text is, in quotation marks or without, as people write it; A_VALUE for other text."""
    match = WRITTEN.fullmatch(shown(text).strip('"'))
    return match[0] if match else A_VALUE
