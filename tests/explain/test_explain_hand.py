"""Values worked out by hand from inventories/demo/fabricgen.lock and the formulas of the plan.

Backend leaves: box su 0-5, rail 0-3, so n = 4 su + rail; 32 slots, 64 host ports, blocks of 256 from 10.64.0.0, AS
numbers from 4201000000, pairs of loopbacks from 10.76.0.0, management from 10.0.0.16. Frontend leaves of train: box
su 0-7, index 0-1, so n = 2 su + index; first 2, row 4, blocks of 8 from 10.128.0.32, loopbacks from 10.140.0.8,
management from 10.0.0.68. Lines of the lock: 4 backend leaves, 5 its spines, 6 borders, 7 store, 8 train, 9 frontend
spines, 11-16 ids.
"""

import pytest

from fabricgen.explain.known import KnownSite
from tests.explain.asking import FRR, asked, one, only, titles
from tests.plan_page.sites import backend, planned, train


def test_a_leaf() -> None:
    told = one("be-leaf-003")
    assert (told.kind, told.title) == ("device", "be-leaf-003: leaf of backend")
    assert (
        told.facts["place"][0][0]
        == "group train, plane 0, pod 0, su 0, rail 3 (the number of the leaf in its unit), index 0"
    )
    assert told.facts["name"] == [("be-leaf-003", "first + n = 0 + 3, 3 digits", "fabricgen.lock:4:3")]
    assert told.facts["ASN"] == [("4201000003", "asn + n = 4201000000 + 3", "fabricgen.lock:4:3")]
    assert told.facts["router id"][0][:2] == ("10.76.0.6", "loopback4 + n × 2 = 10.76.0.0 + 3 × 2")
    assert told.values("block") == ["10.64.3.0/24", "fd5e:8c1f:2a00::300/120"]
    assert told.values("aggregate") == ["10.64.3.0/25"]  # 64 links of two addresses
    assert told.facts["management"][0][:2] == ("10.0.0.19", "oob + n = 10.0.0.16 + 3")
    assert told.values("servers") == ["train[0-31], 32 exist"]
    assert told.values("NIC rails")[0].startswith("6 (")  # two rails a leaf: 2 × 3 and 2 × 3 + 1
    assert told.facts["hardware"][0] == ("arista-7060x6-64pe, eos-4.34", "", "intent.yaml:31:5")


def test_a_leaf_of_the_frontend() -> None:
    told = one("fe-leaf-005")  # n = 5 - 2 = 3 = 2 × su 1 + index 1
    assert told.facts["number"][0][:2] == ("n = 3", "position in this line of the lock: su 1 × 2 + index 1")
    assert told.facts["ASN"][0] == ("4202000007", "asn + n = 4202000004 + 3", "fabricgen.lock:8:3")
    assert told.values("block") == ["10.128.0.56/29", "fd5e:8c1f:2a00:1000::38/125"]
    assert (told.values("router id"), told.values("VTEP")) == (["10.140.0.14"], ["10.140.0.15"])
    assert told.values("loopback 0") == ["fd5e:8c1f:2a00:1c00::e"]
    assert told.facts["port group"][0][:2] == (
        "7",
        "row + number of its (su, rail, index) = 4 + 3, the same on every spine",
    )
    assert told.values("management") == ["10.0.0.71"]
    assert told.values("servers") == ["train[24-47], 8 exist"]  # the intent has train 0-31
    assert told.values("tenants") == ["serving"]
    # Row 7: 32 ports of a spine, one link a pair.
    assert told.facts["uplinks"][0][1] == "uplink u on spine u mod 4, port (u div 4) × 32 + 7"


def test_a_spine_shares_the_as_number_of_its_pod() -> None:
    told = one("be-spine-02")
    assert told.facts["ASN"] == [
        ("4201000024", "asn + number of its (plane, pod) = 4201000024 + 0", "fabricgen.lock:5:3")
    ]
    assert told.values("router id") == ["10.76.0.52"]
    assert told.values("downlinks") == ["64 × 400G to be-leaf-000, be-leaf-001, be-leaf-002, be-leaf-003"]


