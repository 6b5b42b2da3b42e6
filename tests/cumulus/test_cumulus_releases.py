"""Each release has its own words: those of NVIDIA's documents, those of our table, and each is read back."""

import re
from functools import cache
from itertools import pairwise

import pytest

from fabricgen.base.addresses import Ipv4
from fabricgen.base.secret import secret
from fabricgen.checks.support.capabilities import capabilities
from fabricgen.device.device import Device
from fabricgen.device.management import Gnmi, Tacacs
from fabricgen.platforms.base.release import Difference
from fabricgen.platforms.cumulus.lab.nvue_frr import read_routing
from fabricgen.platforms.cumulus.live.drain import drain
from fabricgen.platforms.cumulus.live.tree import leaves as live_leaves
from fabricgen.platforms.cumulus.live.tree import tree as live_tree
from fabricgen.platforms.cumulus.platform import CUMULUS
from tests.cumulus import changed, intents
from tests.cumulus.fleet import NAMES, render, sample
from tests.cumulus.reading import leaves
from tests.cumulus.told import line
from tests.judges import frr
from tests.readback.test_readback_sites import said
from tests.some import LONG, some

STEPS = tuple(pairwise(CUMULUS.versions))
LATER = CUMULUS.versions[1:]
READ = (
    "site be-leaf-000",
    "site fe-spine-00",
    "site fe-leaf-002",
    "single fe-leaf-002",
    "site fe-border-00",
    "shared be-leaf-000",
)
"""Switches that between them have most of what is rendered: they are read back in every release."""
needs_frr = pytest.mark.skipif(frr.available() is not None, reason=str(frr.available()))


def of_release(name: str, version: str) -> Device:
    return sample(name).device._replace(version=version)


@cache
def commands(name: str, version: str) -> frozenset[str]:
    """Every `nv set` that a sample's file stands for in a release."""
    return frozenset(map(line, leaves(live_tree(render(of_release(name, version))))))


@pytest.mark.parametrize("names", [READ, pytest.param(NAMES, marks=LONG)], ids=["some switches", "all switches"])
@pytest.mark.parametrize(("older", "newer"), STEPS)
def test_a_release_has_the_commands_that_the_documents_make_of_the_one_before(
    older: str, newer: str, names: tuple[str, ...]
) -> None:
    for name in names:
        assert commands(name, newer) == frozenset(changed.STEPS[newer](sorted(commands(name, older)))), name


def test_a_command_in_another_releases_words_is_found() -> None:
    """One command in the words of another release is enough to fail the comparison of each step."""
    wrong = {
        "5.12": ("system aaa tacacs server 10.0.0.7 priority 1", "system aaa tacacs server 1 host 10.0.0.7"),
        "5.13": ("system syslog server 10.0.0.8 vrf mgmt", "system syslog server 10.0.0.8"),
        "5.14": ("interface swp1s0 link auto-negotiate off", "interface swp1s0 link auto-negotiate on"),
        "5.15": ("evpn dad state disabled", "evpn dad enable off"),
        "5.16": ("router bgp state enabled", "router bgp enable on"),
    }
    name = "site fe-leaf-002"
    for (older, newer), (right, other) in zip(STEPS, wrong.values(), strict=True):
        found = commands(name, newer) - {right} | {other}
        assert right in commands(name, newer)
        assert found != frozenset(changed.STEPS[newer](sorted(commands(name, older))))


def _pattern(words: str) -> re.Pattern[str]:
    """A line of our table: `...` is any words, `<x>` is one."""
    parts = (".+" if part == "..." else r"\S+" if part.startswith("<") else re.escape(part) for part in words.split())
    return re.compile(" ".join(parts))


def _names(row: Difference, name: str, older: str) -> tuple[set[str], set[str]]:
    """Commands that go and that come with a release which a row of our table names."""
    gone, come = commands(name, older) - commands(name, row.since), commands(name, row.since) - commands(name, older)
    return (
        {command for command in gone if row.before and _pattern(row.before).fullmatch(command)},
        {command for command in come if row.after and _pattern(row.after).fullmatch(command)},
    )


