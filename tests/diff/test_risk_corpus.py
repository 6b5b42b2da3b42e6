"""The tables of costs against labelled changes whose labels come from sources: none too safe, and few too careful."""

from collections import Counter

import pytest

from fabricgen.changes.kinds.catalogue import KIND
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.cost import Risk
from tests.diff.confusion import Judged, judged, table
from tests.diff.labels import SYSTEMS, read

LEAST, LEAST_DISRUPTIVE = 100, 30
RIGHT = 0.95
"""Share of the changes of each label that the table must judge the same."""


@pytest.fixture(scope="module", params=SYSTEMS)
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Judged, ...]:
    return judged(request.param, tmp_path_factory.mktemp(request.param))


def test_no_disruptive_change_is_called_safe(found: tuple[Judged, ...]) -> None:
    unsafe = [one for one in found if one.labelled.risk.is_disruptive and not one.predicted.is_disruptive]
    assert not unsafe


def test_nearly_all_of_each_label_are_right(found: tuple[Judged, ...]) -> None:
    every = Counter(one.labelled.risk for one in found)
    right = Counter(one.labelled.risk for one in found if one.predicted is one.labelled.risk)
    print("\n".join(table(found)))  # noqa: T201 - shown where it fails, and with -s
    assert {risk.words: right[risk] / every[risk] for risk in every if right[risk] < RIGHT * every[risk]} == {}


def test_the_corpus_is_large_enough() -> None:
    labels = [labelled for system in SYSTEMS for labelled in read(system)[0]]
    assert len(labels) >= LEAST
    disruptive = [one for one in labels if one.risk.is_disruptive and one.risk is not Risk.UNKNOWN]
    assert len(disruptive) >= LEAST_DISRUPTIVE
    assert all(one.source.strip() for one in labels)
    assert len({(one.system, one.name) for one in labels}) == len(labels)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_kind_occurs_or_is_said_never_to(system: str) -> None:
    labels, never = read(system)
    occurring = {fact.partition(" ")[0] for labelled in labels for fact in labelled.facts}
    assert occurring | {row.kind for row in never} == set(KIND)
    for row in never:
        assert row.why
        cost = PLATFORMS[system].costs[row.kind]
        assert (cost.added, cost.changed, cost.removed) == (None, None, None), f"{row.kind} cannot be, says the corpus"


def test_each_change_makes_the_facts_that_its_label_rests_on(found: tuple[Judged, ...]) -> None:
    for one in found:
        made = {f"{fact.kind} {fact.change.value}" for fact in one.made}
        assert set(one.labelled.facts) <= made, one.labelled.name
