"""Whatever stands in an intent, fabricgen answers soon, in little memory, without a traceback, and writes nothing."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricgen.cli import main
from fabricgen.source.document import read_document
from tests.cli.conftest import Run
from tests.cli.sites import DEMO, backend_only, edit, rendered, tree
from tests.some import some

ROOT = Path(__file__).parents[3]

# The bare import of the verb (click, pydantic, jinja2) maps some 50 MiB, and the limit is on what the intent adds to
# them. Time is of the processor, after the import.
LIMITED = """
import re, resource, sys
from pathlib import Path
import fabricgen.cli.render.run
from fabricgen.cli import main
from tests.yardstick import limited_to
imported = int(re.search(r"VmPeak:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (imported + (200 << 20),) * 2)
print(f"the import alone: {imported >> 20} MiB", file=sys.stderr)
with limited_to(2):
    main()
"""

DEMO_TEXT = DEMO.read_text()
BOMBS = {
    "laughs": "a: &a [x]\n" + "".join(f"{k}: &{k} [{','.join(['*a'] * 9)}]\n" for k in "bcdefghij"),
    "merged laughs": "a: &a {x: 1}\n" + "".join(f"{k}: {{<<: [{','.join(['*a'] * 9)}]}}\n" for k in "bcdefghij"),
    "nesting": "[" * 100_000,
    "nesting under a key": "servers: " + "{a: " * 50_000,
    "binary": "\x00\x01\x02" * 1000,
    "many servers": DEMO_TEXT.replace("slots: 0-31, planned: 192", "slots: 0-999999999"),
    "many planned servers": DEMO_TEXT.replace("planned: 192", "planned: 999999999"),
    "the most servers": DEMO_TEXT.replace("slots: 0-31, planned: 192", "slots: 0-1048575"),
    "the most planned servers": DEMO_TEXT.replace("planned: 192", "planned: 1048576"),
    "the most spines": DEMO_TEXT.replace("now: 4, planned: 16", "now: 1048576"),
    "the most border leaves": DEMO_TEXT.replace("border_leaves: 2", "border_leaves: 1048576"),
    "many digits": DEMO_TEXT.replace("planned: 192", f"planned: {'9' * 100_000}"),
    "many unknown keys": DEMO_TEXT + "".join(f"key{n}: 1\n" for n in range(90_000)),
    "many unknown keys below": DEMO_TEXT.replace("  vrf: MGMT\n", "".join(f"  key{n}: 1\n" for n in range(90_000))),
    "many tenants": DEMO_TEXT + "".join(
        f"  t{n}:\n    networks: {{n: {{vlan: 20, subnets: [10.0.0.0/24]}}}}\n" for n in range(9_000)
    ),
    "many overrides": DEMO_TEXT + "overrides:\n" + "".join(
        f'  "nothing[{n}]": {{state: absent}}\n' for n in range(20_000)
    ),
    "a glob to stall on": DEMO_TEXT + f'overrides: {{"{"*e" * 39}!": {{state: drained}}}}\n',
    "a glob for all slots": DEMO_TEXT + 'overrides: {"train[0-999999999]": {state: absent}}\n',
    "one long word": DEMO_TEXT.replace("site: dc1", f"site: {'a-' * 500_000}a"),
    "all wrong": "\n".join(f"{key}: [{{}}, 1]" for key in ("fabricgen", "site", "management", "servers", "fabrics")),
}  # fmt: skip


@pytest.mark.parametrize("name", some(BOMBS, of=10))
def test_two_seconds_and_200_mib_at_most(intent: Path, name: str) -> None:
    assert BOMBS[name] != DEMO_TEXT
    intent.write_text(BOMBS[name])
    out = intent.parent / "out"
    result = subprocess.run(
        [sys.executable, "-c", LIMITED, "render", intent, "-o", out],
        capture_output=True, text=True, timeout=60, check=False, cwd=ROOT,
    )  # fmt: skip
    assert result.returncode == 1, result.stderr[-2000:]
    assert "error[" in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr) < 100_000
    assert [path.name for path in intent.parent.iterdir()] == ["intent.yaml"]


def unreadable(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield paths that are no intent, and what they are told to be."""
    yield folder / "none.yaml", "file-missing"
    yield folder / "none/intent.yaml", "file-missing"
    (folder / "folder").mkdir()
    yield folder / "folder", "file-directory"
    (folder / "empty.yaml").write_bytes(b"")
    yield folder / "empty.yaml", "wrong-type"
    (folder / "octets.yaml").write_bytes(bytes(range(128, 256)))
    yield folder / "octets.yaml", "file-encoding"
    (folder / "wide.yaml").write_bytes("fabricgen: 1\n".encode("utf-16"))
    yield folder / "wide.yaml", "file-encoding"
    (folder / "loop.yaml").symlink_to("loop.yaml")
    yield folder / "loop.yaml", "file-unreadable"
    (folder / "file").write_text("")
    yield folder / "file/intent.yaml", "file-unreadable"
    yield folder / ("a" * 300), "file-unreadable"


def test_what_is_no_intent_is_told(tmp_path: Path, run: Run) -> None:
    for path, code in unreadable(tmp_path):
        for verb in ("validate", "plan", "render"):
            result = run(verb, path, "--json", *(["-o", tmp_path / "out"] if verb == "render" else []))
            (problem,) = json.loads(result.stdout)["problems"]
            assert (result.exit_code, problem["code"], problem["file"]) == (1, code, str(path))
    assert not (tmp_path / "out").exists()


def test_a_device_is_not_read_to_its_end(run: Run) -> None:
    result = run("validate", "/dev/zero")
    assert result.exit_code == 1
    assert "error[file-" in result.stderr


def test_a_pipe_is_not_waited_for(intent: Path) -> None:
    intent.unlink()
    os.mkfifo(intent)
    result = subprocess.run(
        [sys.executable, "-m", "fabricgen", "validate", intent], capture_output=True, text=True, timeout=30, check=False
    )
    assert result.returncode == 1
    assert "error[file-" in result.stderr


def test_more_problems_than_a_person_reads_are_counted(intent: Path, run: Run) -> None:
    clash = (f"  t{n}:\n    networks: {{n: {{vlan: 20, subnets: [10.0.0.0/24]}}}}\n" for n in range(60))
    intent.write_text(DEMO_TEXT + "".join(clash))
    result = run("validate", intent)
    told = result.stderr.count("error[")
    assert told == 50
    assert re.search(r"\n[0-9]+ problems, 50 of them above\n$", result.stderr)
    assert len(json.loads(run("validate", intent, "--json").stdout)["problems"]) > told


@pytest.mark.parametrize("path", ["../outside.csv", "/etc/passwd", "a/../../b.csv", "a//b.csv", "~/x.csv", ".hidden"])
def test_files_are_named_below_the_intent(intent: Path, run: Run, path: str) -> None:
    edit(intent, "site: dc1\n", f"site: dc1\nplacement: {json.dumps(path)}\n")
    result = run("validate", intent, "--json")
    assert [problem["path"] for problem in json.loads(result.stdout)["problems"]] == ["placement"]


@pytest.mark.parametrize("character", ["\\n", "\\r", "\\0", "\\x1b", "\\x7f", "\\x85", "\\u2028", "\\u202e", "\\t"])
def test_a_control_character_can_not_come_in(intent: Path, tmp_path: Path, run: Run, character: str) -> None:
    edit(intent, "location: dc1,", f'location: "hall{character}username mallory",')
    result = run("render", intent, "-o", tmp_path / "out", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["problems"]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "domain", ["-a", "a-", "a..b", ".a", "a.", "a.-b", "a-.b", "A", "a_b", "", f"{'a' * 64}.net", "a b"]
)
def test_a_domain_has_labels_as_hosts_have(intent: Path, run: Run, domain: str) -> None:
    """RFC 1123, 2.1, and RFC 1035, 2.3.1: letters, digits and inner hyphens, at most 63 of them."""
    edit(intent, "domain: dc1.example.net", f"domain: {json.dumps(domain)}")
    result = run("validate", intent, "--json")
    assert [problem["path"] for problem in json.loads(result.stdout)["problems"]] == ["management.domain"]
    edit(intent, json.dumps(domain), f'"x-1.{"a" * 63}.net"')
    assert run("validate", intent).exit_code == 0


JINJA = "{{ 7*191 }}{% raw %}{# gone #}{{ device }}<&>"


def test_templates_in_values_are_words(intent: Path, tmp_path: Path, run: Run) -> None:
    """What an intent says is printed as it stands, never read as a template."""
    backend_only(intent)
    edit(intent, "location: dc1,", f"location: '{JINJA}',")
    intent.write_text(intent.read_text() + f"raw:\n- {{system: eos, lines: ['! {JINJA}']}}\n")
    result = run("render", intent, "-o", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    for path, content in rendered(tmp_path / "out").items():
        assert b"1337" not in content
        assert (f"! {JINJA}\n".encode() in content) is path.endswith("startup-config")
        assert (content.count(JINJA.encode()) > 1) is path.endswith("startup-config")


@pytest.mark.parametrize("place", ["site: dc1", "prefix: be", "vrf: MGMT", "peer: fw1, border: 0, port: 0, vlan: 900"])
def test_templates_in_names_are_refused(intent: Path, run: Run, place: str) -> None:
    key, _, value = place.partition(": ")
    edit(intent, place, f'{key}: "{{{{ 7*191 }}}}"{value[len(value.split(",")[0]) :]}')
    result = run("validate", intent)
    assert result.exit_code == 1
    assert "1337" not in result.stderr


DEMO_VALUE = read_document(DEMO).value
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 70),
    st.sampled_from([4093, 4094, 65535, 65536, 1 << 20, 1 << 31, (1 << 32) - 1, 1 << 63, 10**30]),
    st.floats(allow_nan=True),
    st.text(max_size=12),
    st.sampled_from([
        "", "0", "0-1048575", "7,9-11", "0.0.0.0/0", "10.0.0.0/8", "10.0.0.1", "172.17.0.0/31", "::/0", "fd00::/8",
        "224.0.0.0/4", "1:1", "99:1", "64512-64513", "eos-1", "arista-7060x6-64pe", "arista-7050cx4-24d8", "hgx-b200",
        "cpu-2x100", "compute", "frontend", "backend", "ipv6", "train", "store[0-7]", "train[999]", "ecmp", "${env:A}",
        "best-effort", "leaf-spine", "rail-optimized", "null", "{{ 7*7 }}", "a" * 300,
    ]),
    st.lists(st.sampled_from(["a", 1, None, "10.0.0.0/24", "ipv4"]), max_size=3),
    st.dictionaries(st.sampled_from(["a", "model", "now", "vlan", ""]), st.sampled_from(["a", 1, None]), max_size=2),
)  # fmt: skip


def paths(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from paths(item, (*path, key))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.sampled_from(list(paths(DEMO_VALUE))), value=ODD, how=st.sampled_from(["value"] * 6 + ["key", "gone"]))
def test_one_odd_value_is_no_traceback(
    tmp_path_factory: pytest.TempPathFactory, path: tuple[str | int, ...], value: object, how: str
) -> None:
    document = deepcopy(DEMO_VALUE)
    above: object = document
    for part in path[:-1]:
        above = above[part]  # type: ignore[index]
    assert isinstance(above, dict | list)
    if how == "value":
        above[path[-1]] = value  # type: ignore[index]
    elif how == "gone" or isinstance(above, list):
        del above[path[-1]]  # type: ignore[arg-type]
    else:
        above[str(value)] = above.pop(str(path[-1]))
    folder = tmp_path_factory.mktemp("odd")
    intent = folder / "intent.yaml"
    intent.write_text(json.dumps(document, indent=1))  # our YAML reads JSON
    before = tree(folder)
    result = CliRunner().invoke(main, ["validate", str(intent)], catch_exceptions=False)
    assert result.exit_code in (0, 1)
    assert ("error[" in result.stderr) is (result.exit_code == 1)
    assert tree(folder) == before
