"""Each property holds on every site as planned, and names the switch where one row is wrong."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from fabricgen.audit.properties import tried
from fabricgen.audit.reach import limits_hold
from fabricgen.readback.policy import PERMIT_ALL, Policy, Term
from fabricgen.readback.rows import Key, Value
from tests.audit.planned import ROOT, Change, Rows, site_devices, site_rows, site_view, violated
from tests.readback.sites import intents
from tests.some import some

SMALL = ROOT / "tests/golden/cases/small/intent.yaml"
LEAF, SPINE, BORDER = "fe-leaf-000", "fe-spine-00", "fe-border-00"


@pytest.mark.parametrize("intent", some([*intents()], of=4), ids=lambda intent: intent.parent.name)
def test_every_property_holds_as_planned(intent: Path) -> None:
    assert violated(intent, lambda rows: None) == []


class Fault(NamedTuple):
    """One row of a switch that is wrong, and what must be said. name: of the thing; empty: the first that there is."""

    switch: str
    thing: str
    name: str
    setting: str
    value: Value
    property: str
    says: str
    at: str = ""


NONE = frozenset[str]()
FAULTS: Mapping[str, Fault] = {
    "remote AS": Fault(LEAF, "session", "", "remote-as", 65535, "session-ends", "it expects AS 65535"),
    "NIC PFC": Fault(
        "be-leaf-000", "port", "Ethernet1/1", "pfc", (4,), "nic-ends", "PFC is on for 4, and on the NIC for 3"
    ),
    "NIC without PFC": Fault("be-leaf-000", "port", "Ethernet1/1", "pfc", (), "nic-ends", "PFC is on for no priority"),
    "NIC DSCP": Fault(
        "be-leaf-000", "port", "Ethernet1/1", "dscp-classes", (3,) * 64, "nic-ends", "lossless here and lossy on"
    ),
    "NIC lossy": Fault(
        "be-leaf-000", "port", "Ethernet1/1", "dscp-classes", (0,) * 64, "nic-ends", "lossy here and lossless on"
    ),
    "NIC MTU": Fault(
        "be-leaf-000", "port", "Ethernet1/1", "mtu", 1500, "nic-ends", "MTU 1500, and the NIC sends packets of"
    ),
    "NIC port not routed": Fault("be-leaf-000", "port", "Ethernet1/1", "mtu", 0, "nic-ends", "1/1: no routed port, so"),
    "link not routed": Fault("be-leaf-000", "port", "", "mtu", 0, "link-ends", "not routed, routed at be-spine"),
    "NIC watchdog": Fault("be-leaf-000", "port", "Ethernet1/1", "watchdog", (), "nic-ends", "no PFC watchdog"),
    "limit": Fault(LEAF, "session", "", "maximum-routes.ipv4", 1, "reach", "ipv4 routes come in, and its limit is 1"),
    "local AS": Fault(SPINE, "bgp", "", "asn", 65535, "session-ends", "has 65535", LEAF),
    "session shut": Fault(LEAF, "session", "", "enabled", False, "session-ends", "it is shut down"),
    "family": Fault(LEAF, "session", "", "families", NONE, "session-ends", "does not have", SPINE),
    "password": Fault(LEAF, "session", "", "password", "${env:X}", "session-ends", "its password is not that of"),
    "timers": Fault(LEAF, "session", "", "hold", 180, "session-ends", "hold 180 s"),
    "BFD": Fault(LEAF, "session", "", "bfd", True, "session-ends", "BFD is on, and off on fe-spine"),
    "loopback": Fault(SPINE, "loopback", "0", "ipv4", NONE, "session-ends", "no switch has this address", LEAF),
    "link address": Fault(
        LEAF,
        "port",
        "",
        "ipv4",
        frozenset({"10.128.99.0/31"}),
        "link-ends",
        "10.128.99.0/31 is a subnet of one end only",
    ),
    "MTU": Fault(LEAF, "port", "", "mtu", 1500, "link-ends", "MTU 1500, 9214"),
    "port shut": Fault(LEAF, "port", "", "enabled", False, "link-ends", "off, on"),
    "PFC": Fault("be-leaf-000", "port", "", "pfc", (), "link-ends", "PFC priorities none, 3 at"),
    "DSCP": Fault("be-leaf-000", "port", "", "dscp-classes", (0,) * 64, "link-ends", "DSCP classes differ"),
    "queues": Fault("be-leaf-000", "port", "", "class-queues", (3, 5), "link-ends", "queues differ"),
    "watchdog": Fault("be-leaf-000", "port", "", "watchdog", (), "link-ends", "PFC watchdog off, on"),
    "same address": Fault(
        LEAF, "loopback", "0", "ipv4", frozenset({"10.128.192.0/32"}), "unique-addresses", "is also the address of"
    ),
    "same router id": Fault(
        LEAF, "bgp", "", "router-id", "10.128.192.0", "unique-router-ids", "router id 10.128.192.0 is also that of fe-"
    ),
    "strange network": Fault(
        LEAF,
        "network",
        "10.9.0.0/24",
        "originated",
        True,
        "network-owners",
        "no port or gateway of the switch is in it",
    ),
    "default route": Fault(
        LEAF, "network", "0.0.0.0/0", "originated", True, "network-owners", "0.0.0.0/0 is announced"
    ),
    "static default": Fault(
        LEAF,
        "static-route",
        "0.0.0.0/0",
        "next-hop",
        "10.1.1.1",
        "network-owners",
        "leads to 10.1.1.1 by a static route",
    ),
    "static route": Fault(
        LEAF,
        "static-route",
        "10.128.192.0/32",
        "next-hop",
        "discard",
        "network-owners",
        "10.128.192.0/32 leads to discard by a static route, and",
    ),
    "static route of a tenant": Fault(
        LEAF,
        "static-route",
        "red 172.16.0.9/32",
        "next-hop",
        "discard",
        "tenant-routes",
        "VRF red: 172.16.0.9/32, in 172.16.0.0/24, leads to discard by a static route",
    ),
    "no VTEP": Fault(LEAF, "vtep", "", "address", "", "overlays", "it has a VNI, and the switch no VTEP"),
    "VNI of a VRF": Fault(LEAF, "vrf", "red", "vni", 4711, "overlays", "VNI 4711, and"),
    "VNI of a VLAN": Fault(LEAF, "vlan", "10", "vni", 4711, "overlays", "VNI 4711, and"),
    "RD": Fault(LEAF, "vrf", "red", "rd", "RD of blue", "overlays", "is also that of"),
    "import of a VLAN": Fault(LEAF, "vlan", "", "imports", NONE, "tenant-routes", "does not import 65000:"),
    "import of a VRF": Fault(LEAF, "vrf", "red", "imports", NONE, "tenant-routes", "which other leaves export for it"),
    "default from a tenant": Fault(
        LEAF,
        "vrf",
        "blue",
        "import-policy",
        Policy((PERMIT_ALL,)),
        "tenant-routes",
        "lets the default route 0.0.0.0/0 of tenant red",
    ),
    "gateway MAC": Fault(LEAF, "gateway", "", "mac", "02:00:00:00:00:99", "overlays", "MAC address 02:00:00:00:00:99"),
    "gateway address": Fault(
        LEAF, "gateway", "", "ipv4", frozenset({"10.20.99.1/24"}), "overlays", "addresses 10.20.99.1/24"
    ),
    "VTEP": Fault(LEAF, "vtep", "", "address", "10.1.1.1", "overlays", "is the address of no loopback"),
    "next hop": Fault(
        SPINE, "session", "evpn", "next-hop-unchanged", False, "reach", "have fe-spine-00 as next hop", "fe-"
    ),
}


def _key(rows: Mapping[Key, Value], fault: Fault) -> Key:
    """The row that a fault is about. `evpn` names a session of that family; an empty name the first thing of its kind.

    Of ports it is the first that leads to a spine.
    """
    if fault.name == "evpn":
        families = (key for key, value in rows.items() if key.setting == "families" and value == frozenset({"evpn"}))
        return next(families)._replace(setting=fault.setting)
    names = (key.name for key in rows if key.thing == fault.thing and (key.thing != "port" or _leads_up(rows, key)))
    return Key(fault.thing, fault.name or next(names, ""), fault.setting)


def _leads_up(rows: Mapping[Key, Value], key: Key) -> bool:
    return "spine" in str(rows.get(key._replace(setting="description")))


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_row_is_named_with_its_switch(name: str) -> None:
    fault = FAULTS[name]

    def change(rows: Rows) -> None:
        key = _key(rows[fault.switch], fault)
        own = rows[fault.switch]
        own[key] = own[key._replace(name="blue")] if fault.value == "RD of blue" else fault.value

    found = violated(SMALL, change)
    said = [(row.property, row.switch, what) for row in found for what in row.what]
    where = fault.at or fault.switch
    assert any(
        prop == fault.property and switch.startswith(where) and fault.says in what for prop, switch, what in said
    ), said[:10]


def test_a_vrf_that_evpn_does_not_carry_lacks_the_routes_of_its_tenant() -> None:
    """Neither VNI nor targets are left: nothing of the VRF itself says that it is a tenant's."""

    def change(rows: Rows) -> None:
        rows[LEAF] |= {Key("vrf", "red", "vni"): 0}
        rows[LEAF] |= {Key("vrf", "red", setting): frozenset() for setting in ("imports", "exports")}

    said = [what for row in violated(SMALL, change) for what in row.what if row.property == "tenant-routes"]
    assert "VRF red: exports nothing, which other leaves do not import" in said, said


