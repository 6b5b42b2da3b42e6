"""The lock's text: there and back, merged by git from two branches, and wrong in every way a hand can make it."""

import subprocess
from pathlib import Path

import pytest

from fabricgen.errors import FabricError, Problem
from fabricgen.intent.defaults import NEWEST
from fabricgen.intent.scalars import AsnRange
from fabricgen.plan.lock import RESTORE, Id, Lock, by_fabric, read_lock, write_lock
from fabricgen.plan.place import Tier, box
from fabricgen.plan.segments import FabricPools, NumberDemand, Pool, SitePools, extend
from fabricgen.source.document import load_document
from tests.host import require


def pools(first_octet: int, byte: int) -> FabricPools:
    return FabricPools(
        ipv4=Pool(start=first_octet << 24, size=1 << 24, bits=32),
        ipv6=Pool(start=byte << 120, size=1 << 80, bits=128),
        asns=AsnRange(4200000000, 4294967294),
    )


SITE = SitePools(fabrics={"backend": pools(10, 0xFD), "frontend": pools(11, 0xFC)}, oob=0xAC100010)


def demands(backend_units: int, frontend_units: int) -> list[NumberDemand]:
    """Leaves and spines of two fabrics."""
    made = []
    for fabric, units in (("backend", backend_units), ("frontend", frontend_units)):
        leaf, spine = (Tier.LEAF, "train", box(su=units, rail=4), 24), (Tier.SPINE, "", box(index=4), None)
        for tier, group, planned, length in (leaf, spine):
            slots, hosts = (32, 64) if group else (0, 0)
            made.append(
                NumberDemand(
                    fabric=fabric,
                    tier=tier,
                    group=group,
                    planned=planned,
                    slots=slots,
                    hosts=hosts,
                    length4=length,
                    length6=120 if length else None,
                )
            )
    return made


def grown(standing: Lock, backend_units: int, frontend_units: int, *ids: Id) -> Lock:
    segments = extend(standing.segments, demands(backend_units, frontend_units), SITE)
    return by_fabric(Lock(segments=segments, ids=(*standing.ids, *ids)))


BASE = grown(Lock(), 6, 2, Id("frontend", "vrf", "research", 1), Id("frontend", "network", "research/hosts", 2))


def read(text: str) -> Lock:
    return read_lock(load_document(text, "fabricgen.lock"))


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(FabricError) as raised:
        read(text)
    return raised.value.problems


