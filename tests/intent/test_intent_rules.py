"""Every rule across the keys of an intent is tripped, alone, at its place."""

import copy
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from fabricgen.errors import Problem
from fabricgen.intent.model import Intent
from fabricgen.intent.rules import RULES, rules
from fabricgen.source.document import read_document

DEMO = Path(__file__).parents[2] / "inventories" / "demo" / "intent.yaml"
VALUE = read_document(DEMO).value
GONE = object()

HOSTS = ("tenants", "research", "networks", "hosts")
RELAYS = ("tenants", "research", "relay_sources")
FW1 = ("tenants", "research", "external", 0)
NICS = ("tenants", "serving", "nics")
SHARED = (("fabrics", "backend", "tenancy"), "evpn-type5")
"""The backend's tenants are those of the frontend."""
TINY = ("tenants", "tiny")
SECOND = copy.deepcopy(VALUE["fabrics"]["frontend"]) | {"prefix": "st", "asns": "4203000000-4203999999"}  # type: ignore[index]
SECOND["topology"]["border_leaves"] = 0
STORAGE = (("fabrics", "stores"), SECOND | {"connects": {"store": "data"}})
"""A second frontend, for the servers of storage alone."""


def edited(*edits: tuple[tuple[str | int, ...], object]) -> Intent:
    """Return the demo's intent with these paths set, or removed where GONE."""
    value: Any = copy.deepcopy(VALUE)
    for path, new in edits:
        at = value
        for part in path[:-1]:
            at = at[part]
        if new is GONE:
            del at[path[-1]]
        else:
            at[path[-1]] = new
    return Intent.model_validate(value)


def found(*edits: tuple[tuple[str | int, ...], object]) -> list[Problem]:
    return list(rules(edited(*edits)))


def test_the_demo_keeps_every_rule() -> None:
    assert found() == []


