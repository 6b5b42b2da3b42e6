"""`fabricgen verify` as a user meets it: words, exit codes, what is written where."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from ipaddress import ip_interface, ip_network
from pathlib import Path
from threading import Timer
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.cli.verify.pings import nics
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.operation.intended import intended, read_plan
from fabricgen.plan.fabric import name_of, places, port_text
from fabricgen.plan.place import Tier
from fabricgen.plan.wiring import host_ports, uplinks
from fabricgen.state.state import State
from fabricgen.verify.expect.cable_names import about_of
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import SwitchVerdict
from tests import forked
from tests.plan.shapes import chassis, group, planned, rails, shape
from tests.some import some

ROOT = Path(__file__).parents[2]
INTENT = ROOT / "inventories/frr/intent.yaml"
STANDIN = Path(__file__).parent / "standin"
CANARY = "c4n4ry-7f3a9"
SECONDS = 300

NAMES = (
    *(f"be-leaf-00{number}" for number in range(4)),
    *(f"be-spine-0{number}" for number in range(2)),
    *(f"fe-border-0{number}" for number in range(2)),
    *(f"fe-leaf-00{number}" for number in range(4)),
    *(f"fe-spine-0{number}" for number in range(2)),
)


class Switches:
    """An inventory of the small FRR site whose switches are as a test says."""

    def __init__(self, folder: Path) -> None:
        self.inventory = folder / "inventory"
        self.inventory.mkdir()
        self.state = folder / "state.json"
        hosts = "".join(f"{name}: {{hostname: {name}, platform: frr}}\n" for name in NAMES)
        (self.inventory / "hosts.yaml").write_text(hosts)
        (self.inventory / "defaults.yaml").write_text('username: verify\npassword: "${env:STANDIN_PASSWORD}"\n')
        self.become({})

    def become(self, words: Mapping[str, str]) -> None:
        """Replace the file in one step: drivers read it meanwhile."""
        staged = self.state.with_suffix(".new")
        staged.write_text(json.dumps(dict(words)))
        staged.replace(self.state)

    @property
    def environment(self) -> dict[str, str]:
        """Of a process that meets them."""
        return os.environ | {"STANDIN": str(self.state), "STANDIN_PASSWORD": CANARY, "PYTHONPATH": str(STANDIN)}

    def command(self, *words: object) -> list[str]:
        """Command line of a live verify, as a process of its own."""
        return [sys.executable, "-m", "fabricgen", *line(INTENT, "-i", self.inventory, *words)]

    def verify(self, *words: object) -> subprocess.CompletedProcess[str]:
        """Verify, live."""
        return call(line(INTENT, "-i", self.inventory, *words), self.environment)


def line(*words: object) -> list[str]:
    return ["verify", *map(str, words)]


def call(words: list[str], environment: Mapping[str, str] = os.environ) -> subprocess.CompletedProcess[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.setattr(sys, "path", [*filter(None, environment.get("PYTHONPATH", "").split(os.pathsep)), *sys.path])
        result = forked.fabricgen(words, SECONDS)
    assert CANARY not in result.stdout + result.stderr
    assert "Traceback" not in result.stderr, result.stderr
    return result


@pytest.fixture
def switches(tmp_path: Path) -> Switches:
    return Switches(tmp_path)


@pytest.fixture
def run() -> Callable[..., Result]:
    def here(*words: object) -> Result:
        return CliRunner().invoke(main, ["verify", *map(str, words)], catch_exceptions=False)

    return here


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "use either -i"),
        (("-i", "a", "--from", "b"), "use either -i"),
        (("--from", "b", "--save", "c"), "--save queries live switches"),
        (("--from", "b", "--retry", "1"), "--retry queries live switches"),
        (("--from", "b", "--watch", "0"), "--watch queries live switches"),
        (("-i", "a", "--workers", "0"), "--workers"),
    ],
)
def test_words_that_do_not_go_together(run: Callable[..., Result], words: tuple[str, ...], told: str) -> None:
    result = run(INTENT, *words)
    assert result.exit_code == 2
    assert told in result.stderr


def test_no_switch_answers(switches: Switches, tmp_path: Path) -> None:
    result = switches.verify()
    assert (result.returncode, result.stderr) == (5, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "fix:"
    assert lines[1].startswith(
        f"  1. {', '.join(NAMES[:3])} and 11 more: the switch cannot be reached. The actual value gives the reason"
    )
    assert lines[2] == ""
    assert [line.partition("  ")[0] for line in lines[3:17]] == list(NAMES)
    assert lines[3] == (
        "be-leaf-000  reachable: the switch cannot be reached. Expected: an answer."
        " Actual: verify with <removed> is refused by be-leaf-000."
    )
    assert lines[-1].startswith("14 switches, 0 reached: 14 findings on 14 devices, 0 comparisons OK,")
    assert not list(tmp_path.rglob("*.log"))
    assert not (ROOT / "nornir.log").exists()


def test_the_demo_through_napalms_own_driver(tmp_path: Path) -> None:
    """Its inventory, with every switch at a port on which no one listens."""
    demo = ROOT / "inventories/demo"
    (tmp_path / "demo").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    for name in ("hosts.yaml", "groups.yaml", "defaults.yaml"):
        moved = re.sub(r"hostname: 10\.[0-9.]+", f"hostname: 127.0.0.1, port: {port}", (demo / name).read_text())
        (tmp_path / "demo" / name).write_text(moved)
    words = line(demo / "intent.yaml", "-i", tmp_path / "demo")
    result = call(words, os.environ | {"EOS_PASSWORD": CANARY})
    assert (result.returncode, result.stderr) == (5, "")
    assert len([line for line in result.stdout.splitlines() if "  reachable: " in line]) == 20
    assert result.stdout.count("Connection refused") == 20
    result = call(words)
    assert result.returncode == 1
    assert "defaults.yaml:5:11: error[secret-missing]: the secret ${env:EOS_PASSWORD} is missing" in result.stderr


def test_one_that_answers_is_judged_whatever_the_others_do(switches: Switches) -> None:
    """What it says is nothing at all: all that was to be seen is missing."""
    switches.become({"be-spine-00": "well"})
    result = switches.verify()
    assert (result.returncode, result.stderr) == (4, "")
    spine = [line for line in result.stdout.splitlines() if line.startswith("be-spine-00  ")]
    assert any(" sessions: " in line or "could not be read" in line for line in spine)
    assert "be-spine-00  reachable: the switch" not in result.stdout
    assert "14 switches, 1 reached" in result.stdout


@pytest.mark.parametrize("words", some([["-v"], ["--json", "--devices", "*-spine-*"], ["--junit", "report.xml"]], of=2))
def test_a_collection_gives_the_same_verdict_byte_for_byte(
    switches: Switches, tmp_path: Path, run: Callable[..., Result], words: list[str]
) -> None:
    switches.become({"be-spine-00": "well", "fe-leaf-000": "well"})
    lines = (switches.inventory / "hosts.yaml").read_text().splitlines(keepends=True)
    (switches.inventory / "hosts.yaml").write_text("".join(lines[:-1]))  # the last is not in the inventory
    words = [word.replace("report", str(tmp_path / "report")) for word in words]
    out = tmp_path / "collection"
    live = switches.verify("--save", out, *words)
    reports = [path.read_bytes() for path in tmp_path.glob("*.xml")]
    again = run(INTENT, "--from", out, *words)
    assert (again.exit_code, again.stdout, again.stderr) == (4, live.stdout, "")
    assert live.returncode == 4
    assert reports == [path.read_bytes() for path in tmp_path.glob("*.xml")]
    assert "fe-spine-01" in live.stdout
    wanted = NAMES if "--devices" not in words else [name for name in NAMES if "-spine-" in name]
    assert sorted(path.name for path in out.iterdir()) == [f"{name}.json" for name in wanted]
    assert CANARY not in "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())


def test_a_password_that_a_switch_repeats_is_kept_nowhere(switches: Switches, tmp_path: Path) -> None:
    """The double's running configuration is a remark with the password that it was given."""
    switches.become({"be-spine-00": "well"})
    switches.verify("--save", tmp_path / "collection")
    text = (tmp_path / "collection/be-spine-00.json").read_text()
    assert CANARY not in text
    assert "<removed>" in text