def test_a_link_that_is_shut_at_both_ends_carries_no_session() -> None:
    """The ends agree with each other; routes are lost."""

    def change(rows: Rows) -> None:
        for name, own in rows.items():
            far = "fe-spine" if name == LEAF else LEAF
            for key in [key for key, value in own.items() if key.setting == "description" and far in str(value)]:
                if key.thing == "port":
                    own[key._replace(setting="enabled")] = False

    said = [what for row in violated(SMALL, change) for what in row.what if row.property == "reach"]
    assert any("no route leads there" in what for what in said), said


def test_a_policy_that_lets_nothing_out_hides_a_leaf() -> None:
    def change(rows: Rows) -> None:
        for key in [key for key in rows[LEAF] if key.setting == "policy-out.ipv4"]:
            rows[LEAF][key] = Policy(())

    said = [what for row in violated(SMALL, change) for what in row.what if row.property == "reach"]
    assert any("reaches none of" in what for what in said), said


def test_a_spine_that_denies_one_route_target_hides_a_tenant() -> None:
    """Routes of types 2, 3 and 5 carry the targets of their VRF or VLAN; those of the others pass."""
    device = next(device for device in site_devices(SMALL) if device.name == LEAF)
    target = min(vrf.export_target for vrf in device.routing.bgp.vrfs if vrf.export_target)
    deny = Policy((Term(permit=False, route_targets=frozenset({target})), PERMIT_ALL))

    def change(rows: Rows) -> None:
        for name in rows:
            if name.startswith("fe-spine"):
                for key in [key for key in rows[name] if key.setting == "policy-out.evpn"]:
                    rows[name][key] = deny

    found = [row for row in violated(SMALL, change) if row.property == "reach"]
    assert {"fe-spine-00", "fe-spine-01", LEAF} <= {row.switch for row in found}
    assert all(f" with {target} " in what for row in found for what in row.what), found


