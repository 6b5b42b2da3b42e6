"""`fabricgen init`: every combination that is offered renders at once; nothing is overwritten or half-written."""

import io
import json
import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from fabricgen.checks.catalogue import examine, run_checks
from fabricgen.cli.init import ask as init_ask
from fabricgen.cli.init import command as init
from fabricgen.cli.init.choose import choose, releases, systems, unable
from fabricgen.cli.init.model import DESIGNS, LEAF_SPINE, InitAnswers, gpu_servers, library
from fabricgen.cli.init.search import planned
from fabricgen.errors import FabricError
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.fabric import LeafSpine, RailOnly, RailOptimized, Tor
from fabricgen.platforms import PLATFORMS, supports
from fabricgen.render.tree import count_devices
from fabricgen.source.document import read_document
from tests.cli.conftest import Run
from tests.some import LONG, some

SMALL = ("--model", "dgx-h100", "--servers", 4)
COMBINATIONS = [
    (system, design, frontend)
    for system in systems()
    for design in DESIGNS
    for frontend in ((True,) if design == LEAF_SPINE else (True, False))
]


def test_all_designs_and_platforms_are_offered() -> None:
    models = (RailOptimized, Tor, RailOnly, LeafSpine)
    assert {model.model_fields["design"].annotation.__args__[0] for model in models} == set(DESIGNS)  # type: ignore[union-attr]
    assert {system.partition("-")[0] for system in systems()} == set(PLATFORMS)
    catalog = load_catalog(None)
    assert set(library("servers")) == set(catalog.servers)
    assert set(library("switches")) == set(catalog.switches)


@pytest.mark.parametrize(("system", "design", "frontend"), some(COMBINATIONS, of=40))
def test_it_renders_at_once(tmp_path: Path, run: Run, system: str, design: str, frontend: bool) -> None:
    file = tmp_path / "new/site.yaml"
    more = [] if frontend else ["--no-frontend"]
    made = run("init", file, "--design", design, *SMALL, "--os", system, *more, "--json")
    assert made.exit_code == 0
    told = json.loads(made.stdout)
    assert [told["backend"] is not None, told["frontend"] is not None] == [design != LEAF_SPINE, frontend]
    assert [path.name for path in file.parent.iterdir()] == ["site.yaml"]
    result = run("render", file, "-o", tmp_path / "out")
    assert (result.exit_code, result.stdout) == (0, "")
    assert len([path for path in (tmp_path / "out").iterdir() if path.is_dir()]) == told["switches"] + 1
    value = read_document(file).value
    assert isinstance(value, dict)
    fabrics = value["fabrics"]
    assert {body["topology"]["design"] for body in fabrics.values()} == {design, *([LEAF_SPINE] if frontend else [])}
    assert {body["leaf"]["os"] for body in fabrics.values()} == {system}
    can = PLATFORMS[system.partition("-")[0]].can("pfc")
    is_lossless = can is not None and not can.refusal
    assert ("transport: roce-lossless" in file.read_text()) is (is_lossless and design != LEAF_SPINE)


