"""Warnings: what is worth one, that none stops anything, and that a waiver with its reason silences it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fabricgen.checks.capacity.balancing import seeds_not_configurable, spraying_unproven
from fabricgen.checks.capacity.drains import drained_alone, lone_subnets
from fabricgen.checks.catalogue import NOTES, Accepted, examine
from fabricgen.checks.dimensions.link_loss import MANY_LINKS
from fabricgen.checks.lossless.marking import unknown_nics
from fabricgen.checks.lossless.watchdog import rounded_watchdog
from fabricgen.checks.settings.ineffective_keys import idle_keys
from fabricgen.checks.settings.session_guards import ttl_unchecked
from fabricgen.checks.switches.watch import watched
from fabricgen.cli import main
from fabricgen.errors import Problem
from fabricgen.explain.meanings import OF_CHECKS
from fabricgen.intent.site import Eapi, ManagementAccess
from fabricgen.intent.waivers import WAIVABLE, WARNINGS
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes, with_exceptions
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.device import devices
from tests.checks.intents import DEMO, Edits, plan, with_fabric, with_nics, with_shape
from tests.lossless_frontend import site as lossless_frontend
from tests.pairs import sites
from tests.resolve import tiers

BACKEND = "fabrics.backend"
LOSSLESS: Edits = {"transport": "roce-lossless"}
REASON = "measured in the lab"


PORTS = "fabrics.frontend.server_ports"
LOAD = "fabrics.frontend.load_balancing"
EIGHT = {f"{BACKEND}.topology.spines": {"now": 8, "planned": 16}}
"""Eight links a pair, as many as are warned of."""


def demo(**edits: object) -> Plan:
    return plan({**EIGHT, **{f"{BACKEND}.{key}": value for key, value in edits.items()}})


def one_link(made: Plan) -> Plan:
    """The same with one link a pair; only notes are asked of it."""
    return with_shape(made, links=1)


def nxos(**more: object) -> Plan:
    """A lossless backend of a system that sets headroom aside by itself, on chips of unknown size."""
    switch = {"model": "cisco-n9364d-gx2a", "os": "nxos-10.5"}
    edits = {"leaf": switch, "spine": switch, "topology.spines": {"now": 2, "planned": 32}}
    return plan({**{f"{BACKEND}.{key}": value for key, value in edits.items()}, **more})


def standard(key: str, value: object) -> Plan:
    """A site with a security profile, and one key that does not keep to it."""
    return one_link(plan({**EIGHT, "security": "standard", key: value}))


SNMP = {"user": "monitor", "auth": "${env:AUTH}", "privacy": "${env:PRIVACY}", "auth_algorithm": "sha256"}
CLOSED: Edits = {
    "security": "strict",
    "management.access": {"sources": ["10.0.0.0/28"]},
    "management.login": {"idle_timeout": 10},
    "management.snmp": SNMP,
    f"{BACKEND}.bgp": {"ttl_security": "check"},
    "fabrics.frontend.bgp": {"ttl_security": "check"},
}


def strict(key: str, value: object) -> Plan:
    """A site that keeps to the profile `strict`, but for one key."""
    return one_link(plan({**EIGHT, **CLOSED, key: value}))


def srlinux() -> Plan:
    """A frontend whose leaves have accounts of the factory that the demo's users do not name."""
    switch = {"model": "nokia-7220-ixr-d5", "os": "srlinux-25.3"}
    return one_link(plan({**EIGHT, "fabrics.frontend.leaf": switch, "fabrics.frontend.spine": switch}))


def guide() -> Plan:
    """Arista's thresholds for a spine, 512 kB, where half as much alpha leaves 358,772 octets for each of 127 ports."""
    return one_link(demo(load_balancing="cluster", **{"roce": {"ecn": "arista-guide", "alpha": "1/2"}}))


def notes(made: Plan) -> list[str]:
    return [note.code for check in NOTES for note in check.run(made)]


