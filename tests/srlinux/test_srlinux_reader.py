"""Switches of rendered sites as they show themselves, judged by verify: in order, with faults, and as garbage."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.srlinux.live import reader as srlinux
from fabricgen.platforms.srlinux.live.reader import SRLINUX
from fabricgen.state.state import PARTS
from fabricgen.verify.finding import SwitchVerdict
from fabricgen.verify.judge.device import judge
from tests.some import some
from tests.srlinux.shown import healthy, plan
from tests.srlinux.shown_routes import Answers

SWITCHES = [
    ("demo", "fe-leaf-000"), ("demo", "fe-leaf-003"), ("demo", "fe-spine-00"), ("demo", "fe-border-00"),
    ("bare", "be-leaf-001"), ("bare", "be-spine-00"), ("bare", "fe-leaf-001"), ("drained", "fe-border-00"),
    ("pairs", "fe-leaf-000"), ("pairs", "be-leaf-000"), ("tiers", "be-super-00"),
]  # fmt: skip


def judged(site: str, name: str, shown: Answers) -> SwitchVerdict:
    """Verify's verdict on a switch that gives these answers."""
    outputs = {command: Output(value) for command, value in shown.items()}
    return judge(plan(site, name), SRLINUX.state(outputs, {}), SRLINUX.drift)


@pytest.mark.parametrize(("site", "name"), SWITCHES, ids=[" ".join(one) for one in SWITCHES])
def test_a_switch_in_order_is_right(site: str, name: str) -> None:
    verdict = judged(site, name, healthy(site, name))
    assert verdict.findings == ()
    passed = {check for check, number in dict(verdict.passed).items() if number}
    assert {"reachable", "interfaces", "addresses", "mtu", "sessions", "routes", "drift"} <= passed


def test_every_part_is_read_of_a_switch_in_order() -> None:
    for site, name in (("demo", "fe-leaf-000"), ("bare", "be-leaf-001")):
        outputs = {command: Output(value) for command, value in healthy(site, name).items()}
        state = SRLINUX.state(outputs, {})
        assert set(state.unread) == {"startup"}
        assert all(getattr(state, part) is not None for part in PARTS)


Change = Callable[[Answers], object]
LEAF, BARE = ("demo", "fe-leaf-000"), ("bare", "be-leaf-001")


def row(listed: list[Any], **keys: object) -> Any:  # noqa: ANN401 - JSON
    """The entry of a list with these members; `_` stands for `-`."""
    wanted = {key.replace("_", "-"): value for key, value in keys.items()}
    return next(one for one in listed if all(one.get(key) == value for key, value in wanted.items()))


def port(shown: Answers, name: str) -> Any:  # noqa: ANN401
    return row(shown[srlinux.INTERFACES]["srl_nokia-interfaces:interface"], name=name)


def instance(shown: Answers, path: str, name: str = "default") -> Any:  # noqa: ANN401
    return row(shown[path]["srl_nokia-network-instance:network-instance"], name=name)


def neighbors(shown: Answers) -> Any:  # noqa: ANN401
    return instance(shown, srlinux.BGP)["protocols"]["srl_nokia-bgp:bgp"]["neighbor"]


def routes(shown: Answers, name: str = "default") -> Any:  # noqa: ANN401
    return instance(shown, srlinux.ROUTES, name)["route-table"]["srl_nokia-ip-route-tables:ipv4-unicast"]["route"]


def hops(shown: Answers, route: Answers) -> Any:  # noqa: ANN401
    table = instance(shown, srlinux.ROUTES)["route-table"]
    return row(table["srl_nokia-ip-route-tables:next-hop-group"], index=route["next-hop-group"])["next-hop"]


def vxlan(shown: Answers, vni: int) -> Any:  # noqa: ANN401
    (tunnel,) = shown[srlinux.VNIS]["srl_nokia-tunnel-interfaces:tunnel-interface"]
    return row(tunnel["vxlan-interface"], index=vni)


def local_rib(shown: Answers) -> Any:  # noqa: ANN401
    (family,) = instance(shown, srlinux.EVPN_ROUTES)["srl_nokia-rib-bgp:bgp-rib"]["afi-safi"]
    return family["evpn"]["local-rib"]


