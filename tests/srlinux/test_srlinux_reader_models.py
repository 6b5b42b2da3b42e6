"""What the reader takes for answers of a switch are leaves of Nokia's YANG of 25.3.1 and of 24.10.3, by libyang.

Judged: that each member is there under its name and its module, and its value of its type. Not judged: references, as
an answer has one part of the state alone.
"""

import json
from typing import Any

import pytest

from fabricgen.platforms.srlinux.live import commits as srlinux_commits
from fabricgen.platforms.srlinux.live import drain as srlinux_drain
from fabricgen.platforms.srlinux.live import reader as srlinux
from fabricgen.platforms.srlinux.live.routing import routes
from tests.srlinux import xgs
from tests.srlinux.shown import healthy
from tests.srlinux.shown_routes import Answers, before_25_3

pytestmark = pytest.mark.skipif(xgs.available() is not None, reason=str(xgs.available()))

TOGETHER = "qos-queue-profile-stats"
"""Feature of chassis that count drops by profile; without it drops and marks are counted together."""
SYSTEM, LLDP = "srl_nokia-system:system", "srl_nokia-lldp:lldp"
AROUND = {
    srlinux.INFORMATION: (SYSTEM, "srl_nokia-system-info:information"),
    srlinux.CHASSIS: ("srl_nokia-platform:platform", "srl_nokia-platform-chassis:chassis"),
    srlinux.LLDP: (SYSTEM, LLDP),
    srlinux.BFD: ("srl_nokia-bfd:bfd",),
    srlinux.QOS: ("srl_nokia-qos:qos", "interfaces"),
}
"""Paths whose answer is what stands in a container, and that container."""
UNJUDGED = (srlinux.HOSTNAME, srlinux.RUNNING, srlinux.MAINTENANCE)
"""A name alone, a configuration (tests/srlinux/test_srlinux_judge.py), and nothing."""


def faults(path: str, answer: Any, release: str = xgs.NEWEST) -> str:  # noqa: ANN401 - JSON
    """What speaks against an answer; "" where nothing does."""
    import libyang  # noqa: PLC0415  # absent where it could not be built

    for name in reversed(AROUND.get(path, ())):
        answer = {name: answer}
    try:
        found = xgs.schema(release, (TOGETHER,)).parse_data_mem(
            json.dumps(answer), "json", strict=True, parse_only=True
        )
    except libyang.LibyangError as error:
        return str(error)
    if found is not None:
        found.free()
    return ""


@pytest.mark.parametrize(("site", "name"), [("demo", "fe-leaf-000"), ("bare", "be-leaf-001"), ("demo", "fe-border-00")])
def test_answers_are_leaves_of_the_models(site: str, name: str) -> None:
    shown = healthy(site, name)
    assert {path: faults(path, answer) for path, answer in shown.items() if path not in UNJUDGED} == {
        path: "" for path in shown if path not in UNJUDGED
    }


@pytest.mark.parametrize(("site", "name"), [("demo", "fe-leaf-000"), ("bare", "be-leaf-001"), ("demo", "fe-border-00")])
def test_answers_of_24_10_are_leaves_of_its_models_and_say_the_same(site: str, name: str) -> None:
    shown = healthy(site, name)
    older = {**shown, srlinux.ROUTES: before_25_3(shown[srlinux.ROUTES])}
    said = {path: faults(path, answer, "24.10") for path, answer in older.items() if path not in UNJUDGED}
    assert [row for row in said.items() if row[1]] == []
    assert routes(older[srlinux.ROUTES]) == routes(shown[srlinux.ROUTES])


def test_24_10_has_no_indirect_next_hops_of_25_3() -> None:
    assert "indirect" in faults(srlinux.ROUTES, healthy("demo", "fe-leaf-000")[srlinux.ROUTES], "24.10")


def instance(**more: object) -> Answers:
    """The default network instance with these members of its RIB."""
    return {"srl_nokia-network-instance:network-instance": [{"name": "default", "srl_nokia-rib-bgp:bgp-rib": more}]}


def test_what_else_is_read_are_leaves_of_the_models() -> None:
    route = {"prefix": "10.0.0.0/31", "neighbor": "10.0.0.1", "path-id": 0, "attr-id": "9"}
    for family in srlinux_drain.FAMILIES:
        table = {"rib-in-out": {"rib-in-post": {"route": [route]}}}
        row = {"afi-safi-name": f"srl_nokia-common:{family}-unicast", f"{family}-unicast": table}
        assert faults(srlinux_drain.ARRIVED[family], instance(**{"afi-safi": [row]})) == ""
    sets = {"attr-set": [{"index": "9", "communities": {"community": ["65535:0"]}}]}
    assert faults(srlinux.ATTRIBUTES, instance(**{"attr-sets": sets})) == ""
    group = {"name": "up", "maintenance-mode": {"admin-state": "enable"}}
    assert faults("", {SYSTEM: {"srl_nokia-maintenance-mode:maintenance": {"group": [group]}}}) == ""
    commit = {"id": 7, "status": "unconfirmed", "started": "2026-06-12T14:43:55.672Z", "username": "push"}
    ended = [
        {**commit, "id": number, "status": status, "ended": "2026-06-12T14:43:55.672Z"}
        for number, status in enumerate((srlinux_commits.KEPT, *srlinux_commits.UNDER_WAY))
    ]
    checkpoint = {"id": 0, "name": "fabricgen-0", "created": "2026-06-12T14:43:55.672Z", "comment": "x"}
    configuration = {"commit": [commit, *ended], "checkpoint": [checkpoint]}
    assert faults("", {SYSTEM: {"srl_nokia-configuration:configuration": configuration}}) == ""


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (srlinux.BGP, '"session-state"', '"state"'),
        (srlinux.BGP, '"established"', '"up"'),
        (srlinux.INTERFACES, '"oper-state"', '"operational-state"'),
        (srlinux.ROUTES, "srl_nokia-ip-route-tables:next-hop-group", "next-hop-group"),
        (srlinux.EVPN_ROUTES, '"imet-route"', '"inclusive-route"'),
        (srlinux.VNIS, '"vtep"', '"address"'),
        (srlinux.LLDP, '"port-id"', '"port"'),
    ],
)
def test_other_names_are_no_leaves(path: str, old: str, new: str) -> None:
    text = json.dumps(healthy("demo", "fe-leaf-000")[path])
    assert old in text
    assert faults(path, json.loads(text.replace(old, new))) != ""
