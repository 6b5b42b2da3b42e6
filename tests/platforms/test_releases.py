"""Releases of a platform: their order, what one covers, and which of those between two are accepted."""

import pytest

from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import Capability
from fabricgen.platforms.base.release import Difference, Release, is_at_least, release_key, runs
from fabricgen.platforms.releases import first_with

ORDERED = ("4.33", "4.33.3F", "4.33.4M", "4.34.0F", "4.34.10M", "4.36")


@pytest.mark.parametrize(
    "names", [ORDERED, ("10.4(3)F", "10.5(1)F", "10.5(2)"), ("23.4R1", "23.4R2-EVO", "24.4"), ("202505", "master")]
)
def test_releases_of_every_maker_are_in_order(names: tuple[str, ...]) -> None:
    assert sorted(reversed(names), key=release_key) == [*names]


@pytest.mark.parametrize(
    ("release", "version", "covered"),
    [
        ("4.34", "4.34", True),
        ("4.34", "4.34.2F", True),
        ("10.5", "10.5(2)F", True),
        ("24.4", "24.4R1-EVO", True),
        ("master", "master", True),
        ("4.3", "4.34", False),
        ("4.34", "4.3", False),
        ("master", "masterly", False),
        ("202505", "2025051", False),
    ],
)
def test_a_release_covers_its_maintenance_releases_alone(release: str, version: str, *, covered: bool) -> None:
    assert Release(release, "manual").covers(version) == covered


@pytest.mark.parametrize(
    ("version", "wanted", "same"),
    [
        ("4.34.1F-39879738.4341F", "4.34", True),
        ("10.5(2)", "10.5(2)F", True),
        ("10.5(2)", "10.5(20)F", False),
        ("10.5(2)", "10.5(1)F", False),
        ("24.4R1.9-EVO", "24.4R1-EVO", True),
        ("23.4R2-S5.8-EVO", "23.4R2-S5-EVO", True),
        ("23.4R2-S5.8-EVO", "23.4R2-S5.8-EVO", True),
        ("23.4R2-S5.8-EVO", "23.4R2-S5", True),
        ("23.4R2-S5.8-EVO", "23.4R2-EVO", True),
        ("23.4R2-S5.8", "23.4R2-S5-EVO", False),
        ("SONiC.master.1", "master", True),
        ("SONiC.HEAD.1", "master", None),
    ],
)
def test_what_a_switch_reports_is_the_release_of_an_intent(version: str, wanted: str, *, same: bool | None) -> None:
    """Forms of versions: as in tests/nxos/test_nxos_reader.py and tests/junos/test_junos_releases.py."""
    assert runs(version, wanted) is same


BRANCHES = ("202505", "202511", "master")


@pytest.mark.parametrize(
    ("version", "wanted", "same"),
    [
        # sonic-net/sonic-buildimage, functions.sh, sonic_get_version: branch, number of the build, commit; issue 9972
        ("202505.70581-f08866b66", "202505", True),
        ("SONiC.202505.3-36b54da65_Internal", "202505", True),
        ("202511.70581-f08866b66", "202505", False),
        ("202503.1-4d2f", "master", False),
        # sonic-mgmt issue 11087; pull request 23539
        ("202505_RC.51-6416e238c_Internal", "202505", True),
        ("master-23539.912087-e9a01ce4b", "master", True),
        ("master-23539.912087-e9a01ce4b", "202505", False),
        # Named by a date, by a branch of somebody, by a maker, by a commit alone.
        ("20250531.12", "202505", None),
        ("20250731.12", "202505", None),
        ("20250731.12", "master", None),
        ("nvidia_frr_fix.0-dirty-20230315.220429", "202505", None),
        ("HEAD.135-02f35d7c2", "202505", None),
        ("msft-202412.1-36b54da65", "202505", None),
        ("SONiC-OS-2.1.0-Cloud_Base", "202505", None),
        ("SONiC-OS-202505.1234567-abc", "202505", True),
        # The number of a build and a time are no branch.
        ("master.202511-36b54da65", "202511", False),
        ("HEAD.202511-36b54da65", "202511", None),
        ("my_fix.0-dirty-20250531.202511", "202511", None),
        ("", "202505", None),
        # A build of the branch does not say which of its maintenance releases it is.
        ("202505.70581-f08866b66", "202505.1", None),
        ("202511.70581-f08866b66", "202505.1", False),
    ],
)
def test_a_build_of_sonic_names_its_branch_or_none(version: str, wanted: str, *, same: bool | None) -> None:
    assert runs(version, wanted, BRANCHES) is same


