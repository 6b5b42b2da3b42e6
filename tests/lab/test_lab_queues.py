"""From queues to tc commands: strict, weighted and capped queues, thresholds, and where each DSCP goes.

What the kernel makes of them is tried in tests/uml.
"""

import re
from pathlib import Path

import pytest

from fabricgen.device.qos import ClassQueue, DscpClass, Ecn, Qos, QosProfile, Queue, Watchdog
from fabricgen.errors import FabricError
from fabricgen.lab.build.kernel import QUEUES, Kernel
from fabricgen.lab.build.preflight import not_exercised, require_queues
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.queues import NOT_EXERCISED, commands, host_commands, port_commands, thresholds
from fabricgen.lab.model.subset import parse_subset
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from tests.lab.sites import DEMO, SMALL, plan

CONTROL = Queue(queue=7, name="control", weight_percent=0, cap_percent=0, ecn=None)
CNP = Queue(queue=6, name="cnp", weight_percent=0, cap_percent=10, ecn=None)
ROCE = Queue(queue=3, name="roce", weight_percent=80, cap_percent=0, ecn=Ecn(150_000, 600_000, 100))
REST = Queue(queue=0, name="best-effort", weight_percent=20, cap_percent=0, ecn=None)
PROFILE = QosProfile(name="Q", speed_gbps=400, lossless_priorities=(3,), queues=(CONTROL, CNP, ROCE, REST))
QOS = Qos(
    marking="nvidia",
    dscp_classes=(
        DscpClass(0, tuple(dscp for dscp in range(64) if dscp not in (26, 48, 56))),
        DscpClass(3, (26,)),
        DscpClass(6, (48,)),
        DscpClass(7, (56,)),
    ),
    class_queues=tuple(ClassQueue(number, number) for number in range(8)),
    profiles=(PROFILE,),
    headroom=(),
    headroom_octets=0,
    headroom_pool_octets=0,
    alpha="1",
    resume_octets=0,
    watchdog=Watchdog(200, 400, 100, "drop"),
)


def _lines(*queues: Queue, qos: Qos = QOS) -> tuple[str, ...]:
    return port_commands(qos, PROFILE._replace(queues=queues or PROFILE.queues), "swp1", 100)


def _filters(lines: tuple[str, ...], protocol: str) -> set[tuple[str, str, str]]:
    """Qdisc, what is matched, class."""
    words = [line.split() for line in lines if line.startswith("filter ") and f" protocol {protocol} " in line]
    return {(word[5], word[-3] if protocol == "all" else word[14], word[-1]) for word in words}


def test_strict_queues_have_bands_from_the_highest_and_weighted_ones_share_the_last() -> None:
    lines = _lines()
    assert "qdisc add dev swp1 parent 1:1 handle 2: prio bands 3 priomap" + " 2" * 16 in lines
    assert "qdisc add dev swp1 parent 2:1 handle 17: pfifo limit 1000" in lines  # 0x10 + 7
    assert "qdisc add dev swp1 parent 2:2 handle 16: tbf rate 10000kbit burst 20000 limit 1500000" in lines  # 10 %
    assert "qdisc add dev swp1 parent 2:3 handle 3: drr" in lines
    assert [line for line in lines if " drr quantum" in line] == [
        "class add dev swp1 parent 3: classid 3:4 drr quantum 24000",
        "class add dev swp1 parent 3: classid 3:1 drr quantum 6000",
    ]


def test_the_rate_is_the_labs() -> None:
    assert "class add dev swp1 parent 1: classid 1:1 htb rate 100mbit burst 20000" in _lines()


def test_only_the_marking_queue_marks() -> None:
    found = [line for line in _lines() if " red " in line]
    assert found == [
        "qdisc add dev swp1 parent 3:4 handle 13: red limit 960000 min 30000 max 120000 avpkt 1500 burst 40 "
        "bandwidth 100mbit probability 0.99 ecn nodrop"
    ]


def test_every_code_point_that_leaves_best_effort_is_matched_in_both_families() -> None:
    """48 << 2 is 0xc0, 56 << 2 is 0xe0, 26 << 2 is 0x68 (RFC 2474: the upper six bits)."""
    wanted = {("2:", "0xc0", "2:2"), ("2:", "0xe0", "2:1"), ("3:", "0x68", "3:4")}
    lines = _lines()
    assert _filters(lines, "ip") == wanted
    assert _filters(lines, "ipv6") == wanted
    assert lines.count("filter add dev swp1 parent 3: protocol all prio 3 u32 match u32 0 0 flowid 3:1") == 1


def test_a_code_point_of_a_queue_that_is_not_there_goes_with_the_rest() -> None:
    lines = _lines(CONTROL, ROCE, REST)
    assert not [line for line in lines if "0xc0" in line]


def test_a_strict_default_queue_is_the_default_band() -> None:
    rest = REST._replace(weight_percent=0)
    lines = _lines(CONTROL, ROCE, rest)
    assert "qdisc add dev swp1 parent 1:1 handle 2: prio bands 3 priomap" + " 1" * 16 in lines
    assert ("2:", "0x68", "2:3") in _filters(lines, "ip")  # towards the weighted ones, and there:
    assert ("3:", "0x68", "3:4") in _filters(lines, "ip")


def test_one_queue_alone_still_has_the_two_bands_that_prio_wants() -> None:
    lines = _lines(REST._replace(weight_percent=0))
    assert "qdisc add dev swp1 parent 1:1 handle 2: prio bands 2 priomap" + " 0" * 16 in lines
    assert not [line for line in lines if line.startswith("filter")]


