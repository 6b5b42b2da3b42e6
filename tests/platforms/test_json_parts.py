"""The quick way to a JSON document says what the slow one says, byte for byte, or nothing."""

import json
from collections.abc import Sequence
from random import Random

import pytest

from fabricgen.platforms.json_alike import rows_alike
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
        '{"A": {"x": {}}}\n{"A" : {"z": {}}}',
        '{"A:b": {"x": {}}}\n{"A:c": {"x": {}}}',
        '{"A": {"x": {}}, "B": {"y": {}}}',
        "{}",
        '["A": {"x": {}}}',
        '{"A": {"x": {}}]',
        '{"A": {}}, 5, {"A": {"x": [{}\n{"A": "y"}\n{"A": "z"}]}}',
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


def test_a_row_of_several_ports_in_pieces_stays_one_of_each() -> None:
    rows = ('"Ethernet8,Ethernet16": {"a": "1"}', '"Ethernet8,Ethernet16": {"b": "1"}', '"Ethernet16": {"c": "1"}')
    text = "\n".join(f'{{"PORT": {{{row}}}}}' for row in rows)
    assert tables_document(text) == any_document(text)


def test_what_is_kept_of_one_switch_does_not_change_by_the_next() -> None:
    one, two = '{"A": {"x": {"y": "1"}}}', '{"A": {"x": {"z": "2"}}}'
    first = one_document(one)
    assert json.loads(one_document(f"{one}\n{two}")) == {"A": {"x": {"y": "1", "z": "2"}}}
    assert one_document(one) == first


def a_loop(random: Random) -> list[str]:
    """Objects as a loop writes them: other texts in one shape; in most, some are not as the others."""
    names = random.sample(FIELDS[:6], random.randrange(1, 5))
    if random.random() < 0.5:
        names.sort()
    colon, indent = random.choice((":", ": ", " : ")), random.choice((None, 4))
    plain = [value for value in VALUES if not (set(str(value)) & set('"\\'))]
    kinds = [random.choice(plain) for _ in names]
    parts = []
    for number in random.sample(range(400), 70):
        texts = [["a", f"{number}"] if type(kind) is list else f"{kind}{number % 7}" for kind in kinds]
        key = random.choice((f"Ethernet{number}", f"default|10.0.{number % 3}.{number}", f"fd00::{number:x}"))
        row = {"PORT": {key: dict(zip(names, texts, strict=True))}}
        parts.append(json.dumps(row, indent=indent, separators=(",", colon), ensure_ascii=False))
    return parts


def spoilt(random: Random, parts: list[str]) -> list[str]:
    """The same with a few objects that are not like the others."""
    parts = [*parts]
    odd = (
        lambda found: found.replace("Ethernet", "Ethernet2,Ethernet", 1),
        lambda found: found.replace("Ethernet", r"\u0045thernet", 1),
        lambda found: found.replace("fd00", 'f"d', 1),
        lambda found: found.replace("PORT", "PORX", 1),
        lambda found: found.replace("9100", r"9\"100", 1),
        lambda found: found.replace("mtu", "mty", 1),
        lambda found: found.replace("{", "{ ", 1),
        lambda found: found[:-1] + ', "VLAN2": {}}',
        lambda found: found.replace("}", ', "x": "y"}', 1),
        lambda _: random.choice(parts),
        lambda _: an_object(random),
        lambda _: "// a remark",
    )
    for _ in range(random.randrange(3)):
        at = random.randrange(len(parts))
        parts[at] = random.choice(odd)(parts[at])
    return parts


def test_what_a_loop_writes_is_read_as_the_slow_way_reads_it() -> None:
    random, quick, alike = Random(5), 0, 0  # noqa: S311 - the same ones each time
    for _ in range(400):
        parts = spoilt(random, a_loop(random))
        try:
            found = tables_document("\n".join(parts))
        except UnusualError:
            continue
        assert found == outcome("\n".join(parts)), parts
        quick += 1
        alike += rows_alike([part[1:-1] for part in parts], rows_of) is not None
    assert quick > 250
    assert alike > 80


def rows_of(parts: Sequence[str]) -> tuple[str, str]:
    """Name and rows of a table of one object, read by the slow way."""
    document = any_document(f"{{{parts[0]}}}")
    return json.loads(f"[{document.partition(':')[0].strip('{} ')}]")[0], "\n".join(document.split("\n")[2:-3])


@pytest.mark.parametrize(
    "part",
    [
        '"A": {"x": {"y": "1"}, "z": {"y": "1"}}',
        '"A": {"x": {}}',
        '"A": {}',
        '"A": {"x": {"y": "\\u0031"}}',
        '"A": {"x": {"\x7f0": "1"}}',
        '"A": {"x,y": {"y": "1"}}',
    ],
)
def test_what_is_no_row_of_plain_texts_is_not_searched(part: str) -> None:
    assert rows_alike([part], rows_of) is None


@pytest.mark.parametrize("at", [1, 3], ids=["among them", "the last"])
@pytest.mark.parametrize(
    "odd",
    [
        '"A": {"x9": {"y": "a\nb"}}',
        '"A": {"x9": {"y": "a\tb"}}',
        '"A": {"x9": {"y": "\\u0031"}}',
        '"A": {"x9": {"y": "9"}, 7: 1}',
        ' "A": {"x9": {"y": "9"}}',
        '"A": {"x9": {"y":  "9"}}',
        '"A": {"x9": {"z": "9"}}',
        '"A": {"x9,x8": {"y": "9"}}',
        '"A": {"x1": {"y": "9", "z": "9"}}',
        '"A": {"x0": {"y": "9"}}',
    ],
)
def test_one_that_is_not_like_the_others_is_left_to_the_slow_way(odd: str, at: int) -> None:
    parts = [f'"A": {{"x{number}": {{"y": "{number}"}}}}' for number in range(4)]
    assert rows_alike(parts, rows_of) is not None
    parts[at] = odd
    assert rows_alike(parts, rows_of) is None


def test_rows_of_one_shape_are_read_at_once() -> None:
    parts = [f'"A": {{"x{number}": {{"y": "{number}%", "b%s": ["{number}"]}}}}' for number in range(3)]
    found = rows_alike(parts, rows_of)
    assert found is not None
    assert found[0] == "A"
    assert found[1] == {f"x{number}": rows_of([part])[1] for number, part in enumerate(parts)}
    assert rows_alike([*parts, parts[0]], rows_of) is None
    assert rows_alike([*parts, parts[0].replace("x", 'x\\"')], rows_of) is None


@pytest.mark.parametrize("row", ['"a" : "1", "b": "2"', '"b": "\\\\", "z": "1"', '"z": "1", "b": ["\\u0031"]'])
def test_a_loop_may_write_json_as_it_likes(row: str) -> None:
    text = "\n".join(f'{{"A": {{"x{number}": {{{row}}}}}}}' for number in range(70))
    assert tables_document(text) == any_document(text)
