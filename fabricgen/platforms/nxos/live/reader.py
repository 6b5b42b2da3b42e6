"""Reader of Cisco NX-OS: commands through NAPALM's own driver over NX-API, and the State that their outputs describe.

NAPALM's `cli` returns only text (napalm/nxos/nxos.py of 5.2.0, which uses NX-API's `cli_ascii`). Pipes work for such
text only (Programmability Guide 10.5(x), NX-API CLI), so JSON arrives as the text of `| json` and is parsed here. If a
form was recorded with `| json native`, that is used; both have the same tables.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import TypeVar

from fabricgen.platforms.base.live.by_hand import AS_ASKED
from fabricgen.platforms.base.live.parts import Parts, answer
from fabricgen.platforms.base.live.reader import TEXT, Outputs, ReadCommand, Reader
from fabricgen.platforms.base.live.values import NotUnderstoodError, whole_text
from fabricgen.platforms.nxos.live import counters, interfaces, overlay, routing
from fabricgen.platforms.nxos.live.drift import drift
from fabricgen.platforms.nxos.live.values import REFUSED, Row, parsed, text
from fabricgen.state.state import MARKS, BfdSession, BgpState, EvpnRoute, Facts, Interface, Route, State, Vni

T = TypeVar("T")

VERSION = "show version | json native"
INTERFACES = "show interface | json"
ADDRESSES_IPV4 = "show ip interface vrf all | json native"
ADDRESSES_IPV6 = "show ipv6 interface vrf all | json native"
VRFS = "show vrf interface | json"
SWITCHPORTS = "show interface switchport | json"
LLDP = "show lldp neighbors detail | json"
BGP_SUMMARY = "show bgp all summary vrf all | json native"
BGP_NEIGHBORS = "show bgp all neighbors vrf all | json native"
BFD_IPV4 = "show bfd ipv4 neighbors detail | json"
BFD_IPV6 = "show bfd ipv6 neighbors detail | json"
ROUTES_IPV4 = "show ip route vrf all | json native"
ROUTES_IPV6 = "show ipv6 route vrf all | json native"
VNIS = "show nve vni all detail | json native"
FLOODS = "show nve vni ingress-replication"
EVPN_ROUTES = "show bgp l2vpn evpn"
QUEUES = "show queuing interface | json"
MODE = "show system mode | json"
RUNNING = "show running-config"

SOURCES: tuple[tuple[str, str, str], ...] = (
    ("facts", VERSION, "SuzieQ; NAPALM's own get_facts"),
    (
        "interfaces",
        INTERFACES,
        "NAPALM get_facts and get_interfaces; cisco.nxos nxos_facts; nxapi-netbox nxapi_interface",
    ),
    ("interfaces", ADDRESSES_IPV4, "SuzieQ, secondary addresses too"),
    ("interfaces", ADDRESSES_IPV6, "SuzieQ where there is none; NAPALM get_interfaces_ip and cisco.nxos nxos_facts"),
    ("interfaces", VRFS, "NAPALM get_network_instances"),
    ("interfaces", SWITCHPORTS, "cisco.nxos nxos_switchport; where it cannot be read, VLANs are not verified"),
    ("lldp", LLDP, "Harvest lldp.json and lldp2.json; suzieq and sdn-sense's collection read these keys"),
    ("bgp", BGP_SUMMARY, "SuzieQ; NAPALM get_bgp_neighbors, which is for both families"),
    ("bgp", BGP_NEIGHBORS, "SuzieQ; nxapi-netbox nxapi_bgp_neighbors"),
    ("bfd", BFD_IPV4, "nxapi-netbox nxapi_bfd"),
    ("bfd", BFD_IPV6, "nxapi-netbox nxapi_bfd"),
    ("routes", ROUTES_IPV4, "SuzieQ"),
    ("routes", ROUTES_IPV6, "sdn-sense's collection reads it by the keys of IPv4"),
    ("vnis", VNIS, "SuzieQ"),
    (
        "vnis",
        FLOODS,
        "genieparser ShowNveVniIngressReplication; empty where nothing is replicated: a public transcript",
    ),
    ("evpn", EVPN_ROUTES, "recorded configurations nxos_evpn_l2vni and nxos_evpn_l3vni, as text"),
    (
        "counters",
        QUEUES,
        "Cisco's show commands reference 9.3(x), `show queuing`; nxapi-netbox nxapi_interface_egress_queuing",
    ),
    ("maintenance", MODE, "nxapi-netbox nxapi_system_mode"),
    ("running", RUNNING, "NAPALM's own get_config; recorded configurations"),
)
"""Part, command, and source of the output's form. Tags: templates/nxos/NOTES.md, Read and pushed."""

