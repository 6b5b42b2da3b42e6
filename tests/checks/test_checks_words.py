"""What the important checks say: where it is, the numbers compared, and what to type."""

import pytest

from fabricgen.checks.dimensions.planes import nic_planes
from fabricgen.checks.support.capabilities import capabilities
from fabricgen.errors import IntentPath
from tests.checks.cases import CASES
from tests.checks.intents import catalog, codes, only, plan, with_shape

Words = tuple[IntentPath, str, str, str]

WORDS: dict[str, Words] = {
    "pool-exhausted": (
        ("fabrics", "backend", "addressing", "ipv4"),
        "10.64.0.0/20 is too small for backend",
        "link blocks need 6144 addresses and have 3072 (three quarters of the prefix)",
        "write 10.64.0.0/19 or another prefix of /19 or larger",
    ),
    "oob-exhausted": (
        ("management", "oob"),
        "10.0.0.0/27 is too small for the planned switches",
        "the first 16 addresses are reserved; 72 more are needed, 64 for planned switches and 8 left free between "
        "fabrics, and 10.0.0.0/27 has 15",
        "write 10.0.0.0/25",
    ),
    "oob-gateway": (
        ("management", "gateway"),
        "the gateway 10.0.0.17 is also the management address of a switch",
        "backend leaf switches have 24 addresses from 10.0.0.16 up",
        "write 10.0.0.1 or another of the first 16 addresses of 10.0.0.0/20",
    ),
    "oob-server": (
        ("management", "aaa", "tacacs", 1),
        "the TACACS+ server 10.0.0.17 is also the management address of a switch",
        "backend leaf switches have 24 addresses from 10.0.0.16 up",
        "write 10.0.0.3 or another of the first 16 addresses of 10.0.0.0/20",
    ),
    "asns-exhausted": (
        ("fabrics", "backend", "asns"),
        "4201000000-4201000003 has too few AS numbers for backend",
        "the planned switches need 25, the range has 4",
        "write asns: 4201000000-4201000024",
    ),
    "prefixes-overlap": (
        ("management", "oob"),
        "10.0.0.0/20 (the out-of-band prefix) overlaps 10.0.0.0/12 (the prefix of backend)",
        "the same address would be assigned twice",
        "write a prefix outside 10.0.0.0/12",
    ),
    "public-addresses": (
        ("fabrics", "backend", "addressing", "ipv4"),
        "11.64.0.0/12 (the prefix of backend) is not private",
        "a backend has no external connectivity, so its addresses are private (RFC 1918, RFC 4193)",
        "write a private prefix, e.g. 10.64.0.0/12",
    ),
    "headroom-pool": (
        ("fabrics", "backend", "leaf", "model"),
        "every leaf and every spine of backend needs 2.66 times its pool for PFC headroom",
        "headroom needs 78,353,920 bytes, 2.66 times the pool of 29,423,360 bytes; up to 2.00 times is allowed, as not "
        "all ports pause at once; each of the 128 ports gets 612,140 bytes, for the longest cable of the switch "
        "(40 m)",
        "shorten the cables, or accept it with fabrics.backend.roce.headroom_overcommit: 2.67",
    ),
    "nic-marking": (
        ("fabrics", "backend", "roce", "marking"),
        "train has nvidia NICs, and backend is marked as azure",
        "nvidia sends data with DSCP 26 and CNP with 48; azure is lossless for DSCP 3 and expects CNP with 48",
        "write marking: nvidia",
    ),
    "tenant-overlap": (
        ("tenants", "serving", "networks", "hosts", "subnets"),
        "172.18.8.0/24 (network serving/hosts) overlaps 172.18.0.0/20 (network research/hosts), and storage "
        "reaches both",
        "both are in the VRF of storage, which cannot tell their addresses apart",
        "write another prefix for network serving/hosts, or remove storage from tenants.research.imports, or remove "
        "storage from tenants.serving.imports",
    ),
    "vlan-clash": (
        ("tenants", "serving", "networks"),
        "research and serving both use VLAN 110 on leaves they share",
        "unit train[0-23] of frontend has servers of both, and a VLAN ID is one network on a switch",
        "write another VLAN for serving, or move its servers to leaves of their own",
    ),
    "host-mtu": (
        ("fabrics", "backend", "roce", "host_mtu"),
        "fabric MTU 9214 of backend is below host MTU 9300",
        "the largest packets of the servers' NICs would be dropped",
        "write host_mtu: 9214 or less",
    ),
    "vxlan-mtu": (
        ("fabrics", "frontend", "mtu"),
        "MTU 1500 of frontend drops full packets of its servers",
        "server MTU 1500 + VXLAN overhead 50 = 1550 octets",
        "write mtu: 1550 or more",
    ),
    "backend-open": (
        ("fabrics", "backend"),
        "backend has external connectivity at 1 of 8 switches, first be-leaf-000",
        "it originates 0.0.0.0/0; a backend has no default route and no external connectivity",
        "this is a bug in fabricgen; report it with your intent",
    ),
    "flowlet-gap": (
        ("fabrics", "backend", "load_balancing"),
        "the flowlet gap of backend is too short: packets may be reordered",
        "flowlet gap 128 us is not above the path skew of 400 us: packets arrive out of order (uplinks of 40-40 m, "
        "queues up to Kmax on 2 hops)",
        "write load_balancing: ecmp, or roce.ecn thresholds with a smaller maximum_octets",
    ),
}