def test_json_and_junit(switches: Switches, tmp_path: Path) -> None:
    switches.become({"be-spine-00": "well"})
    result = switches.verify("--json", "--junit", tmp_path / "verify.xml")
    told = json.loads(result.stdout)
    assert (result.returncode, told["summary"]["switches"], told["summary"]["reached"]) == (4, 14, 1)
    assert [switch["device"] for switch in told["switches"]][:14] == list(NAMES)
    dead = told["switches"][0]
    assert dead["passed"] == {}
    assert [(one["check"], one["code"]) for one in dead["findings"]] == [("reachable", "unreachable")]
    root = ElementTree.parse(tmp_path / "verify.xml").getroot()  # noqa: S314 - our own
    assert [suite.attrib["name"] for suite in root][:14] == list(NAMES)


def test_only_some_switches(switches: Switches) -> None:
    result = switches.verify("--devices", "be-spine-*")
    assert result.returncode == 5
    assert result.stdout.splitlines()[-1].startswith("2 of 14 switches, 0 reached")
    summary = json.loads(switches.verify("--devices", "be-spine-*", "--json").stdout)["summary"]
    assert (summary["switches"], summary["planned"]) == (2, 14)
    result = switches.verify("--devices", "zz-*", "--json")
    assert (result.returncode, json.loads(result.stdout)["problems"][0]["code"]) == (1, "devices-none")


