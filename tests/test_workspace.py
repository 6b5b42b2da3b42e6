"""An intent with its neighbours, from files to a plan; what is wrong with any of them, stage by stage."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricgen.errors import Problem
from fabricgen.plan.exceptions import PortKey, SlotKey
from fabricgen.plan.lock import write_lock
from fabricgen.site.workspace import Workspace, WorkspaceError, open_workspace
from fabricgen.source.report import as_json, report
from tests.some import some

ROOT = Path(__file__).parents[1]
DEMO = (ROOT / "inventories" / "demo" / "intent.yaml").read_text(encoding="utf-8")


def site(folder: Path, text: str = DEMO, **files: str) -> Path:
    """Write an intent and its neighbours (`rack__p_csv` is rack/p.csv); return the intent's path."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    path = folder / "intent.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> WorkspaceError:
    with pytest.raises(WorkspaceError) as caught:
        open_workspace(path)
    return caught.value


def codes(problems: tuple[Problem, ...]) -> list[tuple[str, str, int]]:
    """Code, file name and line of each, as reported."""
    found = as_json(problems)
    return [(str(p["code"]), Path(str(p["file"])).name, int(str(p["line"]))) for p in found]


WITH_FILES = DEMO.replace("site: dc1\n", "site: dc1\nplacement: rack/p.csv\n").replace(
    "cables: {", "cables: {file: c.csv, "
)
FILES = {
    "rack__p_csv": "slot,hostname,state\ntrain[3],gpu-3,absent\n",
    "c_csv": "device,port,length_m\nbe-leaf-000,Ethernet1/1,3\n",
}
WITH_CSV = DEMO.replace("site: dc1\n", "site: dc1\nplacement: p.csv\n")
OVERRIDES = "overrides:\n  be-spine-01: {state: drained}\n"


def test_an_intent_alone(tmp_path: Path) -> None:
    workspace = open_workspace(site(tmp_path))
    assert list(workspace.plan.fabrics) == ["backend", "frontend"]
    assert workspace.lock_document is None
    assert workspace.recorded.segments == ()
    assert workspace.plan.lock.segments
    assert workspace.inputs == {"intent.yaml": DEMO.encode()}
    assert workspace.documents == (workspace.document,)


def test_an_intent_with_all_its_neighbours(tmp_path: Path) -> None:
    first = open_workspace(site(tmp_path))
    lock = write_lock(first.plan.lock)
    source = ROOT / "fabricgen" / "hardware" / "servers" / "dgx-h100.yaml"
    path = site(tmp_path, WITH_FILES + OVERRIDES, fabricgen_lock=lock, **FILES)
    (tmp_path / "hardware" / "servers").mkdir(parents=True)
    shutil.copy(source, tmp_path / "hardware" / "servers")
    workspace = open_workspace(path)
    exceptions = workspace.plan.fabrics["backend"].exceptions
    assert exceptions.devices == {"be-spine-01": "drained"}
    assert exceptions.slots == {SlotKey("train", 3): "absent"}
    assert exceptions.servers[SlotKey("train", 3)].hostname == "gpu-3"
    assert exceptions.cables[PortKey("be-leaf-000", "Ethernet1/1")].length_m == 3
    assert workspace.recorded == first.plan.lock == workspace.plan.lock
    assert list(workspace.inputs) == [
        "c.csv", "fabricgen.lock", "hardware/servers/dgx-h100.yaml", "intent.yaml", "rack/p.csv"
    ]  # fmt: skip
    assert workspace.inputs["hardware/servers/dgx-h100.yaml"] == source.read_bytes()
    assert workspace.inputs["fabricgen.lock"] == lock.encode()
    assert [Path(document.file).name for document in workspace.documents] == [
        "intent.yaml", "fabricgen.lock", "p.csv", "c.csv"
    ]  # fmt: skip


def test_nothing_is_written(tmp_path: Path) -> None:
    open_workspace(site(tmp_path, WITH_FILES, **FILES))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["c.csv", "intent.yaml", "p.csv", "rack"]