@pytest.mark.parametrize("code", WORDS)
def test_words(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = only(CASES[code](monkeypatch))
    assert problem.code == code
    assert (problem.where, problem.what, problem.why, problem.fix) == WORDS[code]


def test_spine_ports_lists_legal_counts() -> None:
    """192 servers stand in 24 leaves; 4 spines take 16 links from each, which is three times their ports."""
    problem = only(plan({"servers.train.slots": "0-191"}))
    assert problem.code == "spine-ports"
    assert problem.why == "24 leaves with 16 links to each spine need 384 ports on it, and a spine has 128"
    # 16 are planned: 32 would be refused.
    assert problem.fix == "write spines.now: 16"


@pytest.mark.parametrize(
    ("edits", "where", "fix"),
    [
        ({}, "transport", "write transport: best-effort"),
        ({"transport": "best-effort"}, "load_balancing", "write load_balancing: ecmp"),
        (
            {"transport": "best-effort", "load_balancing": "ecmp", "link_loss": "weighted"},
            "link_loss",
            "write link_loss: keep",
        ),
    ],
)
def test_how_to_do_without_a_feature(edits: dict[str, str], where: str, fix: str) -> None:
    """FRR makes nothing lossless, balances by a hash, and has no weights fine enough for 64 paths."""
    own = {f"fabrics.backend.{key}": value for key, value in edits.items()}
    found = capabilities(plan({"fabrics.backend.leaf.os": "frr-8.4", "fabrics.backend.spine.os": "frr-8.4", **own}))
    told = {problem.where[-1]: problem.fix for problem in found}
    assert told[where].startswith(fix)


def test_how_many_planes_there_can_be() -> None:
    """NICs of a DGX B300 can be whole, halves or quarters; those of a DGX H100 are whole."""
    h100, b300 = catalog().servers["dgx-h100"].nics["compute"], catalog().servers["dgx-b300"].nics["compute"]
    group = plan().fabrics["backend"].shape.groups[0]
    both = (group._replace(name="h", nics=h100), group._replace(name="b", nics=b300))
    (problem,) = nic_planes(with_shape(plan(), groups=both, planes=2))
    assert problem.what == "NICs of h are not divided, and backend has 2 planes"
    assert problem.fix == "write topology.planes: 1, or give h a fabric of its own"


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        # 24 leaves of /24 blocks fill 6,144 of the three quarters of a /19: 6,144 exactly.
        ({"fabrics.backend.addressing.ipv4": "10.64.0.0/19"}, []),
        ({"fabrics.backend.addressing.ipv4": "10.64.0.0/20"}, ["pool-exhausted"]),
        # One more unit, 4 leaves, no longer fits.
        ({"fabrics.backend.addressing.ipv4": "10.64.0.0/19", "servers.train.planned": 193}, ["pool-exhausted"]),
        ({"fabrics.backend.asns": "4201000000-4201000024"}, []),
        ({"fabrics.backend.asns": "4201000000-4201000023"}, ["asns-exhausted"]),
        # 72 switches, 16 reserved, a broadcast address: 89.
        ({"management.oob": "10.0.0.0/25"}, []),
        ({"management.oob": "10.0.0.0/26"}, ["oob-exhausted"]),
        ({"management.gateway": "10.0.0.15"}, []),
        ({"management.gateway": "10.0.0.88"}, []),
        ({"management.gateway": "10.0.0.87"}, ["oob-gateway"]),
        ({"management.dns": ["10.0.0.15", "10.0.0.88", "fd00::a00:10"]}, []),
        ({"management.dns": ["10.0.0.16"]}, ["oob-server"]),
        ({"management.ntp": ["10.0.0.87"]}, ["oob-server"]),
        ({"management.syslog": ["10.0.0.40"]}, ["oob-server"]),
        ({"management.snmp.traps": ["10.0.0.40"]}, ["oob-server"]),
        ({"management.sflow.collectors": ["10.0.0.40"]}, ["oob-server"]),
        ({"fabrics.backend.roce.host_mtu": 9214}, []),
        ({"fabrics.backend.roce.host_mtu": 9215}, ["host-mtu"]),
        ({"fabrics.backend.roce.host_mtu": 4200}, []),
        ({"fabrics.backend.roce.host_mtu": 4199}, ["roce-mtu"]),
        ({"fabrics.frontend.mtu": 9214}, []),
        ({"fabrics.frontend.mtu": 9215}, ["switch-mtu"]),
        ({"fabrics.frontend.mtu": 1550}, []),
        ({"fabrics.frontend.mtu": 1549}, ["vxlan-mtu"]),
        ({"tenants.serving.external.0.port": 23}, []),
        ({"tenants.serving.external.0.port": 24}, ["outside-port"]),
        # Slots 0-23 are the first pair of leaves, so a cut at 24 lets two tenants have one VLAN.
        (
            {
                "tenants.serving.networks.hosts.vlan": 110,
                "tenants.research.servers": ["train[0-23]"],
                "tenants.serving.servers": ["train[24-31]"],
            },
            [],
        ),
        # Two tenants that nothing joins may use the same subnets.
        (
            {
                "tenants.serving.imports": [],
                "tenants.serving.networks.hosts.subnets": ["172.18.0.0/20"],
            },
            [],
        ),
    ],
)
def test_at_the_limit(edits: dict[str, object], expected: list[str]) -> None:
    assert codes(plan(edits)) == expected
