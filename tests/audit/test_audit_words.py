"""Numbers of a tuple in words: each that differs, and never a line that names none. Places that have the culprit."""

import pytest

from fabricgen.audit.switch import Finding
from fabricgen.audit.words import finding_text, place_text
from fabricgen.readback.compare import Difference, DifferenceKind


@pytest.mark.parametrize(
    ("setting", "planned", "read", "words"),
    [
        ("queues", (3, 95, 0, 6, 0, 10), (3, 50, 0, 6, 0, 10), "queue 3: bandwidth is 50 %, planned 95 %"),
        (
            "ecn",
            (3, 256_000, 512_000, 100),
            (),
            "ecn is missing, planned queue 3: ECN minimum 256,000 bytes, ECN maximum 512,000 bytes, "
            "ECN probability 100 %",
        ),
        ("class-queues", (1, 2), (1, 3, 1, 2), "class-queues is 1 3 1 2, planned 1 2"),
        ("watchdog", (-1, -1, -1), (), "watchdog is missing, planned the system's default"),
        ("watchdog", (200, 400, 100), (200, 400), "watchdog is 200 400, planned 200 400 100"),
    ],
)
def test_a_tuple_is_said_by_what_differs(
    setting: str, planned: tuple[int, ...], read: tuple[int, ...], words: str
) -> None:
    row = Difference(DifferenceKind.DIFFERENT, "port", "Ethernet1/1", setting, planned, read, "startup-config", 7)
    assert finding_text(Finding(row, ("Ethernet1/1",))).endswith(f": {words}")


@pytest.mark.parametrize(
    ("kind", "line", "near", "place"),
    [
        (DifferenceKind.DIFFERENT, 829, (26, 36, 38, 39, 41, 829), "f:829"),
        (DifferenceKind.DIFFERENT, 39, (36, 38, 39, 41), "f:36,38-39,41"),
        (DifferenceKind.MISSING, 26, (26, 36, 38, 39, 41, 829), "f:26,36,38-39,41,..."),
        (DifferenceKind.DIFFERENT, 0, (), "f"),
        (DifferenceKind.MISSING, 0, (24, 30), "f"),
    ],
)
def test_a_place_names_the_line_and_no_line_0(
    kind: DifferenceKind, line: int, near: tuple[int, ...], place: str
) -> None:
    row = Difference(kind, "port", "Ethernet1/1", "enabled", True, False, "f", line, near)
    assert place_text(Finding(row, ("Ethernet1/1",))) == place
