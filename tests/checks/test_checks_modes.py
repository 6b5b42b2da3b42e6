"""Modes of load balancing that only some fabrics, models and releases can have, each refused with its reason."""

import pytest

from fabricgen.checks.capacity.balancing import dynamic_groups, few_flows, modes, seeds_not_configurable
from fabricgen.checks.support.capabilities import capabilities, platforms
from fabricgen.checks.support.far_ends import far_ends
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import Plan, with_exceptions
from tests.checks.intents import Edits, catalog, plan, with_asic, with_nics
from tests.failures.sites import PAIR, Site, backend
from tests.failures.sites import plan_of as plan_of_site
from tests.junos import intents
from tests.junos.sites import plan_of

MODE = "fabrics.backend.load_balancing"
PAIRED: Edits = {MODE: "ecmp-queue-pair"}
NEWER = "write os: junos-24.4, or write load_balancing: ecmp"


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        ({}, []),
        ({"fabrics.backend.addressing.hosts": "ipv6"}, ["it reads the queue pair of IPv4 packets, and the hosts"]),
        ({"fabrics.backend.addressing.links": ["unnumbered"]}, []),
        ({"fabrics.backend.tenancy": "evpn-type5"}, ["it reads the queue pair behind the first UDP"]),
        (
            {"fabrics.frontend.load_balancing": "ecmp-queue-pair"},
            ["it reads the queue pair behind the first UDP"],
        ),
    ],
)
def test_where_a_hash_can_not_see_the_queue_pair(edits: Edits, words: list[str]) -> None:
    found = [problem.why for problem in modes(plan({**PAIRED, **edits}))]
    assert len(found) == len(words)
    assert all(why.startswith(word) for why, word in zip(found, words, strict=True))


def test_a_hash_on_the_queue_pair_is_a_hash() -> None:
    """Flows are still few, and seeds count; nothing is balanced by load."""
    made = plan(PAIRED)
    (found,) = few_flows(made)
    assert found.code == "few-flows"
    assert "unproven on Arista EOS: the command names port channels" in found.why
    assert all("unproven" not in problem.why for problem in few_flows(plan({MODE: "ecmp"})))
    assert [*dynamic_groups(made)] == [*capabilities(made)] == [*seeds_not_configurable(made)] == []


def test_flows_behind_leaf_pairs_are_sockets() -> None:
    """`export hosts` writes NCCL_IB_DISABLE=1 there, and no queue pairs."""
    site = backend("0-2", PAIR, model="dgx-b300", transport="best-effort", load_balancing="ecmp")
    made = plan_of_site(Site("", site))
    (found,) = few_flows(made)
    assert found.what.startswith("backend spreads flows of sockets over")
    assert "NCCL_SOCKET_NTHREADS=4" in found.fix
    assert not any(word in f"{found.what}{found.why}{found.fix}" for word in ("RoCE", "queue pair", "QPS", "writes it"))


@pytest.mark.parametrize(
    ("model", "system", "fix"),
    [
        ("arista-7060x6-64pe", "eos-4.34", "write load_balancing: dlb-flowlet or cluster; or set NCCL_IB_QPS"),
        ("nvidia-sn5600", "cumulus-5.16", "write load_balancing: dlb-per-packet; or set NCCL_IB_QPS"),
        ("nokia-7220-ixr-h5-64d", "srlinux-25.3", "set NCCL_IB_QPS"),
    ],
)
def test_only_modes_that_the_fabric_can_have_are_offered(model: str, system: str, fix: str) -> None:
    """With NICs that take packets out of order. Cumulus has no command for flowlets, SR Linux none for any mode."""
    switch = {"model": model, "os": system}
    edits = {MODE: "ecmp", "fabrics.backend.leaf": switch, "fabrics.backend.spine": switch}
    made = plan(edits, hardware=with_nics(reorder=True))
    (found,) = (problem for problem in few_flows(made) if problem.where[1] == "backend")
    assert found.fix.startswith(fix)