def cumulus() -> Plan:
    """BFD on a system whose BFD has the mark of CNP, and no word for another."""
    switch = {"model": "nvidia-sn5600", "os": "cumulus-5.11"}
    edits = {"leaf": switch, "spine": switch, "topology.spines": {"now": 2, "planned": 32}, "bgp": {"bfd": True}}
    return one_link(plan({f"{BACKEND}.{key}": value for key, value in edits.items()}))


QFX = {"model": "juniper-qfx5130-32cd", "os": "junos-24.4"}
"""A system that takes no seed."""


def qfx() -> Plan:
    """A frontend of it with more than one link a pair."""
    made = plan({**EIGHT, "fabrics.frontend.leaf": QFX, "fabrics.frontend.spine": QFX})
    return one_link(with_shape(made, "frontend", links=2))


def drained(leaf: str, **others: str) -> Plan:
    """A site of which a leaf is drained, and others are in the state that is given."""
    states = Exceptions(devices={leaf: "drained"} | {name.replace("_", "-"): state for name, state in others.items()})
    return with_fabric(one_link(demo()), "frontend", exceptions=states)


def alone(*leaves: str) -> Plan:
    """A backend of leaves alone, some of which are drained."""
    edits = {"topology": {"design": "rail-only"}, "spine": None, "load_balancing": "ecmp"}
    few = {"servers.train.slots": "0-31", "servers.train.planned": 32}
    made = plan({**few, **{f"{BACKEND}.{key}": value for key, value in edits.items()}})
    return with_fabric(made, exceptions=Exceptions(devices=dict.fromkeys(leaves, "drained")))


def port_drained(leaf: str, *keys: PortKey) -> Plan:
    """A site of which a leaf is drained, and ports of other leaves are absent."""
    states = Exceptions(devices={leaf: "drained"}, ports=dict.fromkeys(keys, "absent"))
    return with_fabric(one_link(demo()), "frontend", exceptions=states)


def narrow() -> Plan:
    """A lossless backend with 96 ports of a leaf towards servers and 32 towards spines."""
    return one_link(plan({**EIGHT, f"{BACKEND}.topology.oversubscription": "3:1"}))


def frontend(*, exits: bool, bonds: bool = False) -> Plan:
    """A lossless frontend of 1:1, with or without sessions to outside peers and bonds over both leaves."""
    level = {"design": "leaf-spine", "oversubscription": "1:1", "border_leaves": 2}
    more = lossless_frontend.BONDS if bonds else {}
    made = with_shape(lossless_frontend.planned("cumulus", topology=level, **more), "frontend", links=1)
    kept = {name: tuple(one._replace(external=()) for one in tenants) for name, tenants in made.tenants.items()}
    return made if exits else made._replace(tenants=kept)


CASES: dict[str, Callable[[], Plan]] = {
    "pair-short": demo,
    "ttl-unchecked": lambda: one_link(
        plan({**EIGHT, "fabrics.frontend.spine": QFX, "fabrics.frontend.bgp": {"ttl_security": "check"}})
    ),
    "ttl-sent-only": lambda: one_link(demo(bgp={"ttl_security": "send"})),
    "link-loss-idle": lambda: one_link(demo(link_loss="withdraw")),
    "few-flows": lambda: one_link(demo(load_balancing="ecmp")),
    "spraying-unproven": lambda: one_link(demo(load_balancing="dlb-per-packet")),
    "seeds-not-configurable": qfx,
    "unequal-members": lambda: demo(link_loss="weighted"),
    "hashed-above": lambda: demo(load_balancing="cluster", link_loss="withdraw"),
    "idle-key": lambda: one_link(demo(evpn={"admin": 65000}, load_balancing="cluster")),
    "factory-password": srlinux,
    "nic-unknown": lambda: one_link(plan(EIGHT, hardware=with_nics(vendor="acme"))),
    "control-with-cnp": cumulus,
    "ecn-after-pfc-published": guide,
    "watchdog-rounded": lambda: one_link(demo(roce={"watchdog": {"detect_ms": 201}})),
    "headroom-unproven": nxos,
    "lossless-oversubscribed": narrow,
    "lossless-switched": lambda: frontend(exits=False),
    "lossless-exits": lambda: frontend(exits=True),
    "rdma-bond": lambda: frontend(exits=False, bonds=True),
    "plain-reference": lambda: one_link(plan({"raw": [{"system": "eos", "lines": ["! see ${env:TOKEN}"]}]})),
    "subnet-alone": lambda: drained("fe-leaf-000", fe_leaf_001="dead"),
    "drain-idle": lambda: alone("be-leaf-000"),
    "ports-left-up": lambda: one_link(port_drained("fe-leaf-000", PortKey("fe-leaf-001", "Ethernet1/1"))),
    "outside-drained": lambda: drained("fe-border-00", fe_border_01="dead"),
    "release-between": lambda: one_link(plan({**EIGHT, "fabrics.frontend.spine": QFX | {"os": "junos-24.3"}})),
    "mac-limit-low": lambda: one_link(plan({**EIGHT, f"{PORTS}.mac_limit": 31})),
    "security-in-band": lambda: nxos(security="standard"),
    "security-storm-control": lambda: standard(PORTS, {"multihoming": "evpn-esi", "storm_control": None}),
    "security-mac-limit": lambda: standard(f"{PORTS}.mac_limit", "none"),
    "security-clocks": lambda: standard("management.ntp", ["10.0.0.5"]),
    "security-logs": lambda: standard("management.syslog", []),
    "security-sessions": lambda: strict(f"{BACKEND}.bgp", {"ttl_security": "none"}),
    "security-login": lambda: strict("management.login", {"banner": "Authorised access only."}),
    "security-snmp": lambda: strict("management.snmp", {**SNMP, "auth_algorithm": "sha"}),
}


