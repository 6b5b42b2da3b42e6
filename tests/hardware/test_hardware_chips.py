"""A chip's sizes: a cell that its own rows refute, and a capacity that no panel of it can have."""

import re
from pathlib import Path

import pytest

from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.catalog import OURS, load_catalog
from fabricgen.hardware.chip_faults import capacity_fault, cell_fault


def own(root: Path, file: str, key: str, value: str) -> int:
    """Make a file of the user's own, ours with one key changed, and return the line of the key."""
    text = (OURS / file).read_text(encoding="utf-8")
    changed, count = re.subn(rf"(?m)^{key}: .*$", f"{key}: {value}", text)
    assert count == 1
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(changed, encoding="utf-8")
    return changed[: changed.index(f"\n{key}: ") + 1].count("\n") + 1


def only(root: Path) -> Problem:
    with pytest.raises(FabricError) as caught:
        load_catalog(root)
    (problem,) = caught.value.problems
    assert problem.fix
    assert problem.at is not None
    return problem


@pytest.mark.parametrize("cell", ["25400", "2540", "25", "1"])
def test_a_cell_that_no_chip_has_is_refused_at_its_line(tmp_path: Path, cell: str) -> None:
    """254 octets in FBOSS and in the name of every row: a factor of 10 or 100, a digit lost, a 1 in its place."""
    line = own(tmp_path, "asics/tomahawk5.yaml", "cell_octets", cell)
    problem = only(tmp_path)
    assert problem.code == "hardware-number"
    assert problem.what == f"tomahawk5 has cells of {cell} octets"
    assert problem.at is not None
    assert (problem.at.line, problem.at.column) == (line, len("cell_octets: ") + 1)


def test_the_smallest_row_is_named_where_it_refutes_the_cell(tmp_path: Path) -> None:
    """91440 octets at 10G and 5 m, of the z9864f's table."""
    own(tmp_path, "asics/tomahawk5.yaml", "cell_octets", "2540")
    assert "10G at 5 m, 91440 octets, would be 36 cells" in only(tmp_path).why


@pytest.mark.parametrize(("key", "value"), [("queues", "3"), ("headroom_pool_maximum_octets", "33374583")])
def test_queues_of_all_classes_and_a_pool_below_its_maximum(tmp_path: Path, key: str, value: str) -> None:
    """A port has a queue for each of eight priorities (IEEE 802.1Q); the pool of the file has 33,374,584 octets."""
    line = own(tmp_path, "asics/tomahawk5.yaml", key, value)
    problem = only(tmp_path)
    assert problem.code == "hardware-number"
    assert problem.at is not None
    assert problem.at.line == line


@pytest.mark.parametrize("terabits", ["5.12", "1100", "51200"])
def test_a_capacity_that_no_panel_can_have_is_refused_at_its_line(tmp_path: Path, terabits: str) -> None:
    """A Tomahawk 5 forwards 51.2 Tb/s, which is 64 ports of 800G."""
    line = own(tmp_path, "asics/tomahawk5.yaml", "terabits", terabits)
    problem = only(tmp_path)
    assert problem.code == "hardware-capacity"
    assert "add up to 51.2 Tb/s" in problem.why
    assert problem.at is not None
    assert problem.at.file.endswith("tomahawk5.yaml")
    assert problem.at.line == line


def test_a_panel_that_its_chip_can_not_fill_is_refused_in_the_switch(tmp_path: Path) -> None:
    """The 64 ports of 800G with a chip of 8 Tb/s."""
    line = own(tmp_path, "switches/arista-7060x6-64pe.yaml", "asic", "trident4-bcm56780")
    problem = only(tmp_path)
    assert problem.code == "hardware-capacity"
    assert problem.what == "trident4-bcm56780 forwards 8 Tb/s"
    assert problem.at is not None
    assert problem.at.file.endswith("arista-7060x6-64pe.yaml")
    assert problem.at.line > line


def test_ours_keep_to_both_rules() -> None:
    ours = load_catalog(None)
    assert [why for asic in ours.asics.values() if (why := cell_fault(asic))] == []
    assert [why for one in ours.switches.values() if (why := capacity_fault(one, ours.asics[one.asic]))] == []
