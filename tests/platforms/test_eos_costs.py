"""What a change costs on EOS: that the table is whole, sourced, and safe in its form. Its content has other judges."""

import re
from collections.abc import Callable

import pytest

from fabricgen.changes.compare.device import changes_between
from fabricgen.changes.kind import BlastRadius
from fabricgen.changes.kinds.catalogue import KIND, KINDS
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.routing import PathsList
from fabricgen.platforms.base.cost import Cost, Risk
from fabricgen.platforms.eos.costs import COSTS, SILENT
from fabricgen.render.folder import templates_folder
from tests.eos.fleet import render, samples

NOTES = (templates_folder() / "eos" / "NOTES.md").read_text()
CITATION = re.compile(
    r"RFC \d+ (section [\d.]+|abstract)|IEEE 802\.\w+ clause [\d.]+|AVD #\d+|github\.com/\S+ pull request \d+"
)
COST = {cost.kind: cost for cost in COSTS}
Edit = Callable[[Device], Device]


def names(heading: str) -> set[str]:
    """Short names of sources in the table under a heading of NOTES.md."""
    part = NOTES.split(f"\n## {heading}\n")[1].split("\n## ")[0].split("| name |")[1]
    return set(re.findall(r"^\| ([^|`]+?) \|", part.split("\n\n")[0], re.M))


def risks(cost: Cost) -> list[Risk]:
    """What the changes that can be cost."""
    return [risk for risk in (cost.added, cost.changed, cost.removed) if risk is not None]


def test_every_kind_has_one_row_in_the_order_of_kinds() -> None:
    assert [cost.kind for cost in COSTS] == [kind.name for kind in KINDS]


def test_every_row_says_something() -> None:
    assert [cost.kind for cost in COSTS if not risks(cost)] == []


def test_what_is_called_safe_has_a_source() -> None:
    """And what has no source is unknown, or is believed for a reason that stands in the row."""
    safe = [cost for cost in COSTS if not all(risk.is_disruptive for risk in risks(cost))]
    assert len(safe) > 50
    assert [cost.kind for cost in safe if not cost.source] == []
    assert [cost.kind for cost in COSTS if not cost.source and not cost.unsure] == []


def test_what_is_unknown_says_why() -> None:
    unknown = [cost for cost in COSTS if Risk.UNKNOWN in risks(cost)]
    assert [cost.kind for cost in unknown if not cost.unsure] == []
    assert len(unknown) <= len(COSTS) / 10, "unknown everywhere is of no use"


def test_every_source_is_a_citation_or_a_name_that_the_notes_explain() -> None:
    known = names("Sources") | names("What changes cost")
    parts = {part for cost in COSTS if cost.source not in ("", SILENT) for part in cost.source.split("; ")}
    assert {part for part in parts if part not in known and not CITATION.fullmatch(part)} == set()
    assert names("What changes cost") - parts == set(), "a source that no row uses"


def test_only_what_stops_nothing_or_is_not_printed_costs_nothing() -> None:
    """Where the vocabulary says that something stops when a fact goes wrong, it must not cost nothing."""
    free = {cost.kind for cost in COSTS if Risk.NONE in risks(cost)}
    harmless = {name for name, kind in KIND.items() if kind.reach is BlastRadius.NOTHING}
    silent = {cost.kind for cost in COSTS if cost.source == SILENT}
    assert free == harmless | silent
    assert [cost.kind for cost in COSTS if cost.kind in free and set(risks(cost)) != {Risk.NONE}] == []


GUARDS = {
    *("interface.bpdu-guard", "interface.storm-control", "interface.tracking"),
    *("lag.bpdu-guard", "lag.storm-control", "lag.tracking"),
    "bgp.wait-install",
}
"""They only ever drop, shut or hold back; without them more is forwarded, or told earlier."""
DRAINS = {"device.state", "route-map.preference", "bgp.neighbor.route-map-in", "bgp.neighbor.route-map-out"}
"""RFC 8326: routes are told to be last, or no longer to be. A neighbor without maps of its own has its group's."""


def test_what_goes_takes_something_with_it() -> None:
    quiet = {cost.kind for cost in COSTS if cost.removed is Risk.HITLESS}
    assert quiet == GUARDS | DRAINS


REFRESHED = {"bgp.group.route-map-in", "bgp.group.route-map-out", "bgp.vrf.neighbor.route-map"}
"""Another map by name: what it says is a fact of its own."""


IN_PLACE = {"qos.ecn", "qos.watchdog", "qos.scheduling", "load-balancing.seed", "evpn.gateway.relay-source"}
"""One value in one place, written over: the row's sources say so."""


def test_a_change_is_no_safer_than_what_goes_by_it() -> None:
    """Lines of a running configuration are judged by this too: one network that goes and another that comes."""
    bold = {
        cost.kind
        for cost in COSTS
        if cost.changed is Risk.HITLESS and cost.removed is not None and cost.removed.is_disruptive
    }
    assert bold == REFRESHED | IN_PLACE


@pytest.mark.parametrize(
    ("kind", "parent"), [(kind.name, kind.name.rpartition(".")[0]) for kind in KINDS if "." in kind.name]
)
def test_a_thing_that_goes_costs_no_less_than_a_session(kind: str, parent: str) -> None:
    """Where a setting of a thing costs something when it goes, the thing as a whole does too."""
    if parent in COST and COST[kind].removed not in (None, Risk.NONE, Risk.HITLESS):
        removed = COST[parent].removed
        assert removed is not None
        assert removed.is_disruptive


