"""`export batfish`: a snapshot as Batfish's sources want it, each part of the plan once, and what it cannot read named.

The judge of formats, cables and servers is `batfish_files`, which is read off Batfish's sources.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from fabricgen.device.device import Device
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS, SYSTEMS
from fabricgen.platforms.batfish_readings import READINGS
from fabricgen.platforms.junos.batfish import prefixes_in_place
from fabricgen.platforms.linux.batfish import known_interfaces, numbered_communities
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from tests.accounts import without_accounts
from tests.export.batfish_files import FOLDERS, cables_of, check_host, format_of
from tests.export.conftest import Run, copied
from tests.lab.mixed import BACKEND, FRONTEND, HEAD, STORE, TENANTS, TRAIN, backend, frontend, plan_of, written
from tests.platform_cases import CASES

Rows = Mapping[str, list[list[Any]]]


class Exported(NamedTuple):
    """What was written: the folder, the questions' rows by name, the JSON of the verb, and the plan."""

    folder: Path
    rows: Rows
    told: dict[str, Any]
    plan: Plan

    @property
    def switches(self) -> dict[str, Device]:
        """Switches of the plan that were not left out."""
        left = {name for group in self.told["left_out"] for name in group["devices"]}
        return {device.name: device for device in devices(self.plan) if device.name not in left}


def exported(run: Run, intent: Path, *words: str) -> Exported:
    out = intent.parent / "out"
    done = run("export", "batfish", intent, "-o", out, "--json", *words)
    assert done.exit_code == 0, done.output
    questions = json.loads((out / "questions.json").read_text())["questions"]
    rows = {question["question"]: question["rows"] for question in questions}
    return Exported(out, rows, json.loads(done.stdout), open_workspace(intent).plan)


def small(folder: Path, system: str) -> Path:
    """A backend of one system."""
    site = next(site for case in CASES.values() for site in case.sites.values() if site.system == system)
    chassis = {"model": site.backend, "os": system}
    return written(
        folder, backend(fabrics={"backend": {**BACKEND, "leaf": chassis, "spine": dict(chassis)}}, overrides={})
    )


def tenants(folder: Path, system: str) -> Path:
    """A frontend of one system with two tenants, of which none imports the other."""
    site = next(site for case in CASES.values() for site in case.sites.values() if site.system == system)
    chassis = {"model": site.frontend, "os": system}
    apart = {name: {key: value for key, value in own.items() if key != "imports"} for name, own in TENANTS.items()}
    fabric = {**FRONTEND, "leaf": chassis, "spine": dict(chassis)}
    servers = {"train": TRAIN, "store": STORE}
    return written(
        folder, without_accounts({**HEAD, "servers": servers, "fabrics": {"frontend": fabric}, "tenants": apart})
    )


@pytest.fixture(params=["demo", "mixed", "tenants"])
def done(request: pytest.FixtureRequest, tmp_path: Path, run: Run) -> Exported:
    """The demo, a backend of four systems, and a frontend of SONiC and Cumulus beside a backend."""
    if request.param == "demo":
        return exported(run, copied("demo", tmp_path))
    if request.param == "mixed":
        return exported(run, written(tmp_path, backend()))
    both = {**frontend(), "fabrics": {"backend": BACKEND, **frontend()["fabrics"]}}
    both["overrides"] = {**backend()["overrides"], **both["overrides"]}
    return exported(run, written(tmp_path, both))


def cables(found: Exported) -> Iterator[frozenset[tuple[str, str]]]:
    """Cables of the plan between parts of the snapshot: the ports of each switch that have a far end, each seen once.

    A server's port has another name on the server than in the plan, and is found by the switch's end.
    """
    names = found.switches
    for device in names.values():
        for row in device.interfaces.ethernet:
            ends = ((device.name, row.name), (row.peer, row.peer_port))
            if row.peer in names and row.enabled and not row.dead:
                yield frozenset(ends)


