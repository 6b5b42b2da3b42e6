"""What `--subset` takes, and what it says of the rest."""

import pytest

from fabricgen.errors import FabricError
from fabricgen.lab.model.subset import Subset, parse_subset


def test_each_key_is_read() -> None:
    found = parse_subset("units=1, leaves=2,spines=3,links=4,servers=5,borders=0")
    assert found == Subset(units=1, leaves=2, spines=3, links=4, servers=5, borders=0)


def test_what_is_left_out_is_all_of_it() -> None:
    assert parse_subset("") == Subset()
    assert parse_subset("leaves=2").spines is None


def test_it_is_written_as_it_is_read() -> None:
    text = "units=1,leaves=2,borders=0"
    assert parse_subset(text).text == text


@pytest.mark.parametrize(
    ("text", "what", "fix"),
    [
        ("leafs=2", "unknown key 'leafs'", "leaves"),
        ("leaves=0", "invalid leaves=0", "leaves=2"),
        ("leaves=two", "invalid leaves=two", "leaves=2"),
        ("leaves=-1", "invalid leaves=-1", "leaves=2"),
        ("leaves=²", "invalid leaves=²", "leaves=2"),
        ("leaves", "invalid leaves=", "leaves=2"),
        ("spines=99999999999999999999999", "--subset: invalid spines=", "spines=2"),
        ("leaves=2,leaves=3", "leaves is given twice", "once"),
    ],
)
def test_a_bad_part_is_refused_with_a_remedy(text: str, what: str, fix: str) -> None:
    with pytest.raises(FabricError) as caught:
        parse_subset(text)
    (problem,) = caught.value.problems
    assert problem.code == "bad-subset"
    assert what in problem.what
    assert fix in problem.fix


def test_all_bad_parts_are_told_at_once() -> None:
    with pytest.raises(FabricError) as caught:
        parse_subset("leafs=2,spines=0,links=1")
    assert len(caught.value.problems) == 2