def test_a_train_without_a_maintenance_number_is_its_first_release() -> None:
    assert not is_at_least("4.33", "4.33.4")
    assert is_at_least("4.33.4M", "4.33.4")
    assert is_at_least("4.34", "4.33.4")


TWO = PLATFORMS["eos"]._replace(releases=(Release("4.20", "manual"), Release("4.24", "manual")), differences=())
ROW = Difference("4.22.1", "a line", "old", "new", "manual")


def test_a_release_between_two_is_accepted_where_nothing_differs() -> None:
    found = TWO.between("4.22")
    assert found is not None
    assert [release.name for release in found] == ["4.20", "4.24"]


@pytest.mark.parametrize("since", ["4.20.1", "4.22.1", "4.24"])
def test_a_release_between_two_is_refused_where_a_line_differs(since: str) -> None:
    assert TWO._replace(differences=(ROW._replace(since=since),)).between("4.22") is None
    feature = Capability("bgp", "manual", since=since)
    assert TWO._replace(capabilities=(feature,)).between("4.22") is None


@pytest.mark.parametrize("since", ["4.19", "4.20", "4.25"])
def test_what_came_before_or_after_both_is_no_difference(since: str) -> None:
    assert TWO._replace(differences=(ROW._replace(since=since),)).between("4.22") is not None


@pytest.mark.parametrize("version", ["4.19", "4.25", "master"])
def test_a_release_outside_is_not_between(version: str) -> None:
    assert TWO.between(version) is None


def test_a_feature_is_refused_before_its_release_by_name() -> None:
    platform = TWO._replace(capabilities=(Capability("gnmi", "manual", since="4.24", vouched="gnmi"),))
    row = platform.can("gnmi", "4.20")
    assert row is not None
    assert row.refusal == f"{platform.title} has it from 4.24 on, and these switches run 4.20"
    assert not row.is_vouched({"gnmi": "yes"})
    for version in ("", "4.24", "4.24.1F"):
        assert platform.can("gnmi", version) == platform.capabilities[0]


@pytest.mark.parametrize("name", PLATFORMS)
def test_the_first_release_with_a_feature_is_a_known_one(name: str) -> None:
    """FRR has a limit of EVPN routes from 10.1 on, which lies between 8.4 and 10.3 and is refused."""
    platform = PLATFORMS[name]
    for since in {row.since for row in platform.capabilities if row.since}:
        system, _, version = first_with(platform, since).partition("-")
        assert (system, platform.covers(version)) == (name, True)
        assert is_at_least(version, since)


def test_a_feature_of_a_release_between_two_names_the_later_one() -> None:
    assert first_with(TWO, "4.22.1") == "eos-4.24"
    assert first_with(TWO, "4.20.3F") == "eos-4.20.3F"


@pytest.mark.parametrize("name", PLATFORMS)
def test_each_table_is_in_order_and_has_its_sources(name: str) -> None:
    platform = PLATFORMS[name]
    assert [*platform.versions] == sorted(platform.versions, key=release_key)
    assert len(set(platform.versions)) == len(platform.versions)
    sinces = [row.since for row in platform.differences]
    assert sinces == sorted(sinces, key=release_key)
    for row in platform.differences:
        assert row.source
        assert row.before != row.after
    for feature in platform.capabilities:
        assert not feature.since or any(is_at_least(version, feature.since) for version in platform.versions)