def test_each_file_is_read_as_its_system(done: Exported) -> None:
    snapshot = done.folder / "snapshot"
    assert {path.name for path in snapshot.iterdir()} <= FOLDERS
    formats = {}
    for path in snapshot.glob("configs/*"):
        formats[path.stem] = format_of(path.read_text())
    for folder in snapshot.glob("sonic_configs/*"):
        assert {path.name for path in folder.iterdir()} == {"config_db.json", "frr.conf"}
        formats[folder.name] = "SONIC"
    wanted = {"eos": "ARISTA", "nxos": "CISCO_NX", "junos": "JUNIPER", "sonic": "SONIC", "frr": "CUMULUS_CONCATENATED"}
    assert formats == {name: wanted[device.system] for name, device in done.switches.items()}
    assert formats
    rows = {tuple(row[1:]) for row in done.rows["fileParseStatus"]}
    assert {(name, form) for _, form, name in rows if form != "HOST"} == set(formats.items())
    assert {path for path, _, _ in rows} == {
        path.relative_to(snapshot).as_posix()
        for pattern in ("configs/*", "hosts/*", "sonic_configs/*/*")
        for path in snapshot.glob(pattern)
    }


def test_a_switch_is_written_or_named(done: Exported) -> None:
    left = [name for group in done.told["left_out"] for name in group["devices"]]
    assert len(left) == len(set(left))
    assert {*left, *done.switches} == {device.name for device in devices(done.plan)}
    assert done.told["switches"] == len(done.switches)
    assert all(group["why"] for group in done.told["left_out"])
    text = "".join(path.name for path in (done.folder / "snapshot").rglob("*"))
    assert [name for name in left if name in text] == []


def test_every_cable_is_there_once(done: Exported) -> None:
    document = json.loads((done.folder / "snapshot/batfish/layer1_topology.json").read_text())
    found = cables_of(document)
    assert len(found) == len(set(found)) == done.told["cables"]
    ends = Counter(end for cable in found for end in cable)
    assert set(ends.values()) == {1}
    servers = {path.stem for path in (done.folder / "snapshot/hosts").iterdir()}
    assert len(servers) == done.told["servers"]
    assert {cable for cable in found if not {name for name, _ in cable} & servers} == set(cables(done))
    to_servers = {
        end for cable in found if {name for name, _ in cable} & servers for end in cable if end[0] not in servers
    }
    assert to_servers == {
        (device.name, row.name)
        for device in done.switches.values()
        for row in device.interfaces.ethernet
        if row.peer in servers and row.enabled
    }
    assert {tuple(row[1:]) for row in done.rows["userProvidedLayer1Edges"]} == {
        tuple(f"{edge[node]['hostname']}[{edge[node]['interfaceName']}]" for node in ("node1", "node2"))
        for edge in document["edges"]
    }


def test_servers_are_as_batfish_reads_them(done: Exported) -> None:
    edges = json.loads((done.folder / "snapshot/batfish/layer1_topology.json").read_text())["edges"]
    cabled = {(edge["node1"]["hostname"], edge["node1"]["interfaceName"]) for edge in edges}
    for path in (done.folder / "snapshot/hosts").iterdir():
        document = json.loads(path.read_text())
        check_host(document)
        assert document["hostname"] == path.stem
        interfaces = document["hostInterfaces"]
        assert sum("gateway" in interface for interface in interfaces.values()) <= 1
        assert {name for owner, name in cabled if owner == path.stem} <= set(interfaces)
    leaves = {
        str(row.ipv4.partition("/")[0]): row
        for device in devices(done.plan)
        for row in device.interfaces.ethernet
        if row.profile.role == "host" and row.ipv4
    }
    assert leaves or "backend" not in done.plan.fabrics