BESIDE = {
    "lossless-exits": ["lossless-switched"],
    "rdma-bond": ["lossless-switched", "rdma-bond"],
    "security-in-band": ["headroom-unproven"],
}
"""Warnings that a plan with another one always has, too: of bonds one for each of two server groups."""


@pytest.mark.parametrize("code", CASES)
def test_each_note_has_a_case_of_its_own(code: str) -> None:
    assert notes(CASES[code]()) == [*BESIDE.get(code, []), code]


def test_notes_are_declared_and_can_be_silenced() -> None:
    declared = {code for check in NOTES for code in check.codes}
    assert declared == set(CASES), "each warning has a plan in CASES of this file that shows it"
    assert declared == set(WARNINGS), "WARNINGS of fabricgen/intent/waivers.py says why each may be silenced"
    assert declared <= set(OF_CHECKS), "OF_CHECKS of fabricgen/explain/meanings.py says in one line what each means"
    assert not declared & set(WAIVABLE)
    assert all(check.run.__doc__ for check in NOTES)


def test_a_subnet_that_another_leaf_has_is_not_named() -> None:
    (found,) = lone_subnets(drained("fe-leaf-000", fe_leaf_001="absent"))
    assert "172.17.0.0/20 of storage" in found.what
    assert len(list(lone_subnets(drained("fe-leaf-000", fe_leaf_001="drained")))) == 2
    assert list(lone_subnets(drained("fe-leaf-000"))) == []
    assert list(lone_subnets(drained("fe-leaf-002", fe_leaf_004="drained"))) == []


@pytest.mark.parametrize(
    "made",
    [lambda: one_link(demo()), lambda: demo(link_loss="withdraw"), lambda: one_link(demo(load_balancing="cluster"))],
)
def test_nothing_to_say(made: Callable[[], Plan]) -> None:
    assert notes(made()) == []


