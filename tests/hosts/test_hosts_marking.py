"""The NIC and its leaf are told of one lossless class: read back from the script of a server and from the switch.

A NIC of NVIDIA starts with the upper three bits of the DSCP as priority (mlnx_qos prints that map, DOC-2792); those of
Broadcom and AMD with best effort, as their scripts wipe the map first.
"""

import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from fabricgen.device.qos import Qos
from fabricgen.export.hosts import HostWriter
from fabricgen.hosts.model import Host
from fabricgen.policy.marking import MARKING_BY_NAME
from tests.hosts.making import Json, backend, hosts, planned, switches

MODELS = {"nvidia": "dgx-h200", "broadcom": "mi300x-thor2", "amd": "mi300x-pollara"}


class View(NamedTuple):
    """A lossless class as one end has it: PFC priorities, code points without drops, DSCP of data and CNP."""

    pfc: frozenset[int]
    lossless: frozenset[int]
    data: int
    cnp: int
    cnp_priority: int


def script(host: Host) -> str:
    """What the NICs of a server are told."""
    return dict(HostWriter("netplan").files([host]))[f"{host.name}/usr/local/sbin/fabricgen-nic-settings"]


def found(pattern: str, text: str) -> str:
    """The one value of a pattern; a server's NICs are set in one loop."""
    values = set(re.findall(pattern, text))
    assert len(values) == 1, (pattern, values)
    return str(values.pop())


def of_nvidia(text: str) -> View:
    flags = [int(flag) for flag in found(r"mlnx_qos -i \"\$nic\" --trust dscp --pfc ([01,]+)\n", text).split(",")]
    priorities = [dscp >> 3 for dscp in range(64)]
    for dscp, priority in re.findall(r"--dscp2prio set,(\d+),(\d+)", text):
        priorities[int(dscp)] = int(priority)
    pfc = frozenset(at for at, flag in enumerate(flags) if flag)
    octets = {found(r"cma_roce_tos .* -t (\d+)", text), found(r"put (\d+) .*traffic_class", text)}
    assert len(octets) == 1
    octet = int(octets.pop())
    assert octet & 3 == 2, "ECT(0): else no switch marks, and it drops instead"
    priority = int(found(r"roce_rp/enable/(\d)", text))
    assert {priority} == pfc == {int(found(r"roce_np/enable/(\d)", text))}
    cnp = int(found(r"put (\d+) .*cnp_dscp", text))
    assert priorities[cnp] == int(found(r"put (\d+) .*cnp_802p_prio", text))
    return View(pfc, frozenset(d for d in range(64) if priorities[d] in pfc), octet >> 2, cnp, priorities[cnp])


def of_broadcom(text: str) -> View:
    data, cnp, priority, own = map(int, found_all(r"-m 3 -s (\d+) -p (\d+) -r (\d) -c (\d)\n", text))
    others = {int(dscp) for dscp, at in re.findall(r"dscp-prio (\d+):(\d)", text) if int(at) == priority}
    return View(frozenset({priority}), frozenset({data} | others), data, cnp, own)


def found_all(pattern: str, text: str) -> tuple[str, ...]:
    """Groups of the one match of a pattern."""
    (values,) = set(re.findall(pattern, text))
    return tuple(values)


def of_amd(text: str) -> View:
    priorities = [0] * 64
    for dscps, priority in re.findall(r"dscp-to-priority --dscp ([\d,-]+) --priority (\d)", text):
        for piece in dscps.split(","):
            first, _, last = piece.partition("-")
            for dscp in range(int(first), int(last or first) + 1):
                priorities[dscp] = int(priority)
    pfc = frozenset(map(int, re.findall(r"^run nicctl update qos pfc --priority (\d) --no-drop enable", text, re.M)))
    off = set(map(int, re.findall(r"pfc --priority (\d) --no-drop disable", text)))
    assert off == set(range(8)) - pfc
    cnp = int(found(r"--cnp-dscp (\d+)", text))
    lossless = frozenset(d for d in range(64) if priorities[d] in pfc)
    # Data's DSCP is no setting of this NIC: software gives it.
    return View(pfc, lossless, min(lossless), cnp, priorities[cnp])


