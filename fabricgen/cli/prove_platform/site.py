"""Inputs of `fabricgen prove-platform`: one host of an inventory, and its switch in an intent."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fabricgen.cli.prove_platform.command import ProveOptions
from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.operation.push.options import PushOptions
from fabricgen.operation.push.site import PushSite, checks_of, open_push_site
from fabricgen.platforms.proofs import PROOFS
from fabricgen.platforms.readers import READERS
from fabricgen.prove.values import ProofSubject, WholeSwitch
from fabricgen.push.prove.idle_ports import peers_of
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import SwitchError
from fabricgen.verify.collect.connection import NAPALM
from fabricgen.verify.collect.inventory import SiteInventory
from fabricgen.verify.collect.inventory_faults import check_hosts
from fabricgen.verify.collect.store import Target

CONFIGURATION = "drift"
"""The check of verify that compares configurations."""


class ProofTarget(NamedTuple):
    """The tested host. driver: name of its NAPALM driver; others: drivers of hosts that may be read."""

    name: str
    driver: str
    others: Mapping[str, str]


def one_host(site: SiteInventory, name: str | None) -> ProofTarget:
    """The host to test. Raises FabricError if it is not unique, or its platform has no claims."""
    hosts = site.nornir.hosts
    if name is None and len(hosts) != 1:
        raise FabricError([_which(len(hosts))])
    if name is not None and name not in hosts:
        raise FabricError([_unknown(name, list(hosts))])
    chosen = name or next(iter(hosts))
    drivers = {host: hosts[host].get_connection_parameters(NAPALM).platform or "" for host in hosts}
    systems = {READERS[system].driver: system for system in PROOFS}
    if drivers[chosen] not in systems:
        raise FabricError.of(
            code="prove-platform",
            what=f"there is nothing to test for the platform of {chosen}: {drivers[chosen] or 'none'}",
            why=f"supported platforms: {', '.join(systems)}",
            fix="write its NAPALM driver as `platform:` in the inventory",
        )
    system = systems[drivers[chosen]]
    check_hosts(site, {chosen: Target(chosen, system, drivers[chosen], {}, ())}, hosts)
    return ProofTarget(chosen, drivers[chosen], {host: driver for host, driver in drivers.items() if host != chosen})


def subject_of(options: ProveOptions, site: SiteInventory, host: ProofTarget, fleet: NapalmFleet) -> ProofSubject:
    """The switch, and its intended state if there is an intent. Raises FabricError."""
    system = next(system for system in PROOFS if READERS[system].driver == host.driver)
    table, reader = PROOFS[system], READERS[system]
    if options.port and re.fullmatch(table.management, options.port, re.IGNORECASE):
        raise FabricError.of(
            code="prove-access",
            what=f"{options.port} is a management port",
            why="the switch would become unreachable",
            fix="name a spare port that carries traffic, or omit --port",
        )
    if options.intent is None:
        return ProofSubject(host.name, host.driver, table, reader, {})
    # As a push of the same intent to the same inventory would read and render it, without --commit.
    push_options = PushOptions(
        intent=options.intent,
        inventory=site.folder,
        commit=False,
        overlay=options.overlay,
        scenario=options.scenario,
        limit=0,
        workers=1,
        as_json=options.as_json,
    )
    push_site = open_push_site(push_options, None)
    if host.name not in push_site.targets:
        raise FabricError.of(
            code="prove-which",
            what=f"{host.name} is not a switch of {options.intent!s}",
            why="the test uses the configuration of this switch in the intent",
            fix=f"{did_you_mean(host.name, list(push_site.devices))}; or omit INTENT",
        )
    vrfs = push_site.targets[host.name].vrfs
    return ProofSubject(host.name, host.driver, table, reader, vrfs, _whole(push_site, host, fleet))


def _whole(push_site: PushSite, host: ProofTarget, fleet: NapalmFleet) -> WholeSwitch:
    device = push_site.devices[host.name]
    drained = next(switch for switch in push_site.drained(frozenset({host.name})).devices if switch.name == host.name)
    readable = {host.name, *host.others}
    peer_addresses = peers_of(drained)
    return WholeSwitch(
        device=device,
        candidate=push_site.goal(device).candidate,
        differs=_differs(push_site, host.name),
        drained=drained,
        peers=tuple(sorted(peer for peer in peer_addresses if peer in readable)),
        names=(push_site.plan.intent.site, device.management.domain),
        drain_fault=_drain_fault(
            fleet, {peer: addresses for peer, addresses in peer_addresses.items() if peer in readable}
        ),
    )


def _differs(push_site: PushSite, name: str) -> Callable[[], tuple[tuple[str, ...], int]]:
    """Function that reads this switch, and checks it as verify does."""

    def differs() -> tuple[tuple[str, ...], int]:
        with TemporaryDirectory(prefix="fabricgen-prove-") as folder:
            checks = checks_of(push_site, Path(folder))
            checks.take_snapshot("now", [name])
            findings = [row for verdict in checks.findings("now") for row in verdict.findings]
        config_findings = tuple(f"{row.subject}: {row.problem}" for row in findings if row.check == CONFIGURATION)
        return config_findings, len(findings) - len(config_findings)

    return differs


def _drain_fault(fleet: NapalmFleet, peer_addresses: Mapping[str, frozenset[str]]) -> Callable[[], str]:
    """Function that asks the peers whether their routes from the switch are marked as drained."""

    def signs(box: SwitchConnection) -> frozenset[str]:
        return box.profile.draining_peers(box.ask(box.profile.signs))

    def drain_fault() -> str:
        answers = fleet.each(sorted(peer_addresses), signs)
        for peer, addresses in peer_addresses.items():
            marked = answers[peer]
            if isinstance(marked, SwitchError):
                return f"{peer} could not be read: {marked.reason}"
            if not addresses <= marked:
                return f"{peer} has no route of {min(addresses - marked)} with the drain community"
        return ""

    return drain_fault


def _which(count: int) -> Problem:
    return Problem(
        code="prove-which",
        what=f"the inventory has {count} switches, and the test needs one",
        why="the test changes one switch only",
        fix="choose one switch: --device NAME",
    )


def _unknown(name: str, names: list[str]) -> Problem:
    return Problem(
        code="prove-which",
        what=f"{name} is not in the inventory",
        why=f"it has {len(names)} switches",
        fix=did_you_mean(name, names),
    )