def test_the_first_stage_is_the_schema(tmp_path: Path) -> None:
    error = refused(site(tmp_path, DEMO.replace("slots: 0-31", "slots: 31-0").replace("site: dc1", "sites: dc1")))
    assert codes(error.problems) == [("unknown-key", "intent.yaml", 6), ("bad-value", "intent.yaml", 23)]
    assert "servers" in report(error.problems, *error.documents)


def test_the_second_stage_is_rules_and_neighbours_at_once(tmp_path: Path) -> None:
    text = WITH_FILES.replace("planned: 192", "planned: 3")
    files = {"fabricgen_lock": "lock: 3\n", "rack__p_csv": "slot,host\n", "hardware__asic__x_yaml": "a: 1\n"}
    error = refused(site(tmp_path, text, **files))
    assert {(code, file) for code, file, _ in codes(error.problems)} == {
        ("planned-too-small", "intent.yaml"),
        ("newer-lock", "fabricgen.lock"),
        ("csv-column", "p.csv"),
        ("file-missing", "c.csv"),
        ("hardware-stray-file", "asic"),
    }


def test_the_third_stage_is_the_dimensions(tmp_path: Path) -> None:
    error = refused(site(tmp_path, DEMO.replace("model: dgx-h100", "model: dgx-h1000") + OVERRIDES.replace("01", "99")))
    assert {code for code, *_ in codes(error.problems)} == {"unknown-name"}
    assert {line for _, _, line in codes(error.problems)} == {23}


def test_the_fourth_stage_is_names_against_the_plan(tmp_path: Path) -> None:
    files = FILES | {"rack__p_csv": "slot,hostname,state\ntrain[192],gpu-3,absent\n",
                     "c_csv": "device,port,length_m\nbe-leaf-000,Ethernet1/1,0\n"}  # fmt: skip
    error = refused(site(tmp_path, WITH_FILES + OVERRIDES.replace("01", "99"), **files))
    lines = WITH_FILES.count("\n")
    assert codes(error.problems) == [
        ("bad-length", "c.csv", 2), ("unknown-name", "intent.yaml", lines + 2), ("slot-not-planned", "p.csv", 2)
    ]  # fmt: skip
    text = report(error.problems, *error.documents)
    assert "  2 | be-leaf-000,Ethernet1/1,0\n    |                         ^\n" in text
    assert f"  {lines + 2} |   be-spine-99: {{state: drained}}\n" in text


def test_a_dead_port_without_a_spare(tmp_path: Path) -> None:
    error = refused(site(tmp_path, DEMO + "overrides:\n  be-leaf-003/Ethernet7/1: {state: dead}\n"))
    (problem,) = error.problems
    assert (problem.code, problem.where) == ("no-spare-port", ("overrides", "be-leaf-003/Ethernet7/1"))
    assert problem.at is not None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (DEMO.replace("site: dc1\n", "site: dc1\nplacement: ../p.csv\n"), "bad-pattern"),
        (DEMO.replace("site: dc1\n", "site: dc1\nplacement: /etc/passwd\n"), "bad-pattern"),
        (DEMO.replace("site: dc1\n", "site: dc1\nplacement: a/../../p.csv\n"), "bad-pattern"),
        (DEMO.replace("site: dc1\n", "site: dc1\nplacement: p.csv\n"), "file-missing"),
        (DEMO.replace("site: dc1\n", "site: dc1\nplacement: folder\n"), "file-directory"),
    ],
)
def test_a_csv_file_that_is_not_there_or_not_beside(tmp_path: Path, text: str, code: str) -> None:
    (tmp_path / "folder").mkdir()
    (problem,) = refused(site(tmp_path, text)).problems
    assert problem.code == code
    assert problem.at is not None


def test_a_csv_file_that_can_not_be_read(tmp_path: Path) -> None:
    path = site(tmp_path, WITH_FILES, **FILES)
    (tmp_path / "c.csv").unlink()
    (tmp_path / "c.csv").symlink_to(tmp_path / "c.csv")
    (problem,) = refused(path).problems
    assert problem.code == "file-unreadable"


def test_an_intent_that_is_not_there(tmp_path: Path) -> None:
    error = refused(tmp_path / "intent.yaml")
    assert [problem.code for problem in error.problems] == ["file-missing"]
    assert error.documents == ()


