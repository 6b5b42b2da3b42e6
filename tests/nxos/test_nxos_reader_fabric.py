"""Switches with NX-OS that show what they should, and that do not: read by our reader, judged by verify's judge.

The answers are a double's (tests/doubles/nxos_shown.py), spelled from recorded forms for the fabrics that are rendered.
"""

from collections.abc import Callable
from functools import cache, partial
from types import MappingProxyType

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.nxos.live import reader as nxos
from fabricgen.platforms.nxos.live.reader import NXOS
from fabricgen.resolve.device import devices
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import SwitchVerdict
from fabricgen.verify.judge.device import judge
from tests.doubles.nxos_shown import Shown, changed, dropped, outputs, shown, single
from tests.nxos.fleet import planned, render, with_bfd
from tests.some import some

Change = Callable[[Shown], None]


@cache
def fabric() -> MappingProxyType[str, Expected]:
    """Every switch of the demo, and a leaf with BFD."""
    found = {one.device: one for one in expectations(tuple(devices(planned("demo"))), render)}
    (bfd,) = expectations((with_bfd(),), render)
    return MappingProxyType({**found, "bfd": bfd})


def verdict(name: str, change: Change | None = None) -> SwitchVerdict:
    """What is found of one switch."""
    expected = fabric()[name]
    assert expected.configuration is not None
    found = shown(expected, expected.configuration)
    if change is not None:
        change(found)
    return judge(expected, NXOS.state(outputs(found), {}), NXOS.drift)


NAMES = (
    "be-leaf-000",
    "be-spine-00",
    "fe-leaf-000",
    "fe-leaf-003",
    "fe-spine-01",
    "fe-border-00",
    "fe-border-01",
    "bfd",
)


@pytest.mark.parametrize("name", NAMES)
def test_what_shows_all_that_it_should_is_right(name: str) -> None:
    found, expected = verdict(name), fabric()[name]
    assert found.findings == ()
    passed = dict(found.passed)
    assert passed["sessions"] == len(expected.sessions) + 2  # AS number and router id
    assert passed["drift"] == 1
    assert {one.check for one in found.unchecked} <= {"drift", "qos", "evpn", "routes"}
    assert [one.reason for one in found.unchecked if one.check == "drift"] == [NXOS.unseen["startup"]]
    assert ("qos" in {one.check for one in found.unchecked}) is bool(expected.qos)
    wanted = {"reachable", "interfaces", "mtu", "addresses", "lldp", "routes"}
    wanted |= {
        check for check, rows in (("bfd", expected.bfd), ("evpn", expected.evpn), ("vnis", expected.vnis)) if rows
    }
    assert wanted <= passed.keys()


@pytest.mark.parametrize("name", NAMES)
def test_rows_that_stand_alone_and_numbers_as_text_are_the_same(name: str) -> None:
    """`| json` prints no list of one row, and NX-API's numbers are text (napalm's test data, nxapi-netbox)."""

    def old(found: Shown) -> None:
        found.update({command: single(value) for command, value in found.items() if isinstance(value, dict)})

    assert verdict(name, old) == verdict(name)


def line(command: str, old: str, new: str) -> Change:
    """One line of text in another way."""

    def change(found: Shown) -> None:
        assert old in found[command]
        found[command] = [new if one == old else one for one in found[command]]

    return change


def less(command: str, part: str) -> Change:
    """Leave away lines, of the first that has a text up to the next empty one."""

    def change(found: Shown) -> None:
        lines: list[str] = found[command]
        at = next(index for index, one in enumerate(lines) if part in one)
        end = next((index for index, one in enumerate(lines[at:], at) if not one), len(lines))
        del lines[at:end]

    return change


def row(command: str, change: dict[str, object], **where: object) -> Change:
    return lambda found: changed(found, command, change, **where)


def gone(command: str, **where: object) -> Change:
    return lambda found: dropped(found, command, **where)


def port(**change: object) -> Change:
    """The first uplink of the leaf, in another way."""
    return row(nxos.INTERFACES, dict(change), interface="Ethernet1/25")


DOWN = {"state": "Active", "prefixreceived": 0}
PEER = "10.128.0.33"
"""Of the leaf's first uplink, Ethernet1/25: by its rendered text."""
FAR = "10.140.0.7"
"""Tunnel end of the other leaf with the VLAN."""
EXTRA = {"vrf-name-out": "default", "vrf-router-id": "10.140.0.4", "vrf-local-as": "4202000002"}