LEAVES = ("fe-leaf-000", "fe-leaf-001", BORDER)
OTHER_AS = 4299999999


def _sessions(rows: Mapping[Key, Value], peer: str, setting: str) -> list[Key]:
    """Keys of a setting of all sessions with a switch."""
    found = (key for key, value in rows.items() if key.setting == "description" and str(value).startswith(peer))
    return [key._replace(setting=setting) for key in found if key.thing == "session"]


def _open(rows: Rows) -> None:
    """Leaves hand a spine's routes to the other spine; one leaf has one spine."""
    for name in LEAVES:
        for key in [key for key in rows[name] if key.setting.startswith("policy-out")]:
            rows[name][key] = Policy((PERMIT_ALL,))
    single = rows["fe-leaf-001"]
    single.update(dict.fromkeys(_sessions(single, "fe-spine-00", "enabled"), False))


def _valley(rows: Rows) -> None:
    """The same, and the spines have AS numbers of their own."""
    _open(rows)
    rows["fe-spine-01"][Key("bgp", "", "asn")] = OTHER_AS
    for name in LEAVES:
        rows[name].update(dict.fromkeys(_sessions(rows[name], "fe-spine-01", "remote-as"), OTHER_AS))


def _ways(change: Change) -> list[str]:
    said = [what for row in violated(SMALL, change) for what in row.what if row.property == "reach"]
    return [what for what in said if "comes over" in what]


def test_a_leaf_that_hands_on_what_came_from_above_makes_a_valley() -> None:
    assert any("comes over fe-leaf-001 fe-spine-01 fe-" in what for what in _ways(_valley))


def test_a_switch_takes_no_route_with_its_own_as_number() -> None:
    """The spines share theirs (RFC 4271, 9.1.2): it alone stops the valley here."""
    assert _ways(_open) == []