def test_the_default_route_of_a_server_is_by_its_frontend(eos: Path, run: Run) -> None:
    found = exported(run, eos)
    host = json.loads((found.folder / "snapshot/hosts/train-000.json").read_text())
    (gateway,) = (row["gateway"] for row in host["hostInterfaces"].values() if "gateway" in row)
    assert gateway == "172.18.0.1"


def test_sessions_and_routes_are_those_of_the_plan(eos: Path, run: Run) -> None:
    """Counted from the Devices alone: in a two-tier fabric each link is a session, in both directions."""
    found = exported(run, eos)
    switches = found.switches
    direct = Counter(
        (device.name, row.peer)
        for device in switches.values()
        for row in device.interfaces.ethernet
        if row.peer in switches
    )
    evpn = Counter(pair for pair in set(direct) if "fe-" in pair[0])
    told = Counter[tuple[str, str]]()
    outside = set()
    for count, node, vrf, address, far, status in found.rows["bgpSessionStatus"]:
        if status == "ESTABLISHED":
            assert vrf == "default"
            told[node, far] += count
        else:
            outside.add((node, vrf, address, far, status))
    assert told == direct + evpn
    assert {(node, vrf) for node, vrf, *_ in outside} == {
        (border, vrf) for border in ("fe-border-00", "fe-border-01") for vrf in ("research", "serving")
    }
    assert {row[3:] for row in outside} == {("None", "NOT_COMPATIBLE")}
    widths = {(node, prefix): count for count, node, prefix in found.rows["routes"]}
    spines = ("be-spine-00", "be-spine-01", "be-spine-02", "be-spine-03")
    links = {pair: count for pair, count in direct.items() if pair[0] == "be-leaf-000"}
    router_id = {name: f"{device.routing.bgp.router_id}/32" for name, device in switches.items()}
    assert {far: widths["be-leaf-000", router_id[far]] for far in spines} == {
        far: links["be-leaf-000", far] for far in spines
    }
    assert widths["be-leaf-000", router_id["be-leaf-001"]] == sum(links.values())
    assert {(node.partition("-")[0], prefix) for node, prefix in widths if prefix == router_id["be-leaf-001"]} == {
        ("be", router_id["be-leaf-001"])
    }
    assert {tuple(row[1:]) for row in found.rows["bgpProcessConfiguration"] if row[2] == "default"} == {
        (name, "default", device.routing.bgp.router_id) for name, device in switches.items()
    }
    assert found.rows["undefinedReferences"] == found.rows["detectLoops"] == []


def test_nothing_is_expected_of_switches_that_are_left_out(tmp_path: Path, run: Run) -> None:
    found = exported(run, written(tmp_path, backend()))
    assert {group["platform"]: group["devices"] for group in found.told["left_out"]} == {
        "NVIDIA Cumulus Linux": ["be-leaf-001"],
        "community SONiC": ["be-spine-01"],
    }
    rows = found.rows["bgpSessionStatus"]
    assert {(row[1], row[4], row[5]) for row in rows} == {
        ("be-leaf-000", "be-spine-00", "ESTABLISHED"),
        ("be-spine-00", "be-leaf-000", "ESTABLISHED"),
        ("be-leaf-000", "None", "NOT_COMPATIBLE"),
        ("be-spine-00", "None", "NOT_COMPATIBLE"),
    }
    own = {device.name: device.routing.bgp.networks_ipv4 for device in found.switches.values()}
    assert {(row[1], row[2]) for row in found.rows["routes"]} == {
        *(("be-leaf-000", prefix) for prefix in own["be-spine-00"]),
        *(("be-spine-00", prefix) for prefix in own["be-leaf-000"]),
    }