@pytest.mark.parametrize("name", ["be-leaf-007", "be-spine-10"])
def test_what_is_planned_has_its_numbers(name: str) -> None:
    told = one(name)
    assert told.values("state") == ["planned: addresses and AS number are reserved, no switch is installed"]
    number = int(name[-2:])
    asn, oob = (4201000007, "10.0.0.23") if "leaf" in name else (4201000024, "10.0.0.50")
    assert (told.values("ASN"), told.values("management"), told.values("number")) == (
        [str(asn)],
        [oob],
        [f"n = {number}"],
    )


@pytest.mark.parametrize(
    "words", [("be-leaf-003/Ethernet7/1",), ("be-leaf-003", "Ethernet7/1"), ("port", "be-leaf-003", "ethernet7/1")]
)
def test_a_host_port(words: tuple[str, ...]) -> None:
    """Two 400G ports a cage: cage 7, lane 1 is port 2 × 6 = 12; below 32 it is the first rail of the leaf, 6."""
    told = one(*words)
    assert told.title == "be-leaf-003 Ethernet7/1: downlink 12 of a leaf of backend"
    assert told.values("cable") == ["be-leaf-003 Ethernet7/1 to train-012 OSFP2P1, 400G"]
    assert told.values("port") == ["cage 7, part 1 of 2, osfp, 400G, 4 lanes from 1"]
    assert told.values("binding") == ["downlink 12 in front-panel order"]
    assert told.values("server") == ["slot train[12], NIC rail 6, NIC port 6 (OSFP2P1)"]
    assert told.facts["leaf address"] == [
        ("10.64.3.24/31", "block + 2 × host port = 10.64.3.0 + 2 × 12", "fabricgen.lock:4:3")
    ]
    assert told.values("server address") == ["10.64.3.25/31"]
    assert told.facts["length"] == [("5 m", "", "intent.yaml:7:20")]
    assert told.values("state") == ["enabled in the configuration: slot train[12] has a server"]


def test_an_address_tells_the_rail_of_a_nic_from_the_number_of_a_leaf() -> None:
    told = one("10.64.3.25")
    assert told.values("server") == ["slot train[12], NIC rail 6, NIC port 6 (OSFP2P1)"]
    assert told.values("segment")[0].endswith("; rail here is the number of the leaf in its unit, not that of a NIC")
    assert "rail here" not in one("fe-leaf-005").values("segment")[0]


def test_an_uplink_from_both_ends() -> None:
    """Uplink 9: spine 9 mod 4 = 1; port (9 div 4) × (128 / 16) + 2 = 18, the first of cage 10. 10.64.2.0 + 128 + 18."""
    for words in (("be-leaf-002", "Ethernet37/5"), ("be-spine-01", "Ethernet10/1")):
        told = one(*words)
        assert told.values("cable") == ["be-leaf-002 Ethernet37/5 to be-spine-01 Ethernet10/1, 400G"]
        assert told.values("uplink") == ["u = 9 of 64"]
        assert told.facts["upper switch"][0][:2] == ("spine 1 of 4", "u mod spines = 9 mod 4")
        assert told.facts["upper port"][0][:2] == (
            "downlink 18 of 128",
            "(u div spines) × (downlinks / links per pair) + row = 2 × (128 / 16) + 2",
        )
        assert told.values("lower address") == ["10.64.2.146/31", "fd5e:8c1f:2a00::292/127"]
        assert told.facts["lower address"][0][1] == "block + host links + 2 × u = 10.64.2.0 + 128 + 2 × 9"
        assert told.values("state") == ["enabled in the configuration"]
        assert told.values("upper address") == ["10.64.2.147/31", "fd5e:8c1f:2a00::293/127"]
        assert told.values("length") == ["40 m"]
        assert told.values("medium") == ["optic: osfp-2x400g-sr4"]