@pytest.mark.parametrize(("key", "what"), [("be-leaf-000: {}", "an intent"), ("fabricgen: 1", "")])
def test_a_file_of_another_kind_is_one_problem(tmp_path: Path, key: str, what: str) -> None:
    path = tmp_path / "hosts.yaml"
    path.write_text(f"{key}\nbe-leaf-001: {{}}\n")
    problems = refused(path).problems
    if what:
        assert [problem.what for problem in problems] == [f"{path} is not {what}"]
    else:
        assert "unknown-key" in [problem.code for problem in problems]


def test_a_lock_that_leads_nowhere_is_not_no_lock(tmp_path: Path) -> None:
    path = site(tmp_path)
    (tmp_path / "fabricgen.lock").symlink_to(tmp_path / "gone")
    assert [problem.code for problem in refused(path).problems] == ["file-missing"]


@pytest.mark.parametrize(
    ("old", "new", "code"), [("row: 2, ", "", "lock-row"), ("su: 0-5", "su: 0-900000", "lock-box")]
)
def test_a_lock_line_that_nothing_can_be_computed_from(tmp_path: Path, old: str, new: str, code: str) -> None:
    # In the demo the two border leaves come first, so the leaves of train take the rows from 2 on.
    lines = write_lock(open_workspace(site(tmp_path)).plan.lock).split("\n")
    at = next(number for number, line in enumerate(lines) if "tier: leaf" in line and old in line)
    lines[at] = lines[at].replace(old, new)
    error = refused(site(tmp_path, fabricgen_lock="\n".join([*lines[:3], "segments:", lines[at], "ids: []", ""])))
    assert codes(error.problems) == [(code, "fabricgen.lock", 5)]
    assert "restore the file as it was rendered" in error.problems[0].fix


def test_a_forgotten_fabric_is_numbered_anew_and_no_other(tmp_path: Path) -> None:
    path = site(tmp_path)
    lock = open_workspace(path).plan.lock
    moved = tuple(s._replace(first=s.first + 500) for s in lock.segments)
    (tmp_path / "fabricgen.lock").write_text(write_lock(lock._replace(segments=moved)), encoding="utf-8")
    kept, again = open_workspace(path), open_workspace(path, forget=("backend",))
    assert {s.first >= 500 for s in kept.plan.lock.segments} == {True}
    assert {(s.fabric, s.first >= 500) for s in again.plan.lock.segments} == {("backend", False), ("frontend", True)}
    assert kept.recorded.segments == moved


def test_problems_of_a_stage_end_at_fifty(tmp_path: Path) -> None:
    overrides = "".join(f"  be-leaf-{number}: {{state: drained}}\n" for number in range(200, 300))
    placement = "slot\n" + "x\n" * 100
    text = f"{WITH_CSV}overrides:\n{overrides}"
    assert len(refused(site(tmp_path, text, p_csv=placement)).problems) == 50


def test_the_same_files_are_the_same_plan(tmp_path: Path) -> None:
    path = site(tmp_path, WITH_FILES + OVERRIDES, **FILES)
    one, two = open_workspace(path), open_workspace(path)
    assert isinstance(one, Workspace)
    assert (one.plan.lock, one.plan.fabrics, one.inputs) == (two.plan.lock, two.plan.fabrics, two.inputs)