@pytest.mark.parametrize(
    ("edits", "where", "numbers"),
    [
        ({f"{PORTS}.mac_limit": 2, f"{PORTS}.guests_per_server": 400}, ("fabrics", "frontend"), (2, 401, 399)),
        ({f"{PORTS}.mac_limit": 401, f"{PORTS}.guests_per_server": 400}, None, ()),
        ({f"{PORTS}.mac_limit": "none", f"{PORTS}.guests_per_server": 400}, None, ()),
        ({"overrides": {"frontend": {"server_ports": {"mac_limit": 31}}}}, ("overrides", "frontend"), (31, 32, 1)),
        ({f"{PORTS}.mac_limit": 2, "overrides": {"frontend": {"server_ports": {"mac_limit": 90}}}}, None, ()),
        ({"overrides": {"fe-leaf-002": {"server_ports": {"mac_limit": 5}}}}, ("overrides", "fe-leaf-002"), (5, 32, 27)),
        (
            {
                f"{PORTS}.mac_limit": 32,
                "overrides": {"fe-leaf-002": {"server_ports": {"guests_per_server": 40}}},
            },
            ("overrides", "fe-leaf-002"),
            (32, 41, 9),
        ),
        (
            {"overrides": {"fe-leaf-002/Ethernet1/1": {"server_ports": {"mac_limit": 7}}}},
            ("overrides", "fe-leaf-002/Ethernet1/1"),
            (7, 32, 25),
        ),
    ],
)
def test_a_limit_of_addresses_leaves_room_for_the_guests(
    edits: Edits, where: tuple[str, str] | None, numbers: tuple[int, ...]
) -> None:
    """One address of the server and `guests_per_server`: 31 where the intent has no number."""
    made = plan(edits)
    made = with_exceptions(made, resolve_inputs(made.intent, made.fabrics))
    found = [note for note in examine(made).notes if note.code == "mac-limit-low"]
    assert [note.where[:2] for note in found] == ([where] if where else [])
    for note in found:
        limit, needed, lost = numbers
        assert f"{limit} MAC address{'es' * (limit != 1)}, and a server has {needed}" in note.what
        assert f"{lost} of them are not learned" in note.why
        assert note.fix.startswith("write mac_limit: auto")


LONE = {"topology": {"design": "rail-only"}, "spine": None, "load_balancing": "ecmp"}


@pytest.mark.parametrize(
    ("edits", "idle"),
    [
        ({"transport": "best-effort", "roce": {"host_mtu": 9000}}, []),
        ({"transport": "best-effort", "roce": {"ecn": "formula", "marking": "nvidia"}}, ["roce.marking", "roce.ecn"]),
        ({"evpn": {"vni_base": 10000}}, ["evpn"]),
        (LONE, []),
        ({**LONE, "bgp": {"bfd": True}}, ["bgp"]),
        ({**LONE, "addressing.links": ["unnumbered"]}, ["addressing.links"]),
        ({**LONE, "load_balancing": "dlb-flowlet"}, ["load_balancing"]),
        ({"bgp": {"bfd": True}, "addressing.links": ["unnumbered"]}, []),
    ],
)
def test_keys_that_change_nothing(edits: dict[str, Any], idle: list[str]) -> None:
    alone = {"servers.train.slots": "0-31", "servers.train.planned": 32} if "spine" in edits else {}
    made = plan({**alone, **{f"{BACKEND}.{key}": value for key, value in edits.items()}})
    assert [note.where for note in idle_keys(made)] == [("fabrics", "backend", *key.split(".")) for key in idle]


EAPI = dict.fromkeys(("eos", "nxos", "cumulus"), True) | dict.fromkeys(("frr", "sonic", "junos", "srlinux"), False)
"""Arista's eAPI; NX-API and the API of NVUE, which take their certificate by the same key; no other maker has one."""


@pytest.mark.parametrize(("system", "idle"), [("eos", ["netconf"]), ("frr", ["gnmi", "netconf"])])
def test_sources_of_a_service_that_no_system_has(system: str, idle: list[str]) -> None:
    pair = sites.planned(system, system, "backend", "best-effort")
    access = ManagementAccess.model_validate({key: ["10.0.0.0/28"] for key in ("sources", "ssh", "netconf", "gnmi")})
    management = pair.intent.management.model_copy(update={"access": access})
    found = list(idle_keys(pair._replace(intent=pair.intent.model_copy(update={"management": management}))))
    assert sorted((note.where[-1], note.fix) for note in found) == [(key, f"remove `{key}`") for key in idle]
    assert all(note.where[:2] == ("management", "access") for note in found)