CASES: tuple[tuple[str, tuple[tuple[tuple[str | int, ...], object], ...], tuple[str | int, ...], str, str], ...] = (
    ("asns-overlap", ((("fabrics", "frontend", "asns"), "4201999999-4202000100"),), ("fabrics", "frontend", "asns"),
     "the AS ranges of backend and frontend overlap: 4201999999-4201999999",
     "write asns: 4202000101-4202000202 for frontend, or another range that no fabric uses"),
    ("scenario-holds", ((("scenarios",), {"night": {"serving": {"add": ["train[15-16]"]}}}),),
     ("scenarios", "night", "serving", "add", 0), "scenario night adds train[16] to serving, which has it already",
     "remove train[16] from add:"),
    ("planned-too-small", ((("servers", "train", "planned"), 31),), ("servers", "train", "planned"),
     "train uses slot 31, but only 31 slots are planned", "write planned: 32 or more"),
    ("was-in-use", ((("servers", "train", "was"), "store"),), ("servers", "train", "was"),
     "train has was: store, but store still exists in the intent", "remove `was`, or the entry of that name"),
    ("was-in-use", ((("fabrics", "backend", "was"), "backend"),), ("fabrics", "backend", "was"),
     "backend has was: backend, but backend still exists in the intent", "remove `was`, or the entry of that name"),
    ("was-twice", ((("tenants", "serving", "was"), "old"), (("tenants", "storage", "was"), "old")),
     ("tenants", "serving", "was"), "storage and serving both have was: old",
     "keep `was` only on the one that was renamed"),
    ("was-in-use", (((*HOSTS, "was"), "hosts"),), (*HOSTS, "was"),
     "hosts has was: hosts, but hosts still exists in the intent", "remove `was`, or the entry of that name"),
    ("prefix-twice", ((("fabrics", "frontend", "prefix"), "be"),), ("fabrics", "frontend", "prefix"),
     "backend and frontend both use the hostname prefix be", "write another hostname prefix for frontend"),
    ("family-twice", ((("fabrics", "backend", "addressing", "links"), ["ipv4", "ipv4"]),),
     ("fabrics", "backend", "addressing", "links", 1), "the links of backend list ipv4 twice",
     "write links: [ipv4] or links: [ipv4, ipv6]"),
    ("unnumbered-alone", ((("fabrics", "backend", "addressing", "links"), ["ipv4", "unnumbered"]),),
     ("fabrics", "backend", "addressing", "links"), "the links of backend are unnumbered and have ipv4 addresses",
     "write links: [unnumbered], or links: [ipv4, ipv6]"),
    ("prefix-missing", ((("fabrics", "backend", "addressing", "ipv6"), GONE),),
     ("fabrics", "backend", "addressing", "links"), "backend has no IPv6 prefix, and its links need one",
     'write addressing.ipv6: "fd5e:8c1f:2a00::/52", or write links: [ipv4]'),
    ("prefix-missing", ((("fabrics", "backend", "addressing"),
                         {"links": ["ipv4"], "hosts": "ipv6", "ipv4": "10.64.0.0/12"}),),
     ("fabrics", "backend", "addressing", "hosts"), "backend has no IPv6 prefix, and its hosts need one",
     'write addressing.ipv6: "fd5e:8c1f:2a00::/52", or write hosts: ipv4'),
    ("prefix-missing", ((("fabrics", "frontend", "addressing", "ipv6"), GONE),),
     ("fabrics", "frontend", "addressing", "links"), "frontend has no IPv6 prefix, and its links need one",
     'write addressing.ipv6: "fd5e:8c1f:2a01::/52", or write links: [ipv4]'),
    ("prefix-missing", ((("fabrics", "backend", "addressing", "ipv4"), GONE),),
     ("fabrics", "backend", "addressing", "links"), "backend has no IPv4 prefix, and its links need one",
     "write addressing.ipv4: 10.16.0.0/12, or write links: [ipv6]"),
    ("prefix-missing", ((("fabrics", "backend", "addressing"), {}),), ("fabrics", "backend", "addressing"),
     "backend has no prefix for its addresses",
     'write addressing: {ipv4: 10.16.0.0/12, ipv6: "fd5e:8c1f:2a00::/52"}'),
    ("router-ids-unused", ((("fabrics", "backend", "addressing", "router_ids"), "198.18.0.0/16"),),
     ("fabrics", "backend", "addressing", "router_ids"), "backend has a range of router ids, and an IPv4 prefix",
     "remove router_ids"),
    ("hold-time", ((("fabrics", "backend", "bgp"), {"keepalive_seconds": 5, "hold_seconds": 14}),),
     ("fabrics", "backend", "bgp", "hold_seconds"), "hold_seconds: 14 of backend is too short",
     "write hold_seconds: 15, or write keepalive_seconds: 4"),
    ("duplicate-mac-recovery", ((("fabrics", "frontend", "duplicate_mac"),
                                 {"moves": 5, "window_minutes": 3, "recovery_minutes": 3}),),
     ("fabrics", "frontend", "duplicate_mac", "recovery_minutes"),
     "recovery_minutes: 3 of frontend is too short", "write recovery_minutes: 4"),
    ("management-gateway", ((("management", "gateway"), "10.0.16.1"),), ("management", "gateway"),
     "the management gateway 10.0.16.1 is not a host address of 10.0.0.0/20",
     "write an address of 10.0.0.0/20, e.g. 10.0.0.1"),
    ("management-gateway", ((("management", "gateway"), "10.0.15.255"),), ("management", "gateway"),
     "the management gateway 10.0.15.255 is not a host address of 10.0.0.0/20",
     "write an address of 10.0.0.0/20, e.g. 10.0.0.1"),
    ("management-gateway", ((("management", "oob"), "10.0.0.0/31"),), ("management", "oob"),
     "10.0.0.0/31 has no address for a management gateway", "write oob: 10.0.0.0/24 or a larger prefix"),
    ("unknown-name", ((("raw",), [{"system": "eos", "fabric": "backnd", "lines": []}]),), ("raw", 0, "fabric"),
     "unknown fabric backnd", "did you mean backend?"),
    ("raw-system", ((("raw",), [{"system": "frr", "fabric": "backend", "lines": []}]),), ("raw", 0, "system"),
     "raw lines for frr, and no switch of backend runs it", "write eos, the only choice"),
    ("raw-reference", ((("raw",), [{"system": "eos", "lines": ["x ${env:A}"], "references": ["${env:B}"]}]),),
     ("raw", 0, "references", 0), "${env:B} is not used in these raw lines",
     "write ${env:B} into a line, or remove it"),
    ("listed-twice", ((("management", "ntp"), ["10.0.0.5", "10.0.0.5"]),), ("management", "ntp"),
     "10.0.0.5 is listed 2 times", "write ntp: [10.0.0.5]"),
    ("tenants-without-frontend", ((("fabrics", "frontend"), GONE), (("tenants", "research", "external"), []),
                                  (("tenants", "serving", "external"), [])), ("tenants",),
     "the intent has tenants and no frontend", "add a fabric of kind: frontend, or remove `tenants`"),
    ("reserved-name", ((("tenants", "default"), {"networks": {"n": {"vlan": 77, "subnets": ["172.20.0.0/24"]}}}),),
     ("tenants", "default"), "default cannot be a tenant", "write another name, e.g. tenant-default"),
    ("reserved-name", ((("management", "vrf"), "default"),), ("management", "vrf"),
     "management cannot be in the VRF default", "write another name, e.g. MGMT"),
    ("external-mtu", (((*FW1, "mtu"), 9000),), ("tenants", "serving", "external", 0, "mtu"),
     "port 0 of border 0 has two MTUs towards fw1", "write mtu: 9000 in both, or use another port"),
    ("self-import", ((("tenants", "research", "imports"), ["research"]),), ("tenants", "research", "imports", 0),
     "research imports itself", "remove research from `imports`"),
    ("unknown-name", ((("tenants", "research", "imports"), ["storge"]),), ("tenants", "research", "imports", 0),
     "unknown tenant storge", "did you mean storage?"),
    ("import-twice", ((("tenants", "research", "imports"), ["storage", "storage"]),),
     ("tenants", "research", "imports", 1), "research imports storage twice", "remove it"),
    ("unknown-name", ((("tenants", "research", "servers"), ["trian[0-3]"]),), ("tenants", "research", "servers", 0),
     "unknown server group trian", 'did you mean "train[0-3]"?'),
    ("group-not-on-frontend", ((("fabrics", "frontend", "connects"), {"train": "frontend"}),),
     ("tenants", "storage", "servers", 0), "no frontend connects store",
     "add store to `connects` of a frontend, or remove its servers from the tenant"),
    ("unknown-name", ((("fabrics", "frontend", "connects"), {"train": "frontend", "stor": "data"}),),
     ("fabrics", "frontend", "connects", "stor"), "unknown server group stor", "did you mean store?"),
    ("unknown-name", ((("fabrics", "frontend", "connects"), {"train": "frontend", "store": "data", "trian": "x"}),),
     ("fabrics", "frontend", "connects", "trian"), "unknown server group trian", "remove it"),
    ("unknown-name", (SHARED, (NICS, ["train[12]/0"]), (("fabrics", "backend", "connects"), {"trian": "compute"})),
     ("fabrics", "backend", "connects", "trian"), "unknown server group trian", "did you mean train?"),
    ("bad-slots", ((("tenants", "research", "servers"), ["train[5-2]"]),), ("tenants", "research", "servers", 0),
     "invalid slots in train[5-2]", 'write e.g. "train[0-3]"'),
    ("slot-not-planned", ((("tenants", "research", "servers"), ["train[190-192]"]),),
     ("tenants", "research", "servers", 0), "train[190-192] names slot 192; train plans slots 0-191",
     "name slots up to 191, or write servers.train.planned: 193 if the fabrics have enough ports"),
    ("slot-twice", ((("tenants", "research", "servers"), ["train[0-16]"]),), ("tenants", "serving", "servers", 0),
     "train[16] is assigned to research and to serving",
     "remove train[16] from tenants.research.servers, or remove it from tenants.serving.servers"),
    ("slot-twice", ((("tenants", "research", "servers"), ["train[0-9]", "train[8-15]"]),),
     ("tenants", "research", "servers", 1), "train[8-9] are assigned to research twice",
     "remove train[8-9] from one of the two ranges"),
    ("vlan-twice", ((("tenants", "research", "networks", "second"), {"vlan": 110, "subnets": ["172.20.0.0/20"]}),),
     ("tenants", "research", "networks", "second", "vlan"), "networks hosts and second of research both use VLAN 110",
     "write another VLAN for second"),
    ("family-twice", (((*HOSTS, "subnets"), ["172.18.0.0/20", "172.20.0.0/20"]),), (*HOSTS, "subnets", 1),
     "hosts of research has two IPv4 subnets", "keep one, or move the other to a network of its own"),
    ("bad-range", (((*HOSTS, "subnets"), ["224.0.0.0/20"]),), (*HOSTS, "subnets", 0),
     "hosts of research: 224.0.0.0/20 is multicast", "write a unicast prefix, e.g. 172.18.0.0/20"),
    ("bad-range", (((*HOSTS, "subnets"), ["240.0.0.0/20"]),), (*HOSTS, "subnets", 0),
     "hosts of research: 240.0.0.0/20 is reserved (RFC 1112 section 4)",
     "write a unicast prefix, e.g. 172.18.0.0/20"),
    ("subnet-too-small", (((*HOSTS, "subnets"), ["172.18.0.0/31"]),), (*HOSTS, "subnets", 0),
     "hosts of research: 172.18.0.0/31 has no room for a gateway and a server",
     "write a prefix of /27 (a shorter prefix is a larger subnet), for 16 servers and the gateway"),
    ("relay-family", (((*HOSTS, "dhcp_relay"), ["fd00::1"]), ((*HOSTS, "subnets"), ["172.18.0.0/20"])),
     (*HOSTS, "dhcp_relay", 0), "hosts of research relays DHCP to fd00::1 and has no IPv6 subnet",
     "add an IPv6 subnet, or remove it"),
    ("relay-source", ((("tenants", "research", "relay_sources"), GONE),), (*HOSTS, "dhcp_relay", 0),
     "research relays DHCP to 172.17.0.10 and has no IPv4 relay_sources",
     "write relay_sources: [172.30.0.0/24] or another free prefix, one address per leaf"),
    ("server-address", ((("management", "ntp"), ["10.0.0.5", "224.0.1.1"]),), ("management", "ntp", 1),
     "the NTP server 224.0.1.1 is a multicast group", "write the address of the server, or remove it"),
    ("server-family", ((("management", "dns"), ["10.0.0.2", "fd00::2"]),), ("management", "dns", 1),
     "no switch has an IPv6 address to reach the DNS server fd00::2 from",
     "write an IPv4 address of this server, or remove it"),
    ("family-twice", ((RELAYS, ["172.30.0.0/24", "172.30.1.0/24"]),), (*RELAYS, 1),
     "research has two IPv4 prefixes in relay_sources", "keep one prefix with an address for every planned leaf"),
    ("bad-range", ((RELAYS, ["127.0.0.0/24"]),), (*RELAYS, 0), "the relays of research: 127.0.0.0/24 is loopback",
     "write a unicast prefix, e.g. 172.30.0.0/24"),
    ("border-missing", (((*FW1, "border"), 2),), (*FW1, "border"),
     "external peer fw1 of research is on border leaf 2, and frontend has only border leaves 0 and 1",
     "write fabrics.frontend.topology.border_leaves: 3, or a lower `border`"),
    ("family-twice", (((*FW1, "addresses"), ["172.31.0.0/31", "172.31.0.8/31"]), ((*FW1, "accept"), ["0.0.0.0/0"])),
     (*FW1, "addresses", 1), "the session of research to fw1 has two IPv4 addresses",
     "keep one, or write a second session"),
    ("bad-range", (((*FW1, "addresses", 0), "127.0.0.0/31"),), (*FW1, "addresses", 0),
     "127.0.0.0 towards fw1 is loopback", "write an address of a unicast link, e.g. 172.31.0.0/31"),
    ("bad-range", (((*FW1, "addresses", 0), "0.0.0.1/31"),), (*FW1, "addresses", 0),
     "0.0.0.1 towards fw1 is everything or nothing",
     "write an address of a unicast link, e.g. 172.31.0.0/31"),
    ("accept-family", (((*FW1, "addresses"), ["172.31.0.0/31"]),), (*FW1, "accept", 1),
     "research accepts ::/0 from fw1 without an IPv6 session",
     "add an IPv6 prefix to `addresses`, or remove ::/0 from `accept`"),
    ("external-twice", ((("tenants", "serving", "external", 0, "vlan"), 900),),
     ("tenants", "serving", "external", 0, "vlan"),
     "research to fw1 and serving to fw1 use the same VLAN 900 on border leaf 0 port 0", "write another vlan"),
    ("external-twice", ((("tenants", "research", "external", 1, "addresses", 0), "172.31.0.1/31"),),
     ("tenants", "research", "external", 1, "addresses"), "research to fw1 and research to fw2 use the same link "
     "172.31.0.0/31", "write other addresses"),
    ("external-twice", ((("tenants", "research", "external", 1, "border"), 0),
                        (("tenants", "research", "external", 1, "port"), 1),
                        (("tenants", "research", "external", 1, "peer"), "FW1")),
     ("tenants", "research", "external", 1, "peer"),
     "research to fw1 and research to FW1 use the same policy name RESEARCH-FW1 on border leaf 0", "write "
     "another peer"),
    ("unknown-name", (SHARED, (NICS, ["tran[0]/0"])), (*NICS, 0), "unknown server group tran",
     'did you mean "train[0]/0"?'),
    ("nics-without-tenancy", ((NICS, ["train[0]/0"]),), (*NICS, 0), "no backend with tenancy connects train",
     "write tenancy: evpn-type5 for the backend that connects train, or name whole servers: train[0]"),
    ("bad-slots", (SHARED, (NICS, ["train[3-1]/0"])), (*NICS, 0), "invalid slots or rails in train[3-1]/0",
     'write e.g. "train[0-3]/0-7"'),
    ("slot-not-planned", (SHARED, (NICS, ["train[190-192]/0"])), (*NICS, 0),
     "train[190-192]/0 names slot 192; train plans slots 0-191",
     "name slots up to 191, or write servers.train.planned: 193 if the fabrics have enough ports"),
    ("nic-two-tenants", (SHARED, (NICS, ["train[2-9]/0-3"]), (("tenants", "research", "nics"), ["train[8-11]/2-5"])),
     (*NICS, 0), "train[8-9]/2-3 belongs to research and to serving", "keep each NIC in one range"),
    ("nic-two-tenants", (SHARED, (NICS, ["train[2-9]/0-3", "train[9]/3"])), (*NICS, 1),
     "train[9]/3 belongs to serving twice", "keep each NIC in one range"),
    ("tenant-empty", ((TINY, {"servers": []}),), TINY,
     "tiny has neither a network on a frontend nor servers or NICs on a shared backend",
     "write `networks` for it, or give it servers or NICs of a backend with tenancy: evpn-type5"),
    ("tenant-empty", (SHARED, (TINY, {"nics": ["train[0]/0"], "relay_sources": ["172.30.9.0/24"]})),
     (*TINY, "relay_sources"), "tiny has `relay_sources` but no network",
     "write `networks` for tiny, or remove `relay_sources`"),
    ("tenancy-without-tenants", (SHARED, (("tenants",), {"storage": {
        "servers": ["store[0]"], "networks": {"data": {"vlan": 20, "subnets": ["172.17.0.0/20"]}}}})),
     ("fabrics", "backend", "tenancy"), "backend is shared, and no tenant has a NIC on it",
     "give a tenant servers of train, or remove tenancy: evpn-type5"),
    ("import-nothing", (SHARED, (TINY, {"nics": ["train[0]/0"], "imports": ["research"]})), (*TINY, "imports", 0),
     "the import of research by tiny has no effect: no frontend has a network of both",
     "give both tenants a network on one frontend, or remove research from `imports`"),
    ("unknown-name", (((*HOSTS, "fabrics"), ["frontnd"]), (("tenants", "research", "imports"), []),
                      (("tenants", "research", "external"), [])),
     (*HOSTS, "fabrics", 0), "unknown frontend frontnd", "did you mean frontend?"),
    ("listed-twice", (((*HOSTS, "fabrics"), ["frontend", "frontend"]),), (*HOSTS, "fabrics", 1),
     "frontend is listed twice", "remove it"),
    ("network-on-two-fabrics", (STORAGE,), ("tenants", "storage", "networks", "data"),
     "data of storage would be on frontend and on stores",
     "write fabrics: [frontend], or list all of them if you want one separate network on each"),
    ("external-elsewhere", (STORAGE, (("tenants", "storage", "networks", "data", "fabrics"), ["frontend", "stores"]),
                            (("tenants", "serving", "networks", "hosts", "fabrics"), ["stores"]),
                            (("tenants", "serving", "imports"), [])),
     ("tenants", "serving", "external", 0), "external sessions of serving are on frontend, which carries none "
     "of its networks",
     "add frontend to `fabrics` of one of its networks, or remove `external`"),
    ("override-empty", ((("overrides",), {"be-leaf-003": {"bgp": {}}}),), ("overrides", "be-leaf-003"),
     "the override of be-leaf-003 is empty", "write e.g. {state: drained}, or remove it"),
    ("override-refused", ((("overrides",), {"be-leaf-003": {"asns": "4201000000-4201999999"}}),),
     ("overrides", "be-leaf-003", "asns"), "asns cannot be overridden", "write it in the fabric's own block"),
    ("waiver-twice", ((("waivers",), [{"code": "roce-mtu", "reason": "for a while"}] * 2),), ("waivers", 1),
     "roce-mtu is waived twice", "remove one of the two, and keep the better reason"),
    ("external-asn", (((*FW1, "asn"), 4202000005),), (*FW1, "asn"),
     "AS 4202000005 of fw1 is within the AS range of frontend",
     "correct the AS number, or move the range of the fabric"),
)  # fmt: skip