@pytest.mark.parametrize(("older", "newer"), STEPS)
def test_lines_that_differ_are_those_of_the_table(older: str, newer: str) -> None:
    rows = [row for row in CUMULUS.differences if row.since == newer]
    used = set[tuple[str, str]]()
    for name in NAMES:
        gone, come = set[str](), set[str]()
        for row in rows:
            before, after = _names(row, name, older)
            gone |= before
            come |= after
            used |= {(row.what, side) for side, found in (("before", before), ("after", after)) if found}
        assert commands(name, older) - commands(name, newer) == gone, name
        assert commands(name, newer) - commands(name, older) == come, name
    sides = {(row.what, side) for row in rows for side in ("before", "after") if getattr(row, side)}
    assert sides - used == set()


@pytest.mark.parametrize("version", LATER)
def test_a_maintenance_release_has_the_words_of_its_train(version: str) -> None:
    device = of_release("site fe-leaf-002", version)
    assert render(device) == render(device._replace(version=f"{version}.1"))


@pytest.mark.parametrize("name", some(READ))
@pytest.mark.parametrize("version", LATER)
def test_every_release_is_read_back(name: str, version: str) -> None:
    device = of_release(name, version)
    gnmi = Gnmi(9339, "lab") if version not in ("5.11", "5.12") else None
    device = device._replace(
        management=device.management._replace(gnmi=gnmi),
        telemetry=device.telemetry._replace(load_interval_seconds=30),
    )
    assert not said((device, {"startup.yaml": render(device)}))


LEAF, RAIL = "site fe-leaf-002", "site be-leaf-000"
OTHER_WORDS = (
    (LEAF, "5.12", r"priority: 1\n", "priority: 2\n", "TACACS+ server 10.0.0.7: priority 1"),
    (LEAF, "5.13", r"(syslog:\n.*\n.*'10\.0\.0\.8':\n +vrf: )mgmt", r"\1default", "syslog server 10.0.0.8 vrf mgmt"),
    (LEAF, "5.14", r"auto-negotiate: off", "auto-negotiate: on", "auto-negotiate off"),
    (LEAF, "5.14", r"server-group-name: servers", "server-group-name: others", "relays"),
    (RAIL, "5.15", r"(bgp:\n +autonomous-system: \d+\n +)state: enabled", r"\1enable: on", "router bgp state enabled"),
    (RAIL, "5.15", r"(profile:\n +FABRIC:\n +detect-multiplier: )3", r"\g<1>9", "bfd"),
    (LEAF, "5.15", r"        vrf: research\n", "        ip: {vrf: research}\n", "vrf"),
    (LEAF, "5.16", r"(ntp:\n(?: +.*\n)+? +vrf: )mgmt", r"\1default", "ntp vrf mgmt"),
)


@pytest.mark.parametrize(("name", "version", "pattern", "wrong", "seen"), OTHER_WORDS)
def test_a_fault_in_the_words_of_a_release_is_seen(
    name: str, version: str, pattern: str, wrong: str, seen: str
) -> None:
    device = of_release(name, version)
    text, count = re.subn(pattern, wrong, render(device), count=1)
    assert count == 1
    found = said((device, {"startup.yaml": text}))
    assert found
    assert seen in str(found)


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("5.11", "5.12"),
        ("5.12", "5.11"),
        ("5.12", "5.13"),
        ("5.13", "5.14"),
        ("5.14", "5.15"),
        ("5.15", "5.14"),
    ],
)
def test_a_file_of_another_release_is_not_taken_for_this_ones(told: str, asked: str) -> None:
    name = "site fe-leaf-002"
    assert said((of_release(name, asked), {"startup.yaml": render(of_release(name, told))}))


WAITS = " bgp suppress-fib-pending"
PROFILE = ("bfd", " profile FABRIC", "  detect-multiplier 3", "  transmit-interval 300", "  receive-interval 300")


