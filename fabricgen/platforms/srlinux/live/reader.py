"""Reader of Nokia SR Linux 25.3: paths of its state, by JSON-RPC, and the State that the answers describe.

A command is what `cli` of the NAPALM driver takes: a path of the datastore `state`, or `running` and a path. Every leaf
that is read is in Nokia's YANG of 25.3.1. Recorded: answers of a 7220 IXR-D2L with 25.3.2 in the tests of
napalm-srlinux (github.com/napalm-automation-community/napalm-srlinux at af22132, test/unit/mocked_data).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from fabricgen.platforms.base.live.parts import Parts, answer
from fabricgen.platforms.base.live.reader import JSON, TEXT, Outputs, ReadCommand, Reader
from fabricgen.platforms.base.live.values import whole_text
from fabricgen.platforms.srlinux.live import counters, interfaces, overlay, routing
from fabricgen.platforms.srlinux.live.drift import drift
from fabricgen.platforms.srlinux.live.interfaces import ENABLED, Homes
from fabricgen.platforms.srlinux.live.values import rows, table, word
from fabricgen.state.state import EvpnRoute, Facts, Interface, LinkCounters, State, Vni

T = TypeVar("T")
N = TypeVar("N")

INFORMATION = "/system/information"
HOSTNAME = "/system/name/host-name"
CHASSIS = "/platform/chassis"
INTERFACES = "/interface[name=*]"
KINDS = "/network-instance[name=*]/type"
MEMBERS = "/network-instance[name=*]/interface"
TUNNELS = "/network-instance[name=*]/vxlan-interface"
LLDP = "/system/lldp"
BGP = "/network-instance[name=*]/protocols/bgp"
BFD = "/bfd"
ROUTES = "/network-instance[name=*]/route-table"
VNIS = "/tunnel-interface[name=*]/vxlan-interface"
EVPN_ROUTES = "/network-instance[name=*]/bgp-rib/afi-safi[afi-safi-name=*]/evpn/local-rib"
ATTRIBUTES = "/network-instance[name=*]/bgp-rib/attr-sets"
QOS = "/qos/interfaces"
MAINTENANCE = "/system/maintenance"
RUNNING = "running /"

SOURCES: tuple[tuple[str, str, str], ...] = (
    ("facts", INFORMATION, "recorded"),
    ("facts", HOSTNAME, "recorded"),
    ("facts", CHASSIS, "recorded"),
    ("interfaces", INTERFACES, "recorded; members of aggregates and VLANs by the models"),
    ("interfaces", KINDS, "recorded below the whole instance"),
    ("interfaces", MEMBERS, "recorded below the whole instance"),
    ("interfaces", TUNNELS, "the models; VNIs too"),
    ("lldp", LLDP, "recorded"),
    ("bgp", BGP, "recorded; names of peers on unnumbered links: learn-srlinux, l3evpn/rt5-only/underlay.md"),
    ("bfd", BFD, "the models"),
    ("routes", ROUTES, "recorded; over a tunnel by the models and learn-srlinux, docs/cli/show-commands/evpn.md"),
    ("vnis", VNIS, "the models; learn-srlinux, docs/tutorials/l2evpn/evpn.md shows the same table"),
    ("evpn", EVPN_ROUTES, "the models; the local RIB of IPv4 is recorded, with own routes of neighbor 0.0.0.0"),
    ("evpn", ATTRIBUTES, "recorded"),
    ("counters", QOS, "the models; settings of queues too"),
    ("maintenance", MAINTENANCE, "the models"),
    ("running", RUNNING, "recorded"),
)
"""Part, command, and source of the answer's form. learn-srlinux: github.com/srl-labs/learn-srlinux at 84c9427."""

TOGETHER = 1
"""Number of the call for all short answers."""
_ALONE = (INTERFACES, BGP, ROUTES, EVPN_ROUTES, ATTRIBUTES, QOS, RUNNING)
"""Paths with long answers, or that some chassis lack: an unknown path fails its whole call."""

UNSEEN: Mapping[str, str] = {
    "startup": "the startup configuration, config.json, is not read: a push saves it when it confirms"
}

_UNKNOWN = "Path not valid"
"""Error of SR Linux for a path that its models do not have (learn-srlinux, json-rpc/basics.md)."""
_VERSION = re.compile(r"v?(\d+\.\d+\.\d+)")


