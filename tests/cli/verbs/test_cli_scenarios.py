"""`--scenario`: all scenarios are validated, one is rendered, and no number follows from who owns a server."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricgen.changes.change import ChangeOp
from fabricgen.changes.compare.device import changes_between
from fabricgen.checks.catalogue import run_checks
from fabricgen.cli.common.options import BASE as SPELLED
from fabricgen.device.device import Device
from fabricgen.intent.scenarios import BASE
from fabricgen.intent.slot_ranges import parse_range
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from tests.cli.conftest import Run
from tests.cli.sites import DEMO, edit, rendered, stamps
from tests.host import require

NIGHT = 'scenarios:\n  night:\n    serving: {add: ["train[8-15]"], remove: ["train[31]"]}\n'
MOVED = {"fe-leaf-002", "fe-leaf-003", "fe-leaf-004", "fe-leaf-005"}
"""Leaves of the demo behind which servers 8-15 and 31 are."""

FIXED = (
    "device.",
    "management.",
    "bgp.asn",
    "bgp.router-id",
    "bgp.neighbor",
    "bgp.group",
    "bgp.network",
    "evpn.vtep",
    "evpn.mtu",
    "interface.peer",
    "interface.speed",
    "interface.mtu",
    "interface.qos",
    "loopback.ipv",
    "static-route",
    "qos",
)
"""Kinds of fact that no scenario may touch: names, addresses, AS numbers, cables, sessions, lossless settings."""

NUMBERS = (
    "interface.ipv4",
    "interface.ipv6",
    "evpn.vlan.vni",
    "evpn.vlan.rd",
    "evpn.vlan.route-target",
    "evpn.vrf.vni",
    "evpn.vrf.id",
    "bgp.vrf.rd",
)
"""Numbers of a tenant: they come to a leaf and go with it. A port of nobody's has no address; none ever changes."""

owners = st.lists(st.sampled_from(["research", "serving", ""]), min_size=32, max_size=32)


@pytest.fixture
def site(intent: Path) -> Path:
    """The demo without limits of MAC addresses, of which nobody says what they cost on EOS when they come or go."""
    text = intent.read_text().replace("mac_limit: auto", "mac_limit: none")
    intent.write_text(text + NIGHT)
    return intent


def without_scenarios(site: Path) -> Path:
    """The same intent without scenarios, beside it."""
    plain = site.with_name("plain.yaml")
    plain.write_text(site.read_text().removesuffix(NIGHT))
    return plain


def listed(slots: list[int]) -> str:
    return f'["train[{",".join(map(str, slots))}]"]'


def scenario(drawn: list[str], before: list[str]) -> str:
    """Moves that bring servers from their owners to others."""
    lines = []
    for tenant in ("research", "serving"):
        add = [at for at in range(len(drawn)) if drawn[at] == tenant and before[at] != tenant]
        gone = [at for at in range(len(drawn)) if not drawn[at] and before[at] == tenant]
        moves = [f"{key}: {listed(slots)}" for key, slots in (("add", add), ("remove", gone)) if slots]
        lines.append(f"    {tenant}: {{{', '.join(moves)}}}\n")
    return f"scenarios:\n  night:\n{''.join(lines)}"


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(owners)
def test_moving_servers_moves_no_number(intent: Path, drawn: list[str]) -> None:
    text = intent.read_text().partition("scenarios:\n")[0]
    intent.write_text(text + scenario(drawn, ["research"] * 16 + ["serving"] * 16))
    base, night = (open_workspace(intent, scenario=name).plan for name in (BASE, "night"))
    found = {slot: name for name in ("research", "serving") for slot in slots(night.intent.tenants[name].servers)}
    assert [found.get(at, "") for at in range(32)] == drawn
    assert night.lock == base.lock
    assert night.fabrics["backend"] == base.fabrics["backend"]
    numbers = [[(t.name, t.id, t.vni, t.networks) for t in plan.tenants["frontend"]] for plan in (base, night)]
    assert numbers[0] == numbers[1]
    for old, new in zip(devices(base), devices(night), strict=True):
        unmoved(old, new)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["research", "serving"]), min_size=8, max_size=8), st.integers(0, 7))
