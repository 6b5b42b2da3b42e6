"""Every failure of small fabrics of every kind, by classes and by taking cables away one after the other.

The judge shares no code with what it judges: tests/failures/judge.py.
"""

from collections import Counter
from itertools import combinations

import pytest

from fabricgen.failures.classes import Classes
from fabricgen.failures.network import make_network
from tests.failures.judge import Judge
from tests.failures.sites import SITES, Site, cabling_of, plan_of
from tests.some import LONG

QUICK = ("dead and drained links", "two small pods")
"""Sites whose pairs are tried in every run."""
DRAINED = next(at for at, site in enumerate(SITES) if site.name == "drained servers")
ALONE = [
    pytest.param(
        site,
        id=site.name,
        marks=[] if at % 8 == 0 or "planes of" in site.name or "storage" in site.name or at == DRAINED else LONG,
    )
    for at, site in enumerate(SITES)
]
"""Sites for failures of one part: in every run one of eight, all with planes of rails, storage, and drained servers."""


def classes_of(site: Site) -> Classes:
    plan = plan_of(site)
    return Classes(make_network(plan, plan.fabrics[site.fabric]))


@pytest.mark.parametrize("site", ALONE)
def test_single_failures_are_those_of_the_judge(site: Site) -> None:
    judge, classes = Judge(cabling_of(site)), classes_of(site)
    parts = judge.parts()
    wanted = Counter((part.kind, *judge.of_failure([part])) for part in parts)
    found: Counter[tuple[object, ...]] = Counter()
    for failure in classes.singles():
        found[failure.kinds[0], *failure.outcome] += failure.size
    assert sum(found.values()) == len(parts) > 40
    assert found == wanted
    assert tuple(classes.measures.base()) == tuple(judge.of_failure([]))


PAIRS = [pytest.param(site, id=site.name, marks=[] if site.name in QUICK else LONG) for site in SITES]


@pytest.mark.parametrize("site", PAIRS)
def test_failures_of_two_parts_are_those_of_the_judge(site: Site) -> None:
    judge, classes = Judge(cabling_of(site)), classes_of(site)
    parts = judge.parts()
    wanted: Counter[tuple[object, ...]] = Counter()
    for one, other in combinations(parts, 2):
        wanted[tuple(sorted((one.kind, other.kind))), *judge.of_failure([one, other])] += 1
    found: Counter[tuple[object, ...]] = Counter()
    for failure in classes.pairs():
        found[tuple(sorted(failure.kinds)), *failure.outcome] += failure.size
    assert sum(found.values()) == len(parts) * (len(parts) - 1) // 2
    assert found == wanted


def test_a_superspine_and_a_link_of_a_pod_that_is_not_as_the_others() -> None:
    """Traffic of alike pods and to the other one meets on one link, whichever pods it joins."""
    site = next(site for site in SITES if site.name == "storage, three uneven pods")
    judge, classes = Judge(cabling_of(site)), classes_of(site)
    kinds = ("spine-superspine link", "superspine")
    links, superspines = ([part for part in judge.parts() if part.kind == kind] for kind in kinds)
    wanted = Counter(tuple(judge.of_failure([link, above])) for link in links for above in superspines)
    found: Counter[tuple[object, ...]] = Counter()
    for failure in classes.pairs():
        if tuple(sorted(failure.kinds)) == kinds:
            found[tuple(failure.outcome)] += failure.size
    assert len(wanted) > 2
    assert found == wanted


def test_every_kind_of_part_and_of_cost_is_tried() -> None:
    """A judge that agrees about nothing proves nothing."""
    kinds: set[str] = set()
    costs: Counter[str] = Counter()
    for site in SITES:
        classes = classes_of(site)
        base = classes.measures.base()
        for failure in classes.singles():
            kinds.add(failure.kinds[0])
            differs = (a != b for a, b in zip(failure.outcome, base, strict=True))
            costs.update(name for name, is_so in zip(base._fields, differs, strict=True) if is_so)
    whole = {"server", "leaf", "border-leaf", "spine", "superspine", "unit", "pod", "plane"}
    assert whole | {"server cage", "NIC"} <= kinds
    assert all(costs[name] for name in base._fields if name != "apart")
