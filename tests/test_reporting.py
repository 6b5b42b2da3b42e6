"""Problems are written as people and editors read them: position, excerpt, caret, why, fix."""

import json

import pytest

from fabricgen.errors import Problem, Source
from fabricgen.source.document import load_document
from fabricgen.source.report import as_json, report

INTENT = load_document("fabric:\n  mtu: 9000\n  links: [a, b]\nhosts:\n  mtu: 9000\n", "inventories/dc1/fabric.yml")
LOCK = load_document("lock: 1\nids: []\n", "fabricgen.lock")


def problem(
    code: str = "vxlan-mtu", what: str = "it drops", *, where: tuple[str | int, ...] = (), at: Source | None = None
) -> Problem:
    return Problem(code=code, what=what, why="because", fix="mend it", where=where, at=at)


def test_the_format() -> None:
    found = Problem(
        code="vxlan-mtu",
        what="fabric MTU 9000 drops full-size host packets",
        where=("fabric", "mtu"),
        why="host MTU 9000 + VXLAN overhead 50 = 9050 octets",
        fix="set fabric.mtu to 9050 or more, or hosts.mtu to 8950 or less",
    )
    assert (
        report([found], INTENT)
        == """\
inventories/dc1/fabric.yml:2:8: error[vxlan-mtu]: fabric MTU 9000 drops full-size host packets
  2 |   mtu: 9000
    |        ^
  why: host MTU 9000 + VXLAN overhead 50 = 9050 octets
  fix: set fabric.mtu to 9050 or more, or hosts.mtu to 8950 or less
"""
    )


def test_no_problem_is_no_text() -> None:
    assert report([], INTENT) == ""
    assert as_json([], INTENT) == []


def test_sorted_by_position_and_the_unplaced_last() -> None:
    found = [
        problem("g"),
        problem("f", where=("hosts", "mtu")),
        problem("e", where=("fabric", "links", 1)),
        problem("d", where=("fabric", "links", 0)),
        problem("c", at=Source(file="fabricgen.lock", line=10, column=1)),
        problem("b", at=Source(file="fabricgen.lock", line=2, column=6)),
        problem("a2", where=("fabric", "mtu")),
        problem("a1", where=("fabric", "mtu")),
    ]
    heads = [line for line in report(found, INTENT, LOCK).splitlines() if "error[" in line]
    assert [head.rpartition(": ")[0] for head in heads] == [
        "fabricgen.lock:2:6: error[b]",
        "fabricgen.lock:10:1: error[c]",
        "inventories/dc1/fabric.yml:2:8: error[a1]",
        "inventories/dc1/fabric.yml:2:8: error[a2]",
        "inventories/dc1/fabric.yml:3:11: error[d]",
        "inventories/dc1/fabric.yml:3:14: error[e]",
        "inventories/dc1/fabric.yml:5:8: error[f]",
        "error[g]",
    ]
    assert [value["code"] for value in as_json(found, INTENT, LOCK)] == ["b", "c", "a1", "a2", "d", "e", "f", "g"]


def test_a_position_of_its_own_goes_before_the_path() -> None:
    text = report([problem(where=("fabric", "mtu"), at=Source(file="fabricgen.lock", line=2, column=6))], INTENT, LOCK)
    assert text.splitlines()[:3] == ["fabricgen.lock:2:6: error[vxlan-mtu]: it drops", "  2 | ids: []", "    |      ^"]


@pytest.mark.parametrize(
    ("found", "documents"),
    [
        (problem(at=Source(file="unread.csv", line=1, column=1)), (INTENT,)),
        (problem(at=Source(file="fabricgen.lock", line=99, column=1)), (INTENT, LOCK)),
        (problem(where=("fabric", "mtu")), ()),
        (problem(), (INTENT,)),
    ],
)
def test_without_a_line_there_is_no_excerpt(found: Problem, documents: tuple[()]) -> None:
    lines = report([found], *documents).splitlines()
    assert len(lines) == 3
    assert lines[1:] == ["  why: because", "  fix: mend it"]


def test_a_long_line_is_cut_around_the_caret() -> None:
    document = load_document(f"key: [{'x' * 300}, here, {'y' * 300}]", "f")
    lines = report([problem(where=("key", 1))], document).splitlines()
    assert len(lines[1]) <= 110
    assert lines[1][lines[2].index("^") :].startswith("here,")


def test_the_caret_stands_below_tabs_and_at_the_end_of_a_line() -> None:
    document = load_document("key:\t\tvalue", "f")
    lines = report([problem(where=("key",))], document).splitlines()
    assert lines[1:3] == ["  1 | key:  value", "    |       ^"]
    lines = report([problem(at=Source(file="f", line=1, column=99))], document).splitlines()
    assert lines[2].index("^") == len(lines[1])


def test_nothing_reaches_the_terminal_but_visible_text() -> None:
    found = Problem(
        code="c", what="a\x1b[31m", why="two\nlines", fix="\u202ex", at=Source(file="a\nb", line=1, column=1)
    )
    assert report([found]) == "a b:1:1: error[c]: a [31m\n  why: two lines\n  fix:  x\n"


def test_json() -> None:
    values = as_json([problem(where=("fabric", "links", 0)), problem("z")], INTENT)
    assert values == [
        {"code": "vxlan-mtu", "what": "it drops", "why": "because", "fix": "mend it", "where": ["fabric", "links", 0],
         "path": "fabric.links[0]", "file": "inventories/dc1/fabric.yml", "line": 3, "column": 11},
        {"code": "z", "what": "it drops", "why": "because", "fix": "mend it", "where": [], "path": "",
         "file": None, "line": None, "column": None},
    ]  # fmt: skip
    assert json.loads(json.dumps(values)) == values
