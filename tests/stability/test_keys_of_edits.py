"""Equal keys mean equal files, equal looks and equal cables, after random edits of sites that stand.

The oracle renders, looks at and cables every switch before and after: it asks no key what may have changed.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from fabricgen.checks.switches.tally import Tally
from fabricgen.checks.switches.tally_json import loaded
from fabricgen.errors import FabricError
from fabricgen.output.staging import Staged
from fabricgen.plan.lock import write_lock
from fabricgen.plan.plan import Plan
from fabricgen.render.keys import Keys
from fabricgen.site.workspace import open_workspace
from fabricgen.workers import units as of_units
from fabricgen.workers.tasks import Task, Worker
from fabricgen.workers.units import summed, units
from tests.some import some
from tests.stability.live_edits import Random, edited, first, write

STEPS = 16
"""Legal edits of one history."""


class Whole(NamedTuple):
    """All of a site: key and files of each switch; by digest what a look at a unit shows, and lines of its cables."""

    keys: dict[str, str]
    files: dict[str, dict[str, bytes]]
    looks: dict[str, dict[str, Tally]]
    cabling: dict[str, bytes]


def whole(plan: Plan) -> Whole:
    found, keys, worker = Whole({}, {}, {}, {}), Keys(plan), Worker(plan, None, None)
    for unit in units(plan):
        digests = summed(plan.fabrics[unit.fabric], unit, keys)
        made = worker.do(Task(unit, frozenset(), {}, must_check=True, cables=True))
        found.keys.update(digests.keys)
        for each in made.files:
            assert not isinstance(each, Staged)
            found.files.setdefault(each[0].partition("/")[0], {}).update([each])
        found.looks[digests.check_key] = loaded(made.tallies)
        found.cabling[digests.cabling] = made.cabling
    return found


@pytest.mark.parametrize("name", some(["demo", "lab", "superpod-b300", "three-tiers", "shared-backend-512"], of=5))
def test_what_has_its_key_still_is_as_it_was(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_units, "PLACES", 4)
    dice, site = Random(name), first(name)
    path = write(site, tmp_path)
    plan = open_workspace(path).plan
    before, told = whole(plan), Counter[str]()
    while told["edits"] < STEPS:
        turned = edited(site, plan, dice)
        try:
            after_plan = open_workspace(write(turned, tmp_path)).plan
            after = whole(after_plan)
        except FabricError:
            told["refused"] += 1
            continue
        same = {name for name, key in before.keys.items() if after.keys.get(name) == key}
        assert {name for name in same if before.files[name] != after.files[name]} == set()
        for one, two, what in ((before.looks, after.looks, "looks"), (before.cabling, after.cabling, "cables")):
            kept = one.keys() & two.keys()
            told[f"{what} kept"] += len(kept)
            told[what] += len(two)
            assert [digest for digest in kept if one[digest] != two[digest]] == []
        told.update({"edits": 1, "kept": len(same), "switches": len(after.keys)})
        told["as they were"] += sum(before.files.get(name) == files for name, files in after.files.items())
        (tmp_path / "fabricgen.lock").write_text(write_lock(after_plan.lock))
        site, plan, before = turned, after_plan, after
    assert told["kept"] > told["as they were"] / 3, told
    assert told["cables kept"], told
    assert told["looks kept"], told