@pytest.mark.parametrize(("system", "word"), [("junos-24.4", "EVPN sessions"), ("frr-8.4", "an overlay for tenants")])
def test_tenants_that_batfish_would_model_otherwise(tmp_path: Path, run: Run, system: str, word: str) -> None:
    done = run("export", "batfish", tenants(tmp_path, system), "-o", tmp_path / "out", "--json")
    told = json.loads(done.stdout)
    if done.exit_code == 0:
        whys = {name: group["why"] for group in told["left_out"] for name in group["devices"]}
        assert word in whys["fe-leaf-000"]
        assert not (tmp_path / "out/snapshot/configs/fe-leaf-000.cfg").exists()
    else:
        assert {problem["code"] for problem in told["problems"]} == {"batfish-nothing"}
        assert word in told["problems"][0]["why"]
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("system", ["frr-8.4", "sonic-202505"])
def test_a_frontend_without_tenants_has_no_networks_of_theirs(tmp_path: Path, run: Run, system: str) -> None:
    path = tenants(tmp_path, system)
    intent = yaml.safe_load(path.read_text())
    del intent["tenants"]
    path.write_text(yaml.safe_dump(intent))
    whys = [group["why"] for group in exported(run, path).told["left_out"]]
    assert [why.partition(":")[0] for why in whys] == ["an overlay for tenants"]


def test_a_sonic_leaf_with_tenants_is_left_out_whatever_its_release(tmp_path: Path) -> None:
    leaf = next(device for device in devices(plan_of(tmp_path, frontend())) if device.name == "fe-leaf-000")
    form = READINGS["sonic"].format
    assert form is not None
    first = {
        version: next(row.feature for row in form.barriers if row.concerns(leaf._replace(version=version)))
        for version in PLATFORMS["sonic"].versions
    }
    tables, overlay = "BGP in tables of config_db.json", "an overlay for tenants"
    assert first == {"202505": overlay, "202511": overlay, "202605": tables, "master": tables}


@pytest.mark.parametrize("system", ["eos-4.34", "nxos-10.5"])
def test_tenants_that_batfish_reads(tmp_path: Path, run: Run, system: str) -> None:
    found = exported(run, tenants(tmp_path, system))
    assert found.told["left_out"] == []
    assert {row[2] for row in found.rows["bgpProcessConfiguration"]} == {"default", "storage", "research"}


def test_an_underlay_of_ipv6_is_left_out(tmp_path: Path, run: Run) -> None:
    path = small(tmp_path, "eos-4.34")
    text = path.read_text()
    links = "links:\n      - ipv4\n      - ipv6\n      hosts: ipv4\n"
    assert links in text
    path.write_text(text.replace(links, "links:\n      - ipv6\n      hosts: ipv6\n"))
    assert "no BGP of IPv6" in nothing_read(run, path)["why"]


@pytest.mark.parametrize("system", ["eos-4.34", "nxos-10.5", "junos-24.4", "sonic-202505", "frr-8.4"])
def test_leaves_of_rails_alone_have_no_session(tmp_path: Path, run: Run, system: str) -> None:
    """Their links are of IPv4, too: that is not why they are left out."""
    path = small(tmp_path, system)
    intent = yaml.safe_load(path.read_text())
    fabric = intent["fabrics"]["backend"]
    del fabric["spine"]
    fabric["topology"] = {"design": "rail-only"}
    path.write_text(yaml.safe_dump(intent))
    problem = nothing_read(run, path)
    assert "no BGP session: " in problem["why"]
    assert "IPv" not in problem["why"]
    # Another operating system would change nothing.
    assert "operating system" not in problem["fix"]


def nothing_read(run: Run, intent: Path) -> dict[str, str]:
    """The problem of a site of which no switch can be read."""
    out = intent.parent / "out"
    done = run("export", "batfish", intent, "-o", out, "--json")
    (problem,) = json.loads(done.stdout)["problems"]
    assert (done.exit_code, problem["code"], out.exists()) == (1, "batfish-nothing", False)
    return dict(problem)


