"""Fixes of missing keys, and of those with a wrong type, have the values of the site: each is typed."""

import re
import shutil
from pathlib import Path

import pytest

from fabricgen.checks.catalogue import run_checks
from fabricgen.errors import Problem
from fabricgen.site.workspace import WorkspaceError, open_workspace

DEMO = Path(__file__).parents[1] / "inventories/demo"
GATEWAY, OOB, COUNTS = "  gateway: 10.0.0.1\n", "  oob: 10.0.0.0/20\n", "spines: {now: 4, planned: 16}"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name in ("intent.yaml", "fabricgen.lock"):
        shutil.copy(DEMO / name, tmp_path / name)
    return tmp_path / "intent.yaml"


def problem_of(path: Path, text: str) -> Problem:
    path.write_text(text)
    with pytest.raises(WorkspaceError) as raised:
        open_workspace(path)
    (problem,) = raised.value.problems
    return problem


def is_sound(path: Path, text: str) -> bool:
    path.write_text(text)
    return run_checks(open_workspace(path).plan) == ()


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        (OOB, "add e.g. oob: 10.0.0.0/22 to management: "),
        (GATEWAY, "add e.g. gateway: 10.0.0.1 to management: the router's address in oob"),
        (
            '    addressing: {links: [ipv4, ipv6], hosts: ipv4, ipv4: 10.64.0.0/12, ipv6: "fd5e:8c1f:2a00::/52"}\n',
            'add addressing: {ipv4: 10.64.0.0/12, ipv6: "fd5e:8c1f:2a00::/52"} to fabrics.backend',
        ),
    ],
)
def test_a_missing_key_is_written_as_the_site_needs_it(site: Path, line: str, fix: str) -> None:
    text = site.read_text()
    problem = problem_of(site, text.replace(line, "", 1))
    assert problem.fix.startswith(fix)
    typed = re.match(r"add (?:e\.g\. )?(.*?) to (?:management|fabrics)", problem.fix)
    assert typed is not None
    assert is_sound(site, text.replace(line, line[: len(line) - len(line.lstrip())] + typed[1] + "\n", 1))


LEAF = "    leaf: {model: arista-7050cx4-24d8, os: eos-4.34}\n"


@pytest.mark.parametrize("written", ["", "    leaf: arista\n"])
def test_a_leaf_is_offered_as_the_spines_of_its_fabric(site: Path, written: str) -> None:
    """The model of the schema's example is a backend's, and has no speed in common with these spines."""
    text = site.read_text()
    problem = problem_of(site, text.replace(LEAF, written))
    typed = re.search(r"e\.g\. (leaf: \{model: arista-7060dx5-32, os: eos-4\.34\})", problem.fix)
    assert typed is not None
    (site.parent / "fabricgen.lock").unlink()  # it has the numbers of other leaves
    assert is_sound(site, text.replace(LEAF, f"    {typed[1]}\n"))


@pytest.mark.parametrize(
    ("written", "offered"),
    [
        ("eos_4.34", "eos-4.34"),
        ("EOS 4.35.2F", "eos-4.35"),
        ("4.33", "eos-4.33"),
        ("eos", "eos-4.34"),  # as the other switches
        ("cumulu", "cumulus-5.16"),
    ],
)
def test_the_nearest_release_is_offered_for_a_misspelt_one(site: Path, written: str, offered: str) -> None:
    problem = problem_of(site, site.read_text().replace("eos-4.34", written, 1))
    assert (problem.code, problem.fix) == ("bad-pattern", f"did you mean {offered}?")


def test_all_systems_are_listed_for_one_that_is_near_none(site: Path) -> None:
    problem = problem_of(site, site.read_text().replace("eos-4.34", "windows 11", 1))
    assert problem.fix.startswith("choose one of cumulus-5.11, ")


def test_what_a_model_runs_is_offered_in_the_release_of_the_other_switches(site: Path) -> None:
    problem = problem_of(site, site.read_text().replace("eos-4.34", "cumulus-5.16", 1))
    assert problem.fix == (
        "write os: eos-4.34 or os: frr-10.3 for this model, or model: nvidia-sn5600 or model: nvidia-sn5600d or model: "
        "nvidia-sn5610 for cumulus (validate then names each setting that cumulus does not support)"
    )


@pytest.mark.parametrize(
    ("written", "able", "fix"),
    [
        ("gpu: compute", "; server groups with the NIC group compute: train", "write train, the only choice"),
        ("gpu: any", "", "choose one of store, train"),
    ],
)
def test_server_groups_with_the_nic_group_are_offered(site: Path, written: str, able: str, fix: str) -> None:
    """The caret is at the key that is wrong, not at its value."""
    problem = problem_of(site, site.read_text().replace("train: compute", written))
    assert (problem.what, problem.fix) == ("unknown server group gpu", fix)
    assert problem.why == f"it is not a key of `servers`{able}"
    assert problem.at is not None
    assert problem.at.column == len("    connects: {") + 1


@pytest.mark.parametrize(
    ("was", "written", "why", "fix"),
    [
        ("design: rail-optimized", "design: rails", "it is not one of the known values", "choose one of rail-only, "),
        (
            "design: leaf-spine",
            "design: clos",
            "it is not the design of a frontend",
            "write leaf-spine, the only choice",
        ),
        ("dlb-flowlet", "adaptive", "it is not one of the known values", "choose one of cluster, dlb-flowlet, "),
        ("dlb-flowlet", "dlb-flow", "it must be one of cluster, dlb-flowlet, ", "did you mean dlb-flowlet?"),
        (
            "vlan: 110",
            "vlan: 5000",
            "`vlan` must be 2 to 4093 (VLAN of the server ports; VLAN 1, the default, and VLAN 4094 are not used)",
            "write 2 to 4093",
        ),
        (
            "${env:ADMIN_HASH}",
            "$ADMIN_HASH",
            "an intent has references to secrets",
            'write password: "${env:ADMIN_HASH}" or password: "${file:PATH}" (its value is the hash of the password)',
        ),
    ],
)
def test_a_refused_value_lists_choices_and_bounds_once(site: Path, was: str, written: str, why: str, fix: str) -> None:
    problem = problem_of(site, site.read_text().replace(was, written))
    assert problem.why.startswith(why)
    assert problem.fix.startswith(fix)


@pytest.mark.parametrize("counts", ["spines: 4", "spines: {now: 4}"])
def test_the_planned_spines_of_the_lock_are_offered(site: Path, counts: str) -> None:
    """The lock has 16 planned spines, and 4 exist."""
    text = site.read_text()
    problem = problem_of(site, text.replace(COUNTS, counts))
    assert problem.fix.removesuffix(" (the number is checked next)") == f"write {COUNTS}"


def test_new_numbers_are_offered_for_all_fabrics_that_need_them(site: Path) -> None:
    """Other servers change both fabrics: one command renumbers both."""
    text = site.read_text().replace("dgx-h100", "dgx-b300")
    problem = problem_of(site, text)
    command = "run fabricgen render INTENT --renumber frontend --renumber backend -o out "
    assert problem.fix.startswith(f"write servers.train.planned: 56 and then {command}")
    site.write_text(text.replace("planned: 192", "planned: 56"))
    problems = run_checks(open_workspace(site).plan)
    assert {problem.code for problem in problems} == {"lock-misfit"}
    assert run_checks(open_workspace(site, forget=("frontend", "backend")).plan) == ()