def bgp_route(shown: Answers) -> Any:  # noqa: ANN401
    return row(routes(shown), route_type="srl_nokia-common:bgp")


def queue(shown: Answers, number: int) -> Any:  # noqa: ANN401
    return row(shown[srlinux.QOS]["interface"][0]["output"]["queues"]["queue"], queue_name=f"unicast-{number}")


def running(old: str, new: str) -> Change:
    def change(shown: Answers) -> None:
        assert old in shown[srlinux.RUNNING]
        shown[srlinux.RUNNING] = shown[srlinux.RUNNING].replace(old, new)

    return change


FLOODS = "srl_nokia-tunnel-interfaces-vxlan-interface-bridge-table-multicast-destinations:multicast-destinations"
UPLINK = "ethernet-1/25"

FAULTS: list[tuple[str, tuple[str, str], Change, set[str]]] = [
    ("port down", LEAF, lambda it: port(it, UPLINK).update({"oper-state": "down"}), {"interface-down"}),
    ("subinterface down", LEAF, lambda it: port(it, UPLINK)["subinterface"][0].update({"oper-state": "down"}),
     {"interface-down"}),
    ("port shut", LEAF, lambda it: port(it, UPLINK).update({"admin-state": "disable"}), {"interface-shut"}),
    ("no port", LEAF, lambda it: port(it, UPLINK).update({"name": "ethernet-1/99"}),
     {"interface-missing", "address-unexpected"}),
    ("MTU", LEAF, lambda it: port(it, UPLINK)["subinterface"][0].update({"ip-mtu": 1500}), {"mtu-wrong"}),
    ("MTU of an aggregate", LEAF, lambda it: port(it, "lag1")["subinterface"][0].update({"l2-mtu": 1518}),
     {"mtu-wrong"}),
    ("address", LEAF, lambda it: port(it, UPLINK)["subinterface"][0]["ipv4"]["address"][0].update(
        {"ip-prefix": "192.0.2.0/31"}), {"address-wrong"}),
    ("VRF", LEAF, lambda it: instance(it, srlinux.MEMBERS, "mgmt")["interface"].append(
        instance(it, srlinux.MEMBERS)["interface"].pop(2)), {"interface-wrong-vrf"}),
    ("member", LEAF, lambda it: port(it, "lag1")["srl_nokia-interfaces-lag:lag"]["member"][0].update(
        {"oper-state": "down"}), {"lag-member-missing"}),
    ("VLAN", LEAF, lambda it: instance(it, srlinux.MEMBERS, "VLAN-20").update(
        interface=[one for one in instance(it, srlinux.MEMBERS, "VLAN-20")["interface"] if one["name"] != "lag2.20"]),
     {"port-wrong-vlan"}),
    ("VLAN of a subinterface that is down", LEAF, lambda it: port(it, "lag1")["subinterface"][0].update(
        {"oper-state": "down"}), {"port-wrong-vlan"}),
    ("neighbor swapped", LEAF, lambda it: row(it[srlinux.LLDP]["interface"], name=UPLINK)["neighbor"][0].update(
        {"system-name": "fe-spine-01"}), {"lldp-wrong-peer"}),
    ("session down", LEAF, lambda it: neighbors(it)[0].update({"session-state": "active"}), {"session-down"}),
    ("wrong AS", LEAF, lambda it: neighbors(it)[0].update({"peer-as": 65000}), {"session-wrong-as"}),
    ("no session", LEAF, lambda it: neighbors(it).pop(0), {"session-missing"}),
    ("no EVPN", LEAF, lambda it: row(neighbors(it)[-1]["afi-safi"], oper_state="up").update({"oper-state": "down"}),
     {"session-family-missing"}),
    ("unnumbered session down", BARE, lambda it: neighbors(it)[0].update({"session-state": "connect"}),
     {"session-down"}),
    ("BFD down", BARE, lambda it: it[srlinux.BFD]["network-instance"][0]["peer"][0].update({"session-state": "DOWN"}),
     {"bfd-down"}),
    ("no route", LEAF, lambda it: routes(it).remove(bgp_route(it)), {"route-missing"}),
    ("route not active", LEAF, lambda it: bgp_route(it).update(active=False), {"route-missing"}),
    ("route not programmed", LEAF, lambda it: bgp_route(it)["fib-programming"].update(suppressed=True),
     {"route-missing"}),
    ("route failed", LEAF, lambda it: bgp_route(it)["fib-programming"].update(
        {"last-failed-locations": ["(1,0)"]}), {"route-missing"}),
    ("fewer paths", LEAF, lambda it: hops(it, bgp_route(it)).pop(), {"route-width"}),
    ("uneven paths", LEAF, lambda it: hops(it, bgp_route(it))[0].update(weight="4"), {"route-weights"}),
    ("unplanned route", LEAF, lambda it: routes(it).append(
        {**bgp_route(it), "ipv4-prefix": "203.0.113.0/24", "route-type": "srl_nokia-common:static"}),
     {"route-unexpected"}),
    ("no VNI", LEAF, lambda it: vxlan(it, 10007)["ingress"].update(vni=10999), {"vni-missing", "vni-unexpected"}),
    ("VNI down", LEAF, lambda it: vxlan(it, 10001).update({"oper-state": "down"}), {"vni-down"}),
    ("VNI in no instance", LEAF, lambda it: instance(it, srlinux.TUNNELS, "research").update({"vxlan-interface": []}),
     {"vni-down"}),
    ("VNI on another VLAN", LEAF, lambda it: instance(it, srlinux.TUNNELS, "VLAN-20").update(name="VLAN-21"),
     {"vni-wrong-vlan"}),
    ("no VTEP", LEAF, lambda it: vxlan(it, 10007)["bridge-table"][FLOODS]["destination"].pop(), {"vtep-missing"}),
    ("VTEP not programmed", LEAF, lambda it: vxlan(it, 10007)["bridge-table"][FLOODS]["destination"][0].update(
        {"not-programmed-reason": "multicast-limit"}), {"vtep-missing"}),
    ("no type 3", LEAF, lambda it: local_rib(it)["imet-route"].pop(), {"evpn-missing"}),
    ("type 5 not valid", LEAF, lambda it: local_rib(it)["ip-prefix-route"][-1].update({"valid-route": False}),
     {"evpn-missing"}),
    ("type 3 elsewhere", LEAF, lambda it: local_rib(it)["imet-route"][-1].update({"attr-id": "9"}),
     {"evpn-next-hop"}),
    ("segment", LEAF, lambda it: local_rib(it)["ethernet-segment-route"][0].update(
        {"esi": "00:00:00:00:00:0f:ff:00:00:00"}), {"evpn-missing"}),
    ("drops", BARE, lambda it: queue(it, 3)["queue-statistics"]["aggregate-statistics"].update(
        {"dropped-packets": "17"}), {"qos-lossless-drops"}),
    ("thresholds", BARE, lambda it: queue(it, 3)["active-queue-management"]["wred-slope"][0].update(
        {"min-threshold-bytes": 1}), {"qos-ecn"}),
    ("no PFC", BARE, lambda it: it[srlinux.QOS]["interface"][0]["pfc"].update({"pfc-enable": False}),
     {"qos-pfc-off"}),
    ("drift", LEAF, running('"maximum-paths": 8', '"maximum-paths": 4'), {"drift-missing", "drift-extra"}),
    ("drift of a member", LEAF, running('"import-policy": [\n', '"import-policy": [\n"RM-OTHER",'), {"drift-extra"}),
    ("another name", LEAF, lambda it: it.update({srlinux.HOSTNAME: "other"}), {"another-name"}),
    ("maintenance", LEAF, lambda it: it.update({srlinux.MAINTENANCE: {"group": [
        {"name": "up", "maintenance-mode": {"admin-state": "enable"}}]}}), {"in-maintenance"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("switch", "change", "codes"), some([one[1:] for one in FAULTS]), ids=[one[0] for one in FAULTS]
)
def test_a_fault_is_found(switch: tuple[str, str], change: Change, codes: set[str]) -> None:
    shown = healthy(*switch)
    change(shown)
    found = judged(*switch, shown).findings
    unexplained = {one.code for one in found if not one.explained}
    assert unexplained == codes, [(one.code, one.subject, one.problem) for one in found]


GARBAGE: tuple[object, ...] = (
    None,
    "",
    "garbage",
    7,
    [],
    [1],
    {"interface": 1},
    {"srl_nokia-interfaces:interface": [7]},
)


def broken(value: Any, at: int) -> Any:  # noqa: ANN401
    """The same answer with what stands at some depth put in a list or an object."""
    if at == 0:
        return [value] if isinstance(value, dict) else {"x": value}
    if isinstance(value, dict):
        return {key: broken(held, at - 1) for key, held in value.items()}
    if isinstance(value, list):
        return [broken(held, at - 1) for held in value]
    return value


@pytest.mark.parametrize(("part", "command"), some([one[:2] for one in srlinux.SOURCES]))
def test_garbage_and_other_forms_never_raise(part: str, command: str) -> None:
    whole = {path: Output(answer) for path, answer in healthy(*LEAF).items()}
    for value in (*GARBAGE, *(broken(whole[command].value, depth) for depth in (1, 2, 4, 6))):
        state = SRLINUX.state({**whole, command: Output(value)}, {})
        if not isinstance(value, dict | str):
            assert part in state.unread, value
    judge(plan(*LEAF), state, SRLINUX.drift)


def test_what_was_refused_is_unread_and_nothing_of_it_right() -> None:
    refused = {command: Output(None, "refused") for _, command, _ in srlinux.SOURCES}
    state = SRLINUX.state(refused, {})
    assert {part for part in PARTS if getattr(state, part) is None} == set(PARTS)
    assert set(state.unread) >= set(PARTS)
    verdict = judge(plan(*LEAF), state, SRLINUX.drift)
    assert not any(dict(verdict.passed).values())


def test_a_name_that_was_not_read_is_no_right_one() -> None:
    whole = {path: Output(answer) for path, answer in healthy(*LEAF).items()}
    for unread in (Output(None, "refused"), Output(None), Output(7), Output(["leaf"]), Output({"host-name": "leaf"})):
        assert "facts" in SRLINUX.state({**whole, srlinux.HOSTNAME: unread}, {}).unread
    nameless = SRLINUX.state({**whole, srlinux.HOSTNAME: Output({})}, {})  # as it says of a leaf that is not set
    assert nameless.facts is not None
    assert nameless.facts.hostname == ""


def test_a_path_that_the_chassis_has_not_holds_nothing() -> None:
    unknown = Output(None, "10.0.0.1: Path not valid - unknown element 'maintenance'. Options are [lldp]")
    whole = {path: Output(answer) for path, answer in healthy(*LEAF).items()}
    state = SRLINUX.state({**whole, **dict.fromkeys((srlinux.BFD, srlinux.QOS, srlinux.MAINTENANCE), unknown)}, {})
    assert (state.bfd, state.qos, state.counters, state.maintenance) == ((), (), (), None)
    assert set(state.unread) == {"startup"}
    assert judge(plan(*LEAF), state, SRLINUX.drift).findings == ()
    assert "lldp" in SRLINUX.state({**whole, srlinux.LLDP: unknown}, {}).unread


def test_a_configuration_equals_itself_whatever_the_modules_numbers_and_secrets() -> None:
    text = healthy(*LEAF)[srlinux.RUNNING]
    tree = json.loads(text)
    tree["_annotate"] = "a remark"
    system = tree["srl_nokia-system:system"]
    system["srl_nokia-aaa:aaa"]["authentication"]["admin-user"]["password"] = "$y$j9T$other"  # noqa: S105
    system["srl_nokia-json-rpc:json-rpc-server"] = {"admin-state": "enable"}
    system["srl_nokia-tls:tls"] = {"server-profile": [{"name": "own", "key": "$aes1$x"}]}
    for one in tree["srl_nokia-interfaces:interface"]:
        if "mtu" in one:
            one["mtu"] = str(one["mtu"])
    lag = row(tree["srl_nokia-interfaces:interface"], name="lag1")["srl_nokia-interfaces-lag:lag"]
    lag["srl_nokia-lacp:lacp"]["system-id-mac"] = lag["srl_nokia-lacp:lacp"]["system-id-mac"].upper()
    assert SRLINUX.drift(text, json.dumps(tree)) == ()
    system["srl_nokia-tls:client"] = {"x": 1}
    (found,) = SRLINUX.drift(text, json.dumps(tree))
    assert (found.section, found.line, found.present) == (("system", "client"), "x: 1", True)