def test_sessions_over_unnumbered_links_have_no_address(frr: Path, run: Run) -> None:
    intent = yaml.safe_load(frr.read_text())
    for fabric in intent["fabrics"].values():
        fabric["addressing"]["links"] = ["unnumbered"]
    frr.write_text(yaml.safe_dump(intent, sort_keys=False))
    (frr.parent / "fabricgen.lock").unlink()
    found = exported(run, frr)
    rows = [row for row in found.rows["bgpSessionStatus"] if row[5] == "ESTABLISHED"]
    assert {row[3] for row in rows if row[1].startswith("be-")} == {"None"}
    assert sum(row[0] for row in rows if row[1] == "be-leaf-000") == sum(
        row.peer in found.switches for row in found.switches["be-leaf-000"].interfaces.ethernet
    )


def test_a_dead_switch_and_a_dead_cable_are_not_there(eos: Path, run: Run) -> None:
    eos.write_text(
        eos.read_text()
        + "overrides:\n  be-spine-01: {state: dead}\n  link:be-leaf-000/Ethernet40/1: {state: dead}\n"
        + "waivers:\n- {code: links-missing, reason: a part is away}\n"
    )
    found = exported(run, eos)
    assert found.told["left_out"] == [
        {"platform": "Arista EOS", "devices": ["be-spine-01"], "why": "the intent declares it dead"}
    ]
    text = (found.folder / "snapshot/batfish/layer1_topology.json").read_text()
    assert '"be-leaf-000", "interfaceName": "Ethernet39/1"' in text
    assert '"be-leaf-000", "interfaceName": "Ethernet40/1"' not in text
    assert "be-spine-01" not in text
    status = Counter((row[1], row[4], row[5]) for row in found.rows["bgpSessionStatus"] for _ in range(row[0]))
    (spine,) = (row.peer for row in found.switches["be-leaf-000"].interfaces.ethernet if row.name == "Ethernet40/1")
    assert status["be-leaf-000", spine, "NOT_ESTABLISHED"] == status[spine, "be-leaf-000", "NOT_ESTABLISHED"] == 1
    assert sum(count for (_, _, told), count in status.items() if told == "NOT_ESTABLISHED") == 2


@pytest.mark.parametrize("system", ["eos-4.34", "nxos-10.5"])
def test_the_file_is_the_rendered_one_below_its_header(tmp_path: Path, run: Run, system: str) -> None:
    found = exported(run, small(tmp_path, system))
    renderer = Renderer()
    for name, device in found.switches.items():
        (file,) = renderer.render(device)
        _, _, body = (found.folder / f"snapshot/configs/{name}.cfg").read_text().partition("\n")
        assert body == re.sub(r"(set community .*)graceful-shutdown", r"\g<1>65535:0", file.text)