def test_on_a_shared_backend_only_the_vrf_of_a_port_moves(intent: Path, drawn: list[str], server: int) -> None:
    """Whole servers, and two NICs of one server that go to the other tenant than it."""
    text = (DEMO.parents[1] / "frr/intent.yaml").read_text()
    alone = "    transport: best-effort\n"
    assert text.count(alone) == 1
    other = {"research": "serving", "serving": "research"}[drawn[server]]
    moves = scenario(drawn, ["research"] * 4 + ["serving"] * 4).replace(
        f"    {other}: {{add: [", f'    {other}: {{add: ["train[{server}]/2-3", '
    )
    has_nics = "/2-3" in moves
    intent.write_text(text.replace(alone, f"{alone}    tenancy: evpn-type5\n") + moves)
    base, night = (open_workspace(intent, scenario=name).plan for name in (BASE, "night"))
    assert (run_checks(base), run_checks(night)) == ((), ())
    assert night.intent.tenants[other].nics == ((f"train[{server}]/2-3",) if has_nics else ())
    assert night.lock == base.lock
    before = {(at, rail): "research" if at < 4 else "serving" for at in range(8) for rail in range(8)}
    after = {(at, rail): drawn[at] for at, rail in before}
    after |= {(server, rail): other for rail in (2, 3) if has_nics}
    moved = 0
    for old, new in zip(devices(base), devices(night), strict=True):
        unmoved(old, new)
        moved += sum(fact.kind == "interface.vrf" for fact in changes_between(old, new) if old.fabric == "backend")
        assert not [fact for fact in changes_between(old, new) if fact.kind.startswith("interface.ipv")]
    assert moved == sum(before[nic] != after[nic] for nic in before)


def slots(servers: tuple[str, ...]) -> list[int]:
    return [at for text in servers for span in parse_range(text).slots for at in range(span.first, span.last + 1)]


def unmoved(old: Device, new: Device) -> None:
    assert (old.name, old.role) == (new.name, new.role)
    if old.fabric == "backend" and old.evpn is None:
        assert old == new
        return
    for fact in changes_between(old, new):
        assert not fact.kind.startswith(FIXED), fact
        assert fact.kind not in NUMBERS or fact.change is not ChangeOp.CHANGED, fact


def test_the_option_says_the_same_base() -> None:
    assert SPELLED == BASE


def test_validate_has_a_look_at_all(site: Path, run: Run) -> None:
    result = run("validate", site)
    warnings = [line for line in result.stderr.splitlines() if "warning[" in line]
    assert result.exit_code == 0
    outcome = f"no errors, {len(warnings)} warnings?" if warnings else "no problems"
    held = r"\(\d+ checks passed: \d+ on the plan, and \d+ that run on each of \d+ switches\)"
    assert re.search(rf"^{re.escape(str(site))}: {outcome} in 2 scenarios: base, night {held}\n\Z", result.stderr, re.M)
    assert len(set(warnings)) == len(warnings), "each warning once, whatever scenario it is of"


