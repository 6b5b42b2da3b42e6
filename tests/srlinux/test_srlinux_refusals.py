"""What SR Linux cannot do is an error at the line that asks for it; nothing is left out in silence."""

import pytest

from fabricgen.checks.support.capabilities import capabilities, platforms
from fabricgen.errors import Problem
from fabricgen.intent.model import Intent
from fabricgen.platforms.srlinux.capabilities import CAPABILITIES
from fabricgen.platforms.srlinux.platform import SRLINUX
from fabricgen.resolve.needs import needs
from tests.srlinux.sites import intent, plan_of, read, words

BACKEND = ("fabrics", "backend")
PORTS = ("fabrics", "frontend", "server_ports")
KIND = "    transport: roce-lossless\n"
"""A line of the backend that others come to stand beside."""
ASKED: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "dlb-flowlet": (KIND, f"{KIND}    load_balancing: dlb-flowlet\n", (*BACKEND, "load_balancing")),
    "dlb-per-packet": (KIND, f"{KIND}    load_balancing: dlb-per-packet\n", (*BACKEND, "load_balancing")),
    "dlb-global": (KIND, f"{KIND}    load_balancing: dlb-global\n", (*BACKEND, "load_balancing")),
    "ecmp-queue-pair": (KIND, f"{KIND}    load_balancing: ecmp-queue-pair\n", (*BACKEND, "load_balancing")),
    "cluster": (KIND, f"{KIND}    load_balancing: cluster\n", (*BACKEND, "load_balancing")),
    "link-loss-weighted-wide": (KIND, f"{KIND}    link_loss: weighted\n", (*BACKEND, "link_loss")),
    "link-loss-withdraw": (KIND, f"{KIND}    link_loss: withdraw\n", (*BACKEND, "link_loss")),
    "ssh-ciphers": (
        "\nmanagement:\n",
        "\nmanagement:\n  login: {ssh_ciphers: strong}\n",
        ("management", "login", "ssh_ciphers"),
    ),
    "bpdu-guard": ("bpdu_guard: false", "bpdu_guard: true", (*PORTS, "bpdu_guard")),
    "ra-guard": (
        '    servers: ["store[0-3]"]\n    networks',
        '    servers: ["store[0-3]"]\n    guards: [ra-guard]\n    networks',
        ("tenants", "storage", "guards"),
    ),
    "uplink-tracking": ("uplink_tracking: false", "uplink_tracking: true", (*PORTS, "uplink_tracking")),
    "dhcp-relay": (
        'servers: ["store[0-3]"]\n    networks: {data: {vlan: 20,',
        'servers: ["store[0-3]"]\n    relay_sources: [172.30.0.0/24]\n    networks: {data: {dhcp_relay: [172.17.0.10],'
        " vlan: 20,",
        ("tenants", "storage", "networks", "data", "dhcp_relay"),
    ),
    "queue-monitor": (
        KIND,
        f"{KIND}    telemetry: {{queue_monitor: {{high: 500}}}}\n",
        (*BACKEND, "telemetry", "queue_monitor"),
    ),
    "queue-latency": (
        KIND,
        f"{KIND}    telemetry: {{queue_monitor: {{latency: true}}}}\n",
        (*BACKEND, "telemetry", "queue_monitor", "latency"),
    ),
    "queue-streaming": (
        KIND,
        f"{KIND}    telemetry: {{queue_monitor: {{streaming: 3}}}}\n",
        (*BACKEND, "telemetry", "queue_monitor", "streaming"),
    ),
    "congestion-capture": (
        KIND,
        f"{KIND}    telemetry: {{capture: congestion}}\n",
        (*BACKEND, "telemetry", "capture"),
    ),
    "drop-capture": (KIND, f"{KIND}    telemetry: {{capture: drops}}\n", (*BACKEND, "telemetry", "capture")),
    "vtep-ipv6": ("ipv4: 10.128.0.0/12, ", "", ("fabrics", "frontend", "addressing")),
    "load-interval": (KIND, f"{KIND}    telemetry: {{load_interval: 5}}\n", (*BACKEND, "telemetry", "load_interval")),
}