def stranger(found: Shown) -> None:
    """One more session."""
    entry = {"neighborid": "192.0.2.9", "neighboras": "65000", "state": "Idle", "prefixreceived": 0}
    inside = {"safi": 1, "TABLE_neighbor": {"ROW_neighbor": entry}}
    found[nxos.BGP_SUMMARY]["TABLE_vrf"]["ROW_vrf"].append(
        {**EXTRA, "TABLE_af": {"ROW_af": {"af-id": 1, "TABLE_saf": {"ROW_saf": inside}}}}
    )


def more(path: dict[str, object], prefix: str = "192.0.2.0/24") -> Change:
    """One more route of the default VRF, which names no interface."""
    added = {"ipprefix": prefix, "TABLE_path": {"ROW_path": {"ipnexthop": PEER, "ubest": "true", **path}}}

    def change(found: Shown) -> None:
        vrf = next(one for one in found[nxos.ROUTES_IPV4]["TABLE_vrf"]["ROW_vrf"] if one["vrf-name-out"] == "default")
        vrf["TABLE_addrf"]["ROW_addrf"][0]["TABLE_prefix"]["ROW_prefix"].append(added)

    return change


def says(command: str, text: str) -> Change:
    """An answer of a text alone."""
    return lambda found: put(found, command, Output(text))


def put(found: Shown, command: str, answer: Output) -> None:
    found[command] = answer


def two_lines_of_a_map(found: Shown) -> None:
    """A session names the map of another direction."""
    lines: list[str] = found[nxos.RUNNING]
    at = lines.index("      route-map RM-SPINES-IPV4-OUT out")
    lines[at] = "      route-map RM-SPINES-IPV6-OUT out"