@pytest.mark.parametrize("verb", ["validate", "plan", "render"])
def test_a_problem_of_a_scenario_says_which_and_where(site: Path, tmp_path: Path, run: Run, verb: str) -> None:
    edit(site, 'add: ["train[8-15]"]', 'add: ["train[8-15]", "train[192]"]')
    words = ["-o", tmp_path / "out"] if verb == "render" else []
    result = run(verb, site, *words, "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert result.exit_code == 1
    assert problem["what"] == "in scenario night: train[192] names slot 192; train plans slots 0-191"
    at = next(number for number, line in enumerate(site.read_text().splitlines(), 1) if "train[192]" in line)
    assert (problem["file"], problem["line"]) == (str(site), at)
    assert problem["column"] == site.read_text().splitlines()[at - 1].index('"train[192]') + 1
    assert not (tmp_path / "out").exists()


def test_a_problem_of_the_plan_in_one_scenario_is_told_once(site: Path, run: Run) -> None:
    """Two tenants whose VLANs have one number cannot be behind one leaf."""
    edit(site, "vlan: 120", "vlan: 110")
    edit(site, 'servers: ["train[16-31]"]', 'servers: ["train[24-31]"]')
    result = run("validate", site, "--json")
    told = [problem["what"] for problem in json.loads(result.stdout)["problems"]]
    assert result.exit_code == 1
    assert told
    assert all(what.startswith("in scenario night: ") for what in told)


def test_a_problem_of_base_is_not_told_again(site: Path, run: Run) -> None:
    edit(site, "hosts: ipv4, ipv4: 10.64.0.0/12", "hosts: ipv4, ipv4: 10.64.0.0/24")
    told = [run(verb, site, *rest, "--json") for verb, *rest in (["validate"], ["explain", "be-leaf-000"])]
    assert [result.exit_code for result in told] == [1, 1]
    assert all("night" not in result.stdout for result in told)
    alone = json.loads(run("diff", site, "--scenario", "night", "--against", site, "--json").stdout)["problems"]
    assert alone
    assert all("in scenario" not in problem["what"] for problem in alone)


def test_one_scenario_is_rendered_and_another_into_the_same_folder_is_a_change(
    site: Path, tmp_path: Path, run: Run
) -> None:
    out = tmp_path / "out"
    assert run("render", site, "-o", out).exit_code == 0
    lock, base, before = (site.parent / "fabricgen.lock").read_bytes(), rendered(out), stamps(out)
    assert run("render", site, "-o", out, "--scenario", "night", "--locked").exit_code == 0
    night = rendered(out)
    assert {path.partition("/")[0] for path in night if night[path] != base[path]} == MOVED
    assert night.keys() == base.keys()
    same = [path for path in night if night[path] == base[path]]
    assert {path: stamps(out)[path] for path in same} == {path: before[path] for path in same}
    assert (site.parent / "fabricgen.lock").read_bytes() == lock
    assert (out / ".fabricgen/inputs/scenario.yaml").read_text() == "scenario: night\n"
    assert run("render", site, "-o", out).exit_code == 0
    assert rendered(out) == base
    assert not (out / ".fabricgen/inputs/scenario.yaml").exists()


def test_diff_goes_from_one_to_another(site: Path, tmp_path: Path, run: Run) -> None:
    there = json.loads(run("diff", site, "--scenario", "night", "--against", site, "--json").stdout)
    back = json.loads(run("diff", site, "--against", site, "--against-scenario", "night", "--json").stdout)
    for found in (there, back):
        assert {name for one in found["meaning"] for name in one["devices"]} == MOVED
        assert (found["risk"], found["moved"], found["recabled"]) == ("traffic loss", [], [])
    assert run("diff", site, "--against", site).exit_code == 0
    run("render", site, "-o", tmp_path / "out", "--scenario", "night")
    assert run("diff", site, "--scenario", "night", "--against", tmp_path / "out").exit_code == 0
    base = run("diff", site, "--against", tmp_path / "out")
    assert base.exit_code == 3
    other = run("diff", site, "--against", tmp_path / "out", "--against-scenario", "base", "--json")
    assert [problem["code"] for problem in json.loads(other.stdout)["problems"]] == ["against-scenario"]


@pytest.mark.parametrize("verb", ["diff", "what-if"])
def test_an_unknown_scenario_of_the_other_side_is_no_empty_side(site: Path, run: Run, verb: str) -> None:
    result = run(verb, site, "--against", site, "--against-scenario", "nigth", "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (result.exit_code, problem["code"], problem["fix"]) == (1, "unknown-scenario", "did you mean night?")
    plain = without_scenarios(site)
    result = run(verb, site, "--against", plain, "--against-scenario", "day", "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert problem["fix"].startswith("omit --against-scenario: ")


def test_the_pairs_are_told_both_ways(site: Path, run: Run) -> None:
    found = json.loads(run("plan", site, "--json").stdout)
    assert (found["scenario"], [(one["before"], one["after"]) for one in found["transitions"]]) == (
        "base",
        [("base", "night"), ("night", "base")],
    )
    there, back = found["transitions"]
    assert set(there["switches"]) == set(back["switches"]) == MOVED
    assert there["moves"] == [
        {"what": "train[31]", "before": "serving", "after": ""},
        {"what": "train[8-15]", "before": "research", "after": "serving"},
    ]
    assert (there["risk"], there["total"]) == ("traffic loss", 20)
    text = run("plan", site).stdout
    assert "base -> night 4 of 20 switches, traffic loss" in text
    assert "train[31] serving -> nobody" in text
    assert "\nscenarios\n" not in run("plan", without_scenarios(site)).stdout


@pytest.mark.parametrize(
    "words",
    [
        ["plan"],
        ["render"],
        ["diff", "--against", "."],
        ["explain", "be-leaf-000"],
        ["export", "nornir", "-o", "x"],
        ["lab", "up"],
    ],
)
def test_an_unknown_scenario_names_the_nearest(site: Path, run: Run, words: list[str]) -> None:
    at = 2 if words[0] in ("export", "lab") else 1
    result = run(*words[:at], site, *words[at:], "--scenario", "nigth", "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (result.exit_code, problem["code"], problem["fix"]) == (1, "unknown-scenario", "did you mean night?")


def test_explain_knows_whose_a_server_is_then(site: Path, run: Run) -> None:
    said = [run("explain", site, "train[8]", "--scenario", name).stdout for name in (BASE, "night")]
    assert ["research" in said[0], "serving" in said[0]] == [True, False]
    assert ["research" in said[1], "serving" in said[1]] == [False, True]


def test_an_intent_can_not_be_called_as_the_record_is(site: Path, tmp_path: Path, run: Run) -> None:
    taken = site.rename(site.with_name("scenario.yaml"))
    assert run("validate", taken).exit_code == 1
    result = run("render", taken, "-o", tmp_path / "out", "--scenario", "night", "--json")
    assert [problem["code"] for problem in json.loads(result.stdout)["problems"]] == ["scenario-name"]


def test_steps_do_not_begin_in_a_scenario(site: Path, tmp_path: Path, run: Run) -> None:
    run("render", site, "-o", tmp_path / "out", "--scenario", "night")
    result = run("plan", site, "--steps", tmp_path / "steps", "--against", tmp_path / "out", "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (problem["code"], problem["why"]) == (
        "steps-before",
        "it was rendered in scenario night, and steps need the intent without it",
    )
    words = ["--steps", tmp_path / "steps", "--against", site, "--scenario", "night"]
    assert run("plan", site, *words).exit_code == 2


def test_numbers_are_given_for_all_scenarios_at_once(intent: Path) -> None:
    """A tenant that has servers on a shared backend in one scenario alone has its VRF's number in base already."""
    text = (DEMO.parents[1] / "frr/intent.yaml").read_text()
    alone = "    transport: best-effort\n"
    spare = "  spare: {networks: {hosts: {vlan: 130, subnets: [172.20.0.0/20]}}}\n"
    moves = 'scenarios: {night: {spare: {add: ["train[0]", "train[4]/1"]}}}\n'
    intent.write_text(text.replace(alone, f"{alone}    tenancy: evpn-type5\n") + spare + moves)
    base, night = (open_workspace(intent, scenario=name).plan for name in (BASE, "night"))
    assert base.lock == night.lock
    assert ("backend", "vrf", "spare") in {(found.fabric, found.kind, found.name) for found in base.lock.ids}
    assert "spare" not in {tenant.name for tenant in base.tenants["backend"]}
    assert "spare" in {tenant.name for tenant in night.tenants["backend"]}
    assert base.recorded.ids == ()


def test_a_revision_has_its_own_scenarios(site: Path, run: Run) -> None:
    require("git")
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *words], cwd=site.parent, check=True)
    edit(site, 'add: ["train[8-15]"]', 'add: ["train[8-14]"]')
    night = ["diff", site, "--scenario", "night", "--against", "HEAD"]
    found = json.loads(run(*night, "--against-scenario", "night", "--json").stdout)
    assert {name for one in found["meaning"] for name in one["devices"]} == {"fe-leaf-002", "fe-leaf-003"}
    unknown = run(*night, "--against-scenario", "noon")
    assert unknown.exit_code == 1
    assert "error[unknown-scenario]: unknown scenario noon in the state of --against" in unknown.stderr