def test_a_spine_port_that_a_planned_leaf_will_take() -> None:
    """Rows 8 to 19 of the frontend's spines are planned: row 8 is the leaf with n = 4, fe-leaf-006."""
    told = one("fe-spine-00", "Ethernet9/1")
    assert told.values("cable") == ["none yet: port group 8 is planned for fe-leaf-006, which is not installed"]
    assert one("fe-spine-00", "Ethernet32/1").values("cable") == ["none: no leaf has port group 31"]


@pytest.mark.parametrize(
    ("address", "title"),
    [
        ("10.64.3.24", "be-leaf-003 Ethernet7/1, towards train-012"),
        ("10.64.3.25", "train-012 OSFP2P1, at be-leaf-003 Ethernet7/1"),
        ("10.64.3.25/31", "train-012 OSFP2P1, at be-leaf-003 Ethernet7/1"),
        ("10.64.1.131", "be-spine-01 Ethernet1/5, towards be-leaf-001 Ethernet33/5"),
        ("fd5e:8c1f:2a00::182", "be-leaf-001 Ethernet33/5, towards be-spine-01 Ethernet1/5"),
        ("FD5E:8C1F:2A00:0::183", "be-spine-01 Ethernet1/5, towards be-leaf-001 Ethernet33/5"),
        ("10.76.0.6", "be-leaf-003 loopback 0, the router id"),
        ("10.76.0.7", "free: the second of the pair of be-leaf-003, which needs only one"),
        ("10.140.0.9", "fe-leaf-002 loopback 1, the VTEP"),
        ("10.0.0.19", "be-leaf-003 Management1, the out-of-band address"),
        ("10.0.0.1", "gateway of the management network"),
        ("10.0.0.6", "NTP server"),
        ("10.0.0.3", "free in the management prefix, one of the first 16, reserved for gateways and services"),
        ("10.0.1.0", "free in the management prefix, no switch has it"),
        ("10.64.7.1", "train-032 OSFP2P1, at be-leaf-007 Ethernet1/1"),
        ("10.64.10.129", "reserved for an uplink of be-leaf-010, which is not installed"),
        ("10.64.24.0", "free in the pool of backend"),
        ("fd5e:8c1f:2a00::1", "free in the block of be-leaf-000, no port uses it"),
        ("172.18.0.1", "gateway of research/hosts on frontend, VLAN 110"),
        ("172.19.3.4", "a host of serving/hosts on frontend: the plan assigns only the gateway of a subnet"),
        ("172.30.0.3", "fe-leaf-002 loopback 11, the source of research's DHCP relays"),
        ("172.30.0.6", "reserved for leaf fe-leaf-005, which has no server of research"),
        ("172.30.0.200", "free among the relay sources of research"),
        ("172.31.0.2", "fe-border-01 Ethernet1/1.900, towards fw2 in research"),
        ("172.31.0.3", "fw2, at fe-border-01 Ethernet1/1.900 in research"),
    ],
)
def test_an_address(address: str, title: str) -> None:
    shown = {"10.64.3.25/31": "10.64.3.25", "FD5E:8C1F:2A00:0::183": "fd5e:8c1f:2a00::183"}.get(address, address)
    told = one(address)
    assert (told.kind, told.title) == ("address", f"{shown}: {title}")


def test_a_loopback_tells_only_what_leads_to_it() -> None:
    told = one("10.140.0.9")
    assert set(told.facts) == {"switch", "segment", "number", "router id", "VTEP"}
    assert set(one("fd5e:8c1f:2a00:1c00::8").facts) == {"switch", "segment", "number", "loopback 0"}
    assert set(one("10.0.0.19").facts) == {"switch", "segment", "number", "management"}


def test_a_slot_of_a_later_unit() -> None:
    """Unit 1 of the frontend, of 24 slots: slot 31 is at position 7."""
    told = one("fe-leaf-005", "Ethernet8/1")
    assert told.facts["slot"][0][:2] == ("31", "unit × slots + position = 1 × 24 + 7")
    assert one("train[31]").values("state") == ["active"]
    assert one("train[32]").values("state") == ["planned: its addresses and ports are reserved, no server is installed"]