HUGE: dict[str, dict[str, Callable[[], str]]] = {
    "10^9 servers": {
        "intent.yaml": lambda: DEMO.replace("slots: 0-31", "slots: 0-999999999"),
    },
    "10^9 planned": {
        "intent.yaml": lambda: DEMO.replace("planned: 192", "planned: 1000000000"),
    },
    "2^20 planned": {
        "intent.yaml": lambda: DEMO.replace("planned: 192", "planned: 1048576"),
    },
    "laughs": {
        "intent.yaml": lambda: "a: &a [x]\n" + "".join(f"{k}: &{k} [" + ",".join(["*a"] * 9) + "]\n" for k in "bcdefg"),
    },
    "nesting": {
        "intent.yaml": lambda: "[" * 100_000,
    },
    "unknown keys": {
        "intent.yaml": lambda: DEMO + "".join(f"k{n}: 1\n" for n in range(90_000)),
    },
    "bad states": {
        "intent.yaml": lambda: DEMO + "overrides:\n" + "".join(f"  x{n}: {{state: y}}\n" for n in range(40_000)),
    },
    "unknown switches": {
        "intent.yaml": lambda: DEMO + "overrides:\n" + "".join(f"  x{n}: {{state: drained}}\n" for n in range(40_000)),
    },
    "wildcards": {
        "intent.yaml": lambda: (
            DEMO + "overrides:\n" + "".join(f'  "*{n}": {{state: drained}}\n' for n in range(40_000))
        ),
    },
    "slots": {
        "intent.yaml": lambda: DEMO + 'overrides:\n  "train[0-1048575]": {state: absent}\n',
    },
    "tenants": {
        "intent.yaml": lambda: (
            DEMO
            + "".join(
                f"  t{n}: {{imports: [t{n}x], networks: {{a: {{vlan: 9, subnets: [10.0.0.0/24]}}}}}}\n"
                for n in range(8_000)
            )
        ),
    },
    "lock box": {
        "intent.yaml": lambda: DEMO,
        "fabricgen.lock": lambda: (
            "lock: 1\nsegments:\n- {fabric: backend, tier: leaf, group: train, plane: 0-9999, "
            "pod: 0-99999, su: 0-99999, rail: 0-3, index: 0-0, slots: 32, hosts: 64, first: 0, row: 0, "
            "asn: 4201000000, loopback4: 10.76.0.0/31, oob: 10.0.0.16}\n"
        ),
    },
    "csv lines": {
        "intent.yaml": lambda: WITH_CSV,
        "p.csv": lambda: "slot,hostname\n" + "x\n" * 390_000,
    },
    "csv duplicates": {
        "intent.yaml": lambda: WITH_CSV,
        "p.csv": lambda: "slot,hostname\n" + "train[0],a\n" * 390_000,
    },
    "csv line ends": {
        "intent.yaml": lambda: WITH_CSV,
        "p.csv": lambda: "slot\n" + "\n" * 16_000_000,
    },
    "csv commas": {
        "intent.yaml": lambda: WITH_CSV,
        "p.csv": lambda: "slot\n" + "," * 16_000_000,
    },
    "csv quotes": {
        "intent.yaml": lambda: WITH_CSV,
        "p.csv": lambda: "slot\n" + '"' * 1_999 + "\n" * 399_000,
    },
    "csv controls": {
        "intent.yaml": lambda: WITH_CSV,
        "p.csv": lambda: "slot\n" + chr(7) * 1_000_000,
    },
}

LIMITED = """
import json, resource, sys
from pathlib import Path
from fabricgen.site.workspace import WorkspaceError, open_workspace
from fabricgen.source.report import report
from tests.yardstick import limited_to
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
imports = int(status["VmSize"].split()[0]) << 10
resource.setrlimit(resource.RLIMIT_AS, (imports + (200 << 20), imports + (200 << 20)))
with limited_to(2):
    try:
        open_workspace(Path(sys.argv[1]))
    except WorkspaceError as error:
        assert error.problems and report(error.problems, *error.documents)
    else:
        raise SystemExit("no problem was found")
"""


@pytest.mark.parametrize("name", some(HUGE, of=12))
def test_nothing_costs_more_than_two_seconds_and_200_mib(tmp_path: Path, name: str) -> None:
    """Memory is counted on top of what the imports take (some 40 MiB of address space)."""
    for file, make_text in HUGE[name].items():
        (tmp_path / file).write_text(make_text(), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path / "intent.yaml")],
        capture_output=True, text=True, timeout=60, check=False, cwd=ROOT,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-2000:]


def test_problems_are_plain_values(tmp_path: Path) -> None:
    error = refused(site(tmp_path, DEMO + OVERRIDES.replace("01", "99")))
    (problem,) = json.loads(json.dumps(as_json(error.problems)))
    assert problem["path"] == "overrides.be-spine-99"
    assert problem["line"] == DEMO.count("\n") + 2
