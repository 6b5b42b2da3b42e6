"""The two CSV files: what they say, and every fault with its file, line and column."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.errors import FabricError, Problem, Source
from fabricgen.plan import csv_cables, csv_placement, csv_table
from fabricgen.plan.csv_table import CsvRow, Table, read_table, rows
from fabricgen.plan.exceptions import AsBuilt, Exceptions, PlacedServer, PortKey, SlotKey
from fabricgen.plan.inputs import resolve_inputs
from tests.plan_inputs.sites import demo, demo_plan

KINDS = ("dac", "acc", "dr4", "sr8")


def table(text: str | bytes, module: object) -> Table:
    octets = text if isinstance(text, bytes) else text.encode()
    if module is csv_placement:
        return read_table(octets, "p.csv", csv_placement.COLUMNS, csv_placement.REQUIRED)
    return read_table(octets, "c.csv", csv_cables.COLUMNS, csv_cables.REQUIRED)


def resolved(placement: str = "", cables: str = "", **keys: object) -> Exceptions:
    return resolve_inputs(
        demo(**keys),
        demo_plan().fabrics,
        table(placement, csv_placement) if placement else None,
        table(cables, csv_cables) if cables else None,
        KINDS,
    )


def problems_of(placement: str = "", cables: str = "") -> tuple[Problem, ...]:
    with pytest.raises(FabricError) as caught:
        resolved(placement, cables)
    assert all(problem.at and problem.what and problem.why and problem.fix for problem in caught.value.problems)
    return caught.value.problems


def place(problem: Problem) -> tuple[str, int, int]:
    assert problem.at is not None
    return problem.at.file, problem.at.line, problem.at.column


PLACEMENT = """\
slot,hostname,rack,ru,serial,mac,state
train[0],gpu-a01,A 01,17-24,SN0001,B8-CE-F6-00-00-17,
train[1],"gpu-a02",A 01,1,SN0002,b8:ce:f6:00:00:18,drained

