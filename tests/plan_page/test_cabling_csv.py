"""Lines of the cabling plan against the library of Python, whatever the names in them are made of."""

import csv
from io import StringIO

from hypothesis import example, given
from hypothesis import strategies as st

from fabricgen.plan.cable import Cable, CableEnd
from fabricgen.plan.cabling import COLUMNS, csv_lines, safe_cell

WORDS = st.text(st.sampled_from("ab-=+@\t\r\n\0\"', "), max_size=3)
ENDS = st.builds(
    CableEnd,
    device=WORDS,
    port=WORDS,
    cage=WORDS,
    part=st.integers(0, 1),
    parts=st.integers(1, 2),
    connector=st.just("osfp"),
    module=WORDS,
    first=st.booleans(),
)
CABLES = st.builds(
    Cable,
    fabric=WORDS,
    kind=st.sampled_from(["server-leaf", "leaf-spine"]),
    near=ENDS,
    far=ENDS,
    speed_gbps=st.sampled_from([200, 400]),
    length_m=st.sampled_from([0.5, 5, 40.0, 120.25]),
    medium=st.sampled_from(["", "dac", "optic"]),
    span_m=st.just(40),
    named=st.just(""),
    state=st.sampled_from(["active", "drained"]),
)
PLAIN = CableEnd("train-001", "nic0", "1", 1, 2, "osfp", "sr4", first=True)


def cable(fabric: str, near: CableEnd = PLAIN, far: CableEnd = PLAIN, length_m: float = 5) -> Cable:
    return Cable(fabric, "leaf-spine", near, far, 400, length_m, "optic", 5, "", "active")


def cells(one: Cable) -> list[str]:
    """Cells of one cable by the names of the columns, as a spreadsheet takes none for a formula."""
    values = {"fabric": one.fabric, "kind": one.kind, "speed_gbps": str(one.speed_gbps), "state": one.state}
    values |= {"length_m": f"{one.length_m:g}", "medium": one.medium or "none fits"}
    for side, end in (("a", one.near), ("b", one.far)):
        part = f"{end.part + 1} of {end.parts}x{one.speed_gbps}G" if end.parts > 1 else ""
        named = {"device": end.device, "port": end.port, "cage": end.cage, "part": part, "module": end.module}
        values |= {f"{side}_{key}": value for key, value in named.items()}
    return [safe_cell(values[column]) for column in COLUMNS]


@given(st.lists(CABLES, max_size=4))
@example([cable("-a")])
@example([cable("a"), cable("-a")])
@example([cable("a", far=PLAIN._replace(module="-a"))])
@example([cable("a", near=PLAIN._replace(device="\nb"))])
@example(
    [cable("a", length_m=5), cable("a", length_m=7.5), cable("a", PLAIN._replace(part=0), PLAIN._replace(parts=1))]
)
def test_each_line_is_what_the_library_writes(cables: list[Cable]) -> None:
    expected = StringIO()
    csv.writer(expected, lineterminator="\n").writerows([cells(one) for one in cables])
    assert csv_lines(tuple(cables)) == expected.getvalue()