def merge(tmp_path: Path, one: Lock, two: Lock) -> tuple[int, str]:
    """What `git merge` does with the file: number of conflicts, text."""
    require("git")
    for name, lock in (("one", one), ("base", BASE), ("two", two)):
        (tmp_path / name).write_text(write_lock(lock))
    done = subprocess.run(
        ["git", "merge-file", "-p", "one", "base", "two"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def both_sides(text: str) -> str:
    """What a person makes of a conflict in a hurry: all lines of both."""
    return "".join(line for line in text.splitlines(keepends=True) if line[:7] not in ("<<<<<<<", "=======", ">>>>>>>"))


def test_there_and_back() -> None:
    text = write_lock(BASE)
    assert read(text) == BASE
    assert write_lock(read(text)) == text
    assert read(write_lock(Lock())) == Lock()


def test_one_fact_a_line_and_lines_are_only_added() -> None:
    before, after = (write_lock(lock).splitlines() for lock in (BASE, grown(BASE, 8, 3)))
    assert len(before) == 4 + len(BASE.segments) + len(BASE.ids)
    assert [line for line in after if line in before] == before
    assert len(after) == len(before) + 2


@pytest.mark.parametrize("name", ["null", "true", "false", "off", "on", "no", "y", "e1"])
def test_names_that_yaml_reads_as_something_else(name: str) -> None:
    segments = tuple(extend((), demands(1, 1)[:2], SITE))
    odd = Lock(segments=segments, ids=(Id("frontend", "vrf", name, 1),))
    assert read(write_lock(odd)) == odd


def test_branches_that_grow_two_fabrics_merge_clean(tmp_path: Path) -> None:
    conflicts, text = merge(tmp_path, grown(BASE, 7, 2), grown(BASE, 6, 3))
    assert conflicts == 0
    merged = read(text)
    assert merged == grown(BASE, 7, 3), "as if one branch had grown both"


def test_branches_that_grow_one_fabric_clash_with_both_lines(tmp_path: Path) -> None:
    conflicts, text = merge(tmp_path, grown(BASE, 7, 2), grown(BASE, 8, 2))
    assert conflicts == 1, "git is loud already"
    merged = both_sides(text)
    lines = [at for at, line in enumerate(merged.splitlines(), start=1) if "su: 6-" in line]
    (problem,) = problems_of(merged)
    assert problem.code == "lock-clash"
    assert problem.what == f"lines {lines[0]} and {lines[1]} of the lock allocate the same places"
    assert problem.at is not None
    assert problem.at.line == lines[1]
    assert problem.fix.startswith("git checkout BRANCH -- ")
    assert "delete" not in problem.fix, "which line is live is not to be seen"


def test_branches_that_name_two_tenants_clash(tmp_path: Path) -> None:
    one = grown(BASE, 6, 2, Id("frontend", "vrf", "serving", 3))
    two = grown(BASE, 6, 2, Id("frontend", "vrf", "storage", 3))
    conflicts, text = merge(tmp_path, one, two)
    assert conflicts == 1
    (problem,) = problems_of(both_sides(text))
    assert "allocate id 3" in problem.what


def test_one_name_twice_is_a_clash() -> None:
    text = write_lock(BASE) + "- {fabric: frontend, kind: vrf, name: research, id: 9}\n"
    (problem,) = problems_of(text)
    assert "the name research" in problem.what


LEAVES, SPINES = write_lock(BASE).splitlines()[3:5]


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("lock: 1\n", "lock: 3\n", None, "lock"),
        ("lock: 1\n", "", None, "lock"),
        ("su: 0-5", "su: 5-0", None, "su"),
        ("su: 0-5", "su: 0-2,4-5", None, "su"),
        ("su: 0-5", "su: -1-5", None, "su"),
        ("rail: 0-3, ", "", None, "rail"),
        ("tier: spine", "tier: spline", None, "tier"),
        ("slots: 32", "slots: many", None, "slots"),
        ("asn: 4200000000", "asn: 4294967296", None, "asn"),
        ("asn: 4200000000", "asn: 4294967290", "lock-line", "exceed 32 bits"),
        ("ipv4: 10.0.0.0/24", "ipv4: 10.0.0.1/24", None, "host bits"),
        ("ipv4: 10.0.0.0/24", "ipv4: 255.255.255.0/24", "lock-line", "exceed 32 bits"),
        ("ipv4: 10.0.0.0/24", "ipv4: fd00::/120", None, "IPv6"),
        ('ipv6: "fd00::/120"', 'ipv6: "::/120"', None, "RFC 4291"),
        ("oob: 172.16.0.16", "oob: 172.16.0", None, "oob"),
        ("oob: 172.16.0.16", "oob: 255.255.255.250", "lock-line", "exceed 32 bits"),
        ("loopback4: 10.192.0.0/31", "loopback4: 10.192.0.0/32", "lock-line", "need a /31 or a /127"),
        (
            ", group: train, plane: 0-0, pod: 0-0, su: 0-5",
            ", plane: 0-0, pod: 0-0, su: 0-5",
            "lock-line",
            "server group",
        ),
        ("tier: spine, plane", "tier: spine, group: train, plane", "lock-line", "server group"),
        ("first: 0, asn: 4200000024", "first: 0, row: 3, asn: 4200000024", "lock-line", "row"),
        ("asn: 4200000024", "asn: 4200000023", "lock-clash", "AS numbers"),
        (
            "asn: 4200000024, loopback4: 10.192.0.48",
            "asn: 4200000024, loopback4: 10.192.0.46",
            "lock-clash",
            "loopback",
        ),
        ("oob: 172.16.0.40", "oob: 172.16.0.39", "lock-clash", "management"),
        ("id: 2}", "id: 65536}", None, "id"),
        ("id: 2}", "id: 1}", "lock-clash", "id 1"),
        ("kind: network", "kind: wire", None, "kind"),
        ("name: research,", "name: 'a b',", None, "name"),
        ("segments:\n", "segment:\n", None, "segment"),
        ("tier: leaf, group", "tier: leaf, tier: leaf, group", None, "tier"),
        ("segments:\n- ", "segments:\n-", "yaml-syntax", "not valid YAML"),
    ],
)
def test_a_wrong_lock_is_a_problem_with_its_place(old: str, new: str, code: str | None, words: str) -> None:
    text = write_lock(BASE)
    assert old in text
    mended = text.replace(old, new, 1)
    problems = problems_of(mended)
    assert all(problem.at is not None and problem.at.file == "fabricgen.lock" for problem in problems)
    assert any(words in f"{problem.what} {problem.why} {problem.fix}" for problem in problems)
    assert code is None or code in {problem.code for problem in problems}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (write_lock(BASE).replace("lock: 1\n", "lock: 3\n"), "lock: 3"),
        (write_lock(BASE).replace("lock: 1\n", f"lock: 1\ndefaults: {NEWEST + 1}\n"), f"defaults: {NEWEST + 1}"),
        (write_lock(BASE).replace("lock: 1\n", "lock: 7\nsites: {a: 1}\n"), "lock: 7"),
    ],
)
def test_a_lock_of_a_newer_release_asks_for_that_release(text: str, key: str) -> None:
    """An operator who edits the number gets values of this release on switches that run others."""
    (problem,) = problems_of(text)
    assert problem.code == "newer-lock"
    assert key in problem.what
    assert problem.at is not None
    assert text.splitlines()[problem.at.line - 1] == key
    assert "install the release" in problem.fix
    assert "write" not in problem.fix


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("hosts: 64,", "hosts: 64, ports: 3,"),
        ("su: 0-5", "su: 5-0"),
        ("rail: 0-3, ", ""),
        ("tier: spine", "tier: spline"),
        ("lock: 1\n", "lock: 0\n"),
        ("lock: 1\n", "lock: two\n"),
        ("lock: 1\n", ""),
        ("ipv4: 10.0.0.0/24", "ipv4: 10.0.0.1/24"),
    ],
)
def test_no_remedy_says_to_edit_the_lock(old: str, new: str) -> None:
    problems = problems_of(write_lock(BASE).replace(old, new, 1))
    assert problems
    assert {problem.fix.rpartition("or ")[2] for problem in problems} == {RESTORE}


def with_uplinks(text: str = "16x800G") -> str:
    return write_lock(BASE).replace("hosts: 64, first: 0", f"hosts: 64, uplinks: {text}, first: 0", 1)


def test_uplinks_are_read_and_written_where_they_were_recorded() -> None:
    lock = read(with_uplinks())
    assert [segment.up for segment in lock.segments if segment.up is not None] == [(16, 800)]
    assert write_lock(lock) == with_uplinks(), "the other lines stay without"


@pytest.mark.parametrize(
    "text", ["16", "16x", "0x800G", "16x800", "-1x800G", "16x0G", "[16, 800]", "१x800G", '"16x800G "']
)
def test_uplinks_that_are_none(text: str) -> None:
    (problem,) = problems_of(with_uplinks(text))
    assert "uplinks cannot be" in problem.what
    assert problem.fix == RESTORE