def refused(found: Intent, feature: str) -> Problem:
    (problem,) = [one for one in capabilities(plan_of(found)) if f"does not support {feature}," in one.what]
    return problem


def changed(old: str, new: str) -> Intent:
    text = words("demo")
    assert text.count(old) == 1
    return read(text.replace(old, new))


@pytest.mark.parametrize("feature", ASKED)
def test_a_refused_feature_is_an_error_at_its_line(feature: str) -> None:
    old, new, where = ASKED[feature]
    problem = refused(changed(old, new), feature)
    row = SRLINUX.can(feature)
    assert row is not None
    assert row.refusal
    assert (problem.code, problem.where) == ("platform-cannot", where)
    assert row.refusal in problem.why
    assert row.source in problem.why


@pytest.mark.parametrize("name", ["demo", "bare", "pairs"])
def test_what_the_sites_ask_is_done(name: str) -> None:
    plan = plan_of(intent(name))
    assert list(capabilities(plan)) == []
    assert list(platforms(plan)) == []


def test_overlays_are_for_the_models_that_nokia_names() -> None:
    leaf = "    leaf: {model: nokia-7220-ixr-d5, os: srlinux-25.3}\n"
    problem = refused(changed(leaf, leaf.replace("7220-ixr-d5", "7220-ixr-h4")), "evpn")
    assert problem.where == ("fabrics", "frontend", "kind")
    assert "frontend leaf, frontend border-leaf" in problem.what
    assert "7220 IXR-Dx" in problem.why
    assert "write evpn: " in problem.fix


def test_a_border_leaf_of_its_own_model_is_asked_by_itself() -> None:
    leaf = "    leaf: {model: nokia-7220-ixr-d5, os: srlinux-25.3}\n"
    own = f"{leaf}    border: {{model: nokia-7220-ixr-h4, os: srlinux-25.3}}\n"
    assert "which frontend border-leaf needs" in refused(changed(leaf, own), "evpn").what
    assert list(capabilities(plan_of(changed(leaf, own.replace("ixr-h4", "ixr-d4"))))) == []


def test_headroom_wants_the_packet_memory_of_the_model() -> None:
    text = words("demo")
    both = "{model: nokia-7220-ixr-h5-64d, os: srlinux-25.3}"
    assert text.count(both) == 2
    problem = refused(read(text.replace(both, both.replace("ixr-h5-64d", "ixr-d5"))), "headroom")
    assert problem.where == (*BACKEND, "transport")
    assert "percent of the packet memory" in problem.why
    assert "write buffer_octets: " in problem.fix


def test_another_release_is_refused_with_those_that_are_known() -> None:
    (problem, *_) = platforms(plan_of(read(words("demo").replace("srlinux-25.3", "srlinux-24.7"))))
    assert problem.code == "unsupported-version"
    assert problem.fix.startswith("write os: srlinux-24.10, or waivers: [{code: unsupported-version")


def test_refusals_that_no_small_site_asks_say_why() -> None:
    rows = {row.feature: row for row in CAPABILITIES if row.refusal}
    assert "RFC 6040" in rows["roce-over-vxlan"].refusal
    assert "equal share" in rows["alpha"].refusal
    assert "other chips" in rows["resume-offset"].refusal


def test_every_refusal_that_an_intent_can_ask_is_tried() -> None:
    plan = plan_of(intent("demo"))
    done = {need.feature for need in needs(plan)}
    refusals = {row.feature for row in CAPABILITIES if row.refusal and not row.instead}
    assert refusals - set(ASKED) - done == {
        "dscp-remap",
        "control-queue",
        "control-queue-bfd",
        "control-apart",
        "flowlet-gap",
        "link-loss-weighted",
        "pfc-bonds",
        "pfc-switched",
        "pfc-tagged",
        "roce-over-vxlan",
    }
