"""Some kills of the matrix, on live FRR. `make kill-matrix` has them all."""

from pathlib import Path

import pytest

from napalm_frr.device_side import SCRIPT
from tests.judges import frr
from tests.push.kill_matrix import all_of, standing
from tests.push.kills import GUARD_POINTS, Case, trapped
from tests.some import LONG

pytestmark = pytest.mark.skipif(frr.available() is not None, reason=str(frr.available()))

SAMPLE = (
    Case(18, "at once"),  # the lines are written on the switch, and nobody waits: the guard is armed alone
    Case("hold: it waits", "never"),
)
MORE = (
    Case("apply: the lines are applied", "at once"),
    Case("guard: has kept, or put back", "after the hold"),
    Case(20, "never"),
    Case(30, "at once"),
    Case("arm: the owner stands", "at once"),
    Case("guard: the startup file is written", "at once"),
)


@pytest.mark.parametrize("sample", [SAMPLE, pytest.param(MORE, marks=LONG)], ids=["some", "more"])
def test_killed_it_runs_the_old_or_the_intent_and_the_tool_says_which(sample: tuple[Case, ...], tmp_path: Path) -> None:
    with standing(tmp_path) as wired:
        verdicts = all_of(wired, tmp_path, sample)
    assert len(verdicts) == len(sample)
    assert [one for one in verdicts if one.wrong] == []
    never = [one.told for one in verdicts if one.case.then == "never"]
    assert never == ["open; runs the old configuration"]


def test_every_point_of_the_guard_is_a_place_in_its_script() -> None:
    names = [name for _, _, name in GUARD_POINTS]
    assert len(set(names)) == len(names) > 25
    assert trapped(SCRIPT).count("\npoint ") + trapped(SCRIPT).count(" point ") >= len(names)