FAULTS: dict[str, tuple[Change, str]] = {
    "another name": (row(nxos.VERSION, {"host_name": "fe-leaf-001"}), "another-name"),
    "maintenance": (row(nxos.MODE, {"system_mode": "Maintenance"}), "in-maintenance"),
    "port shut": (port(state="down", admin_state="down", state_rsn_desc="Administratively down"), "interface-shut"),
    "port down": (port(state="down", state_rsn_desc="Link not connected"), "interface-down"),
    "port disabled": (port(state="down", state_rsn_desc="linkFlapErrDisabled"), "interface-fault"),
    "port gone": (gone(nxos.INTERFACES, interface="Ethernet1/25"), "interface-missing"),
    "small MTU": (port(eth_mtu=1500), "mtu-wrong"),
    "MTU of a server's port": (row(nxos.INTERFACES, {"eth_mtu": "1500"}, interface="Ethernet1/1"), "mtu-wrong"),
    "wrong address": (
        row(nxos.ADDRESSES_IPV4, {"prefix": "10.128.0.34"}, intf__name="Ethernet1/25"),
        "address-wrong",
    ),
    "no IPv6": (gone(nxos.ADDRESSES_IPV6, intf__name="Ethernet1/25"), "address-missing"),
    "VRF": (row(nxos.VRFS, {"vrf_name": "default"}, if_name="Vlan20"), "interface-wrong-vrf"),
    "VLAN": (row(nxos.SWITCHPORTS, {"access_vlan": 30}, interface="Ethernet1/1"), "port-wrong-vlan"),
    "trunk": (row(nxos.SWITCHPORTS, {"oper_mode": "trunk"}, interface="Ethernet1/1"), "port-wrong-vlan"),
    "neighbor swapped": (row(nxos.LLDP, {"port_id": "Ethernet1/19"}, l_port_id="Eth1/25"), "lldp-wrong-port"),
    "neighbor of another": (row(nxos.LLDP, {"sys_name": "fe-spine-01"}, l_port_id="Eth1/25"), "lldp-wrong-peer"),
    "session down": (row(nxos.BGP_SUMMARY, DOWN, neighborid=PEER), "session-down"),
    "session shut": (row(nxos.BGP_SUMMARY, {"state": "Admin (Shut)"}, neighborid=PEER), "session-down"),
    "wrong AS": (row(nxos.BGP_SUMMARY, {"neighboras": "4202000099"}, neighborid=PEER), "session-wrong-as"),
    "own AS": (row(nxos.BGP_SUMMARY, {"vrf-local-as": "65000"}, vrf__name__out="default"), "bgp-wrong-asn"),
    "session gone": (gone(nxos.BGP_SUMMARY, neighborid=PEER), "session-missing"),
    "session of nobody": (stranger, "session-unexpected"),
    "family not agreed": (row(nxos.BGP_NEIGHBORS, {"TABLE_af": {}}, neighbor=PEER), "session-family-missing"),
    "route missing": (gone(nxos.ROUTES_IPV4, ipprefix="10.140.0.7/32"), "route-missing"),
    "route of IPv6 missing": (gone(nxos.ROUTES_IPV6, ipprefix="fd5e:8c1f:2a00:1c00::18/128"), "route-missing"),
    "fewer paths": (gone(nxos.ROUTES_IPV4, ipnexthop=PEER, clientname="bgp-65001"), "route-width"),
    "a path not in use": (
        row(nxos.ROUTES_IPV4, {"ubest": "false"}, ipnexthop=PEER, clientname="bgp-65001"),
        "route-width",
    ),
    "another next hop": (
        row(nxos.ROUTES_IPV4, {"ipnexthop": "10.128.0.99"}, ipnexthop=PEER, clientname="bgp-65001"),
        "route-next-hop",
    ),
    "a link's network missing": (gone(nxos.ROUTES_IPV4, ipprefix="10.128.0.32/31"), "route-next-hop"),
    "tenant's route": (gone(nxos.ROUTES_IPV4, ipprefix="172.17.0.0/20"), "route-missing"),
    "VNI missing": (gone(nxos.VNIS, vni=10006), "vni-missing"),
    "VNI down": (row(nxos.VNIS, {"vni-state": "Down"}, vni=10006), "vni-down"),
    "VNI of another VRF": (row(nxos.VNIS, {"type": "L3 [research]"}, vni=10005), "vni-wrong-vrf"),
    "VNI of another VLAN": (row(nxos.VNIS, {"type": "L2 [21]"}, vni=10006), "vni-wrong-vlan"),
    "VTEP missing": (less(nxos.FLOODS, FAR), "vtep-missing"),
    "EVPN route missing": (less(nxos.EVPN_ROUTES, "10.140.0.7:6"), "evpn-missing"),
    "EVPN next hop": (
        line(
            nxos.EVPN_ROUTES,
            f"                      {FAR}                  0        100          0 65001 i",
            "                      10.140.0.9                  0        100          0 65001 i",
        ),
        "evpn-next-hop",
    ),
    "line missing": (line(nxos.RUNNING, "  mtu 9164", ""), "drift-missing"),
    "line extra": (line(nxos.RUNNING, "  mtu 9164", "  mtu 1600"), "drift-extra"),
    "nobody is heard": (says(nxos.LLDP, "ERROR: No neighbour information\n"), "lldp-silent"),
    "nothing is replicated": (says(nxos.FLOODS, ""), "vtep-missing"),
    "a static route": (more({"clientname": "static"}), "route-unexpected"),
    "a default route": (more({"clientname": "bgp-4202000002"}, "0.0.0.0/0"), "isolation-route"),
    "an interface of a VLAN that is shut": (
        row(nxos.INTERFACES, {"svi_admin_state": "down", "svi_rsn_desc": "Administratively down"}, interface="Vlan20"),
        "interface-shut",
    ),
    "a VLAN without ports": (
        row(nxos.INTERFACES, {"svi_rsn_desc": "VLAN/BD is down", "svi_line_proto": "down"}, interface="Vlan20"),
        "interface-down",
    ),
    "another router id": (
        row(nxos.BGP_SUMMARY, {"vrf-router-id": "10.9.9.9"}, vrf__name__out="default"),
        "bgp-wrong-router-id",
    ),
    "a VNI of another kind": (row(nxos.VNIS, {"type": "L2 [20]"}, vni=10005), "vni-wrong-kind"),
    "a second address": (
        row(
            nxos.ADDRESSES_IPV4,
            {"TABLE_secondary_address": {"ROW_secondary_address": {"prefix1": "192.0.2.1", "masklen1": "24"}}},
            intf__name="Ethernet1/25",
        ),
        "address-unexpected",
    ),
    "wrong map": (two_lines_of_a_map, "drift-missing"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(name: str) -> None:
    change, code = FAULTS[name]
    found = verdict("fe-leaf-000", change)
    assert code in {one.code for one in found.findings}, found.findings


def test_a_route_into_the_tunnel_of_another_vtep() -> None:
    far = "10.140.0.9"  # of fe-leaf-002
    found = verdict("fe-border-00", row(nxos.ROUTES_IPV4, {"ipnexthop": "10.140.0.99"}, ipnexthop=far))
    assert {one.code for one in found.findings} == {"route-next-hop"}
    assert any(far in one.problem for one in found.findings)


def test_a_route_of_ipv6_into_the_tunnel_of_another_vtep() -> None:
    right = "::ffff:10.140.0.9"
    found = verdict("fe-border-00", row(nxos.ROUTES_IPV6, {"ipnexthop": f"{right}9%default:IPv4"}, ipnexthop=right))
    assert {one.code for one in found.findings} == {"route-next-hop"}
    zoned = verdict("fe-border-00", row(nxos.ROUTES_IPV6, {"ipnexthop": f"{right}%default:IPv4"}, ipnexthop=right))
    assert zoned.findings == ()


def test_an_aggregate_that_is_forwarded() -> None:
    found = verdict("be-leaf-000", row(nxos.ROUTES_IPV4, {"ifname": "Eth1/1"}, ifname="Null0"))
    assert {one.code for one in found.findings} == {"route-not-discarded"}


def test_drops_of_a_lossless_class_are_found() -> None:
    """And those of another class are not: they may drop."""
    lossy = verdict("be-leaf-000", row(nxos.QUEUES, {"eq-uc-stat-value": 5}, eq__stat__type="WD & Tail Drop"))
    assert {one.code for one in lossy.findings} == {"qos-lossless-drops"}
    assert "qos-lossless-drops" not in {one.code for one in verdict("be-leaf-000").findings}
    assert dict(verdict("be-leaf-000").passed)["qos"] == sum(
        len(one.lossless) for one in fabric()["be-leaf-000"].queues
    )


def test_a_bfd_session_that_is_down_or_not_there() -> None:
    peer = fabric()["bfd"].bfd[0].peer
    down = verdict("bfd", row(nxos.BFD_IPV4, {"local_state": "Down"}, dest_ip_addr=peer))
    missing = verdict("bfd", gone(nxos.BFD_IPV4, dest_ip_addr=peer))
    assert [one.code for one in (*down.findings, *missing.findings)] == ["bfd-down", "bfd-missing"]


CHECKS = {
    nxos.INTERFACES: {"interfaces", "mtu", "addresses"},
    nxos.ADDRESSES_IPV4: {"interfaces", "mtu", "addresses"},
    nxos.ADDRESSES_IPV6: {"interfaces", "mtu", "addresses"},
    nxos.VRFS: {"interfaces", "mtu", "addresses"},
    nxos.LLDP: {"lldp"},
    nxos.BGP_SUMMARY: {"sessions"},
    nxos.BGP_NEIGHBORS: {"sessions"},
    nxos.BFD_IPV4: {"bfd"},
    nxos.BFD_IPV6: {"bfd"},
    nxos.ROUTES_IPV4: {"routes"},
    nxos.ROUTES_IPV6: {"routes"},
    nxos.VNIS: {"vnis"},
    nxos.FLOODS: {"vnis"},
    nxos.EVPN_ROUTES: {"evpn"},
    nxos.QUEUES: {"qos"},
    nxos.RUNNING: {"drift"},
}
"""Command → what cannot be judged without it."""


BAD = (Output(None, "timed out"), Output("<html>no</html>"), Output('{"TABLE_x": 1}'))


@pytest.mark.parametrize(
    ("command", "answer"),
    # Any text is a configuration, and differs.
    some([(command, answer) for command in CHECKS for answer in (BAD[:1] if command == nxos.RUNNING else BAD)]),
)
def test_what_can_not_be_read_is_never_right(command: str, answer: Output) -> None:
    found = verdict("bfd", partial(put, command=command, answer=answer))
    unread = {one.check for one in found.unchecked}
    assert CHECKS[command] <= unread
    assert not CHECKS[command] & dict(found.passed).keys() - {"evpn"}