@pytest.mark.parametrize("name", some(READ, of=6))
@pytest.mark.parametrize("version", LATER)
def test_routing_is_that_of_the_first_release(name: str, version: str) -> None:
    """A newer release's FRR has more: the wait for the forwarding table beside EVPN, and a profile of BFD."""
    first, later = (read_routing(render(of_release(name, one))) for one in ("5.11", version))
    assert len(later.unread) == len(first.unread)
    old, new = first.text.splitlines(), later.text.splitlines()
    assert [text for text in old if text not in new] == []
    more = {text for text in new if text not in old}
    wanted = {WAITS} - {*old} if version in ("5.14", "5.15", "5.16") else set()
    if version in ("5.15", "5.16"):
        sessions = [text for text in old if text.endswith(" bfd")]
        wanted |= {f"{text} profile FABRIC" for text in sessions} | {*PROFILE} if sessions else set()
        wanted |= {"  minimum-ttl 253"} if sessions and any("ebgp-multihop 3" in text for text in old) else set()
    assert more - {" exit"} == wanted


@needs_frr
@pytest.mark.parametrize("version", ["5.14", "5.16"])
def test_frr_knows_every_line_of_a_release(version: str) -> None:
    """The daemons of this host are older than those of 5.14: they have a fault with this, and know the line."""
    text = read_routing(render(of_release(RAIL, version))).text
    assert frr.dry_run(text) == ()
    if version == "5.16":
        assert "bfd profile FABRIC\n" in text
        assert frr.dry_run(text.replace("  detect-multiplier 3", "  detect-multiplier many"))


def test_a_drain_is_in_the_words_of_the_release() -> None:
    device = of_release("unnumbered be-spine-00", "5.16")
    running = render(device)
    found = {*live_leaves(live_tree(drain(device, running)))}
    assert found
    assert found <= {*live_leaves(live_tree(running))}


@pytest.mark.parametrize(
    ("feature", "since", "edits"),
    [
        ("gnmi", "5.13", {"management__gnmi": {"certificate": "lab"}}),
        ("load-interval", "5.12", {"fabrics__backend__telemetry": {"load_interval": 30}}),
    ],
)
def test_what_came_later_is_refused_before_by_the_release_that_has_it(
    feature: str, since: str, edits: dict[str, object]
) -> None:
    (problem,) = capabilities(intents.planned(intents.intent(**edits)))
    assert f"does not support {feature}, " in problem.what
    assert f"has it from {since} on, and these switches run 5.11" in problem.why
    assert problem.fix.startswith(f"write os: cumulus-{since}, or ")
    newer = {
        f"fabrics__{fabric}__{role}": {"model": model, "os": f"cumulus-{since}"}
        for fabric, model in (("backend", "nvidia-sn5400"), ("frontend", "nvidia-sn4700"))
        for role in ("leaf", "spine")
    }
    assert list(capabilities(intents.planned(intents.intent(**edits, **newer)))) == []


def test_what_came_later_is_in_the_words_of_its_page() -> None:
    """NVUE reference, gNMI 3100fc80 (5.13); 512 What's New: system counter rates load-interval."""
    device = of_release("site fe-leaf-002", "5.13")
    device = device._replace(management=device.management._replace(access=()))
    before = {line(leaf) for leaf in leaves(live_tree(render(device)))}
    more = device._replace(
        management=device.management._replace(gnmi=Gnmi(9339, "lab")),
        telemetry=device.telemetry._replace(load_interval_seconds=30),
    )
    told = {line(leaf) for leaf in leaves(live_tree(render(more)))} - before
    address = device.management.address.partition("/")[0]
    assert told == {
        "system counter rates load-interval 30",
        "system gnmi-server certificate lab",
        f"system gnmi-server listening-address {address}",
        "system gnmi-server port 9339",
        "system gnmi-server state enabled",
    }


@pytest.mark.parametrize(("version", "most"), [("5.11", 7), ("5.12", 8), ("5.16.2", 8)])
def test_a_release_has_so_many_tacacs_servers(version: str, most: int) -> None:
    """511 TACACS: up to seven; 512 TACACS: up to eight."""
    device = of_release("site fe-leaf-002", version)
    assert device.management.tacacs is not None

    def refused(count: int) -> list[str]:
        servers = tuple(Ipv4(f"10.0.1.{number}") for number in range(count))
        tacacs = Tacacs(servers, secret("${env:TACACS_KEY}"))
        asked = device._replace(management=device.management._replace(tacacs=tacacs))
        return [problem.fix for problem in CUMULUS.limits(asked)]

    assert refused(most) == []
    assert refused(most + 1) == [f"write at most {most}"]
