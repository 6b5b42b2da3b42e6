"""What is counted and watched: by itself where a lossless class is, else as the intent asks, and refused where not."""

from typing import Any

import pytest

from fabricgen.checks.catalogue import run_checks
from fabricgen.device.telemetry import QueueMonitor, Telemetry
from fabricgen.errors import FabricError
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import with_exceptions
from fabricgen.platforms.containerlab_nodes import NODES
from fabricgen.resolve.device import devices
from fabricgen.resolve.needs import needs
from tests.checks.intents import plan
from tests.eos.fleet import render

QUIET = Telemetry(ecn_counters=False, queue_monitor=None, load_interval_seconds=0)
WATCHED = QueueMonitor(high=0, low=0, latency=False, streaming=0, captures=False)
PROVEN = Telemetry(ecn_counters=True, queue_monitor=WATCHED, load_interval_seconds=0)

FEATURES = {
    "ecn-counters",
    "queue-monitor",
    "queue-latency",
    "queue-streaming",
    "congestion-capture",
    "drop-capture",
    "load-interval",
}


def told(fabric: str, asked: dict[str, Any] | None = None) -> Telemetry:
    """Telemetry of a leaf of the demo."""
    made = plan({f"fabrics.{fabric}.telemetry": asked} if asked is not None else {})
    return next(one for one in devices(made) if one.fabric == fabric).telemetry


def asked_of(fabric: str, asked: dict[str, Any]) -> set[str]:
    """Features of telemetry that a fabric needs."""
    made = plan({f"fabrics.{fabric}.telemetry": asked})
    return {need.feature for need in needs(made) if need.fabric == fabric} & FEATURES


def test_a_lossless_fabric_counts_what_proves_it_and_another_nothing() -> None:
    assert told("backend") == PROVEN
    assert told("frontend") == QUIET


def test_nothing_that_stands_by_itself_is_a_need() -> None:
    """So that a platform without it is refused only for what somebody wrote."""
    assert asked_of("backend", {}) == asked_of("frontend", {}) == set()


@pytest.mark.parametrize(
    ("asked", "monitor", "features"),
    [
        ({"queue_monitor": {"enabled": True}}, WATCHED, {"queue-monitor"}),
        ({"queue_monitor": {"high": 500}}, WATCHED._replace(high=500), {"queue-monitor"}),
        (
            {"queue_monitor": {"high": 500, "low": 100, "streaming": 9}},
            WATCHED._replace(high=500, low=100, streaming=9),
            {"queue-monitor", "queue-streaming"},
        ),
        ({"capture": "congestion"}, WATCHED._replace(captures=True), {"queue-monitor", "congestion-capture"}),
        ({"queue_monitor": {"latency": True}}, WATCHED._replace(latency=True), {"queue-monitor", "queue-latency"}),
        ({"capture": "drops"}, None, {"drop-capture"}),
        ({"queue_monitor": {"enabled": False}}, None, set()),
    ],
)
def test_what_is_asked_is_told_and_needed(
    asked: dict[str, Any], monitor: QueueMonitor | None, features: set[str]
) -> None:
    assert told("frontend", asked).queue_monitor == monitor
    assert asked_of("frontend", asked) == features


def test_what_is_on_by_itself_can_be_turned_off() -> None:
    asked = {"ecn_counters": False, "queue_monitor": {"enabled": False}, "load_interval": 30}
    assert told("backend", asked) == Telemetry(ecn_counters=False, queue_monitor=None, load_interval_seconds=30)
    assert asked_of("backend", asked) == {"load-interval"}


@pytest.mark.parametrize("asked", [{"capture": "drops"}, {"queue_monitor": {"latency": True}}])
def test_what_no_source_shows_is_refused(asked: dict[str, Any]) -> None:
    (problem,) = run_checks(plan({"fabrics.backend.telemetry": asked}))
    assert (problem.code, problem.where[:3]) == ("platform-cannot", ("fabrics", "backend", "telemetry"))


def test_a_switch_may_have_its_own() -> None:
    made = plan({"overrides": {"be-spine-00": {"telemetry": {"queue_monitor": {"high": 900}}}}})
    found = with_exceptions(made, resolve_inputs(made.intent, made.fabrics))
    by_name = {device.name: device.telemetry for device in devices(found) if device.fabric == "backend"}
    assert by_name["be-spine-00"].queue_monitor == WATCHED._replace(high=900)
    assert {telemetry for name, telemetry in by_name.items() if name != "be-spine-00"} == {PROVEN}


def test_contradictions_of_an_override_are_found() -> None:
    made = plan({"overrides": {"be-spine-00": {"telemetry": {"queue_monitor": {"low": 900}}}}})
    found = with_exceptions(made, resolve_inputs(made.intent, made.fabrics))
    assert {problem.code for problem in run_checks(found)} == {"monitor-thresholds"}


def test_an_override_counts_no_marks_where_none_are_made() -> None:
    made = plan({"overrides": {"fe-leaf-000": {"telemetry": {"ecn_counters": True}}}})
    with pytest.raises(FabricError) as refused:
        resolve_inputs(made.intent, made.fabrics)
    assert [problem.code for problem in refused.value.problems] == ["override-meaningless"]


def test_lines_of_eos() -> None:
    """What pyavd 6.4.0, too, for the wide intent; here word by word as its examples have it."""
    asked = {"queue_monitor": {"high": 500, "low": 100, "streaming": 9}, "capture": "congestion", "load_interval": 5}
    made = plan({"fabrics.backend.telemetry": asked})
    text = render(next(one for one in devices(made) if one.fabric == "backend"))
    assert "\n!\nload-interval default 5\n!\n" in text
    assert "\n!\nqueue-monitor length\nqueue-monitor length default thresholds 500 100\n!\n" in text
    assert "\n!\nqueue-monitor length mirror\nqueue-monitor length mirror destination Cpu\n!\n" in text
    assert "\n!\nqueue-monitor streaming\n   max-connections 9\n   vrf MGMT\n   no shutdown\n!\n" in text


def test_marks_that_nobody_counts() -> None:
    made = plan({"fabrics.backend.telemetry": {"ecn_counters": False}})
    text = render(next(one for one in devices(made) if one.fabric == "backend"))
    assert "random-detect ecn minimum-threshold" in text
    assert "random-detect ecn count" not in text
    assert "random-detect ecn count" in render(next(one for one in devices(plan()) if one.fabric == "backend"))


def test_a_switch_in_a_container_is_told_nothing_of_it() -> None:
    """A container has no chip that watches or counts."""
    asked = {"queue_monitor": {"high": 500, "streaming": 9}, "capture": "congestion", "load_interval": 5}
    made = plan({"fabrics.backend.telemetry": asked})
    device = next(one for one in devices(made) if one.fabric == "backend")
    (kind,) = NODES["eos"].kinds
    text = render(kind.fit(device))
    assert "queue-monitor" not in text
    assert "load-interval" not in text
    assert any(row.feature.startswith("queue monitoring") and row.concerns(device) for row in kind.omissions)
