"""What a switch needs is read off its Device: no field without a row, no row without a field, no need unheard."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricgen.checks.catalogue import examine, run_plan_checks
from fabricgen.checks.support.capabilities import capabilities, refused
from fabricgen.checks.support.parts import device_parts, samples
from fabricgen.device import needs as table
from fabricgen.device.device import Device
from fabricgen.device.needs import FEATURES, NO_FEATURE, ValueNeed, has_value, needs_of
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import name_of
from fabricgen.plan.lock import Lock
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.platforms import ADAPTERS, PLATFORMS
from fabricgen.resolve.context import FabricContext
from fabricgen.resolve.device import devices, resolve
from fabricgen.resolve.needs import FeatureNeed, needs
from fabricgen.site.workspace import open_workspace
from tests.changes.walk import names, types
from tests.checks.intents import plan
from tests.pairs import sites

INVENTORIES = Path(__file__).parents[2] / "inventories"
NO_PART = {
    "dual-tor": "a Device has unnumbered: that a server is at the far end, only a request meets",
    "duplicate-mac-bonds": "a Device has duplicate-mac; that some systems lack it beside bonds, only a request meets",
    "mac-limit-bonds": "a Device has mac-limit; that some systems limit single ports alone, only a request meets",
    "drop-capture": "every platform refuses it",
    "vtep-ipv6": "every platform refuses it",
    "roce-over-vxlan": "a Device has tunnel-marks; that a lossless class depends on them, the intent says",
    "pfc-switched": "a Device has ports with VLANs and a QoS profile; what is paused by then, the intent says",
    "pfc-tagged": "as pfc-switched",
    "pfc-bonds": "as pfc-switched",
    "headroom": "a chip of unknown size has none, and its system sets it aside by itself",
    "link-loss-weighted-wide": "the weights of many paths: a part of it is in every Device that weighs",
}
"""Features that an intent asks for and no Device holds."""


def _fields() -> set[str]:
    return {f"{one.__name__}.{name}" for one in types() for name in names(one)}


def _asked() -> set[str]:
    single = {feature for feature in FEATURES.values() if isinstance(feature, str) and feature != table.VALUE}
    chosen = {
        one for feature in FEATURES.values() if isinstance(feature, ValueNeed) for one in feature.features.values()
    }
    return single | chosen | {"ecmp", "dlb-flowlet", "dlb-per-packet"}


def _plans() -> Iterator[Plan]:
    for name in ("demo", "frr", "superpod-b300", "inference-only", "shared-backend-512", "time-sliced"):
        yield open_workspace(INVENTORIES / name / "intent.yaml").plan
    for system in sites.SITES:
        yield sites.planned(system, system, "backend")
        yield sites.planned(system, system, "frontend")


PLANS = tuple(_plans())


@pytest.mark.parametrize("plan", PLANS[:2])
def test_the_look_at_every_switch_takes_those_that_were_resolved_for_their_parts(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolved: list[str] = []

    def noted(site: FabricContext, place: Place) -> Device:
        resolved.append(name_of(site.fabric, place))
        return resolve(site, place)

    every = {device.name for device in devices(plan)}
    monkeypatch.setattr("fabricgen.resolve.device.resolve", noted)
    kinds = examine(plan).kinds
    assert kinds
    assert sorted(resolved) == sorted(every - {kind.device.name for kind in kinds})
    assert all(kind.needs == needs_of(kind.device) for kind in kinds)


def test_every_field_of_a_device_is_in_one_row_and_every_row_is_a_field() -> None:
    assert set(FEATURES) | set(NO_FEATURE) == _fields()
    assert not set(FEATURES) & set(NO_FEATURE)


def test_a_field_that_no_row_names_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    device = next(devices(plan()))
    rows = {field: feature for field, feature in FEATURES.items() if field != "Management.ntp"}
    table._rows.cache_clear()
    monkeypatch.setattr(table, "FEATURES", rows)
    with pytest.raises(KeyError, match=r"Management\.ntp"):
        needs_of(device)
    table._rows.cache_clear()


def test_zero_none_and_empty_say_nothing_but_where_zero_is_a_value() -> None:
    assert [has_value("Ethernet.lag", one) for one in (0, -1, None, "", (), False)] == [False] * 6
    assert has_value("LoadBalancing.seed", 0)
    assert has_value("Ethernet.lag", 3)
    assert not has_value("Gateway.relay_source", -1)


@pytest.mark.parametrize("name", PLATFORMS)
def test_every_feature_of_the_table_has_a_row_on_every_platform(name: str) -> None:
    rows = [row.feature for row in PLATFORMS[name].capabilities]
    assert _asked() - set(rows) == set()
    assert len(rows) == len(set(rows))


@pytest.mark.parametrize("name", PLATFORMS)
def test_what_a_system_does_by_itself_is_said_of_refusals_alone(name: str) -> None:
    assert [row.feature for row in PLATFORMS[name].capabilities if row.instead and not (row.refusal or row.since)] == []


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_row_that_is_missing_is_a_problem(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row that the switches of a sound site need, one after the other."""
    made = sites.planned(name, name, "frontend")
    whole = PLATFORMS[name]
    assert run_plan_checks(made) == ()
    for feature in ("route-maps", "networks", "static-routes", "hostname", "maximum-routes"):
        rows = tuple(row for row in whole.capabilities if row.feature != feature)
        changed = whole._replace(capabilities=rows)
        monkeypatch.setitem(ADAPTERS, name, lambda changed=changed: changed)  # type: ignore[misc]
        (problem,) = device_parts(made)
        assert (problem.code, problem.why) == ("platform-part", "fabricgen has no source for this feature on it")
        assert f"does not support {feature}, " in problem.what