UNSEEN = {
    "startup": "the startup configuration of NX-OS is not read, and push does not commit on it",
    "qos": "what NX-OS shows of PFC, ECN and the watchdog by port is in no source as JSON: drift compares their lines",
    MARKS: "a count of 0 marked packets does not show whether a queue of NX-OS marks at all: drift compares its lines",
}

FEATURES = {
    LLDP: "feature lldp",
    BGP_SUMMARY: "feature bgp",
    BGP_NEIGHBORS: "feature bgp",
    BFD_IPV4: "feature bfd",
    BFD_IPV6: "feature bfd",
    VNIS: "feature nv overlay",
    FLOODS: "feature nv overlay",
    EVPN_ROUTES: "nv overlay evpn",
}
"""Command → line of the running configuration without which NX-OS refuses the command, and has nothing to show."""

SILENT = frozenset({BFD_IPV4, BFD_IPV6, FLOODS})
"""Commands that may print nothing if there is nothing to show; planned items are then reported missing."""
NOTHING = "the driver gave NoneType instead of text"
"""Error of a command that NX-API answered without any text (napalm/nxapi_plumbing/api_client.py)."""
NO_NEIGHBORS = "No neighbour information"
"""Text or error of LLDP if it has no neighbors (Ansible's nxos facts; netests)."""

NORMAL, MAINTENANCE, ENTERS = "Normal", "Maintenance", "switch to maintenance mode in progress"
"""Values in `show system mode`."""


def reads(vrfs: Iterable[str]) -> tuple[ReadCommand, ...]:
    """Return every command. None depends on the VRFs, since NX-OS prints all of them at once."""
    del vrfs
    return tuple(ReadCommand(part, command, TEXT) for part, command, _ in SOURCES)


def state(outputs: Outputs, names: Mapping[str, str]) -> State:
    """Return the State in the outputs of `reads`. Total: a part missing or of another form is None and in `unread`."""
    parts = Parts(dict(UNSEEN))

    return State(
        facts=parts.take("facts", _json, outputs, VERSION, _facts),
        interfaces=parts.take("interfaces", _interfaces, outputs, names),
        lldp=parts.take("lldp", _json, outputs, LLDP, interfaces.adjacencies),
        bgp=parts.take("bgp", _bgp, outputs, names),
        bfd=parts.take("bfd", _bfd, outputs, names),
        routes=parts.take("routes", _routes, outputs, names),
        vnis=parts.take("vnis", _vnis, outputs, names),
        evpn=parts.take("evpn", _evpn, outputs),
        counters=parts.take("counters", _json, outputs, QUEUES, counters.counters),
        maintenance=parts.take("maintenance", _json, outputs, MODE, _maintenance),
        running=parts.take("running", _shown, outputs, RUNNING, _as_it_is),
        unread=parts.unread,
    )


def _shown(outputs: Outputs, command: str, read: Callable[[str], T]) -> T:
    """Return what `read` makes of the text of one command. Raises NotUnderstoodError, which names the command."""
    return answer(outputs, command, lambda shown: read(whole_text(shown)))


def _json(outputs: Outputs, command: str, read: Callable[[Row], T]) -> T:
    """Return what `read` makes of the JSON of one command; of {} if the switch has nothing to show."""
    if _has_none(outputs, command):
        return read({})
    return _shown(outputs, command, lambda shown: read(parsed(shown)))


def _has_none(outputs: Outputs, command: str) -> bool:
    """Return whether a switch has nothing that a command could show."""
    return _without(outputs, command) or _is_silent(outputs, command)


def _is_silent(outputs: Outputs, command: str) -> bool:
    """Return whether a command of SILENT printed nothing, or LLDP reports no neighbors."""
    output = outputs.get(command)
    if output is None or not isinstance(output.value, str | None):
        return False
    output_text = (output.value or "").strip()
    if command == LLDP:
        return NO_NEIGHBORS in (output.error or output_text.partition("\n")[0])
    return command in SILENT and (output.error == NOTHING or not (output.error or output_text))