@pytest.mark.parametrize(("code", "edits", "where", "what", "fix"), CASES)
def test_a_broken_rule_is_one_problem(
    code: str, edits: tuple[tuple[tuple[str | int, ...], object], ...], where: object, what: str, fix: str
) -> None:
    (problem,) = found(*edits)
    assert (problem.code, problem.where, problem.what, problem.fix) == (code, where, what, fix)
    assert problem.why


def test_without_border_leaves_no_tenant_leaves() -> None:
    problems = found((("fabrics", "frontend", "topology", "border_leaves"), 0))
    assert [problem.code for problem in problems] == ["border-missing"]
    assert problems[0].what.startswith("external peer fw2 of research is on border leaf 1, and frontend has no border")
    assert problems[0].fix == "write fabrics.frontend.topology.border_leaves: 2"


def test_two_frontends_with_border_leaves_leave_a_session_ambiguous() -> None:
    second = copy.deepcopy(VALUE["fabrics"]["frontend"])  # type: ignore[index]
    both = ["frontend", "storage"]
    names = {"storage": "data", "research": "hosts", "serving": "hosts"}
    said = [(("tenants", tenant, "networks", network, "fabrics"), both) for tenant, network in names.items()]
    fabric = (("fabrics", "storage"), second | {"prefix": "st", "asns": "4203000000-4203999999"})
    (problem,) = found(fabric, *said)
    assert (problem.code, problem.where) == ("external-ambiguous", FW1)
    assert problem.what == "several frontends have border leaves: frontend and storage"
    assert problem.why == (
        "an external session does not name its frontend, so it would be configured on a border leaf of each"
    )