train[191],gpu-z99,"Z,9",,,,absent
"""


def test_a_placement_file() -> None:
    found = resolved(PLACEMENT.replace('"Z,9"', "Z9"))
    assert found.servers == {
        SlotKey("train", 0): PlacedServer(
            hostname="gpu-a01", rack="A 01", unit="17-24", serial="SN0001", mac="b8:ce:f6:00:00:17"
        ),
        SlotKey("train", 1): PlacedServer(
            hostname="gpu-a02", rack="A 01", unit="1", serial="SN0002", mac="b8:ce:f6:00:00:18"
        ),
        SlotKey("train", 191): PlacedServer(hostname="gpu-z99", rack="Z9", unit="", serial="", mac=""),
    }
    assert found.slots == {SlotKey("train", 1): "drained", SlotKey("train", 191): "absent"}


def test_the_intent_wins_over_the_placement_file() -> None:
    found = resolved(
        PLACEMENT.replace('"Z,9"', "Z9"),
        overrides={"train[1]": {"state": "dead"}, "train[191]": {"state": "active"}},
    )
    assert found.slots == {SlotKey("train", 1): "dead"}


def test_windows_text_and_columns_in_another_order() -> None:
    found = resolved("\ufeffhostname,slot\r\ngpu-1,train[3]\r\n")
    assert {key: server.hostname for key, server in found.servers.items()} == {SlotKey("train", 3): "gpu-1"}


HEAD = "slot,hostname,rack,ru,serial,mac,state\n"


@pytest.mark.parametrize(
    ("line", "code", "what", "fix", "column"),
    [
        ("train[x],a,,,,,", "bad-slot", "invalid slot 'train[x]'", "write e.g. train[17]", 1),
        ("train[0-3],a,,,,,", "bad-slot", "invalid slot 'train[0-3]'", "write e.g. train[17]", 1),
        (",a,,,,,", "bad-slot", "invalid slot ''", "write e.g. train[17]", 1),
        ("trian[3],a,,,,,", "unknown-name", "trian is not a server group that a fabric connects",
         "did you mean train?", 1),
        ("train[192],a,,,,,", "slot-not-planned", "train[192] is not planned; train has slots 0-191",
         "name a slot up to 191, or write servers.train.planned: 193 if the fabrics have enough ports", 1),
        ("train[3],gpu_3,,,,,", "bad-hostname", "invalid hostname 'gpu_3'", "write e.g. gpu-017", 10),
        ("train[3],-gpu,,,,,", "bad-hostname", "invalid hostname '-gpu'", "write e.g. gpu-017", 10),
        ("train[3],gpu.dc1,,,,,", "bad-hostname", "invalid hostname 'gpu.dc1'", "write e.g. gpu-017", 10),
        ("train[3],../gpu,,,,,", "bad-hostname", "invalid hostname '../gpu'", "write e.g. gpu-017", 10),
        (f"train[3],{'a' * 64},,,,,", "bad-hostname", f"invalid hostname '{'a' * 64}'", "write e.g. gpu-017", 10),
        ("train[3],gpüx,,,,,", "bad-hostname", "invalid hostname 'gpüx'", "write e.g. gpu-017", 10),
        ('"train[3]","a,b",,,,,', "bad-hostname", "invalid hostname 'a,b'", "write e.g. gpu-017", 12),
        ("train[3],a,!no,,,,", "bad-rack", "invalid rack '!no'", "write e.g. A07", 12),
        ("train[3],a,r,0,,,", "bad-ru", "invalid ru '0'", "write e.g. 17-24", 14),
        ("train[3],a,r,1.5,,,", "bad-ru", "invalid ru '1.5'", "write e.g. 17-24", 14),
        ("train[3],a,r,1,a b,,", "bad-serial", "invalid serial 'a b'", "write e.g. FR1234A5678", 16),
        ("train[3],a,r,1,s,b8:ce:f6:00:00,", "bad-mac", "invalid mac 'b8:ce:f6:00:00'",
         "write e.g. b8:ce:f6:00:00:17", 18),
        ("train[3],a,r,1,s,b9:ce:f6:00:00:17,", "bad-mac", "invalid mac 'b9:ce:f6:00:00:17'",
         "write e.g. b8:ce:f6:00:00:17", 18),
        ("train[3],a,r,1,s,,gone", "bad-state", "invalid state 'gone'", "write e.g. absent", 19),
        ("train[3],be-leaf-001,,,,,", "hostname-taken", "hostname be-leaf-001 is the name of a switch",
         "write another hostname", 10),
        ("train[3],BE-LEAF-001,,,,,", "hostname-taken", "hostname BE-LEAF-001 is the name of a switch",
         "write another hostname", 10),
        ("train[3],Train-007,,,,,", "hostname-taken",
         "hostname Train-007 is the name of train[7], which has no hostname in the file", "write another hostname", 10),
        ("train[3],train-007,,,,,", "hostname-taken",
         "hostname train-007 is the name of train[7], which has no hostname in the file", "write another hostname", 10),
        ("train[3],a", "csv-cells", "line 2 has 2 cells",
         "write a comma for each empty cell, and quotes around a cell with a comma in it", 1),
        ("train[3],a,,,,,,", "csv-cells", "line 2 has 8 cells",
         "write a comma for each empty cell, and quotes around a cell with a comma in it", 1),
        ('train[3],"a,,,,,', "csv-syntax", "line 2 is not valid CSV", "close the quotes, or remove them", 10),
    ],
)  # fmt: skip
def test_a_refused_line_of_the_placement_file(line: str, code: str, what: str, fix: str, column: int) -> None:
    (problem,) = problems_of(HEAD + line + "\n")
    assert (problem.code, problem.what, problem.fix) == (code, what, fix)
    assert place(problem) == ("p.csv", 2, column)


@pytest.mark.parametrize(
    ("line", "code", "what", "column"),
    [
        ("train[3],b,,,S2,b8:ce:f6:00:00:19,", "slot-twice", "slot train[3] is already on line 2", 1),
        ("train[4],GPU-1,,,S2,b8:ce:f6:00:00:19,", "hostname-twice", "hostname GPU-1 is already on line 2", 10),
        ("train[4],b,,,S1,b8:ce:f6:00:00:19,", "serial-twice", "serial S1 is already on line 2", 14),
        ("train[4],b,,,S2,B8-CE-F6-00-00-18,", "mac-twice", "mac B8-CE-F6-00-00-18 is already on line 2", 17),
    ],
)
def test_what_two_lines_have_is_refused(line: str, code: str, what: str, column: int) -> None:
    (problem,) = problems_of(HEAD + "train[3],gpu-1,,,S1,b8:ce:f6:00:00:18,\n" + line)
    assert (problem.code, problem.what, *place(problem)) == (code, what, "p.csv", 3, column)


def test_a_default_name_is_free_where_its_slot_has_another_or_is_the_same() -> None:
    found = resolved("slot,hostname\ntrain[3],train-007\ntrain[7],other\ntrain[8],train-008\n")
    assert len(found.servers) == 3


CABLES = """\
device,port,length_m,kind
be-leaf-000,Ethernet1/1,2.5,dac
be-spine-00,Ethernet1/1,38,
train-001,OSFP4P2,3,
"""


def test_a_cable_file() -> None:
    assert resolved(cables=CABLES).cables == {
        PortKey("be-leaf-000", "Ethernet1/1"): AsBuilt(length_m=2.5, medium="dac"),
        PortKey("be-spine-00", "Ethernet1/1"): AsBuilt(length_m=38, medium=""),
        PortKey("train-001", "OSFP4P2"): AsBuilt(length_m=3, medium=""),
    }


def test_a_cable_names_a_server_as_the_placement_file_does() -> None:
    placement, cables = "slot,hostname\ntrain[1],gpu-1\n", "device,port,length_m\ngpu-1,OSFP4P2,3\n"
    assert list(resolved(placement, cables).cables) == [PortKey("gpu-1", "OSFP4P2")]
    (problem,) = problems_of(placement, "device,port,length_m\ntrain-001,OSFP4P2,3\n")
    assert problem.what == "unknown switch or server train-001"


@pytest.mark.parametrize(
    ("line", "code", "what", "fix", "column"),
    [
        ("be-leaf-903,Ethernet1/1,3,", "unknown-name", "unknown switch or server be-leaf-903",
         "did you mean be-leaf-003?", 1),
        ("be-leaf-000,Ethrnet1/1,3,", "unknown-port", "be-leaf-000 has no port Ethrnet1/1 in this plan",
         "did you mean Ethernet1/1?", 13),
        ("train-001,OSFP9P9,3,", "unknown-port", "train-001 has no NIC port OSFP9P9", "did you mean OSFP4P2?", 11),
        ("be-leaf-000,Ethernet1/1,0,", "bad-length", "invalid length_m '0'", "write e.g. 3 or 2.5", 25),
        ("be-leaf-000,Ethernet1/1,-3,", "bad-length", "invalid length_m '-3'", "write e.g. 3 or 2.5", 25),
        ("be-leaf-000,Ethernet1/1,nan,", "bad-length", "invalid length_m 'nan'", "write e.g. 3 or 2.5", 25),
        ("be-leaf-000,Ethernet1/1,1e3,", "bad-length", "invalid length_m '1e3'", "write e.g. 3 or 2.5", 25),
        ("be-leaf-000,Ethernet1/1,100001,", "bad-length", "invalid length_m '100001'", "write e.g. 3 or 2.5", 25),
        ("be-leaf-000,Ethernet1/1,,", "bad-length", "invalid length_m ''", "write e.g. 3 or 2.5", 25),
        ("be-leaf-000,Ethernet1/1,3,dca", "unknown-name", "unknown kind of cable dca", "did you mean dac?", 27),
    ],
)  # fmt: skip
def test_a_refused_line_of_the_cable_file(line: str, code: str, what: str, fix: str, column: int) -> None:
    (problem,) = problems_of(cables=f"device,port,length_m,kind\n{line}\n")
    assert (problem.code, problem.what) == (code, what)
    assert place(problem) == ("c.csv", 2, column)
    if code != "unknown-port" or "NIC" not in what:
        assert problem.fix == fix


@pytest.mark.parametrize(
    "second",
    ["be-leaf-000,Ethernet33/1,4", "be-spine-00,Ethernet1/1,3"],
)
def test_a_cable_has_one_line_by_either_end(second: str) -> None:
    (problem,) = problems_of(cables=f"device,port,length_m\nbe-leaf-000,Ethernet33/1,3\n{second}\n")
    assert problem.code == "cable-twice"
    assert problem.what == f"the cable of {second.replace(',', ' ').rpartition(' ')[0]} is already on line 2"
    assert place(problem)[1] == 3


def test_a_cable_of_a_server_has_one_line_by_either_end() -> None:
    (problem,) = problems_of(cables="device,port,length_m\ntrain-000,OSFP4P2,3\nbe-leaf-000,Ethernet1/1,3\n")
    assert problem.what == "the cable of be-leaf-000 Ethernet1/1 is already on line 2"


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("", "csv-header", 1, 1),
        ("train[0],a\n", "csv-header", 1, 1),
        ("slot,hostnme\n", "csv-column", 1, 6),
        ("slot,hostname,slot\n", "csv-column", 1, 15),
        ("hostname,rack\n", "csv-column", 1, 1),
        ("slot,hostname\ntrain[0],a\tb\n", "csv-control-character", 2, 11),
        ("slot,hostname\ntrain[0],a\x07b\n", "csv-control-character", 2, 11),
        ("slot,hostname\ntrain[0],a\u2028b\n", "csv-control-character", 2, 11),
        ("slot,hostname\ntrain[0],a\u200bb\n", "csv-control-character", 2, 11),
        (b"slot,hostname\ntrain[0],\xff\n", "file-encoding", 2, 10),
        ("slot,hostname\n" + "a" * 2001, "csv-line-too-long", 2, 1),
        ("slot\n" + "\n" * 400_000, "csv-too-long", 1, 1),
        (b"s" * (csv_table.MAX_OCTETS + 1), "file-too-large", 1, 1),
    ],
    ids=["empty", "no-header", "unknown", "twice", "missing", "tab", "bell", "separator", "unseen", "latin",
         "long-line", "lines", "octets"],
)  # fmt: skip
def test_a_refused_file(text: str | bytes, code: str, line: int, column: int) -> None:
    with pytest.raises(FabricError) as caught:
        table(text, csv_placement)
    (problem,) = caught.value.problems
    assert (problem.code, problem.at) == (code, Source(file="p.csv", line=line, column=column))


def test_a_line_end_in_quotes_starts_no_line_of_a_configuration() -> None:
    problems = problems_of('slot,hostname\ntrain[0],"a\nno router bgp"\n')
    assert [problem.code for problem in problems] == ["csv-syntax", "csv-syntax"]


def test_problems_of_one_file_end_at_fifty() -> None:
    assert len(problems_of("slot\n" + "x\n" * 10_000)) == 50


@given(st.lists(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=8), min_size=2, max_size=6))
def test_quoted_cells_come_back_with_their_columns(cells: list[str]) -> None:
    line = ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)
    names = tuple(f"c{number}" for number in range(len(cells)))
    (row,) = rows(read_table(f"{','.join(names)}\n{line}\n".encode(), "x.csv", names, names))
    assert isinstance(row, CsvRow)
    for number, name in enumerate(names):
        assert row.cell(name) == cells[number].strip(" ")
        assert line[row.at(name).column - 1 :].startswith('"' + cells[number].replace('"', '""') + '"')


@given(st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_the_order_of_columns_and_lines_means_nothing(order: random.Random) -> None:
    lines = [["train[0]", "gpu-0", "drained"], ["train[1]", "gpu-1", ""], ["store[2]", "disk-2", "absent"]]
    columns = [0, 1, 2]
    order.shuffle(columns)
    names = ("slot", "hostname", "state")
    straight = ["slot,hostname,state", *(",".join(line) for line in lines)]
    order.shuffle(lines)
    mixed = [",".join(names[at] for at in columns), *(",".join(line[at] for at in columns) for line in lines)]
    assert resolved("\n".join(mixed)) == resolved("\n".join(straight))