@pytest.mark.parametrize("name", EAPI)
def test_a_certificate_of_eapi_on_systems_without_it(name: str) -> None:
    """Leaves of one system below spines of FRR, which has none."""
    pair = sites.planned(name, "frr", "backend", "best-effort")
    eapi = pair.intent.management.model_copy(update={"eapi": Eapi(certificate="fabric")})
    found = list(idle_keys(pair._replace(intent=pair.intent.model_copy(update={"management": eapi}))))
    said = [(note.where, note.fix) for note in found]
    assert said == ([] if EAPI[name] else [(("management", "eapi"), "remove `eapi`")])
    assert all("FRR" in note.why and PLATFORMS[name].title in note.why for note in found)
    assert list(idle_keys(pair)) == []


@pytest.mark.parametrize(
    ("name", "kind", "edits", "idle"),
    [
        ("cumulus", "backend", {"telemetry": {"ecn_counters": False}}, "telemetry.ecn_counters"),
        ("srlinux", "backend", {"telemetry": {"ecn_counters": False}}, "telemetry.ecn_counters"),
        ("sonic", "backend", {"telemetry": {"ecn_counters": False}}, ""),
        ("cumulus", "backend", {"telemetry": {"ecn_counters": True}}, ""),
        ("nxos", "backend", {"roce": {"xon_offset": "14-cells"}, **LOSSLESS}, "roce.xon_offset"),
        ("sonic", "backend", {"roce": {"xon_offset": "14-cells"}, **LOSSLESS}, ""),
        ("eos", "backend", {"tenancy": "evpn-type5", "evpn": {"gateway_mac": "02:fa:b0:00:00:02"}}, "evpn.gateway_mac"),
        ("eos", "backend", {"tenancy": "evpn-type5", "evpn": {"admin": 65001}}, ""),
        ("sonic", "frontend", {"server_ports": {"guests_per_server": 31}}, ""),
        ("eos", "frontend", {"addressing": {"hosts": "ipv4"}}, "addressing.hosts"),
        ("eos", "frontend", {}, ""),
    ],
)
def test_keys_that_no_line_of_a_system_follows(name: str, kind: str, edits: Edits, idle: str) -> None:
    """What a switch does without a line, or has no line for, is said of the key that somebody wrote."""
    pair = sites.planned(name, name, kind, "best-effort" if kind == "backend" else "")
    fabric = pair.fabrics[kind].fabric
    body = fabric.model_dump(exclude_unset=True)
    merged = {key: {**body.get(key, {}), **value} if isinstance(value, dict) else value for key, value in edits.items()}
    changed = type(fabric).model_validate({**body, **merged})
    found = idle_keys(with_fabric(pair, kind, fabric=changed))
    assert [".".join(map(str, note.where[2:])) for note in found] == ([idle] if idle else [])


ROUNDED = {
    "eos": (201, 210, 210),
    "sonic": (99, 100, 100),
    "cumulus": (201, 300, 202),
    "junos": (201, 300, 202),
}
"""System → a time of detection, what its file has, and the next that it is told as it is.

EOS has seconds with two digits, SONiC 100 ms at least; Cumulus and Junos have a number of looks, of which two fit
into the shorter time. SR Linux takes each time, NX-OS refuses all but its own.
"""


def detecting(name: str, milliseconds: int) -> list[Problem]:
    watchdog = {"watchdog": {"detect_ms": milliseconds}}
    made = sites.intent(name, name, "backend", transport="roce-lossless", roce=watchdog)
    shelf = sites.catalog()
    return list(rounded_watchdog(make_plan(made, shelf, make_shapes(made, shelf), Lock(), Exceptions())))


@pytest.mark.parametrize("name", ROUNDED)
def test_a_rounded_watchdog_is_named_with_what_the_file_has(name: str) -> None:
    asked, told, exact = ROUNDED[name]
    (note,) = detecting(name, asked)
    assert f"is {asked} ms, and {PLATFORMS[name].title} is configured with {told} ms" in note.what
    assert note.where == ("fabrics", "backend", "roce", "watchdog", "detect_ms")
    assert note.fix == f"write detect_ms: {exact}"
    assert detecting(name, exact) == []


@pytest.mark.parametrize("name", ["srlinux", "eos", "sonic", "cumulus", "junos", "nxos"])
def test_usual_times_of_a_watchdog_are_told_as_they_are(name: str) -> None:
    assert detecting(name, 200) == []