def test_every_rule_is_tripped_by_a_case() -> None:
    silent = {rule.__name__ for rule in RULES}
    for _, edits, *_ in CASES:
        silent -= {rule.__name__ for rule in RULES if list(rule(edited(*edits)))}
    assert silent == set()


def shuffled(value: Any, order: random.Random) -> Any:  # noqa: ANN401 - as YAML hands it in
    """Return the value with the keys of every mapping in another order."""
    if isinstance(value, dict):
        items = list(value.items())
        order.shuffle(items)
        return {key: shuffled(item, order) for key, item in items}
    return [shuffled(item, order) for item in value] if isinstance(value, list) else value


@given(st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_the_order_of_keys_means_nothing(order: random.Random) -> None:
    assert Intent.model_validate(shuffled(VALUE, order)) == Intent.model_validate(VALUE)


def test_ten_thousand_faults_cost_no_more_than_a_second() -> None:
    network = {"a": {"vlan": 20, "subnets": ["10.0.0.0/24"]}}
    tenants = {f"t{n}": {"imports": [f"t{n}x"], "networks": network} for n in range(5000)}
    intent = edited((("tenants",), tenants))
    codes = [problem.code for problem, _ in zip(rules(intent), range(50), strict=False)]
    assert codes == ["unknown-name"] * 50


@pytest.mark.parametrize("mac", ["01:00:00:11:22:33", "00:00:00:00:00:00", "02:FA:B0:00:00:01", "02:fa:b0:00:00"])
def test_a_gateway_mac_is_one_that_a_station_can_have(mac: str) -> None:
    with pytest.raises(ValidationError):
        edited((("fabrics", "frontend", "evpn", "gateway_mac"), mac))


SLOTS = ("tenants", "research", "servers")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (SLOTS, ["train[٠-٣]"]),
        (SLOTS, ["train[０-３]"]),
        (NICS, ["train[8]/０"]),
        (("scenarios",), {"night": {"serving": {"add": ["train[１]"]}}}),
        (("fabrics", "backend", "leaf", "os"), "eos-４.34"),
    ],
)
def test_digits_are_those_of_the_published_schema(path: tuple[str | int, ...], text: object) -> None:
    """JSON Schema's digits are 0 to 9; a pattern must not take those of all scripts."""
    with pytest.raises(ValidationError, match="string_pattern_mismatch"):
        edited((path, text))