@pytest.mark.parametrize(
    ("ecn", "rate_mbps", "minimum", "maximum", "percent"),
    [
        (Ecn(150_000, 600_000, 100), 100, 30_000, 120_000, 99),  # 37 octets by the rate alone: twenty packets instead
        (Ecn(1_000_000, 3_000_000, 20), 40_000, 100_000, 300_000, 20),  # a tenth of the rate: a tenth of the octets
        (Ecn(100_000, 100_000, 50), 100, 30_000, 31_500, 50),  # RED wants a distance: one packet
    ],
)
def test_thresholds_keep_their_ratio(ecn: Ecn, rate_mbps: int, minimum: int, maximum: int, percent: int) -> None:
    found = thresholds(ecn, 400, rate_mbps)
    assert (found.minimum, found.maximum, found.percent) == (minimum, maximum, percent)
    assert found.limit > found.maximum
    assert found.burst * 1500 >= found.minimum  # tc-red(8)


def test_a_switch_gets_queues_on_the_ports_asked_for() -> None:
    """A frontend switch has none; neither has a port that is not there."""
    found = {device.name: device for device in devices(open_workspace(DEMO).plan)}
    leaf = found["be-leaf-000"]
    assert leaf.qos is not None
    first, second = (row.name for row in leaf.interfaces.ethernet[:2])
    own = {name: port_commands(leaf.qos, leaf.qos.profiles[0], name) for name in (first, second)}
    assert tuple(commands(leaf, [second, "swp999"])) == own[second]
    assert tuple(commands(leaf, [second, first])) == (*own[first], *own[second])
    assert tuple(commands(found["fe-leaf-000"], ["Ethernet1/1"])) == ()


@pytest.mark.parametrize("rate_mbps", [0, -1, 400_001])
def test_a_rate_that_is_no_share_of_the_ports_is_refused(rate_mbps: int) -> None:
    with pytest.raises(ValueError, match="is not a share of 400 Gbit"):
        port_commands(QOS, PROFILE, "swp1", rate_mbps)


PART = "units=1,leaves=1,spines=1,links=1,servers=1,borders=0"
ABLE, UNABLE = Kernel("6.1", frozenset(), ifupdown=True), Kernel("6.18", frozenset(("vrf", "red")), ifupdown=True)


def _skipped(path: Path, kernel: Kernel, rate_mbps: int) -> dict[str, str]:
    rows = not_exercised(make_lab(plan(path), parse_subset(PART)), kernel, rate_mbps)
    return {row.feature: row.reason for row in rows}


@pytest.mark.parametrize(("kernel", "rate_mbps"), [(ABLE, 0), (ABLE, 50), (UNABLE, 0)])
def test_what_is_never_shown_is_said_of_lossless_queues(kernel: Kernel, rate_mbps: int) -> None:
    assert "PFC" in NOT_EXERCISED
    assert "virtual links" in NOT_EXERCISED
    assert _skipped(DEMO, kernel, rate_mbps)["lossless queues"] == NOT_EXERCISED
    assert "lossless queues" not in _skipped(SMALL, kernel, 0)


def test_without_queues_it_is_said_what_to_type() -> None:
    found = _skipped(DEMO, ABLE, 0)
    assert "type --queues 100" in found["queues and marking"]
    assert "ecn" in found
    assert "lacks" not in found["queues and marking"]
    assert "Linux 6.18 lacks red; on one that has them type --queues" in _skipped(DEMO, UNABLE, 0)["queues and marking"]
    assert "queues and marking" not in _skipped(SMALL, ABLE, 0)


def test_with_queues_marking_is_shown_and_a_platforms_text_is_not() -> None:
    found = _skipped(DEMO, ABLE, 50)
    assert "50 Mbit/s" in found["text of queues and marking"]
    assert not {"queues and marking", "ecn"} & set(found)
    assert {"pfc", "headroom"} <= set(found)


@pytest.mark.parametrize(
    ("path", "kernel", "rate_mbps", "why"),
    [
        (DEMO, UNABLE, 100, "Linux 6.18 lacks red"),
        (DEMO, ABLE, 400_001, "400 Gbit/s"),
        (SMALL, ABLE, 100, "no switch of this lab has queues"),
    ],
)
def test_queues_that_can_not_be_are_refused(path: Path, kernel: Kernel, rate_mbps: int, why: str) -> None:
    lab = make_lab(plan(path), parse_subset(PART))
    with pytest.raises(FabricError) as caught:
        require_queues(lab, kernel, rate_mbps)
    (problem,) = caught.value.problems
    assert problem.code == "lab-queues"
    assert problem.what == f"invalid --queues {rate_mbps}"
    assert why in problem.why


def test_queues_that_can_be_are_not_refused() -> None:
    require_queues(make_lab(plan(DEMO), parse_subset(PART)), ABLE, 400_000)


def test_servers_hand_over_packets_one_by_one() -> None:
    lab = make_lab(plan(SMALL), parse_subset("leaves=4,servers=2"))  # one of a tenant with two networks
    server = next(server for server in lab.servers if any(nic.parent for nic in server.nics))
    found = tuple(host_commands(server.nics))
    assert f"link set dev {server.nics[0].name} gso_max_segs 1" in found
    assert len(found) == sum(not nic.parent for nic in server.nics) < len(server.nics)


def test_the_kernel_is_tried_for_every_discipline_that_the_commands_use() -> None:
    leaf = next(device for device in devices(open_workspace(DEMO).plan) if device.name == "be-leaf-000")
    lines = " ".join(commands(leaf, [leaf.interfaces.ethernet[0].name]))
    kinds = set(re.findall(r"(?:root|handle \S+:|prio \d+) (?:handle \S+: )?(htb|prio|drr|red|tbf|u32|pfifo)\b", lines))
    assert kinds - {"pfifo"} == set(QUEUES)  # pfifo is built in