def test_a_server_address_is_traced_back_step_by_step() -> None:
    told = one("10.64.3.25")
    assert told.values("medium") == ["optic: osfp-rhs-2x400g-sr4 at train-012, osfp-2x400g-sr4 at the other end"]
    assert told.facts["position"][0][:2] == (
        "host port 12, the server's end",
        "10.64.3.25 - 10.64.3.0 = 25; 25 div 2 = 12, 25 mod 2 = 1",
    )
    assert told.facts["block"] == [("10.64.3.0/24", "ipv4 + n × 256 = 10.64.0.0 + 3 × 256", "fabricgen.lock:4:3")]


@pytest.mark.parametrize(
    ("prefix", "title"),
    [
        ("10.64.2.0/24", "the block of be-leaf-002"),
        ("10.64.2.0/25", "the aggregate of be-leaf-002 over its host links"),
        ("10.64.2.128/25", "part of the block 10.64.2.0/24 of be-leaf-002"),
        ("10.64.2.146/31", "the link of be-leaf-002 Ethernet37/5 to be-spine-01 Ethernet10/1"),
        ("10.64.3.24/31", "the link of be-leaf-003 Ethernet7/1 to train-012 OSFP2P1"),
        ("fd5e:8c1f:2a00::292/127", "the link of be-leaf-002 Ethernet37/5 to be-spine-01 Ethernet10/1"),
        ("10.64.4.0/22", "4 blocks"),
        ("10.64.2.0/23", "2 blocks"),
        ("10.128.0.32/28", "2 blocks"),
        ("10.128.0.56/30", "part of the block 10.128.0.56/29 of fe-leaf-005"),
        ("10.64.7.0/24", "the block of be-leaf-007"),
        ("10.64.7.64/26", "part of the block 10.64.7.0/24 of be-leaf-007, which is not installed"),
        ("10.76.0.6/31", "the pair of loopbacks of be-leaf-003"),
        ("10.66.0.0/16", "free in the pool of backend"),
        ("172.18.0.0/20", "the subnet of research/hosts on frontend"),
        ("172.18.4.0/24", "part of the subnet 172.18.0.0/20 of research/hosts on frontend"),
        ("172.30.0.0/24", "is the relay sources of research"),
        ("10.0.0.0/20", "is the management network"),
    ],
)
def test_a_prefix(prefix: str, title: str) -> None:
    told = one(prefix)
    assert (told.kind, told.title) == ("prefix", f"{prefix}: {title}")


def test_management_prefixes_name_the_runs_of_addresses_in_them() -> None:
    """Backend leaves 16-39, its spines 40-55."""
    told = one("10.0.0.16/28")
    assert told.title == "10.0.0.16/28: lies in the management network"
    assert [value.partition(":")[0] for value in told.values("switches")] == ["10.0.0.16-10.0.0.39"]
    assert len(one("10.0.0.32/28").values("switches")) == 2
    assert len(one("10.0.0.0/16").values("switches")) == 6
    for address, run in (("10.0.0.39/32", "10.0.0.16-10.0.0.39"), ("10.0.0.40/32", "10.0.0.40-10.0.0.55")):
        assert [value.partition(":")[0] for value in one("prefix", address).values("switches")] == [run]


def test_links_of_one_family_leave_the_other_free() -> None:
    """Hosts have IPv4 and links IPv6 only: both blocks have room for both, and half of each is not used."""
    addressing = {"links": ["ipv6"], "hosts": "ipv4", "ipv4": "10.64.0.0/12", "ipv6": "fd5e:8c1f:2a00::/52"}
    site = KnownSite(plan=planned(fabrics={"backend": backend(addressing=addressing)}))
    assert titles(site, "10.64.0.128") == ["10.64.0.128: free in the block of be-leaf-000, no port uses it"]
    assert titles(site, "10.64.0.128/31") == ["10.64.0.128/31: part of the block 10.64.0.0/24 of be-leaf-000"]
    assert titles(site, "10.64.0.1")[0].startswith("10.64.0.1: train-000 ")
    start = "fd5e:8c1f:2a00::"
    assert titles(site, f"{start}80") == [f"{start}80: be-leaf-000 Ethernet33/1, towards be-spine-00 Ethernet1/1"]
    assert titles(site, f"{start}0/127") == [f"{start}/127: part of the block {start}/120 of be-leaf-000"]
    assert [fact.value for fact in only(site, "be-leaf-000").facts if fact.label == "aggregate"] == ["10.64.0.0/25"]