@pytest.mark.parametrize("made", PLANS, ids=range(len(PLANS)))
def test_what_is_asked_in_so_many_words_is_a_part_of_what_switches_need(made: Plan) -> None:
    whole = {(device.fabric, device.role, one) for device in devices(made) for one in needs_of(device)}
    asked = {(need.fabric, need.role, need.feature) for need in needs(made) if need.feature not in NO_PART}
    assert asked - whole - {(fabric, role, "evpn") for fabric, role, one in whole if one == "evpn-routes"} == set()


@pytest.mark.parametrize("made", PLANS, ids=range(len(PLANS)))
def test_the_samples_need_all_that_the_switches_of_a_site_need(made: Plan) -> None:
    every = {(device.fabric, device.role, one) for device in devices(made) for one in needs_of(device)}
    few = {(d.fabric, d.role, one) for name in made.fabrics for d in samples(made, name) for one in needs_of(d)}
    assert few == every


@pytest.mark.parametrize("name", PLATFORMS)
def test_no_part_that_a_system_can_not_do_is_without_a_remedy(name: str) -> None:
    """Asked for at the place that says least, the `os:` of a role: no key there turns anything off."""
    made = sites.planned(name, name, "backend")
    platform = PLATFORMS[name]
    for feature in sorted({row.feature for row in platform.capabilities if row.refusal} | {"no-such-row"}):
        need = FeatureNeed("backend", "leaf", name, "", feature, ("fabrics", "backend", "leaf", "os"))
        assert len(refused(made, platform, feature, [need]).fix) > len("write x: y"), feature


@pytest.mark.parametrize("name", ["junos", "cumulus"])
def test_a_watchdog_that_only_notifies_is_refused_where_it_is_written(name: str) -> None:
    wanted = {"transport": "roce-lossless", "roce": {"marking": "nvidia", "watchdog": {"action": "notify"}}}
    found = sites.intent(name, name, "backend", **wanted)
    made = make_plan(found, sites.catalog(), make_shapes(found, sites.catalog()), Lock(), Exceptions())
    (problem,) = capabilities(made)
    assert problem.where == ("fabrics", "backend", "roce", "watchdog", "action")
    assert problem.fix.startswith("write action: drop")