def reads(vrfs: Iterable[str]) -> tuple[ReadCommand, ...]:
    """Return every path. None depends on the VRFs, since one path covers all network instances."""
    del vrfs
    return tuple(
        ReadCommand(part, command, TEXT if command == RUNNING else JSON, 0 if command in _ALONE else TOGETHER)
        for part, command, _ in SOURCES
    )


def state(outputs: Outputs, names: Mapping[str, str]) -> State:
    """Return the State in the outputs of `reads`. Total: a part missing or of another form is None and in `unread`."""
    del names  # network instances have the names of the plan
    parts = Parts(dict(UNSEEN))

    return State(
        facts=parts.take("facts", _facts, outputs),
        interfaces=parts.take("interfaces", _interfaces, outputs),
        lldp=parts.take("lldp", answer, outputs, LLDP, interfaces.adjacencies),
        bgp=parts.take("bgp", answer, outputs, BGP, routing.bgp),
        bfd=parts.take("bfd", _shown, outputs, BFD, routing.bfd, ()),
        routes=parts.take("routes", answer, outputs, ROUTES, routing.routes),
        vnis=parts.take("vnis", _vnis, outputs),
        evpn=parts.take("evpn", _evpn, outputs),
        qos=parts.take("qos", _shown, outputs, QOS, counters.qos, ()),
        counters=parts.take("counters", _shown, outputs, QOS, counters.counters, ()),
        links=parts.take("links", _links, outputs),
        maintenance=parts.take("maintenance", _shown, outputs, MAINTENANCE, _maintenance, None),
        running=parts.take("running", answer, outputs, RUNNING, whole_text),
        unread=parts.unread,
    )


def _shown(outputs: Outputs, command: str, read: Callable[[object], T], nothing: N) -> T | N:
    """Return an answer, or `nothing` if the chassis does not have the path."""
    output = outputs.get(command)
    return nothing if output is not None and _UNKNOWN in output.error else answer(outputs, command, read)


def _links(outputs: Outputs) -> tuple[LinkCounters, ...]:
    queues = outputs.get(QOS)
    queue_state = queues.value if queues is not None and isinstance(queues.value, Mapping) else {}
    return answer(outputs, INTERFACES, lambda shown: counters.links(shown, queue_state))


def _table(outputs: Outputs, command: str) -> Mapping[str, object]:
    return answer(outputs, command, table)


def _facts(outputs: Outputs) -> Facts:
    """Return hostname, release, model and serial number."""
    information, chassis = _table(outputs, INFORMATION), _table(outputs, CHASSIS)
    name = answer(outputs, HOSTNAME, _leaf)
    match = _VERSION.match(word(information, "version"))
    version = match[1] if match else word(information, "version")
    return Facts(name, version, word(chassis, "type", ""), word(chassis, "serial-number", ""))


def _homes(outputs: Outputs) -> Homes:
    return interfaces.homes(*(_table(outputs, command) for command in (KINDS, MEMBERS, TUNNELS)))


def _interfaces(outputs: Outputs) -> tuple[Interface, ...]:
    homes = _homes(outputs)
    return answer(outputs, INTERFACES, lambda shown: interfaces.interfaces(shown, homes))


def _vnis(outputs: Outputs) -> tuple[Vni, ...]:
    homes = _homes(outputs)
    return answer(outputs, VNIS, lambda shown: overlay.vnis(shown, homes))


def _evpn(outputs: Outputs) -> tuple[EvpnRoute, ...]:
    attributes = _table(outputs, ATTRIBUTES)
    return answer(outputs, EVPN_ROUTES, lambda shown: overlay.evpn(shown, attributes))


def _maintenance(shown: object) -> tuple[str, ...]:
    """Return the groups of BGP neighbors in maintenance mode."""
    groups = {
        word(row, "name"): word(table(row, "maintenance-mode"), "admin-state", "") for row in rows(shown, "group")
    }
    return tuple(sorted(f"group {name}: {state}" for name, state in groups.items() if state == ENABLED))


def _leaf(shown: object) -> str:
    """Return a single leaf: the answer is its value (recorded), or {} if it is not set (srlinux-ansible-collection)."""
    return "" if shown == {} else whole_text(shown)


SRLINUX = Reader(
    system="srlinux",
    driver="srlinux",
    reads=reads,
    state=state,
    drift=drift,
    unseen=UNSEEN,
    counts=counters.COUNTS,
)
"""Reader of SR Linux 25.3."""