READERS: dict[str, Callable[[str], View]] = {"nvidia": of_nvidia, "broadcom": of_broadcom, "amd": of_amd}


def of_leaf(qos: Qos) -> tuple[frozenset[int], frozenset[int]]:
    """PFC priorities and code points of the lossless class, as the switch is told of them."""
    priorities = {priority for profile in qos.profiles for priority in profile.lossless_priorities}
    queues = {queue.queue for profile in qos.profiles for queue in profile.queues if queue.ecn is not None}
    classes = {row.traffic_class for row in qos.class_queues if row.queue in queues}
    return frozenset(priorities), frozenset(
        d for row in qos.dscp_classes if row.traffic_class in classes for d in row.dscps
    )


def cnp_of_leaf(qos: Qos) -> frozenset[int]:
    """Code points that reach the queue of congestion notifications."""
    queues = {queue.queue for profile in qos.profiles for queue in profile.queues if "cnp" in queue.name}
    classes = {row.traffic_class for row in qos.class_queues if row.queue in queues}
    return frozenset(d for row in qos.dscp_classes if row.traffic_class in classes for d in row.dscps)


def differences(nic: View, qos: Qos) -> list[str]:
    """Where a NIC and its leaf disagree, in words."""
    priorities, lossless = of_leaf(qos)
    best_effort = next(row.dscps for row in qos.dscp_classes if row.traffic_class == 0)
    rules = (
        (nic.pfc == priorities, "pfc"),
        (nic.lossless == lossless, "dscp"),
        (nic.data in lossless, "data"),
        (nic.cnp not in lossless and nic.cnp not in best_effort, "cnp"),
        (nic.cnp in cnp_of_leaf(qos), "cnp queue"),
        (nic.cnp_priority not in {0, *priorities}, "cnp priority"),
    )
    return [what for holds, what in rules if not holds]


def site(vendor: str, marking: str) -> Json:
    return backend(MODELS[vendor], roce={"marking": marking, "ecn": {
        "minimum_octets": 200_000, "maximum_octets": 800_000, "probability_percent": 20}})  # fmt: skip


@pytest.mark.parametrize("vendor", READERS)
@pytest.mark.parametrize("marking", sorted(MARKING_BY_NAME))
def test_the_script_and_the_leaf_have_one_lossless_class(vendor: str, marking: str) -> None:
    plan = planned(site(vendor, marking))
    device = switches(plan)["be-leaf-000"]
    assert device.qos is not None

    for host in hosts(plan, "train[0,3]").values():
        assert differences(READERS[vendor](script(host)), device.qos) == []
        (own,) = host.settings
        assert own.traffic_class >> 2 == MARKING_BY_NAME[marking].data_dscp


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"pfc": (0, 0, 0, 0, 1, 0, 0, 0), "priority": 4}, "pfc"),
        ({"remapped_priorities": ((26, 2),)}, "dscp"),
        ({"traffic_class": 10 << 2 | 2}, "data"),
        ({"cnp_dscp": 4, "cnp_priority": 0}, "cnp"),
        ({"cnp_dscp": 26, "cnp_priority": 3}, "cnp"),
        ({"cnp_dscp": 56, "cnp_priority": 7}, "cnp queue"),
    ],
)
def test_a_nic_that_is_told_something_else_is_found(change: dict[str, object], what: str) -> None:
    """The judge itself: NVIDIA's operator, for one, sets the CNP to DSCP 4 where switches expect 48."""
    plan = planned(site("nvidia", "nvidia"))
    host = hosts(plan, "train[0]")["train-000"]
    wrong = replace(host, settings=(replace(host.settings[0], **change),))  # type: ignore[arg-type]
    device = switches(plan)["be-leaf-000"]
    assert device.qos is not None

    assert what in differences(READERS["nvidia"](script(wrong)), device.qos)