def test_what_is_asked_for_is_written(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "intent.yaml"
    words = ["--design", "tor", *SMALL, "--planned", 64, "--os", systems()[0], "--site", "dc7", "--no-frontend"]
    models = ["--leaf", "arista-7060x6-64pe", "--spine", "arista-7060dx5-64s"]
    assert run("init", file, *words, *models).exit_code == 0
    text = file.read_text()
    assert "train: {model: dgx-h100, slots: 0-3, planned: 64}" in text
    assert "leaf: {model: arista-7060x6-64pe" in text
    assert "spine: {model: arista-7060dx5-64s" in text
    assert "\nsite: dc7\n" in text
    assert "tenants:" not in text
    again = tmp_path / "again.yaml"
    run("init", again, *words, *models)
    assert again.read_text() == text


CATALOG = load_catalog(None)
GPU_SERVERS = tuple(name for name, server in CATALOG.servers.items() if server.gpus)
WITHOUT_PORTS = {("gaudi3-hls3", "nxos"), ("gaudi3-hls3", "srlinux")}
"""Servers with four ports of 200G in an OSFP cage, and systems whose switches do not divide such a cage so."""


ASKED = InitAnswers(
    site="dc1", design="rail-optimized", model="dgx-h100", servers=8, planned=0, system="eos-4.34", frontend=False
)


def test_servers_with_gpus_are_offered_first() -> None:
    offered = gpu_servers()
    assert set(offered) == set(CATALOG.servers)
    assert offered[: len(GPU_SERVERS)] == tuple(sorted(GPU_SERVERS))


@pytest.mark.parametrize(
    ("model", "system"),
    some(product(GPU_SERVERS, releases()), of=215),
)
def test_every_gpu_server_has_a_backend_with_every_release(model: str, system: str) -> None:
    """Planned and checked switch by switch; `test_it_renders_at_once` writes the files of one server's."""
    if (model, system.partition("-")[0]) in WITHOUT_PORTS:
        with pytest.raises(FabricError) as caught:
            choose(replace(ASKED, system=system, model=model))
        assert [problem.code for problem in caught.value.problems] == ["init-nothing-fits"]
        return
    found = choose(replace(ASKED, system=system, model=model))
    backend = found.chosen.backend
    assert backend is not None
    assert found.switches == open_text(found.text)
    can = PLATFORMS[system.partition("-")[0]].can("pfc")
    assert bool(backend.marking) is (can is not None and not can.refusal)


def open_text(text: str) -> int:
    """Switches of an intent, by its own plan."""
    with planned(text) as plan:
        return count_devices(plan)


@pytest.mark.parametrize(("model", "system"), some(product(("dgx-b300", "hgx-h200"), releases()), of=22))
def test_frontends_of_both_speeds_hold_or_say_why(model: str, system: str) -> None:
    """400G and 200G. SONiC before master has no gateway that is the same on every leaf: its models have none."""
    if not supports(system, "anycast-gateway"):
        with pytest.raises(FabricError) as caught:
            choose(replace(ASKED, system=system, model=model, design=LEAF_SPINE, frontend=True))
        (problem,) = caught.value.problems
        assert "community SONiC has it from master on, and these switches run" in problem.why
        assert problem.fix.startswith("use --os sonic-master")
        return
    assert (
        choose(replace(ASKED, system=system, model=model, design=LEAF_SPINE, frontend=True)).chosen.frontend is not None
    )


@pytest.mark.parametrize("system", some(["eos-4.34.1F", "sonic-202505", "sonic-master"]))
def test_what_shows_on_switches_alone_is_looked_at_before_a_model_is_taken(system: str) -> None:
    """64 servers took a frontend of Z9664F with split ports, which SONiC's file of that box does not have."""
    frontend = supports(system, "anycast-gateway")
    found = choose(replace(ASKED, system=system, servers=64, frontend=frontend))
    with planned(found.text) as plan:
        assert run_checks(plan) == ()


@LONG
def test_enter_at_every_prompt_renders(tmp_path: Path, run: Run) -> None:
    code, told = typed(tmp_path, b"\n" * 6)
    assert code == 0, told
    assert b"server model [" + sorted(GPU_SERVERS)[0].encode() in told
    assert run("render", tmp_path / "intent.yaml", "-o", tmp_path / "out").exit_code == 0


OPEN = {
    "pair-short": "as many spines as uplinks, or weights: switches to buy, or a choice of the operator",
    "few-flows": "a setting of the servers, where the switches spread by a hash alone",
    "seeds-not-configurable": "what the hardware does, which its maker does not say",
    "ecn-after-pfc-published": "the maker's own thresholds, or the formula: a choice of the operator",
    "headroom-unproven": "sizes of a chip that no source has",
    "control-with-cnp": "marks that the operating system does not move",
    "spraying-unproven": "what the NIC's maker does not say",
    "security-clocks": "addresses of NTP servers, which only the operator knows",
    "security-logs": "addresses of log servers, which only the operator knows",
    "security-in-band": "sources of managers, which only the operator knows, where the system compares nothing else",
    "security-mac-limit": "what the operating system does not have",
    "security-storm-control": "what the operating system does not have",
}
"""Code of a warning that a first site may have → why no line of the intent that `init` writes is better without it."""


@pytest.mark.parametrize("system", some(releases(), of=24))
def test_a_first_site_has_no_warning_that_a_line_of_it_would_have_avoided(system: str) -> None:
    """SR Linux comes with `admin` and `linuxadmin`, community SONiC with `admin`, of which no file says anything."""
    frontend = supports(system, "anycast-gateway")
    found = choose(replace(ASKED, system=system, model=sorted(GPU_SERVERS)[0], frontend=frontend))
    told = [account for account in PLATFORMS[system.partition("-")[0]].factory if account.is_configurable]
    with planned(found.text) as plan:
        notes = {note.code: note for note in examine(plan).notes}
        assert set(plan.intent.management.users) >= {account.name for account in told}
    by_hand = notes.pop("factory-password", None)
    assert by_hand is None or "passwd" in by_hand.fix, by_hand
    assert set(notes) <= set(OPEN)


@pytest.mark.parametrize(
    ("system", "checks_ttl", "minutes"),
    [("eos-4.34", True, 10), ("frr-10.3", True, 0), ("junos-24.4", False, 10)],
)
def test_a_new_fabric_has_what_a_running_one_gets_in_steps(system: str, checks_ttl: bool, minutes: int) -> None:
    """TTL security where a system checks it (Junos only sends), and an idle time where sshd is ours (not FRR)."""
    with planned(choose(replace(ASKED, system=system)).text) as plan:
        login, fabrics = plan.intent.management.login, plan.intent.fabrics.values()
    assert {fabric.bgp.ttl_security for fabric in fabrics} == ({"check"} if checks_ttl else {"none"})
    assert (login.idle_timeout if login else 0) == minutes


@pytest.mark.parametrize("system", ["srlinux-25.3", "eos-4.34"])
def test_a_hash_is_asked_for_each_account_that_would_keep_a_published_password(system: str) -> None:
    """Nokia, SR Linux 25.3 Configuration Basics, Securing access: both come with one password, to be changed."""
    with planned(choose(replace(ASKED, system=system)).text) as plan:
        users = plan.intent.management.users
    names = ["admin", "linuxadmin"] if system.startswith("srlinux") else ["admin"]
    assert list(users) == names
    assert [user.password for user in users.values()] == [f"${{env:{name.upper()}_HASH}}" for name in names]


@pytest.mark.parametrize(
    ("model", "system", "mode", "why"),
    some(
        [
            ("hgx-b200", "cumulus-5.11", "dlb-per-packet", ""),
            ("dgx-h100", "cumulus-5.11", "ecmp", "are not known to accept them"),
            ("hgx-b200", "eos-4.34", "dlb-flowlet", "for packet spraying is undocumented"),
            ("hgx-b200", "sonic-202505", "ecmp", "no table"),
            ("hgx-b200", "nxos-10.5", "dlb-per-packet", ""),
        ]
    ),
)
def test_packets_are_spread_where_switch_speed_release_and_nic_can(
    tmp_path: Path, run: Run, model: str, system: str, mode: str, why: str
) -> None:
    file = tmp_path / "intent.yaml"
    words = ["--design", "rail-optimized", "--model", model, "--servers", 8, "--os", system, "--no-frontend"]
    result = run("init", file, *words)
    assert result.exit_code == 0
    assert f"load_balancing: {mode}" in result.stderr
    assert f"    load_balancing: {mode}\n" in file.read_text()
    assert ("dlb-per-packet is not possible: " in file.read_text()) is bool(why)
    assert why in result.stderr


def test_spectrum_x_is_kept_off_links_that_it_does_not_take(tmp_path: Path, run: Run) -> None:
    """NICs of 800G in one plane: an SN5600's links of 800G have no adaptive routing, and the reason is told."""
    file = tmp_path / "intent.yaml"
    words = ["--design", "rail-optimized", "--model", "dgx-b300", "--servers", 8, "--os", "cumulus-5.11"]
    assert run("init", file, *words, "--no-frontend", "--leaf", "nvidia-sn5600").exit_code == 0
    text = re.sub(r"topology: {.*}", "topology: {design: rail-optimized, planes: 1}", file.read_text())
    assert "load_balancing: dlb-per-packet" in text
    file.write_text(text)
    told = run("validate", file).stderr
    assert "links between switches are 800G, and nvidia-sn5600 supports it on 200G or 400G only" in told


@pytest.mark.parametrize("servers", [1100])
@LONG
def test_a_third_tier_is_taken_where_two_are_not_enough(servers: int) -> None:
    """128 ports of 400G join 128 leaves: 16 units of 64 servers, 1,024 in all."""
    backend = choose(replace(ASKED, servers=servers)).chosen.backend
    assert backend is not None
    assert backend.core
    two = choose(replace(ASKED, servers=1024, planned=1024)).chosen.backend
    assert two is not None
    assert not two.core


@pytest.mark.parametrize("system", some(["eos-4.34", "cumulus-5.11", "nxos-10.5", "srlinux-25.3"], of=2))
def test_another_spine_and_another_unit_move_no_number(tmp_path: Path, run: Run, system: str) -> None:
    """What is reserved by default is taken at once, in both fabrics."""
    file = tmp_path / "intent.yaml"
    words = ["--design", "rail-optimized", "--model", "hgx-b200", "--servers", 8, "--os", system]
    assert run("init", file, *words, "--json").exit_code == 0
    assert run("render", file, "-o", tmp_path / "out").exit_code == 0
    text = file.read_text()
    (reserved,) = re.findall(r"slots: 0-7, planned: ([0-9]+)", text)
    counts = [(int(now), int(more)) for now, more in re.findall(r"spines: {now: ([0-9]+), planned: ([0-9]+)}", text)]
    assert len(counts) == 2
    assert all(more > now for now, more in counts)
    grown = re.sub(r"spines: {now: [0-9]+, planned: ([0-9]+)}", r"spines: {now: \1, planned: \1}", text)
    grown = grown.replace("slots: 0-7", f"slots: 0-{int(reserved) - 1}")
    file.write_text(grown)
    told = run("diff", file, "--against", tmp_path / "out")
    assert told.exit_code == 3, told.stderr
    assert "Renumbering: none" in told.stdout
    units = {name.rpartition("-")[0] for name in re.findall(r"fe-leaf-[0-9]+|be-leaf-[0-9]+", told.stdout)}
    assert units >= {"be-leaf", "fe-leaf"}


def test_what_is_said_is_reserved_and_no_more(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "intent.yaml"
    words = ["--design", "rail-optimized", "--model", "dgx-h100", "--servers", 64, "--planned", 64, "--os", "eos-4.34"]
    assert run("init", file, *words).exit_code == 0
    assert "slots: 0-63, planned: 64}" in file.read_text()
    assert run("render", file, "-o", tmp_path / "out").exit_code == 0


@pytest.mark.parametrize("taken", ["intent.yaml", "fabricgen.lock"])
def test_nothing_is_overwritten(tmp_path: Path, run: Run, taken: str) -> None:
    (tmp_path / taken).write_text("mine")
    result = run("init", tmp_path / "intent.yaml", "--design", "tor", *SMALL, "--os", systems()[0], "--json")
    assert (result.exit_code, json.loads(result.stdout)["problems"][0]["code"]) == (1, "init-exists")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(taken, "mine")]


def test_one_that_comes_meanwhile_stays(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "intent.yaml"
    choose = init._choose

    def late(answers: InitAnswers) -> object:
        file.write_text("mine")
        return choose(answers)

    monkeypatch.setattr(init, "_choose", late)
    result = run("init", file, "--design", "rail-only", *SMALL, "--os", systems()[0], "--no-frontend", "--json")
    assert (result.exit_code, json.loads(result.stdout)["problems"][0]["code"]) == (1, "output-write")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("intent.yaml", "mine")]


def test_a_leaf_that_was_asked_for_gets_other_spines(tmp_path: Path, run: Run) -> None:
    """16 leaves stand under no spine of eight 400G ports, as this leaf is."""
    words = ["--design", "rail-optimized", "--model", "dgx-h100", "--servers", "8", "--os", "eos-4.34", "--no-frontend"]
    result = run("init", tmp_path / "intent.yaml", *words, "--leaf", "arista-7050cx4-24d8", "--json")
    assert result.exit_code == 0
    chosen = json.loads(result.stdout)["backend"]
    assert chosen["leaf"] == "arista-7050cx4-24d8"
    assert chosen["spine"] not in ("", "arista-7050cx4-24d8")


def test_leaves_alone_have_nothing_to_balance(tmp_path: Path, run: Run) -> None:
    words = [
        "--design",
        "rail-only",
        *SMALL,
        "--os",
        "eos-4.34",
        "--no-frontend",
        "--leaf",
        "arista-7060x6-64pe",
        "--json",
    ]
    result = run("init", tmp_path / "intent.yaml", *words)
    assert json.loads(result.stdout)["backend"]["load_balancing"] == "ecmp"


@pytest.mark.parametrize(
    ("change", "code", "fix"),
    some(
        [
            (["--model", "dgx-h10"], "unknown-name", "did you mean dgx-h100?"),
            (["--os", "eos-4.32"], "unknown-name", "did you mean eos-4.33?"),
            (["--leaf", "arista-7060x6-64p"], "unknown-name", "did you mean arista-7060x6-64pe?"),
            (["--site", "Foo_1"], "bad-name", "use another one, e.g. --site dc1"),
            (
                ["--model", "storage-2x200"],
                "init-nics",
                "use another --model, or --design leaf-spine, which has no backend",
            ),
            (["--servers", "100000", "--leaf", "arista-7060dx5-32"], "init-nothing-fits", ""),
        ]
    ),
)
def test_what_can_not_be_is_told_and_nothing_is_written(
    tmp_path: Path, run: Run, change: list[str], code: str, fix: str
) -> None:
    words = ["--design", "tor", *SMALL, "--os", "eos-4.34", "--no-frontend", *change]
    result = run("init", tmp_path / "new/intent.yaml", *words, "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (result.exit_code, problem["code"]) == (1, code)
    assert problem["fix"].startswith(fix)
    assert problem["fix"]
    assert list(tmp_path.iterdir()) == []


def test_only_systems_that_can_be_lossless_are_offered_for_a_backend(tmp_path: Path, run: Run) -> None:
    """Typed as printed, --os makes a lossless backend: not FRR, which has port names of this leaf, too."""
    words = ["--design", "rail-optimized", *SMALL, "--no-frontend", "--leaf", "dell-z9864f-on"]
    result = run("init", tmp_path / "intent.yaml", *words, "--os", "eos-4.34", "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert problem["fix"].startswith("use --os sonic-master, or leave out --leaf")
    assert run("init", tmp_path / "intent.yaml", *words, "--os", "sonic-master").exit_code == 0
    assert "transport: roce-lossless" in (tmp_path / "intent.yaml").read_text()


def test_a_backend_that_is_not_lossless_is_said_to_be_so(tmp_path: Path, run: Run) -> None:
    words = ["--design", "rail-optimized", *SMALL, "--no-frontend", "--os", "frr-8.4"]
    result = run("init", tmp_path / "intent.yaml", *words)
    assert "  backend: transport: best-effort. roce-lossless is not possible: FRR on Linux: " in result.stderr
    assert "    transport: best-effort" in (tmp_path / "intent.yaml").read_text()


def test_a_model_that_has_no_lossless_class_gets_a_backend_that_is_not_lossless(tmp_path: Path, run: Run) -> None:
    """Its plan is lossless by rows of its chip; the switch is not, as its maker publishes no pool."""
    words = ["--design", "rail-optimized", *SMALL, "--no-frontend", "--os", "sonic-202511"]
    result = run("init", tmp_path / "intent.yaml", *words, "--leaf", "supermicro-sse-t8164")
    assert result.exit_code == 0
    assert "  backend: transport: best-effort. roce-lossless is not possible: no switch model" in result.stderr
    assert "    transport: best-effort" in (tmp_path / "intent.yaml").read_text()


@LONG
def test_a_frontend_that_nothing_fits_is_told_as_one_with_an_option_to_type(tmp_path: Path, run: Run) -> None:
    """Typed as printed, each half of the remedy writes a site."""
    words = ["--design", "rail-optimized", *SMALL]
    result = run("init", tmp_path / "intent.yaml", *words, "--os", "sonic-202505", "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert problem["what"] == "no known switches can build a frontend of 4 dgx-h100 with sonic-202505"
    assert problem["fix"] == "use --os sonic-master, or --no-frontend"
    assert run("init", tmp_path / "a/intent.yaml", *words, "--os", "sonic-master").exit_code == 0
    assert run("init", tmp_path / "b/intent.yaml", *words, "--os", "sonic-202505", "--no-frontend").exit_code == 0


TYPED: dict[str, tuple[list[object], str]] = {
    "more servers than leaves alone take": (
        ["--design", "rail-only", *SMALL, "--planned", "300", "--os", "eos-4.34", "--no-frontend"],
        "use --servers 128 --planned 128, or --design rail-optimized",
    ),
    "the same without what is planned": (
        ["--design", "rail-only", *SMALL[:-1], "129", "--os", "eos-4.34", "--no-frontend"],
        "use --servers 128, or --design rail-optimized",
    ),
    "the same of the leaf with the largest unit": (
        ["--design", "rail-only", "--model", "dgx-b300", "--servers", "300", "--os", "eos-4.34", "--no-frontend"],
        "use --servers 128, or --design rail-optimized",
    ),
    "a leaf that does not run the system": (
        ["--design", "tor", *SMALL, "--os", "eos-4.34", "--no-frontend", "--leaf", "nvidia-sn4700"],
        "use --os cumulus-5.16 or --os sonic-master, or leave out --leaf",
    ),
    "a spine that does not": (
        ["--design", "tor", *SMALL, "--os", "eos-4.34", "--no-frontend", "--spine", "nvidia-sn5640"],
        "use --os cumulus-5.16, or leave out --spine",
    ),
    "a frontend alone": (
        ["--design", LEAF_SPINE, *SMALL, "--os", "sonic-202505"],
        "use --os sonic-master",
    ),
}


def test_rails_with_typed_spines_have_planes_of_their_own(tmp_path: Path, run: Run) -> None:
    """More servers than one unit: rail-only without spines cannot, and --spine is no option to pass over."""
    words = ["--design", "rail-only", "--model", "dgx-b300", "--servers", "300", "--os", "eos-4.34", "--no-frontend"]
    model = "arista-7060x6-64pe"
    result = run("init", tmp_path / "intent.yaml", *words, "--leaf", model, "--spine", model)
    assert result.exit_code == 0, result.stderr
    text = (tmp_path / "intent.yaml").read_text()
    assert f"    spine: {{model: {model}, os: eos-4.34}}" in text
    assert "design: rail-only, spines: {now: " in text
    assert run("validate", tmp_path / "intent.yaml").exit_code == 0


@pytest.mark.parametrize("models", [pytest.param((), marks=pytest.mark.long), ("nokia-7220-ixr-d5",)])
def test_a_remedy_is_of_options_and_not_of_a_file_that_is_not_there(
    tmp_path: Path, run: Run, models: tuple[str, ...]
) -> None:
    """Nothing joins four 200G planes of a GB300 to a 7220 IXR-D5: no key of an intent can be typed, nor a part."""
    words = ["--design", "rail-optimized", "--model", "gb300-nvl72", "--servers", "36", "--planes", "4"]
    typed = [word for model in models for word in ("--leaf", model, "--spine", model)]
    result = run("init", tmp_path / "intent.yaml", *words, "--os", "srlinux-25.3", "--no-frontend", *typed, "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    expected = (
        "use another --os, --model, --planes, --leaf or --spine" if models else "use another --os, --model or --planes"
    )
    assert problem["fix"] == expected


@pytest.mark.parametrize("name", some(TYPED, of=6))
def test_each_choice_of_a_remedy_is_an_option_that_leads_on(name: str, tmp_path: Path, run: Run) -> None:
    """Typed as printed, in place of what was refused: a site is written, or something else is wrong."""
    words, fix = TYPED[name]
    result = run("init", tmp_path / "intent.yaml", *words, "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert problem["fix"].startswith(fix)
    choices = problem["fix"].removeprefix("use ").replace(", or ", " or ").split(" or ")
    for at, choice in enumerate(choices[:4]):
        left_out = re.match("leave out (--[a-z]+)", choice)
        at_option = words.index(left_out[1]) if left_out else len(words)
        changed = [*words[:at_option], *words[at_option + 2 :], *(() if left_out else choice.split())]
        result = run("init", tmp_path / f"{at}/intent.yaml", *changed, "--json")
        if result.exit_code:
            (other,) = json.loads(result.stdout)["problems"]
            assert (other["what"], other["why"]) != (problem["what"], problem["why"]), choice
            assert choice not in other["fix"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "missing options: --design, --model, --servers, --os"),
        (["--design", "tor", "--servers", "4"], "missing options: --model, --os"),
        (["--design", "mesh"], "'mesh' is not one of"),
        (["--design", LEAF_SPINE, "--no-frontend"], "omit --no-frontend"),
        (["--servers", "0"], "--servers"),
        (["--servers", "5", "--planned", "2"], "--planned 2 is fewer than --servers 5"),
    ],
)
def test_without_a_terminal_the_missing_options_are_named(
    tmp_path: Path, run: Run, words: list[str], told: str
) -> None:
    result = run("init", tmp_path / "intent.yaml", *words)
    assert result.exit_code == 2
    assert told in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_on_a_terminal_it_asks_for_what_was_not_said(tmp_path: Path) -> None:
    """Answers: the third server model by name, the servers offered, 16 planned, no frontend, the system offered."""
    code, told = typed(tmp_path, b"dgx-h100\n\n16\nn\n\n", "--design", "rail-only")
    assert code == 0, told
    text = (tmp_path / "intent.yaml").read_text()
    assert "train: {model: dgx-h100, slots: 0-7, planned: 16}" in text
    assert "frontend" not in text
    assert "design: rail-only" in text
    assert b"servers to reserve addresses and ports for (0: the existing ones and one more unit) [0]" in told
    assert b"design [" not in told
    assert b"  not sonic" not in told, "each can build it"


@pytest.mark.long
def test_answers_that_are_refused_are_changed_one_by_one(tmp_path: Path) -> None:
    """SONiC 202505 makes no frontend. Typed: five answers; then the frontend is left out, all others are kept."""
    answers = b"rail-optimized\ndgx-h100\n5\n7\ny\n" + b"frontend\nn\n"
    code, told = typed(tmp_path, answers, "--os", "sonic-202505")
    assert code == 0, told
    assert b"init-nothing-fits" in told
    assert b"  servers: 5\r\n" in told, "an answer is shown as it was given"
    text = (tmp_path / "intent.yaml").read_text()
    assert "train: {model: dgx-h100, slots: 0-4, planned: 7}" in text
    assert "sonic-202505" in text
    assert "frontend:" not in text


@LONG
def test_a_release_that_cannot_build_the_site_is_told(tmp_path: Path) -> None:
    """SONiC 202505 makes no frontend. It may be typed, though only the newest releases are listed."""
    code, told = typed(tmp_path, b"leaf-spine\ndgx-h100\n\n\nsonic-202505\nos\nsonic-master\n")
    assert code == 0, told
    assert b"  or another release of one of these, e.g. eos-4.35\r\n" in told
    assert b"\r\n  sonic-202505\r\n" not in told
    assert b"init-nothing-fits" in told
    assert "os: sonic-master}" in (tmp_path / "intent.yaml").read_text()


@pytest.mark.long
def test_what_cannot_build_the_site_is_named_with_the_reason() -> None:
    answers = InitAnswers(
        site="a", design="leaf-spine", model="dgx-h100", system="", servers=8, planned=0, frontend=True
    )
    refused = unable(answers, ("sonic-202505", "sonic-master"))
    assert refused.keys() == {"sonic-202505"}
    assert refused["sonic-202505"].startswith("community SONiC does not support anycast-gateway")


@pytest.mark.long
def test_whoever_stops_changing_answers_has_no_file(tmp_path: Path) -> None:
    answers = b"rail-optimized\ndgx-h100\n4\n0\ny\nservers\n6\n\nstop\n"
    code, told = typed(tmp_path, answers, "--os", "sonic-202505")
    assert code == 1, told
    assert told.count(b"init-nothing-fits") == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("typed", "expected"),
    some(
        [
            ("design\nleaf-spine\n", {"design": "leaf-spine", "frontend": True}),
            ("model\nhgx-b200\n", {"model": "hgx-b200"}),
            ("servers\n9\n", {"servers": 9}),
            ("servers\n20\n10\n30\n", {"servers": 20, "planned": 30}),
            ("planned\n0\n", {"planned": 0}),
            ("os\neos-4.34\n", {"system": "eos-4.34"}),
            ("frontend\ny\n", {"frontend": True}),
            ("\nweather\nplanned\n12\n", {"planned": 12}),
        ]
    ),
)
def test_each_answer_can_be_changed(typed: str, expected: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    """`weather` and an empty line are no answer: it asks again. 10 planned of 20 servers is asked again, too."""
    first = InitAnswers(
        site="dc1", design="tor", model="dgx-h100", servers=8, planned=16, system="frr-10.3", frontend=False
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert init_ask.changed(first) == replace(first, **expected)  # type: ignore[arg-type]


def typed(folder: Path, answers: bytes, *words: str) -> tuple[int, bytes]:
    """Exit code and stderr of `init` on a terminal of its own, answers typed ahead."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "fabricgen", "init", *words]
    told = b""
    with subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(ours, answers)
        try:
            while piece := os.read(ours, 4096):
                told += piece
        except OSError:  # how Linux says that the other end of a terminal is closed
            pass
    os.close(ours)
    return process.returncode, told


def test_a_release_between_two_known_ones_is_accepted_as_validate_accepts_it(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "intent.yaml"
    words = ["--design", "rail-optimized", *SMALL, "--no-frontend"]
    made = run("init", file, *words, "--os", "junos-24.3")
    assert made.exit_code == 0, made.output
    assert "os: junos-24.3" in file.read_text()
    told = run("validate", file, "--json")
    assert told.exit_code == 0, told.stdout
    # Lines differ between FRR 8.4 and 10.3.
    result = run("init", tmp_path / "other.yaml", *words, "--os", "frr-9.1", "--json")
    assert [problem["code"] for problem in json.loads(result.stdout)["problems"]] == ["unknown-name"]