def test_a_model_that_nobody_names_does_not_hash_on_the_queue_pair() -> None:
    eos = catalog().asics["tomahawk5"].spellings["eos"]
    named = {"eos": {key: word for key, word in eos.items() if key != "queue_pair_hash"}}
    (problem,) = capabilities(plan(PAIRED, hardware=with_asic(spellings=named)))
    assert (problem.code, problem.where) == ("platform-cannot", ("fabrics", "backend", "load_balancing"))
    assert "Tomahawk" in problem.why


def told(*edits: tuple[str, str]) -> list[str]:
    text = intents.GLOBAL
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return [problem.why.partition(":")[0] for problem in modes(plan_of(text))]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("", "", []),
        ("now: 64, planned: 64", "now: 32, planned: 32", ["it takes one link per leaf-spine pair, and here are 2"]),
        ("now: 64, planned", "now: 32, planned", ["it takes one link per leaf-spine pair, and here are 2"]),
        ("links: [ipv4, ipv6]", "links: [unnumbered]", ["whether it works on links without addresses is undocumented"]),
        ("mtu: 9202", "mtu: 9202\n    tenancy: evpn-type5", ["it is not supported for routes of an overlay"]),
        ("slots: 0-7", "slots: 0-519", ["it takes 64 leaves, and 65 are planned"]),
    ],
)
def test_where_the_load_of_remote_links_is_not_known(old: str, new: str, words: list[str]) -> None:
    found = told((old, new)) if old else told()
    assert len(found) == len(words), found
    assert all(why.startswith(word) for why, word in zip(found, words, strict=True))


def test_a_fabric_that_does_not_fit_keeps_dynamic_balancing() -> None:
    """Without it few-flows and seeds-not-configurable would be next; spines that are only planned have no links."""
    (problem,) = modes(plan_of(intents.GLOBAL.replace("now: 64", "now: 32")))
    assert problem.why.endswith("with topology.spines.now: 64 there is one")
    assert problem.fix == "write load_balancing: dlb-flowlet"
    cumulus = {
        f"fabrics.backend.{role}": {"model": "nvidia-sn5600", "os": "cumulus-5.16"} for role in ("leaf", "spine")
    }
    assert {problem.fix for problem in modes(plan({MODE: "dlb-global", **cumulus}))} == {"write load_balancing: ecmp"}


def test_another_model_has_no_global_balancing() -> None:
    lone = intents.LOSSLESS.replace("dlb-flowlet", "dlb-global")
    problems = [*capabilities(plan_of(lone))]
    assert [problem.where for problem in problems] == [("fabrics", "backend", "load_balancing")]
    assert problems[0].why.startswith("Juniper lists it for QFX5240")


def at(version: str, text: str = intents.GLOBAL) -> Plan:
    return plan_of(text.replace("junos-24.4", f"junos-{version}"))


@pytest.mark.parametrize("version", ["24.2", "24.3", "23.4X100-D40", "24.4R1"])
def test_a_release_before_global_balancing_is_refused(version: str) -> None:
    found = [problem for problem in capabilities(at(version)) if problem.where[-1] == "load_balancing"]
    assert [problem.fix for problem in found] == ([] if version == "24.4R1" else [NEWER])


def test_a_release_is_offered_only_to_a_model_that_has_it_then() -> None:
    (problem,) = capabilities(at("24.2", intents.LOSSLESS.replace("dlb-flowlet", "dlb-global")))
    assert problem.why.startswith("Juniper lists it for QFX5240")
    assert "os:" not in problem.fix


def test_a_release_that_is_not_supported_is_replaced_by_one_with_global_balancing() -> None:
    assert {problem.fix.partition(",")[0] for problem in platforms(at("23.2"))} == {"write os: junos-24.4"}


def test_every_switch_of_a_fabric_shares_its_load() -> None:
    bare = plan_of(intents.GLOBAL + "overrides: {be-leaf-000: {load_balancing: dlb-flowlet}}\n")
    (problem,) = far_ends(with_exceptions(bare, resolve_inputs(bare.intent, bare.fabrics)))
    assert problem.code == "one-sided"
    assert "dlb-global" in problem.what
