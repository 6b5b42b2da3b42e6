"""What the reader takes for answers of a switch are leaves of Nokia's YANG of 25.3.1, by libyang.

Judged: that each member is there under its name and its module, and its value of its type. Not judged: references, as
an answer has one part of the state alone.
"""

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from fabricgen.platforms.srlinux.live import commits as srlinux_commits
from fabricgen.platforms.srlinux.live import drain as srlinux_drain
from fabricgen.platforms.srlinux.live import reader as srlinux
from tests.judges import models, yang
from tests.judges import srlinux as judge
from tests.srlinux.shown import healthy
from tests.srlinux.shown_routes import Answers
from tests.srlinux.xgs import OTHERS

if TYPE_CHECKING:
    import libyang

pytestmark = pytest.mark.skipif(judge.available() is not None, reason=str(judge.available()))

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


@cache
def schema() -> "libyang.Context":
    """The models as a chassis has them that counts drops of a queue together."""
    with models.unpacked("srlinux") as unpacked:
        folder = unpacked / "srlinux-yang"
        for path in folder.glob("srl_*.yang"):
            text = path.read_text()
            if "must" in text:
                path.write_text(yang.without_musts(text))
        own = [path for path in folder.glob(judge.OWN) if judge.OPERATIONS not in path.name]
        return yang.read(folder, [*own, *(folder / name for name in judge.MORE)], without_features=(*OTHERS, TOGETHER))


def faults(path: str, answer: Any) -> str:  # noqa: ANN401 - JSON
    """What speaks against an answer; "" where nothing does."""
    import libyang  # noqa: PLC0415  # absent where it could not be built

    for name in reversed(AROUND.get(path, ())):
        answer = {name: answer}
    try:
        found = schema().parse_data_mem(json.dumps(answer), "json", strict=True, parse_only=True)
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
