"""What is printed piece by piece is what would be printed whole."""

import json
from collections.abc import Iterator
from weakref import WeakValueDictionary

import pytest

from fabricgen.changes.change import ChangeOp
from fabricgen.cli.common.output import AT_ONCE, echo_json, echo_pieces, json_list, json_object


@pytest.mark.parametrize("size", [1, 5, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1])
@pytest.mark.parametrize("count", [0, 1, 4])
def test_pieces_are_the_whole(count: int, size: int, capsys: pytest.CaptureFixture[str]) -> None:
    echo_pieces(f"{number:{size}}" for number in range(count))
    assert capsys.readouterr().out == "".join(f"{number:{size}}" for number in range(count))


@pytest.mark.parametrize("values", [[], [1], [{"a": "é"}, [None, 1.5], "x"]])
def test_a_list_is_as_json_writes_it(values: list[object]) -> None:
    assert "".join(json_list(values)) == json.dumps(values)


@pytest.mark.parametrize("others", [{}, {"a": "é", "b": [1, None]}])
@pytest.mark.parametrize("lists", [{}, {"one": [1, "x"]}, {"none": [], "ü": ["é"]}])
def test_lists_and_others_are_one_object(lists: dict[str, list[object]], others: dict[str, object]) -> None:
    assert "".join(json_object(lists, others)) == json.dumps(lists | others) + "\n"


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"a": [1, {"b": "é"}], "c": []},
        {"many": list(range(AT_ONCE))},
        [[], {}, [[]], ({"a": {}}, ())],
        {"a": [None, True, 1.5, ChangeOp.ADDED, '"\n'], "b": {"c": None, '"': 2}},
        "é",
        None,
    ],
)
def test_a_value_is_as_json_writes_it(value: object, capsys: pytest.CaptureFixture[str]) -> None:
    echo_json(value)
    assert capsys.readouterr().out == json.dumps(value, indent=1) + "\n"


def test_a_function_is_called_in_its_turn_and_what_it_made_is_let_go(capsys: pytest.CaptureFixture[str]) -> None:
    class Made(dict[str, object]):  # a plain dict cannot be asked whether it still stands
        pass

    standing: WeakValueDictionary[int, Made] = WeakValueDictionary()

    def make() -> Made:
        assert not standing
        made = Made(x=[1, 2], y={})
        standing[id(made)] = made
        return made

    echo_json({"a": make, "b": [make, 1, {"c": make}]})
    whole = {"x": [1, 2], "y": {}}
    assert capsys.readouterr().out == json.dumps({"a": whole, "b": [whole, 1, {"c": whole}]}, indent=1) + "\n"


def test_no_more_is_taken_than_is_printed_together(capsys: pytest.CaptureFixture[str]) -> None:
    taken = 0

    def pieces() -> Iterator[str]:
        nonlocal taken
        for _ in range(4):
            assert len(capsys.readouterr().out) == (AT_ONCE if taken == 2 else 0)
            taken += 1
            yield "x" * (AT_ONCE // 2)

    echo_pieces(pieces())
    assert taken == 4