def test_secrets_stay_references(eos: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADMIN_HASH", "h4sh-of-the-admin")
    found = exported(run, eos)
    assert "${env:ADMIN_HASH}" in (found.folder / "snapshot/configs/be-leaf-000.cfg").read_text()
    assert [path for path in found.folder.rglob("*") if path.is_file() and "h4sh-of" in path.read_text()] == []


def test_the_same_intent_gives_the_same_bytes(eos: Path, run: Run) -> None:
    exported(run, eos)
    told = json.loads(run("export", "batfish", eos, "-o", eos.parent / "out", "--json").stdout)
    assert told["written"] == told["removed"] == []
    assert len(told["unchanged"]) == 20 + 40 + 2


def test_a_folder_of_another_export_is_refused(eos: Path, run: Run) -> None:
    out = eos.parent / "out"
    assert run("export", "nornir", eos, "-o", out).exit_code == 0
    done = run("export", "batfish", eos, "-o", out)
    assert done.exit_code == 1
    assert "error[export-folder]" in done.stderr


def test_what_the_verb_says(tmp_path: Path, run: Run) -> None:
    done = run("export", "batfish", written(tmp_path, backend()), "-o", tmp_path / "out")
    assert done.exit_code == 0
    assert "2 switches, 4 servers, 48 cables\n" in done.stderr
    assert "not written: be-leaf-001 (NVIDIA Cumulus Linux): its configuration is a file of NVUE" in done.stderr
    assert "not modelled by Batfish: IPv6 sessions and routes (" in done.stderr


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_page_has_each_format_and_refusal(system: str) -> None:
    page = (Path(__file__).parents[2] / "docs/batfish.md").read_text()
    form, refusal = READINGS[system]
    assert (f"`{form.name}`" in page) if form else refusal


def test_words_that_batfish_knows() -> None:
    """Lines of FRR and Junos in the forms of its grammars, and all else as it was."""
    assert numbered_communities(
        "bgp community-list standard CL-A seq 10 permit graceful-shutdown\n"
        " set community 65000:1 graceful-shutdown additive\n"
        " neighbor X description graceful-shutdown seq 10\n"
    ) == (
        "bgp community-list standard CL-A permit 65535:0\n"
        " set community 65000:1 65535:0 additive\n"
        " neighbor X description graceful-shutdown seq 10\n"
    )
    stanzas = (
        "# remark\n\nauto swp1\niface swp1\n    link-fec rs\n    mtu 9214\n\nauto swp2\niface swp2\n    link-down yes\n"
    )
    assert known_interfaces(stanzas) == "# remark\n\nauto swp1\niface swp1\n    mtu 9214\n"
    policy = (
        "policy-options {\n    route-filter-list A {\n        10.0.0.0/8 upto /32;\n        10.1.0.0/16 exact;\n    }\n"
        "            from {\n                route-filter-list A;\n            }\n"
    )
    assert prefixes_in_place(policy) == (
        "policy-options {\n            from {\n                route-filter 10.0.0.0/8 upto /32;\n"
        "                route-filter 10.1.0.0/16 exact;\n            }\n"
    )


STUB = """
import json, sys
from pathlib import Path

class Frame:
    def __init__(self, rows):
        self.rows = rows
    def iterrows(self):
        return enumerate(self.rows)

class Answer:
    def __init__(self, rows):
        self.rows = rows
    def answer(self):
        return self
    def frame(self):
        return Frame(self.rows)

class Questions:
    def __getattr__(self, name):
        return lambda **_: Answer(json.loads(Path("answers.json").read_text())[name])

class Session:
    def __init__(self, host):
        self.q = Questions()
    def init_snapshot(self, folder, name, overwrite):
        assert Path(folder, "configs").is_dir()
"""
"""A double of pybatfish: the calls that the page's script makes, answered from a file."""


def test_the_script_of_the_page_compares_rows(tmp_path: Path, run: Run) -> None:
    found = exported(run, small(tmp_path, "eos-4.34"))
    page = (Path(__file__).parents[2] / "docs/batfish.md").read_text()
    (script,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "check.py").write_text(script)
    package = tmp_path / "pybatfish/client"
    package.mkdir(parents=True)
    (package / "session.py").write_text(STUB)
    asked = json.loads((found.folder / "questions.json").read_text())["questions"]
    answers = {
        question["question"]: [
            dict(zip(question["columns"], cells, strict=True)) | {"Other": 1}
            for count, *cells in question["rows"]
            for _ in range(count)
        ]
        for question in asked
    }
    answers["fileParseStatus"] = [row | {"Nodes": [row["Nodes"]]} for row in answers["fileParseStatus"]]

    def checked() -> tuple[int, list[str]]:
        (tmp_path / "answers.json").write_text(json.dumps(answers))
        words = [sys.executable, "check.py", "out"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.returncode, done.stdout.splitlines()

    assert checked() == (0, [])
    gone = answers["routes"].pop()
    answers["bgpSessionStatus"][0]["Established_Status"] = "NOT_ESTABLISHED"
    code, lines = checked()
    assert code == 1
    assert f"- routes 1 {gone['Node']} {gone['Network']}" in lines
    assert [line[:18] for line in lines if "bgpSessionStatus" in line] == ["+ bgpSessionStatus", "- bgpSessionStatus"]