@pytest.mark.parametrize("transport", ["roce-lossless", "best-effort"])
@pytest.mark.parametrize("vendor", ["nvidia", "broadcom", "amd", "intel", "marvell"])
def test_nics_of_a_maker_without_settings(vendor: str, transport: str) -> None:
    """`export hosts` refuses the same makers, by the table that it writes their settings from."""
    made = plan({f"{BACKEND}.transport": transport, f"{BACKEND}.roce": None}, hardware=with_nics(vendor=vendor))
    found = list(unknown_nics(made))
    is_unknown = vendor not in ("nvidia", "broadcom", "amd") and transport == "roce-lossless"
    assert [note.where for note in found] == ([("servers", "train", "model")] if is_unknown else [])
    assert all(f"{vendor} NICs" in note.what and "known: amd, broadcom, nvidia" in note.why for note in found)


def test_a_drain_without_spines_is_named() -> None:
    assert list(drained_alone(alone())) == []
    (note,) = drained_alone(alone("be-leaf-001", "be-leaf-000"))
    assert note.where == ("overrides", "be-leaf-000")
    assert note.what == "be-leaf-000, be-leaf-001 of backend are set to drained, which changes no configuration"
    assert list(drained_alone(drained("fe-leaf-000"))) == []
    active, away = ({one.name: one for one in devices(alone(*names))} for names in ((), ("be-leaf-000",)))
    assert away["be-leaf-000"]._replace(state="active") == active["be-leaf-000"]


def test_numbers_of_a_pair() -> None:
    """8 links to each of 8 spines: an eighth through each, of which one part of 8 finds no link."""
    (note,) = examine(demo()).notes
    assert "1/8 of the traffic for the leaf" in note.why
    short = "has only 7 of 8 links to it: up to 1/64 of the traffic for the leaf does not fit"
    assert short in note.why


def test_more_than_eight_links_a_pair_are_no_reason_to_warn() -> None:
    sixteen = plan({f"{BACKEND}.topology.spines": {"now": 4, "planned": 16}})
    assert sixteen.fabrics["backend"].shape.links == 16
    assert notes(sixteen) == []


def test_superspines_have_pairs_too() -> None:
    made = tiers.three_tiers()
    shape = made.fabrics["backend"].shape
    what = [note.what for check in NOTES for note in check.run(made) if note.code == "pair-short"]
    ends = [("leaf and a spine", shape.links), ("spine and a superspine", shape.core_links)]
    assert len(what) == sum(1 < links <= MANY_LINKS for _, links in ends) > 0
    assert all(f"between a {end}" in "".join(what) for end, links in ends if 1 < links <= MANY_LINKS)


def test_a_note_stops_nothing_and_a_problem_hides_it() -> None:
    found = examine(demo())
    assert (found.problems, [note.code for note in found.notes]) == ((), ["pair-short"])
    broken = examine(plan({f"{BACKEND}.roce.host_mtu": 9300}))
    assert broken.problems
    assert broken.notes == ()


def test_a_waiver_silences_a_note() -> None:
    edits: Edits = {**EIGHT, "waivers": [{"code": "pair-short", "where": BACKEND, "reason": REASON}]}
    found = examine(plan(edits))
    assert (found.problems, found.notes) == ((), ())
    assert [(one.problem.code, one.reason) for one in found.waived] == [("pair-short", REASON)]
    accepted = Accepted()
    assert accepted.check(plan({"waivers": [{"code": "few-flows", "reason": REASON}]})) == ()
    assert "waiver-unused" in [note.code for note in accepted.notes]


def test_each_note_is_kept_once() -> None:
    accepted = Accepted()
    for _ in range(2):
        assert accepted.check(demo()) == ()
    assert [note.code for note in accepted.notes] == ["pair-short"]