def test_a_session_to_a_switch_without_a_configuration_is_not_wrong() -> None:
    """Its addresses are not known. Those of a switch that is there are."""

    def missing(rows: Rows) -> None:
        del rows[SPINE]

    assert violated(SMALL, missing) == []

    def one_of_a_pair(rows: Rows) -> None:
        del rows["fe-leaf-001"]

    assert violated(SMALL, one_of_a_pair) == []

    def elsewhere(rows: Rows) -> None:
        del rows["be-spine-00"]
        rows[SPINE][Key("loopback", "0", "ipv4")] = NONE

    found = violated(SMALL, elsewhere)
    assert "no switch has this address" in " ".join(what for row in found for what in row.what)


def test_switches_whose_sessions_are_all_gone_do_not_reach_each_other() -> None:
    def emptied(rows: Rows) -> None:
        for own in rows.values():
            for key in [key for key in own if key.thing == "session"]:
                del own[key]

    found = violated(SMALL, emptied)
    assert {row.switch for row in found if row.property == "reach"} == {
        device.name for device in site_devices(SMALL) if any(port.peer for port in device.interfaces.ethernet)
    }


def test_routes_of_a_session_are_counted() -> None:
    """Of the three other leaves of the demo a spine hands on the block and the loopback, and adds its own loopback."""

    def short(rows: Rows) -> None:
        rows["be-leaf-000"] |= {
            key: 3 * 2 + 1 - 1 for key in rows["be-leaf-000"] if key.setting == "maximum-routes.ipv4"
        }

    found = violated(ROOT / "inventories/demo/intent.yaml", short)
    assert {row.property for row in found} == {"reach"}
    assert all("7 ipv4 routes come in, and its limit is 6" in what for row in found for what in row.what)


def _without(thing: str, setting: str, begins: str) -> Change:
    """Take a setting from all things of a kind, on all switches of a fabric."""

    def change(rows: Rows) -> None:
        for name in [name for name in rows if name.startswith(begins)]:
            rows[name] = {
                key: value
                for key, value in rows[name].items()
                if not (key.thing == thing and (not setting or key.setting == setting))
            }

    return change


def test_watchdogs_that_are_lost_everywhere_are_missed() -> None:
    found = violated(SMALL, _without("port", "watchdog", "be-"))
    assert {row.property for row in found} == {"nic-ends"}


@pytest.mark.parametrize(
    ("change", "gone"),
    [
        (_without("port", "pfc", "be-"), {"no-buffer-cycle"}),
        (_without("vtep", "", "fe-"), {"overlays", "tenant-routes"}),
        (lambda rows: [rows.pop(name) for name in [*rows] if name.startswith("be-")], {"no-buffer-cycle", "nic-ends"}),
    ],
)
def test_a_property_of_what_no_text_has_is_not_tried(change: Change, gone: set[str]) -> None:
    assert {*tried(site_view(SMALL, lambda rows: None))} - {*tried(site_view(SMALL, change))} == gone


def test_a_segment_is_judged_though_a_spine_has_no_configuration() -> None:
    """Segments are on leaves."""
    segment = next(key for key in site_rows(SMALL, LEAF) if key.setting == "esi" and site_rows(SMALL, LEAF)[key])

    def change(rows: Rows) -> None:
        del rows[SPINE]
        rows[LEAF][segment] = ""

    said = [what for row in violated(SMALL, change) for what in row.what if row.property == "overlays"]
    assert any("is on no other leaf" in what for what in said), said


def _with_limit(routes: int) -> Change:
    """One session of a leaf expects so many routes of IPv4."""

    def change(rows: Rows) -> None:
        leaf = rows["be-leaf-000"]
        session = next(key for key in leaf if key.thing == "session" and key.setting == "maximum-routes.ipv4")
        leaf[session] = routes

    return change


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """24 leaves and 16 spines, which announce 24 prefixes of servers and 40 loopbacks."""
    intent = tmp_path_factory.mktemp("wide") / "intent.yaml"
    text = (ROOT / "inventories/nexus-h200-512/intent.yaml").read_text()
    intent.write_text(text.replace("slots: 0-63", "slots: 0-95").replace("now: 8", "now: 16"))
    return intent


def test_limits_hold_where_all_that_is_announced_stays_within_them(wide: Path) -> None:
    assert limits_hold(site_view(wide, _with_limit(64)), "backend")
    assert not limits_hold(site_view(wide, _with_limit(63)), "backend")


def test_a_limit_that_routes_may_meet_is_judged_on_all_switches(wide: Path) -> None:
    """A leaf gets those of 23 other leaves and of the spine: a sample of two leaves has far fewer."""
    assert violated(wide, _with_limit(64)) == []
    (found,) = violated(wide, _with_limit(20))
    assert (found.property, found.switch) == ("reach", "be-leaf-000")
    assert "ipv4 routes come in, and its limit is 20" in found.what[0]
