"""Values that are held packed: they come back as they were, in their order, as often as they are asked for."""

import pytest

from fabricgen.base.packed import AT_ONCE, Packed


@pytest.mark.parametrize("count", [0, 1, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE + 5])
def test_values_come_back_in_order_and_again(count: int) -> None:
    values = [(f"be-leaf-{number:03}", number) for number in range(count)]
    packed = Packed(values)
    assert list(packed) == values
    assert list(packed) == values
    packed.add(("one", -1))
    assert list(packed) == [*values, ("one", -1)]


def test_what_is_alike_takes_little() -> None:
    """Blocks are octets, and far fewer of them than of the texts."""
    text = "description be-spine-{} Ethernet1/1\n" * 20
    packed = Packed(text.format(*range(number, number + 20)) for number in range(4 * AT_ONCE))
    blocks: list[bytes] = packed._blocks
    assert len(blocks) == 4
    assert sum(map(len, blocks)) < len(text) * 4 * AT_ONCE / 20
