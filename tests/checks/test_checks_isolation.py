"""A backend switch that lets anything in, originates or carries anything of others is found, each way."""

import pytest

from fabricgen.checks.switches import watch as switches
from fabricgen.device.device import Device
from fabricgen.device.routing import PrefixEntry, RouteMap, Statement, StaticRoute
from fabricgen.resolve.device import devices
from tests.checks.devices import OPEN, Edit, bgp_edited, list_replaced, map_replaced, statements_edited, with_edit
from tests.checks.intents import codes, only, plan

IN = "RM-SPINES-IPV4-IN"
DEFAULT = PrefixEntry(20, "0.0.0.0/0", 0)  # type: ignore[arg-type]
VRFS = next(device.routing.bgp.vrfs for device in devices(plan()) if device.routing.bgp.vrfs)


def static_default(device: Device) -> Device:
    routes = (*device.routing.static_routes, StaticRoute("", "ipv4", "0.0.0.0/0", "10.64.0.1"))  # type: ignore[arg-type]
    return device._replace(routing=device.routing._replace(static_routes=routes))


def without_map(device: Device) -> Device:
    groups = tuple(group._replace(route_map_in="") for group in device.routing.bgp.groups)
    return bgp_edited(groups=groups)(device)


def without_list(device: Device) -> Device:
    return statements_edited(IN, lambda s: s._replace(match_prefix_list_ipv4="PL-NONE"))(device)


def own_map(statements: tuple[Statement, ...] | None) -> Edit:
    """Edit that gives the first session an inbound map of its own: these statements, or none of that name."""

    def edit(device: Device) -> Device:
        first, *others = device.routing.bgp.neighbors
        device = bgp_edited(neighbors=(first._replace(route_map_in="RM-OWN"), *others))(device)
        policy = device.routing.policy
        maps = policy.route_maps if statements is None else (*policy.route_maps, RouteMap("RM-OWN", statements))
        return device._replace(routing=device.routing._replace(policy=policy._replace(route_maps=maps)))

    return edit


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (static_default, "it has a static route to 0.0.0.0/0"),
        (bgp_edited(networks_ipv6=("::/0",)), "it originates ::/0"),
        (bgp_edited(vrfs=VRFS), "it has a VRF, an overlay or an external session of a tenant"),
        (map_replaced(IN, OPEN), "RM-SPINES-IPV4-IN accepts every route"),
        (without_map, "sessions of SPINES-IPV4 accept every route"),
        (own_map(OPEN), "RM-OWN accepts every route"),
        (own_map(None), "sessions such as 10.64.1.129 accept every route"),
        (without_list, "RM-SPINES-IPV4-IN accepts routes that no prefix list limits"),
        (list_replaced("PL-FABRIC-IPV4", DEFAULT), "RM-SPINES-IPV4-IN accepts 0.0.0.0/0"),
        (
            list_replaced("PL-FABRIC-IPV4", PrefixEntry(10, "10.0.0.0/8", 32)),  # type: ignore[arg-type]
            "RM-SPINES-IPV4-IN accepts 10.0.0.0/8",
        ),
    ],
)
def test_each_opening_is_found(monkeypatch: pytest.MonkeyPatch, edit: Edit, why: str) -> None:
    monkeypatch.setattr(switches, "devices", with_edit(edit, "be-leaf-001"))
    problem = only(plan())
    assert problem.code == "backend-open"
    assert problem.why.partition(";")[0] == why


def test_a_frontend_may_be_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switches, "devices", with_edit(static_default, "fe-border-00"))
    assert codes(plan()) == []
