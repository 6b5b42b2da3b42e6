"""Every kind of command that a switch is told is missed by some judge when it is not there."""

from collections.abc import Iterator

import pytest

from tests.cumulus import commands, oracle, references, roce, told
from tests.cumulus.fleet import NAMES, sample
from tests.cumulus.reading import leaves, tree, with_path
from tests.some import POINTS


def complaints(text: str, name: str) -> Iterator[str]:
    """What all judges that read text say to a file of a sample's switch. One that misses its word has said enough."""
    device = sample(name).device
    try:
        yield from told.differences(text, device)
        yield from commands.faults(text)
        yield from references.dangling(text)
        yield from roce.broken(text)
        yield from roce.compare(text, device) if device.qos else ()
        yield from oracle.unlike(text, name)
    except KeyError as fault:
        yield f"{fault} is missing"


def _kinds() -> dict[commands.Command, tuple[str, tuple[str, ...]]]:
    """Command → the shortest sample that has it, and where."""
    found: dict[commands.Command, tuple[str, tuple[str, ...]]] = {}
    for name in sorted(NAMES, key=lambda name: len(sample(name).text)):
        for path, value in leaves(tree(sample(name).text)):
            command = commands.command_of(path, value)
            assert command is not None
            found.setdefault(command, (name, path))
    return found


@POINTS
def test_a_command_that_is_missing_is_missed(stride: int) -> None:
    kinds = _kinds()
    assert len(kinds) > 190
    some = [*kinds.values()][::stride]
    unseen = [path for name, path in some if not any(complaints(with_path(sample(name).text, path, None), name))]
    assert unseen == []


@pytest.mark.parametrize("name", ["site fe-leaf-002", "tower be-leaf-000"])
def test_a_whole_file_is_not_complained_of(name: str) -> None:
    assert [*complaints(sample(name).text, name)] == []
