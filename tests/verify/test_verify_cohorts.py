"""Paths are found once a cohort, and switches boiled down a few at a time: both give what all, each by itself, give."""

import pickle
from collections.abc import Callable, Collection
from dataclasses import fields
from random import Random

import pytest

from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.plan import Plan
from fabricgen.resolve.device import devices as resolved
from fabricgen.verify.expect import paths as derive_paths
from fabricgen.verify.expect.cohorts import Cohort, cohorts_of
from fabricgen.verify.expect.derive import expectations, expected_of
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.expect.ports import described
from fabricgen.verify.expect.site import ExpectedSite, digest, make_site, site_of
from fabricgen.verify.expect.speakers import Speaker
from tests.resolve import tiers
from tests.verify.sites import healthy

SEEDS = range(12)


def each_alone(speakers: Collection[Speaker]) -> tuple[Cohort, ...]:
    """Every switch a cohort of its own, with its own AS number."""
    every = sorted(speakers, key=lambda one: one.name)
    return tuple(Cohort((one.name,), one, one.asn) for one in every)


def faulty(plan: Plan, seed: int) -> Exceptions:
    """Some switches and cables drained or dead, more with each seed; the first has none."""
    chance = Random(seed)  # noqa: S311 - a draw that can be repeated
    every = tuple(resolved(plan))
    share = seed / 40
    ports = [PortKey(device.name, row.name) for device in every for row in device.interfaces.ethernet if row.peer]
    return Exceptions(
        devices={one.name: chance.choice(("drained", "dead")) for one in every if chance.random() < share},
        ports={key: chance.choice(("drained", "dead", "absent")) for key in ports if chance.random() < share},
    )


def alive(found: Plan) -> tuple[Device, ...]:
    return tuple(device for device in resolved(found) if device.state != "dead")


def three_tiers(seed: int) -> tuple[Device, ...]:
    return alive(tiers.three_tiers(tiers.FRR, faulty(tiers.three_tiers(tiers.FRR), seed)))


def overlay(seed: int) -> tuple[Device, ...]:
    return alive(tiers.overlay(exceptions=faulty(tiers.overlay(), seed)._replace(ports={})))


def one_as(devices: tuple[Device, ...], *names: str) -> tuple[Device, ...]:
    """The same with one AS number for these switches."""

    def edited(device: Device) -> Device:
        bgp = device.routing.bgp._replace(asn=4_299_999_999)
        return device._replace(routing=device.routing._replace(bgp=bgp)) if device.name in names else device

    return tuple(map(edited, devices))


def same(devices: tuple[Device, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    together = list(expectations(devices))
    monkeypatch.setattr(derive_paths, "cohorts_of", each_alone)
    assert together == list(expectations(devices))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("make", [three_tiers, overlay])
def test_a_cohort_has_the_paths_of_each_of_its_switches(
    make: Callable[[int], tuple[Device, ...]], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    same(make(seed), monkeypatch)


@pytest.mark.parametrize(
    "names",
    [("be-leaf-000", "be-leaf-001"), ("be-leaf-000", "be-leaf-002"), ("be-super-00", "be-spine-00")],
)
def test_switches_with_one_as_number_take_nothing_from_each_other(
    names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    same(one_as(three_tiers(0), *names), monkeypatch)


def test_few_tables_kept_are_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(expectations(three_tiers(3)))
    monkeypatch.setattr(derive_paths, "MOST_TABLES", 1)
    assert found == list(expectations(three_tiers(3)))


def members(devices: tuple[Device, ...]) -> set[tuple[str, ...]]:
    return {cohort.members for cohort in cohorts_of(make_site(devices).speakers.values())}


def test_leaves_of_a_pod_are_one_cohort_until_a_cable_tells_them_apart() -> None:
    """As spines of a core group are apart in every pod; superspines of a core group are alike."""
    cores = {("be-super-00", "be-super-01"), ("be-super-02", "be-super-03")}
    pods = {("be-leaf-000", "be-leaf-001"), ("be-leaf-002", "be-leaf-003")}
    found = members(three_tiers(0))
    assert found == cores | pods | {(f"be-spine-0{number}",) for number in range(4)}
    drained = Exceptions(ports={PortKey("be-spine-00", "swp1s0"): "drained"})
    later = members(alive(tiers.three_tiers(tiers.FRR, drained)))
    assert len(later) == len(found) + 1
    assert later >= cores


@pytest.mark.parametrize("size", [1, 5])
def test_what_is_gathered_some_at_a_time_is_what_is_gathered_at_once(size: int) -> None:
    for devices in (healthy(), three_tiers(4), overlay(4)):
        runs = (devices[at : at + size] for at in range(0, len(devices), size))
        parts = site_of(pickle.loads(pickle.dumps(digest(run))) for run in runs)  # noqa: S301 - our own
        whole = make_site(devices)
        for field in fields(ExpectedSite):
            if field.name != "spreads":
                assert getattr(parts, field.name) == getattr(whole, field.name), field.name
        assert derived(devices, parts) == list(expectations(devices))


def derived(devices: tuple[Device, ...], site: ExpectedSite) -> list[Expected]:
    """By a process that was sent the site."""
    sent = pickle.loads(pickle.dumps(site))  # noqa: S301 - our own
    return [expected_of(device, sent, None, described(device)) for device in devices]