def test_a_fabric_that_needs_no_spines() -> None:
    """Sixteen servers share one unit: each leaf is a fabric of its own, and its ports up end nowhere."""
    topology = {"design": "rail-optimized", "rails_per_leaf": 1}
    alone = {key: value for key, value in backend(topology=topology).items() if key != "spine"}
    site = KnownSite(plan=planned(fabrics={"backend": alone}, servers=train("0-15", 16)))
    facts = {fact.label: fact.value for fact in only(site, "backend", "fabric").facts}
    assert facts["dimensions"].startswith("0 spines")
    assert "uplinks" not in facts
    assert "uplinks" not in {fact.label for fact in only(site, "be-leaf-000").facts}
    assert titles(site, "10.64.0.1")[0].startswith("10.64.0.1: train-000 ")


def test_a_prefix_that_holds_several_runs_names_each() -> None:
    told = one("10.64.0.0/22")
    assert told.values("segment") == ["n 0-3: be-leaf-000 to be-leaf-003: /24 from 10.64.0.0 to 10.64.3.0"]
    pool, blocks, loopbacks = asked("10.64.0.0/12")
    assert pool.values("loopbacks") == ["from 10.76.0.0"]
    assert [told.title for told in (blocks, loopbacks)] == [
        "10.64.0.0/12: 24 blocks",
        "10.64.0.0/12: 40 pairs of loopbacks",
    ]
    assert loopbacks.values("segment")[1] == "n 0-15: be-spine-00 to be-spine-15: /31 from 10.76.0.48 to 10.76.0.78"


@pytest.mark.parametrize("words", [("4201000003",), ("asn4201000003",), ("AS", "4201000003"), ("64102.11331",)])
def test_an_as_number(words: tuple[str, ...]) -> None:
    """In two halves (RFC 5396): 64102 × 65536 + 11331 = 4201000003."""
    told = one(*words)
    assert told.title == "AS 4201000003: be-leaf-003 of backend"
    assert told.facts["AS number"] == [("4201000003", "asn + n = 4201000000 + 3", "fabricgen.lock:4:3")]


def test_as_numbers_of_several_switches_of_peers_and_of_nobody() -> None:
    assert one("4202000020").values("switches") == ["fe-spine-00 to fe-spine-03: 4 numbered, 4 installed"]
    assert one("4201000024").values("switches") == ["be-spine-00 to be-spine-15: 16 numbered, 4 installed"]
    assert len(one("64601").facts["outside"]) == 4
    free = one("4201000025")
    assert (free.title, free.values("next")) == ("AS 4201000025: free, in the range of backend", ["4201000025"])


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (("10003",), "VNI 10003: L3 VNI of serving on frontend"),
        (("vni", "10004"), "VNI 10004: L2 VNI of serving/hosts on frontend"),
        (("vlan120",), "VLAN 120: serving/hosts on frontend"),
        (("901",), "VLAN 901: external session of serving on frontend"),
        (("65000:10003",), "route target 65000:10003: L3 VNI of serving on frontend"),
        (("10.140.0.13:3",), "route distinguisher 10.140.0.13:3: fe-leaf-004, VRF serving"),
        (("rd", "10.140.0.13:4"), "route distinguisher 10.140.0.13:4: fe-leaf-004, network serving/hosts"),
    ],
)
def test_numbers_of_the_overlay(words: tuple[str, ...], title: str) -> None:
    assert one(*words).title == title


def test_how_a_vni_came() -> None:
    assert one("10004").facts["L2 VNI"] == [("10004", "vni_base + id = 10000 + 4", "fabricgen.lock:14:3")]
    assert one("10003").facts["L3 VNI"] == [("10003", "vni_base + id = 10000 + 3", "fabricgen.lock:13:3")]