def test_mistakes_of_the_inventory(switches: Switches) -> None:
    with (switches.inventory / "hosts.yaml").open("a") as file:
        file.write("fe-spine-99: {hostname: a, platform: frr}\n")
    result = switches.verify()
    assert (result.returncode, result.stdout) == (1, "")
    assert "hosts.yaml:15:1: error[inventory-host]: fe-spine-99 is not a switch of the intent" in result.stderr
    assert "  15 | fe-spine-99: {hostname" in result.stderr
    assert json.loads(switches.verify("--json").stdout)["problems"][0]["line"] == 15
    (switches.inventory / "defaults.yaml").write_text("data: {lab: {subset: 3}}\n")
    assert "error[inventory-lab]" in switches.verify().stderr


def test_mistakes_of_the_intent(switches: Switches, tmp_path: Path) -> None:
    (tmp_path / "intent.yaml").write_text(INTENT.read_text().replace("10.64.0.0/16", "10.64.0.0/30"))
    result = call(line(tmp_path / "intent.yaml", "-i", switches.inventory), switches.environment)
    assert result.returncode == 1
    assert f"{tmp_path}/intent.yaml:" in result.stderr


def test_a_collection_that_can_not_be_judged(switches: Switches, tmp_path: Path, run: Callable[..., Result]) -> None:
    out = tmp_path / "collection"
    switches.verify("--save", out)
    (out / "be-leaf-000.json").write_text('{"collection": 1, "dev')
    result = call(line(INTENT, "--from", out))
    assert (result.returncode, result.stdout) == (1, "")
    assert f"error[collection-file]: {out}/be-leaf-000.json cannot be used" in result.stderr
    (out / "be-leaf-000.json").rename(out / "be-leaf-00.json")
    assert "error[collection-device]" in run(INTENT, "--from", out).stderr
    (out / "be-leaf-00.json").unlink()
    told = run(INTENT, "--from", out).stdout
    assert "be-leaf-000  reachable: the switch is not in the collection." in told


def test_a_report_that_can_not_be_written(switches: Switches, tmp_path: Path) -> None:
    result = switches.verify("--junit", tmp_path / "none/verify.xml")
    assert result.returncode == 1
    assert "error[junit-write]" in result.stderr


