"""What Junos cannot do is an error at the line that asks for it, which names platforms that can."""

import pytest

from fabricgen.checks.support.capabilities import capabilities, platforms
from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan
from fabricgen.platforms.junos.platform import JUNOS
from tests.junos import intents
from tests.junos.sites import plan, plan_of


def asked(text: str, old: str, new: str) -> Plan:
    assert old in text
    return plan_of(text.replace(old, new, 1))


LOSSLESS, FRONT = intents.LOSSLESS, intents.FRONTEND
BALANCED = "load_balancing: dlb-flowlet"
"""A line of the lossless intent that others take the place of."""
CASES = {
    "cluster": (LOSSLESS, BALANCED, "load_balancing: cluster", "load_balancing"),
    "dlb-global": (LOSSLESS, BALANCED, "load_balancing: dlb-global", "load_balancing"),
    "ecmp-queue-pair": (LOSSLESS, BALANCED, "load_balancing: ecmp-queue-pair", "load_balancing"),
    "link-loss-weighted": (LOSSLESS, BALANCED, "link_loss: weighted", "link_loss"),
    "link-loss-withdraw": (LOSSLESS, BALANCED, "link_loss: withdraw", "link_loss"),
    "lacp-fallback": (FRONT, "lacp_fallback: false", "lacp_fallback: true", "lacp_fallback"),
    "storm-control": (FRONT, "storm_control: null", "storm_control: {broadcast_percent: 1, multicast_percent: 2}",
        "storm_control"),
    "ecn-counters": (LOSSLESS, BALANCED, "telemetry: {ecn_counters: true}", "ecn_counters"),
    "queue-monitor": (LOSSLESS, BALANCED, "telemetry: {queue_monitor: {high: 500}}", "queue_monitor"),
    "queue-latency": (LOSSLESS, BALANCED, "telemetry: {queue_monitor: {latency: true}}", "latency"),
    "queue-streaming": (LOSSLESS, BALANCED, "telemetry: {queue_monitor: {streaming: 3}}", "streaming"),
    "congestion-capture": (LOSSLESS, BALANCED, "telemetry: {capture: congestion}", "capture"),
    "drop-capture": (LOSSLESS, BALANCED, "telemetry: {capture: drops}", "capture"),
    "load-interval": (LOSSLESS, BALANCED, "telemetry: {load_interval: 5}", "load_interval"),
}  # fmt: skip


def refused(found: Plan, feature: str) -> Problem:
    (problem,) = [one for one in capabilities(found) if f"does not support {feature}," in one.what]
    return problem


@pytest.mark.parametrize("feature", CASES)
def test_a_refused_feature_is_an_error_at_its_line(feature: str) -> None:
    text, old, new, key = CASES[feature]
    problem = refused(asked(text, old, new), feature)
    row = JUNOS.can(feature)
    assert row is not None
    assert row.refusal
    assert problem.code == "platform-cannot"
    assert problem.where[-1] == key
    assert row.refusal in problem.why
    assert "on these switches" not in problem.fix, "its boxes run no other system of ours"


@pytest.mark.parametrize("name", ["lossless", "unnumbered", "shared", "front", "plain"])
def test_what_the_small_intents_ask_is_done(name: str) -> None:
    assert list(capabilities(plan(name))) == []
    assert list(platforms(plan(name))) == []


def test_two_leaves_for_one_nic_are_refused() -> None:
    row = JUNOS.can("dual-tor")
    assert row is not None
    assert "link-local" in row.refusal