def test_a_tenant() -> None:
    told = one("serving")
    assert told.facts["VRF id"][0][::2] == ("3", "fabricgen.lock:13:3")
    assert (told.values("L3 VNI"), told.values("L2 VNI"), told.values("VLAN")) == (["10003"], ["10004"], ["120"])
    assert (told.values("VRF target"), told.values("network target")) == (["65000:10003"], ["65000:10004"])
    assert told.values("servers") == ["train[16-31]"]
    # 24 slots a unit: 16-23 in unit 0, 24-31 in unit 1.
    assert told.values("leaves") == ["fe-leaf-002, fe-leaf-003, fe-leaf-004, fe-leaf-005"]
    assert told.values("reaches") == ["storage"]
    assert len(told.values("outside")) == 2
    # It imports nobody itself: both that do are reached.
    assert one("storage").values("reaches") == ["research, serving"]


@pytest.mark.parametrize("words", [("train[17]",), ("train-017",), ("server", "train-017")])
def test_a_server(words: tuple[str, ...]) -> None:
    """Rails 0 and 1 are on leaf 0: host ports 17 and 32 + 17."""
    told = one(*words)
    assert told.title == "train-017: server in slot train[17]"
    assert told.values("tenant") == ["serving on frontend"]
    backend = told.facts["backend"]
    assert len(backend) == 8
    assert backend[0][0].endswith("at be-leaf-000 Ethernet9/5, 10.64.0.35/31")
    assert backend[1][1] == "10.64.0.0 + 2 × 49 + 1"
    assert [value.partition(" at ")[2] for value in told.values("frontend")] == [
        "fe-leaf-002 Ethernet18/1",
        "fe-leaf-003 Ethernet18/1",
    ]


def test_a_nic_port_is_the_cable_of_its_leaf() -> None:
    assert one("train-012/OSFP2P1").facts == {
        label: found
        for label, found in one("be-leaf-003/Ethernet7/1").facts.items()
        if label not in ("port", "switch", "binding")
    }


def test_a_fabric_and_a_server_group() -> None:
    told = one("frontend")
    assert told.title == "frontend: fabric, frontend, leaf-spine"
    assert told.values("prefix") == ["10.128.0.0/12", "fd5e:8c1f:2a00:1000::/52"]
    assert told.values("AS numbers") == ["4202000000-4202999999"]
    assert told.values("dimensions") == ["4 spines of 4 planned, 1 links per pair, 2 border leaves"]
    # The line of train: 16 leaves from n 0 to 15, 4202000004 + 15, 10.128.0.32 + 15 × 8, 10.0.0.68 + 15.
    assert told.facts["segment"][2] == (
        "leaf train: plane 0-0, pod 0-0, su 0-7, rail 0-0, index 0-1; ASN 4202000004-4202000019, "
        "10.128.0.32/29 to 10.128.0.152/29, oob 10.0.0.68-10.0.0.83",
        "",
        "fabricgen.lock:8:3",
    )
    assert told.values("segment")[3].endswith("; ASN 4202000020, oob 10.0.0.84-10.0.0.87")
    assert len(told.facts["segment"]) == 4
    assert one("train").values("slots") == ["0-31 have a server, 192 are planned"]
    assert one("research/hosts").kind == "network"


def test_management_and_virtual_ports() -> None:
    assert one("be-leaf-003/management1").values("management") == ["10.0.0.19"]
    assert one("fe-leaf-003", "Loopback11").values("address") == ["172.30.0.4/32"]
    assert one("fe-leaf-002", "Loopback1").values("VTEP") == ["10.140.0.9"]
    assert one("fe-leaf-002", "loopback11").values("address") == ["172.30.0.3/32"]
    assert one("fe-leaf-002", "Vlan110").values("gateway")[0] == "172.18.0.1/20"
    assert one("fe-border-00", "Ethernet1/1.901").values("peer's address") == ["172.31.0.5/31"]


def test_other_names_of_ports() -> None:
    told = one("be-leaf-000", "swp1s0", intent=FRR)
    assert told.values("leaf address") == ["10.64.0.0/31"]