def test_a_folder_that_is_not_ours(switches: Switches, tmp_path: Path) -> None:
    result = switches.verify("--save", tmp_path)
    assert result.returncode == 1
    assert "error[collection-folder]" in result.stderr


def test_some_switches_are_not_saved_over_all(switches: Switches, tmp_path: Path, run: Callable[..., Result]) -> None:
    out = tmp_path / "collection"
    switches.verify("--save", out)
    before = run(INTENT, "--from", out).stdout
    result = switches.verify("--save", out, "--devices", "be-leaf-*")
    assert (result.returncode, result.stdout) == (1, "")
    assert f"error[collection-mixed]: {out} has an earlier collection" in result.stderr
    assert run(INTENT, "--from", out).stdout == before
    assert switches.verify("--save", out).returncode == 5, "all of them again are a new collection"


def stand(switches: Switches, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process: NAPALM finds the double."""
    folder = STANDIN / "custom_napalm"
    for name, file in (("custom_napalm", "__init__.py"), ("custom_napalm.frr", "frr.py")):
        spec = spec_from_file_location(name, folder / file)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        monkeypatch.setitem(sys.modules, name, module)
    for name in ("STANDIN", "STANDIN_PASSWORD"):
        monkeypatch.setenv(name, switches.environment[name])


def all_right(switches: Switches, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, and the judge is one that finds all right."""

    def right(expected: Expected, state: State, drift: object) -> SwitchVerdict:
        del state, drift
        return SwitchVerdict(device=expected.device, passed=(("mtu", 2),), findings=(), unchecked=())

    stand(switches, monkeypatch)
    monkeypatch.setattr("fabricgen.cli.verify.tasks.judge", right)
    monkeypatch.setattr("fabricgen.verify.judge.rounds._unread", lambda *_: ())


def test_as_planned(switches: Switches, run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge is a double here, which finds all right: exit code and words are what is tried."""
    all_right(switches, monkeypatch)
    switches.become(dict.fromkeys(NAMES, "well"))
    result = run(INTENT, "-i", switches.inventory)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "not checked:",
        "  pings: possible in a lab only",
        "14 switches, 14 reached: no findings, 28 comparisons OK, 1 check not possible",
    ]


@pytest.fixture
def lab_switches(switches: Switches, monkeypatch: pytest.MonkeyPatch) -> Switches:
    """The switches as those of a lab with all of the small site."""
    all_right(switches, monkeypatch)
    head = "data: {lab: {name: frr1, subset: '', intent: intent.yaml, dir: /nowhere/lab}}\n"
    with (switches.inventory / "defaults.yaml").open("a") as file:
        file.write(head)
    switches.become(dict.fromkeys(NAMES, "well"))
    return switches


@pytest.mark.parametrize(
    ("received", "found"), [(2, {"ping-leak"}), (1, {"ping-leak", "ping-loss"}), (0, {"ping-lost"})]
)
def test_pings_of_a_lab(
    lab_switches: Switches,
    tmp_path: Path,
    run: Callable[..., Result],
    monkeypatch: pytest.MonkeyPatch,
    found: set[str],
    received: int,
) -> None:
    """Every ping fares the same here, so those that must pass or those that must not are found."""
    sent: list[tuple[Path, str, str, str]] = []

    def ping(folder: Path, name: str, address: str, *, count: int, source: str) -> int:
        sent.append((folder, name, address, source))
        return min(received, count)

    def ping_full(folder: Path, name: str, address: str, size: int, *, count: int, source: str) -> int:
        assert size >= 1500
        return ping(folder, name, address, count=count, source=source)

    monkeypatch.setattr("fabricgen.cli.verify.pings.ping", ping)
    monkeypatch.setattr("fabricgen.cli.verify.pings.ping_full", ping_full)
    out = tmp_path / "collection"
    result = run(INTENT, "-i", lab_switches.inventory, "--save", out, "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (4, "")
    assert {one["code"] for switch in told["switches"] for one in switch["findings"]} == found
    assert {folder for folder, *_ in sent} == {Path("/nowhere/lab")}
    assert told["summary"]["servers"] == len({name for _, name, _, _ in sent}) > 1
    assert told["summary"]["switches"] == told["summary"]["reached"] == len(NAMES)
    if received != 2:  # a collection is judged in the same way, whatever is in it
        return
    again = run(INTENT, "--from", out, "--json")
    assert (again.exit_code, again.stdout) == (result.exit_code, result.stdout)
    some = run(INTENT, "--from", out, "--devices", "be-*")
    assert "  pings: only some of the switches are queried\n" in some.stdout
    (out / "_pings.json").unlink()
    assert "  pings: the collection has none\n" in run(INTENT, "--from", out).stdout


def test_a_lab_that_does_not_stand(lab_switches: Switches, run: Callable[..., Result]) -> None:
    result = run(INTENT, "-i", lab_switches.inventory)
    assert result.exit_code == 0, "the switches of this test answer, and no ping could be tried"
    assert "was not tried: no lab is running in /nowhere/lab" in result.stdout


def test_ports_are_told_with_rail_and_plane() -> None:
    """Of the demo: two rails a leaf, one plane, 4 spines; a DGX H100 has a NIC port a rail (its own hardware file)."""
    demo = read_plan(ROOT / "inventories/demo/intent.yaml")
    about = about_of(demo)
    for device in intended(demo, None, "*").devices:
        told = [about(device.name, row.name) for row in device.interfaces.ethernet if row.peer]
        if device.role == "leaf" and device.fabric == "backend":
            number = int(device.name[-3:])
            assert {words for words in told if "rail" in words} == {
                f"rail {2 * number} plane 0", f"rail {2 * number + 1} plane 0",
            }  # fmt: skip
            links = [words for words in told if "uplink" in words]
            assert links == [f"uplink {link} plane 0" for link in range(len(links))]
            assert len(links) % 4 == 0
        elif device.fabric == "backend":
            found = [re.fullmatch(r"from uplink (\d+) plane 0", words) for words in told]
            assert {int(match[1]) % 4 for match in found if match} == {int(device.name[-2:])}
            assert all(found)
    assert about("be-leaf-000", "Ethernet999") == ""


def test_planes_are_told_apart() -> None:
    """Two planes of four rails, a leaf each, under a spine a plane: every rail and both uplinks are in both."""
    leaf = chassis(4, 2, 2)
    made = planned(
        shape((group("train", leaf, rails(4), 1, planes=2),), spine=chassis(8, 8, 0), spines=1, links=2, planes=2)
    )
    about, fabric = about_of(made), made.fabrics["backend"]
    told: dict[int, set[str]] = {0: set(), 1: set()}
    for place in places(fabric):
        if place.tier is Tier.LEAF:
            ports = [host.port for host in host_ports(fabric, place)] + [up.lower_port for up in uplinks(fabric, place)]
            told[place.plane] |= {about(name_of(fabric, place), port_text(fabric, place, port)) for port in ports}
    every = [*(f"rail {rail}" for rail in range(4)), "uplink 0", "uplink 1"]
    assert told == {plane: {f"{words} plane {plane}" for words in every} for plane in (0, 1)}


def test_whom_servers_of_a_lab_ping_from() -> None:
    """As the intent has it: tenants b and c import a; the backend is everyone's."""
    lab = make_lab(read_plan(ROOT / "inventories/demo/intent.yaml"), parse_subset("units=1,leaves=2,servers=4"))
    found = list(nics(lab))
    imports = {nic.tenant: nic.imports for nic in found}
    assert imports == {"": (), "storage": ("research", "serving"), "research": ("storage",), "serving": ("storage",)}
    assert {nic.fabric for nic in found if nic.tenant == ""} >= {"backend"}
    assert {nic.fabric for nic in found if nic.tenant} == {"frontend"}
    names = {device.name for device in lab.devices}
    assert {nic.leaf for nic in found} <= names
    assert all(nic.part for nic in found)
    backend = {str(ip_interface(text).network) for nic in found if nic.fabric == "backend" for text in nic.addresses}
    assert all(ip_network(text).subnet_of(ip_network("10.64.0.0/12")) for text in backend)  # type: ignore[arg-type]


@contextmanager
def started(words: list[str], environment: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A verify that goes on; killed if a test leaves it so."""
    process = subprocess.Popen(
        words, env=dict(environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.mark.parametrize("number", some([signal.SIGTERM, signal.SIGINT]))
def test_what_was_collected_before_an_interruption_is_kept(
    switches: Switches, tmp_path: Path, number: signal.Signals
) -> None:
    """The first switch answers at once, the next takes its time, and one at a time is asked."""
    switches.become(dict.fromkeys(NAMES, "slow") | {NAMES[0]: "well"})
    out = tmp_path / "collection"
    with started(switches.command("--save", out, "--workers", 1), switches.environment) as process:
        until((out / f"{NAMES[0]}.json").exists)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=SECONDS)
    assert (process.returncode, stderr) == (130, "interrupted: this is what was collected until then\n")
    kept = sorted(path.name for path in out.iterdir())
    assert kept == [f"{name}.json" for name in NAMES[: len(kept)]]
    assert 1 <= len(kept) < len(NAMES)
    assert f"{NAMES[-1]}  reachable: the switch is not in the collection." in stdout
    again = call(line(INTENT, "--from", out))
    assert (again.returncode, again.stdout) == (4, stdout)


def told(process: subprocess.Popen[str], ending: str) -> str:
    """Read until a line that ends so; where it does not come, the process is killed."""
    lines = []
    assert process.stdout is not None
    timer = Timer(SECONDS, process.kill)
    timer.start()
    try:
        for found in process.stdout:
            lines.append(found)
            if ending in found:
                return "".join(lines)
    finally:
        timer.cancel()
    raise AssertionError(f"{ending!r} was not told: {''.join(lines)}")


def test_a_watch_tells_what_changes_and_ends_with_the_last_round(switches: Switches) -> None:
    words = switches.command("--watch", "0.1", "--devices", "be-spine-*")
    with started(words, switches.environment) as process:
        first = told(process, "2 of 14 switches")
        assert first.count("reachable: the switch cannot be reached") == 2
        switches.become({"be-spine-00": "well"})
        second = told(process, "2 of 14 switches")
        assert "gone: be-spine-00  reachable: the switch cannot be reached." in second
        assert "appeared: be-spine-00  " in second
        assert "be-spine-01" not in second
        switches.become({})
        third = told(process, "2 of 14 switches, 0 reached")
        assert "appeared: be-spine-00  reachable: the switch cannot be reached." in third
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=SECONDS)
    assert (process.returncode, stdout, stderr) == (5, "", "")


def test_a_watch_in_json_is_a_document_a_line(switches: Switches) -> None:
    words = switches.command("--watch", "0.1", "--devices", "be-spine-*", "--json")
    with started(words, switches.environment) as process:
        first = json.loads(told(process, "summary"))
        switches.become({"be-spine-00": "well"})
        second = json.loads(told(process, "summary"))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SECONDS)
    assert process.returncode == 4
    assert [switch["device"] for switch in first["switches"]] == ["be-spine-00", "be-spine-01", "servers"]
    assert second["summary"]["reached"] == 1
    assert first["summary"]["planned"] == second["summary"]["planned"] == len(NAMES)
    assert [one["device"] for one in second["gone"]] == ["be-spine-00"]


def test_a_retry_ends_when_all_is_well(switches: Switches) -> None:
    """Nothing becomes well here; the budget is spent and then told."""
    result = switches.verify("--retry", "1", "--devices", "be-spine-00")
    assert result.returncode == 5
    assert result.stdout.count("reachable: the switch cannot be reached") == 1


def test_help_loads_neither_napalm_nor_nornir() -> None:
    code = (
        "import sys, fabricgen.cli as cli; cli.main.main(['--help'], standalone_mode=False);"
        "print([name for name in ('napalm', 'nornir', 'netmiko') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "verify" in result.stdout
    assert result.stdout.splitlines()[-1] == "[]"