@pytest.mark.parametrize("verb", ["validate", "plan"])
def test_verbs_tell_notes(verb: str, tmp_path: Path) -> None:
    intent = tmp_path / "intent.yaml"
    text = DEMO.read_text(encoding="utf-8")
    assert "spines: {now: 4, planned: 16}" in text
    intent.write_text(text.replace("spines: {now: 4, planned: 16}", "spines: {now: 8, planned: 16}"), encoding="utf-8")
    told = CliRunner().invoke(main, [verb, str(intent)])
    assert told.exit_code == 0
    assert "warning[pair-short]: backend: if one of the 8 links between a leaf and a spine fails" in told.stderr
    assert "  fix: write fabrics.backend.topology.spines: {now: 64, planned: 64} (56 more switches" in told.stderr
    assert "warning" not in told.stdout
    values = json.loads(CliRunner().invoke(main, [verb, str(intent), "--json"]).stdout)["notes"]
    assert [(note["code"], note["path"]) for note in values] == [("pair-short", f"{BACKEND}.link_loss")]


@pytest.mark.parametrize(
    ("mode", "vendor", "codes"),
    [
        ("dlb-per-packet", "nvidia", ["spraying-unproven"]),
        ("dlb-per-packet", "amd", []),
        ("dlb-flowlet", "nvidia", []),
    ],
)
def test_spraying_is_unproven_for_nics_of_one_maker_alone(mode: str, vendor: str, codes: list[str]) -> None:
    made = plan({f"{BACKEND}.load_balancing": mode}, hardware=with_nics(vendor=vendor))
    assert [note.code for note in spraying_unproven(made)] == codes


def test_switches_of_the_nics_maker_are_no_doubt() -> None:
    assert [note.code for note in spraying_unproven(_sprayed(cumulus()))] == []
    assert [note.code for note in spraying_unproven(_sprayed(demo()))] == ["spraying-unproven"]


def test_who_cannot_check_a_ttl_is_named() -> None:
    (note,) = ttl_unchecked(CASES["ttl-unchecked"]())
    assert note.what == "spine of frontend cannot check the TTL of BGP packets: the others check, and these only send"
    both = {**EIGHT, "fabrics.frontend.leaf": QFX, "fabrics.frontend.spine": QFX}
    (note,) = ttl_unchecked(plan({**both, "fabrics.frontend.bgp": {"ttl_security": "check"}}))
    assert "nobody checks" in note.what
    assert not [*ttl_unchecked(plan(both)), *ttl_unchecked(demo(bgp={"ttl_security": "check"}))]


def _sprayed(made: Plan) -> Plan:
    fabric = made.fabrics["backend"]
    body = fabric.fabric.model_copy(update={"load_balancing": "dlb-per-packet"})
    return made._replace(fabrics={**made.fabrics, "backend": replace(fabric, fabric=body)})


def test_seeds_of_a_system_that_takes_none() -> None:
    """Nothing is said where one tier hashes, where load is looked at, or where both are told."""
    (note,) = seeds_not_configurable(qfx())
    assert note.what == "leaf and spine of frontend may use the same hash seed"
    assert "Juniper documents a seed for QFX10000 only" in note.why
    assert list(seeds_not_configurable(with_shape(qfx(), "frontend", links=1))) == []
    assert list(seeds_not_configurable(with_shape(plan(), "frontend", links=2))) == []
    by_load = plan({"fabrics.frontend.leaf": QFX, "fabrics.frontend.spine": QFX, LOAD: "dlb-flowlet"})
    assert list(seeds_not_configurable(with_shape(by_load, "frontend", links=2))) == []


def test_seeds_that_no_file_has_are_not_compared() -> None:
    """Equal numbers in the Devices of a system that is told none say nothing of its switches."""
    seen = watched(plan({"fabrics.frontend.leaf": QFX, "fabrics.frontend.spine": QFX}))
    assert {key[1] for key in seen._tallies["frontend"].seeds} == {None}
    assert {key[1] for key in seen._tallies["backend"].seeds} == {0, 1}


def test_three_tiers_hash_twice_on_the_way_up() -> None:
    made = with_shape(qfx(), "frontend", links=1, cores=2, core_links=1)
    assert [note.what for note in seeds_not_configurable(made)] == [
        "leaf and spine of frontend may use the same hash seed"
    ]