def _without(outputs: Outputs, command: str) -> bool:
    """Return whether the switch refused a command because its feature is off."""
    output, running = outputs.get(command), outputs.get(RUNNING)
    if output is None or REFUSED not in output.error or running is None or not isinstance(running.value, str):
        return False
    return command in FEATURES and FEATURES[command] not in map(str.strip, running.value.splitlines())


def _as_it_is(shown: str) -> str:
    if not shown.strip():
        raise NotUnderstoodError("no answer")
    return shown


def _facts(shown: Row) -> Facts:
    version = next(
        (text(shown, key) for key in ("nxos_ver_str", "sys_ver_str", "kickstart_ver_str") if key in shown), ""
    )
    if not version:
        raise NotUnderstoodError("no version")
    return Facts(text(shown, "host_name", ""), version, text(shown, "chassis_id", ""), text(shown, "proc_board_id", ""))


def _interfaces(outputs: Outputs, names: Mapping[str, str]) -> tuple[Interface, ...]:
    addresses: dict[str, tuple[str, ...]] = {}
    for name, interface_address in (
        *_json(outputs, ADDRESSES_IPV4, lambda shown: tuple(interfaces.addresses_ipv4(shown))),
        *_json(outputs, ADDRESSES_IPV6, lambda shown: tuple(interfaces.addresses_ipv6(shown))),
    ):
        addresses[name] = (*addresses.get(name, ()), interface_address)
    homes = _json(outputs, VRFS, lambda shown: interfaces.homes(shown, names))
    all_interfaces = _json(outputs, INTERFACES, lambda shown: interfaces.interfaces(shown, addresses, homes))
    vlans = _switchports(outputs)
    return tuple(interface._replace(vlans=vlans.get(interface.name)) for interface in all_interfaces)


def _switchports(outputs: Outputs) -> Mapping[str, interfaces.Vlans]:
    """Return VLANs by port; {} if they cannot be read, which is reported for each port that should have some."""
    try:
        return _json(outputs, SWITCHPORTS, interfaces.switchports)
    except NotUnderstoodError:
        return {}


def _bgp(outputs: Outputs, names: Mapping[str, str]) -> BgpState:
    neighbors = _json(outputs, BGP_NEIGHBORS, lambda shown: shown)
    return _json(outputs, BGP_SUMMARY, lambda shown: routing.bgp(shown, neighbors, names))


def _bfd(outputs: Outputs, names: Mapping[str, str]) -> tuple[BfdSession, ...]:
    def read(shown: Row) -> tuple[BfdSession, ...]:
        return tuple(routing.bfd(shown, names))

    return tuple(sorted({*_json(outputs, BFD_IPV4, read), *_json(outputs, BFD_IPV6, read)}))


def _routes(outputs: Outputs, names: Mapping[str, str]) -> tuple[Route, ...]:
    def read(shown: Row) -> tuple[Route, ...]:
        return tuple(routing.routes(shown, names))

    return tuple(sorted(chain.from_iterable(_json(outputs, command, read) for command in (ROUTES_IPV4, ROUTES_IPV6))))


def _vnis(outputs: Outputs, names: Mapping[str, str]) -> tuple[Vni, ...]:
    floods: overlay.Floods = {}
    if not _has_none(outputs, FLOODS):
        floods = _shown(outputs, FLOODS, overlay.floods)
    return _json(outputs, VNIS, lambda shown: overlay.vnis(shown, floods, names))


def _evpn(outputs: Outputs) -> tuple[EvpnRoute, ...]:
    if _without(outputs, EVPN_ROUTES):
        return ()
    return _shown(outputs, EVPN_ROUTES, overlay.evpn)


def _maintenance(shown: Row) -> tuple[str, ...]:
    """Return the mode if it is maintenance, or the transition if the switch is entering maintenance."""
    mode, timer = text(shown, "system_mode"), text(shown, "timer_state", "")
    if mode not in (NORMAL, MAINTENANCE):
        raise NotUnderstoodError("no known system mode")
    if mode == MAINTENANCE:
        return (f"system mode: {mode}",)
    return (f"system mode: {timer}",) if timer == ENTERS else ()


NXOS = Reader(
    system="nxos",
    driver="nxos",
    reads=reads,
    state=state,
    drift=drift,
    unseen=UNSEEN,
    by_hand=AS_ASKED,
    counts=counters.COUNTS,
)
"""NX-OS 10.5, in forms of 9.2 to 10.5. It has the plan's names of VRFs, except that of mgmt0, which is in no plan."""