def _first_port(device: Device, edit: Callable[[Ethernet], Ethernet]) -> Device:
    first, *others = device.interfaces.ethernet
    return device._replace(interfaces=device.interfaces._replace(ethernet=(edit(first), *others)))


def _lag_mtu(device: Device) -> Device:
    lags = tuple(lag._replace(mtu=lag.mtu - 2) for lag in device.interfaces.lags)
    return device._replace(interfaces=device.interfaces._replace(lags=lags))


def _subinterface_mtu(device: Device) -> Device:
    subinterfaces = tuple(row._replace(mtu=row.mtu - 2) for row in device.interfaces.subinterfaces)
    return device._replace(interfaces=device.interfaces._replace(subinterfaces=subinterfaces))


def _evpn_mtu(device: Device) -> Device:
    return device._replace(evpn=device.evpn._replace(mtu=device.evpn.mtu - 2)) if device.evpn else device


def _multihomed(device: Device) -> Device:
    evpn = device.evpn
    return device._replace(evpn=evpn._replace(multihomed=not evpn.multihomed)) if evpn else device


def _vlan_macs(device: Device) -> Device:
    if device.evpn is None:
        return device
    vlans = tuple(vlan._replace(macs=vlan.macs + 7) for vlan in device.evpn.vlans)
    return device._replace(evpn=device.evpn._replace(vlans=vlans))


def _vrf_id(device: Device) -> Device:
    if device.evpn is None:
        return device
    vrfs = tuple(vrf._replace(id=vrf.id + 7) for vrf in device.evpn.vrfs)
    return device._replace(evpn=device.evpn._replace(vrfs=vrfs))


def _marking(device: Device) -> Device:
    return device._replace(qos=device.qos._replace(marking="another")) if device.qos else device


def _resume(device: Device) -> Device:
    return (
        device._replace(qos=device.qos._replace(resume_octets=device.qos.resume_octets + 1)) if device.qos else device
    )


def _headroom_rows(device: Device) -> Device:
    if device.qos is None:
        return device
    rows = tuple(row._replace(length_m=row.length_m + 1) for row in device.qos.headroom)
    return device._replace(qos=device.qos._replace(headroom=rows))


def _gap(device: Device) -> Device:
    found = device.load_balancing
    return device._replace(load_balancing=found._replace(flowlet_gap_us=found.flowlet_gap_us + 1))


def _guarded_ports(device: Device) -> Device:
    rows = tuple(
        row._replace(switching=row.switching._replace(ra_guard=True)) if row.switching else row
        for row in device.interfaces.ethernet
    )
    return device._replace(interfaces=device.interfaces._replace(ethernet=rows))


def _guarded_lag(device: Device) -> Device:
    lags = tuple(lag._replace(switching=lag.switching._replace(ra_guard=True)) for lag in device.interfaces.lags)
    return device._replace(interfaces=device.interfaces._replace(lags=lags))


def _paths_list(device: Device) -> Device:
    policy = device.routing.policy._replace(paths_lists=(PathsList("EC-LINK-SHORT", 2),))
    return device._replace(routing=device.routing._replace(policy=policy))


SILENT_EDITS: dict[str, Edit] = {
    "paths-list": _paths_list,
    "device.site": lambda device: device._replace(site="another"),
    "device.fabric": lambda device: device._replace(fabric="another"),
    "interface.headroom": lambda device: _first_port(device, lambda port: port._replace(headroom_octets=1234)),
    "interface.length": lambda device: _first_port(device, lambda port: port._replace(length_m=123.5)),
    "interface.dead": lambda device: _first_port(device, lambda port: port._replace(dead=True)),
    "interface.ra-guard": _guarded_ports,
    "lag.ra-guard": _guarded_lag,
    "lag.mtu": _lag_mtu,
    "subinterface.mtu": _subinterface_mtu,
    "evpn.mtu": _evpn_mtu,
    "evpn.multihomed": _multihomed,
    "evpn.vlan.macs": _vlan_macs,
    "evpn.vrf.id": _vrf_id,
    "qos.headroom-row": _headroom_rows,
    "qos.marking": _marking,
    "qos.resume": _resume,
    "load-balancing.flowlet-gap": _gap,
}
"""Kind that no line says → an edit of a device that moves nothing else."""


def test_every_silent_kind_is_tried() -> None:
    assert set(SILENT_EDITS) == {cost.kind for cost in COSTS if cost.source == SILENT}


def spoken(device: Device) -> list[str]:
    """The configuration without its remarks."""
    return [line for line in render(device).splitlines() if not line.startswith("!")]


@pytest.mark.parametrize("kind", SILENT_EDITS)
def test_what_no_line_says_changes_no_line(kind: str) -> None:
    pairs = [(device, SILENT_EDITS[kind](device)) for device in samples().values()]
    changed = [(before, after) for before, after in pairs if before != after]
    assert changed
    for before, after in (changed[0], changed[-1]):
        assert {fact.kind for fact in changes_between(before, after)} == {kind}
        assert spoken(after) == spoken(before)


def test_a_line_that_is_said_would_be_seen() -> None:
    device = samples()["demo backend leaf"]
    assert spoken(_first_port(device, lambda port: port._replace(description="another"))) != spoken(device)
