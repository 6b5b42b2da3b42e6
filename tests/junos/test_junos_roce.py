"""Class of service of each switch against its lossless plan, and that the rules see what is wrong."""

import pytest

from fabricgen.device.qos import Qos
from fabricgen.platforms.junos.qos import alpha_step, bits, partitions, qos_words, queue_limit
from tests.junos import roce
from tests.junos.sites import NAMES, sample


@pytest.mark.parametrize("name", NAMES)
def test_a_file_keeps_to_the_lossless_plan(name: str) -> None:
    assert roce.faults(*sample(name)) == []


PORT, HEADROOM = "congestion-notification-profile PFC-5M-9216;", "lossless-headroom {\n                percent"
STRICT = "            priority strict-high;"
BROKEN = {
    "PFC of et-0/0/0:1: missing": (f"et-0/0/0:1 {{\n            {PORT}", "et-0/0/0:1 {"),
    "queues of et-0/0/0:0: missing": ("            scheduler-map ROCE-400G;\n", ""),
    "classifier of et-0/0/0:0: missing": (" dscp FABRIC;\n", " dscp-ipv6 FABRIC;\n"),
    "PFC of et-0/0/60:0: unwanted": ("    scheduler-maps {", "    interfaces {\n        et-0/0/60:0 {\n"
        "            congestion-notification-profile PFC-5M-9216;\n        }\n    }\n    scheduler-maps {"),
    "et-0/0/1:0: headroom for 39 m": ("cable-length 40;", "cable-length 39;"),
    "et-0/0/1:0: headroom for no m": ("                cable-length 40;\n", ""),
    "et-0/0/1:0: headroom for frames of 9000": ("pfc mru 9216;", "pfc mru 9000;"),
    "partitions {": (f"{HEADROOM} 23;", f"{HEADROOM} 24;"),
    "32401235 octets of headroom": (f"{HEADROOM} 23;", f"{HEADROOM} 22;"),
    "dynamic threshold ['6']": ("dynamic-threshold 7", "dynamic-threshold 6"),
    "DSCP 26 in queue None": ("011010 011011", "011011"),
    "DSCP 26 twice": ("code-points [ 011000", "code-points [ 011010 011000"),
    "no-loss classes []": ("queue-num 3 no-loss pfc-priority 3", "queue-num 3"),
    "no-loss classes [('ROCE', '3', '4')]": ("pfc-priority 3", "pfc-priority 4"),
    "PFC-40M-9216 pauses": ("code-point 011010 {\n                        pfc mru 9216;", "code-point 011010 {"),
    "PFC-40M-9216 holds": ("flow-control-queue 3", "flow-control-queue 4"),
    "drop profiles ['ROCE-800G']": ("drop-profiles {\n        ROCE-400G", "drop-profiles {\n        ROCE-800G"),
    "ROCE-400G marks from 2 to 1": ("fill-level [ 55 90 ]", "fill-level [ 2 1 ]"),
    "ROCE-400G marks from 39822272": ("fill-level [ 55 90 ]", "fill-level [ 60 90 ]"),
    "ROCE-400G marks with 0 50": ("drop-probability [ 0 100 ]", "drop-probability [ 0 50 ]"),
    "ROCE-400G-ROCE drops": ("            explicit-congestion-notification;\n", ""),
    "queue 6 of ROCE-400G has 0": ("            forwarding-class CNP scheduler ROCE-400G-CNP;\n", ""),
    "ROCE-400G-ROCE has the share": ("transmit-rate percent 95", "transmit-rate percent 90"),
    "ROCE-400G-CNP is capped": ("shaping-rate percent 10", "shaping-rate percent 50"),
    "ROCE-400G-CNP carries CNPs": ("            shaping-rate percent 10;\n", ""),
    "ROCE-400G-CNP is not strict": ("            shaping-rate percent 10;\n            priority strict-high;",
        "            shaping-rate percent 10;\n            priority low;"),
    "watchdog of PFC-40M-9216": ("poll-interval 100", "poll-interval 10"),
}  # fmt: skip


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_plan_is_seen(fault: str) -> None:
    device, text = sample("tiers leaf")
    old, new = BROKEN[fault]
    assert old in text
    told = roce.faults(device, text.replace(old, new, 1) if "DSCP 26" not in fault else text.replace(old, new))
    assert [row for row in told if fault in row or row.startswith(fault)], told


def test_pfc_where_the_fabric_has_no_lossless_class_is_seen() -> None:
    text = sample("tiers leaf").text
    assert roce.faults(sample("plain leaf").device, text)


def qos_of(name: str) -> Qos:
    found = sample(name).device.qos
    assert found is not None
    return found


def test_the_pool_of_juniper_s_own_design_comes_out() -> None:
    """Juniper's QFX5240 has 24 percent for headroom (Juniper/jvd at 005ab34): ours, of the same chip, is one below."""
    found = partitions(qos_of("shared leaf"), sample("shared leaf").device.hardware.spellings)
    assert found == (67, 23, 10, 7)


def test_nothing_is_said_of_a_chip_whose_memory_nobody_knows() -> None:
    qos = qos_of("shared leaf")
    assert partitions(qos, {}) is None
    assert queue_limit(qos, {}) == 0
    device = sample("shared leaf").device
    unknown = device._replace(hardware=device.hardware._replace(asic="other", spellings={}))
    words = qos_words(unknown, qos)
    assert words.partitions is None
    assert words.drop_profiles == ()
    assert words.resume == 0
    assert all(not scheduler.marks for found in words.maps for scheduler in found.schedulers)


def test_juniper_s_own_thresholds_come_out_as_they_are() -> None:
    """55 and 90 percent, queue 4 pausing priority 3 (Juniper/jvd at 005ab34, rdma-rocev2-lossless.conf)."""
    text = sample("unnumbered leaf").text
    assert "fill-level [ 55 90 ];" in text
    assert "queue-num 4 no-loss pfc-priority 3;" in text
    assert "dynamic-threshold 10;" in text
    assert "watchdog-action drop;" in text
    assert "detection 2;" in text


@pytest.mark.parametrize(
    ("alpha", "step"), [("1/128", 0), ("1/4", 5), ("1", 7), ("8", 10), ("16", 10), ("1/512", 0), ("3/4", 6)]
)
def test_alpha_is_a_step(alpha: str, step: int) -> None:
    assert alpha_step(alpha) == step


def test_code_points_are_six_bits() -> None:
    assert [bits(dscp) for dscp in (0, 26, 48, 63)] == ["000000", "011010", "110000", "111111"]


def test_only_models_that_are_known_to_are_told_when_a_peer_resumes() -> None:
    assert "xon 14;" in sample("shared leaf").text
    assert "xon" not in sample("lossless leaf").text
