"""The quick way to a JSON document says what the slow one says, byte for byte, or nothing."""

import json
from random import Random

import pytest

from fabricgen.platforms.json_parts import UnusualError, tables_document
from fabricgen.platforms.json_sections import SectionError, any_document, one_document

PORTS = ("Ethernet0", "Ethernet8", "Ethernet16", "Ethernet016", "PortChannel1")
KEYS = (
    *PORTS,
    "Ethernet0,Ethernet16",
    "Ethernet8,Ethernet16|3",
    "Ethernet8|10.0.0.2/31",
    "Ethernet8|fd00::a/127",
    "Ethernet8",
    "Ethernet8|",
    "Ethernet8|9.0.0.0/8",
    "Ethernet80|1",
    "a,b",
)
FIELDS = ("mtu", "speed", "lanes", "x10", "x9", "%s", 'a "quoted" \\ one', "é")
VALUES: tuple[object, ...] = ("9100", "9216", "", "100%", 'a "quoted" \\ one', "é\u2028", ["x"], ["y", "x"], [])


def an_object(random: Random) -> str:
    """An object of one table, mostly of one row; now and then of another shape."""
    rows = {random.choice(KEYS): some_fields(random) for _ in range(random.choice((1, 1, 1, 3)))}
    tables: dict[str, object] = {random.choice(("PORT", "QUEUE", "VLAN2", "VLAN10")): rows}
    if random.random() < 0.02:
        tables["PORT"] = random.choice((1, "text", {}, {"Ethernet0": 1}, {"Ethernet0": {"mtu": {"a": "b"}}}))
    return json.dumps(tables, indent=random.choice((None, None, 4)), ensure_ascii=random.random() < 0.5)


def some_fields(random: Random) -> dict[str, object]:
    """A row, of which most values are as others have them, so that rows can be joined."""
    names = random.sample(FIELDS, random.randrange(3))
    at = random.random() < 0.1
    return {name: random.choice(VALUES) if at else VALUES[FIELDS.index(name)] for name in names}


def outcome(text: str) -> str:
    """What the slow way makes of a text, or why it does not."""
    try:
        return any_document(text)
    except SectionError as fault:
        return str(fault)


def test_the_quick_way_says_what_the_slow_one_says() -> None:
    random, quick = Random(11), 0  # noqa: S311 - the same ones each time
    for _ in range(3000):
        parts = [an_object(random) for _ in range(random.randrange(6))]
        if random.random() < 0.3:
            parts.insert(random.randrange(len(parts) + 1), '// a remark {"PORT": {}}')
        text = random.choice(("\n", "\n", "\n", "\n\n", " ")).join(parts)
        try:
            found = tables_document(text)
        except UnusualError:
            continue
        assert found == outcome(text), text
        quick += 1
    assert quick > 1500


@pytest.mark.parametrize(
    "text",
    [
        '{"A": {"x": {"y": "1", "y": "1"}}}',
        '{"A": {"x": {}, "x": {}}}',
        '{"A": {}, "A": {}}',
        '{"A": {"x": {"y": "1"}}}\n{"A": {"x": {"y": "2"}}}',
        '{"A": {"x": {"y": 1}}}',
        '{"A": {"x": {"y": true}}}',
        '{"A": {"x": {"y": null}}}',
        '{"A": {"x": {"y": [1]}}}',
        '{"A": {"x": {"y": {"z": "1"}}}}',
        '{"A": {"x": ["yz"]}}',
        '{"A": [["x", {}]]}',
        '{"A": ["xy"]}',
        '[["A", {"x": {}}]]',
        '{"A": {"x": {}}} {"A": {"z": {}}}',
        '{"A": {"x": [{}\n{}]}}',
        '{"A": {"x": {}}},{"A": {"z": {}}}',
        '{"A": {"x": {}}}]\n[{"A": {}}',
        '{"A": ',
    ],
)
def test_what_is_unusual_is_left_to_the_slow_way(text: str) -> None:
    with pytest.raises(UnusualError):
        tables_document(text)


def test_a_remark_may_stand_in_an_object() -> None:
    text = '{"A": {"x":\n// a remark\n{}}}'
    assert tables_document(text) == any_document(text)


def test_keys_of_a_port_are_in_the_order_of_all() -> None:
    random = Random(3)  # noqa: S311 - the same ones each time
    behind = ("", "|", "|9.0.0.0/8", "|10.0.0.0/31", "|fd00::1/127", "|:1", "|a")
    for _ in range(500):
        keys = [f"{port}{rest}" for port in ("Ethernet8", "Ethernet16", "Vlan2") for rest in random.sample(behind, 3)]
        random.shuffle(keys)
        text = "\n".join(json.dumps({"INTERFACE": {key: {}}}) for key in keys)
        assert tables_document(text) == any_document(text)


def test_a_table_without_a_name_is_one_like_others() -> None:
    text = '{"": {"x": {}}}\n{"B": {"y": {}}}'
    assert tables_document(text) == any_document(text)


def test_a_key_of_several_ports_is_a_row_for_each() -> None:
    text = (
        '{"QUEUE": {"Ethernet8,Ethernet16|3": {"scheduler": "s"}}}\n{"QUEUE": {"Ethernet16|3": {"wred_profile": "w"}}}'
    )
    document = {"QUEUE": {"Ethernet8|3": {"scheduler": "s"}, "Ethernet16|3": {"scheduler": "s", "wred_profile": "w"}}}
    assert json.loads(tables_document(text)) == json.loads(any_document(text)) == document
    with pytest.raises(SectionError, match=r"/QUEUE/Ethernet8\|3/scheduler is 's' and 't'"):
        one_document(
            text.replace("Ethernet16|3", "Ethernet8|3").replace("wred_profile", "scheduler").replace('"w"', '"t"')
        )


def test_what_is_kept_of_one_switch_does_not_change_by_the_next() -> None:
    one, two = '{"A": {"x": {"y": "1"}}}', '{"A": {"x": {"z": "2"}}}'
    first = one_document(one)
    assert json.loads(one_document(f"{one}\n{two}")) == {"A": {"x": {"y": "1", "z": "2"}}}
    assert one_document(one) == first
