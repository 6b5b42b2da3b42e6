"""The lossless class of every file is whole, and each rule sees a text that was broken."""

import pytest

from fabricgen.errors import FabricError
from fabricgen.platforms.srlinux.context import derived
from tests.srlinux.roce import faults
from tests.srlinux.sites import render, samples, text_of


@pytest.mark.parametrize("name", sorted(samples()))
def test_the_lossless_class_is_whole(name: str) -> None:
    assert faults(text_of(name), samples()[name]) == []


def test_there_is_a_lossless_class_to_look_at() -> None:
    found = {name for name, device in samples().items() if device.qos is not None}
    assert {"demo backend leaf", "demo backend spine", "bare backend leaf", "tiers backend superspine"} <= found


BROKEN = [
    ('"interface-id": "ethernet-1/1/1"', '"interface-id": "ethernet-9/9"', "PFC is on"),
    ('"pfc-enable": true', '"pfc-enable": false', "has no PFC"),
    ('"dscp-policy": "ROCE"', '"dscp-policy": "NONE"', "classifies nothing"),
    ('"scheduler": {\n', '"sched": {\n', "has no scheduler"),
    ('"maximum-pfc-reserved-share-bytes": 307848', '"maximum-pfc-reserved-share-bytes": 3078', "has headroom"),
    ('"pfc-buffer-reservation": 19', '"pfc-buffer-reservation": 18', "is no 29520896"),
    ('"maximum-burst-size": 1019943', '"maximum-burst-size": 1019999', "may fill"),
    ('"min-threshold": "150000"', '"min-threshold": "150"', "marks at"),
    ('"slope-enabled": true', '"slope-enabled": false', "does not mark"),
    ('"max-drop-probability-percent": 100', '"max-drop-probability-percent": 10', "another probability"),
    ('"maximum-burst-size": 1019943', '"maximum-burst-size": 500000', "pauses before it marks"),
    ('"explicit-congestion-notification"', '"x"', "ECN is off"),
    ('"value": 26,', '"value": 126,', "DSCP 26 goes to None"),
    ('"unicast-queue": "unicast-3"', '"unicast-queue": "unicast-4"', "class 3 is in"),
    ('"pfc-pause-frame-priority": 3,\n', '"pfc-pause-frame-priority": 4,\n', "is paused"),
    ('"weight": 95', '"weight": 5', "is served"),
    ('"peak-rate-percent": 15\n', '"peak-rate-percent": 100\n', "(cnp) is served"),
    ('"peak-rate-percent": 5\n', '"peak-rate-percent": 100\n', "(control) is served"),
    ('"priority": "strict"', '"x": 1', "of the other kind"),
    ('"detection-timer": 200', '"detection-timer": 20', "and not (200, 400)"),
    ('"enable": true', '"enable": false', "the watchdog is"),
    ('"maximum-burst-size": 130552728', '"maximum-burst-size": 1000', "drops before the others pause"),
    ('"receive": false', '"receive": true', "takes plain pauses"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "why"), BROKEN, ids=[why for _, _, why in BROKEN])
def test_what_is_broken_is_seen(old: str, new: str, why: str) -> None:
    text, device = text_of("demo backend leaf"), samples()["demo backend leaf"]
    assert old in text
    assert any(why in fault for fault in faults(text.replace(old, new), device))


def test_qos_where_there_is_no_lossless_class_is_seen() -> None:
    assert faults('{"srl_nokia-qos:qos": {}, "srl_nokia-interfaces:interface": []}', samples()["demo frontend leaf"])


def test_the_packet_memory_must_be_known() -> None:
    device = samples()["demo backend leaf"]
    bare = device._replace(hardware=device.hardware._replace(spellings={}))
    assert any("not checkable" in fault for fault in faults(text_of("demo backend leaf"), bare))


def test_a_watchdog_that_tells_only_leaves_deadlocks_alone() -> None:
    assert '"deadlock"' not in text_of("pairs backend leaf")
    assert '"deadlock"' in text_of("demo backend leaf")


def test_thresholds_beyond_the_limit_are_a_problem() -> None:
    device = samples()["demo backend leaf"]
    assert device.qos is not None
    (profile,) = device.qos.profiles
    queues = tuple(
        queue._replace(ecn=queue.ecn._replace(maximum_octets=1_019_944) if queue.ecn else None)
        for queue in profile.queues
    )
    late = device._replace(qos=device.qos._replace(profiles=(profile._replace(queues=queues),)))
    with pytest.raises(FabricError) as told:
        render(late)
    (problem,) = told.value.problems
    assert problem.code == "ecn-after-pfc"
    assert problem.where == ("fabrics", "backend", "roce", "ecn")
    assert "1019943" in problem.why


def test_what_the_adapter_reckons_is_told() -> None:
    # 29,520,896 of 161,176,208 octets are 18.3 %; 81 % of the rest over 128 ports of 400G.
    assert derived(samples()["demo backend leaf"]) == {
        "PFC buffer reservation": "19%",
        "PFC queue limit": str(161_176_208 * 81 // 100 // 128),
    }
    assert set(derived(samples()["demo frontend leaf"]).values()) == {"none"}