def test_the_values_that_are_published_for_each_vendor() -> None:
    """106 (doRoCE), 104 for DSCP 26 and 96 for 24 with control in 184 (Pollara scripts); PFC on 3."""
    nvidia = hosts(planned(site("nvidia", "nvidia")), "train[0]")["train-000"]
    assert (nvidia.settings[0].traffic_class, nvidia.settings[0].gid_index, nvidia.settings[0].packet_gap) == (
        106,
        3,
        25,
    )
    pollara = hosts(planned(site("amd", "amd-pollara")), "train[0]")["train-000"]
    assert (pollara.settings[0].traffic_class, pollara.settings[0].cnp_octet, pollara.settings[0].gid_index) == (
        96,
        184,
        1,
    )
    other = hosts(planned(site("amd", "amd-26-48")), "train[0]")["train-000"]
    assert (other.settings[0].traffic_class, other.settings[0].cnp_octet) == (104, 192)
    assert "--dscp 0-23,25-45,47-63 --priority 0\n" in script(pollara)
    assert "--priority 3,0,6 --dwrr 99,1,0 --rate-limit 0,0,10\n" in script(pollara)


def test_a_leaf_with_a_marking_of_its_own_takes_its_nics_with_it() -> None:
    """The NIC follows the leaf that it is plugged into, not the fabric's block."""
    own = site("nvidia", "nvidia")
    own["overrides"] = {"backend/leaf": {"roce": {"marking": "arista"}}}
    host = hosts(planned(own), "train[0]")["train-000"]
    assert [settings.marking for settings in host.settings] == ["arista"]


def test_a_backend_without_a_lossless_class_has_no_script() -> None:
    host = hosts(planned(backend(transport="best-effort")), "train[0]")["train-000"]
    assert host.settings == ()
    assert not [path for path, _ in HostWriter("netplan").files([host]) if "nic-settings" in path]
    assert [variable.name for variable in host.library if variable.name in ("NCCL_IB_TC", "NCCL_IB_GID_INDEX")] == []


@pytest.mark.parametrize(("bonded", "status"), [(True, 0), (False, 1)])
def test_both_ports_of_a_bond_are_lossless_where_one_rdma_device_serves_them(
    tmp_path: Path, *, bonded: bool, status: int
) -> None:
    """RoCE LAG leaves the second port of a card without an RDMA device (Linux, mlx5 lag.c): its PFC is its own."""
    intent = yaml.safe_load((Path(__file__).parents[1] / "lossless_frontend/intent.yaml").read_text())
    (host,) = hosts(planned(intent), "train[0]").values()
    cards = tmp_path / "sys/bus/pci/devices"
    for number, nic in enumerate(("frontend0", "frontend1")):
        card = cards / f"0000:18:00.{number}"
        card.mkdir(parents=True)
        interface = tmp_path / "sys/class/net" / nic
        for priority in ("roce_rp/enable", "roce_np/enable"):
            (interface / "ecn" / priority).mkdir(parents=True)
        (interface / "device").symlink_to(card)
        if bonded:
            (interface / "master").mkdir()
    (cards / "0000:18:00.0/infiniband/mlx5_bond_0").mkdir(parents=True)
    (tmp_path / "sys/class/infiniband/mlx5_bond_0/tc/1").mkdir(parents=True)
    commands = "".join(
        f'{name}() {{ echo "{name} $*"; }}\n' for name in ("ethtool", "mlnx_qos", "cma_roce_mode", "cma_roce_tos")
    )
    text = commands + script(host).replace("/sys/", f"{tmp_path}/sys/")
    ran = subprocess.run(["/bin/bash", "-c", text], capture_output=True, text=True, check=False)
    for nic in ("frontend0", "frontend1"):
        assert f"mlnx_qos -i {nic} --trust dscp --pfc 0,0,0,1,0,0,0,0\n" in ran.stdout
        assert (tmp_path / f"sys/class/net/{nic}/ecn/roce_np/cnp_dscp").read_text() == "48\n"
    assert ran.stdout.count("cma_roce_mode -d mlx5_bond_0") == 1
    assert (ran.returncode, bool(ran.stderr)) == (status, bool(status))
