"""Expected against actual state of one switch. Pure: the same stored outputs always give the same verdict."""

from collections.abc import Mapping
from typing import TypeVar

from fabricgen.state.state import BgpState, Facts, State
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import BEYOND, CHECKS, Finding, FindingEnd, SwitchVerdict, Unchecked
from fabricgen.verify.judge.bfd import judge_bfd
from fabricgen.verify.judge.config import Drifts, Speakers, judge_drift, judge_qos
from fabricgen.verify.judge.counters import judge_counters
from fabricgen.verify.judge.duplicates import judge_duplicates
from fabricgen.verify.judge.files import judge_files, judge_settings, judge_shapers, judge_startup
from fabricgen.verify.judge.isolation import judge_isolation
from fabricgen.verify.judge.ledger import Ledger
from fabricgen.verify.judge.lldp import judge_lldp
from fabricgen.verify.judge.maintenance import judge_maintenance
from fabricgen.verify.judge.overlay import judge_evpn, judge_vnis, up_lags
from fabricgen.verify.judge.ports import idle, judge_interfaces
from fabricgen.verify.judge.routes import judge_routes
from fabricgen.verify.judge.sessions import blame_sessions, judge_sessions
from fabricgen.verify.judge.system import judge_daemons, judge_release, judge_rules
from fabricgen.verify.judge.tables import judge_macs, judge_neighbors
from fabricgen.verify.judge.unexpected_addresses import judge_strays

T = TypeVar("T")

UNREAD = "it was not read"
ANOTHER = "another switch answers at its address"


def judge(expected: Expected, state: State, drift: Drifts) -> SwitchVerdict:
    """Judge one switch, lower layers first, so that findings of upper layers can name their cause.

    drift  the platform's comparison of configurations: Reader.drift
    """
    # A router id is unique: if it matches, only the name is wrong.
    if state.facts is not None and not _is_own(expected, state.bgp) and not _is_named(expected.device, state.facts):
        return _another(expected.device, state.facts, state.bgp)
    cables = {row.port: FindingEnd(row.system, row.port_id) for row in expected.adjacencies}
    tunnels = {row.next_hop: FindingEnd(row.about, "") for row in expected.evpn if row.next_hop}
    ledger = Ledger(expected.device, tunnels | cables)
    for check, reason in expected.unchecked.items():
        ledger.skip(check, reason)
    parts = _Parts(ledger, state.unread)
    _name(ledger, expected, state)
    if state.facts is not None:
        judge_release(ledger, expected, state.facts.version)
    _system(ledger, parts, expected, state)
    _ports(ledger, parts, expected, state)
    _sessions(ledger, parts, expected, state)
    _routes(ledger, parts, expected, state)
    _overlay(ledger, parts, expected, state)
    _settings(ledger, parts, expected, state, drift)
    return ledger.verdict()


def _is_named(device: str, facts: Facts) -> bool:
    """Whether it has the planned name, with or without a domain; without a name it is not known to be another."""
    short_name = facts.hostname.partition(".")[0]
    return not short_name or short_name.lower() == device.lower()


def _is_own(expected: Expected, bgp: BgpState | None) -> bool:
    """Whether the router id is the planned one, which no other switch has."""
    return bgp is not None and bool(expected.router_id) and bgp.router_id == expected.router_id


def _another(device: str, facts: Facts, bgp: BgpState | None) -> SwitchVerdict:
    """One finding with the identity of the other switch: none of its state is right or wrong here."""
    identity = f"it has AS {bgp.asn} with router id {bgp.router_id}; " if bgp and bgp.router_id else ""
    finding = Finding(
        device=device,
        check="reachable",
        code="another-switch",
        subject="management address",
        problem="belongs to another switch",
        expected=device,
        actual=facts.hostname,
        explained=f"{identity}nothing else of it is compared",
    )
    unchecked = tuple(Unchecked(device, check, ANOTHER) for check in CHECKS if check not in ("reachable", *BEYOND))
    return SwitchVerdict(device=device, passed=(), findings=(finding,), unchecked=unchecked)


def _name(ledger: Ledger, expected: Expected, state: State) -> None:
    """Judge the host name. If it is unknown, that is reported, and the router id identifies the switch."""
    facts = state.facts
    if facts is None or not facts.hostname.partition(".")[0]:
        reason = state.unread.get("facts", UNREAD) if facts is None else "it shows no hostname"
        ledger.skip("reachable", reason)
        if _is_own(expected, state.bgp):
            ledger.right("reachable")
        return
    if _is_named(ledger.device, facts):
        ledger.right("reachable")
        return
    ledger.add(
        code="another-name",
        subject="the switch",
        problem="has another hostname",
        expected=ledger.device,
        actual=facts.hostname,
    )


class _Parts:
    """The parts of a state, for the judges of a ledger."""

    def __init__(self, ledger: Ledger, unread: Mapping[str, str]) -> None:
        self._ledger, self._unread = ledger, unread

    def read(self, rows: T | None, part: str, *checks: str, planned: object = None) -> T | None:
        """Return the rows of a part; where it was not read, skip its checks.

        planned  what the plan has to compare with it; None: not every platform has the part, only a failed read counts
        """
        if rows is None and (part in self._unread if planned is None else planned):
            self.skip(part, *checks)
        return rows

    def skip(self, part: str, *checks: str) -> None:
        """Record why checks of a part cannot be judged."""
        for check in checks:
            self._ledger.skip(check, self._unread.get(part, UNREAD))


def _system(ledger: Ledger, parts: _Parts, expected: Expected, state: State) -> None:
    if (daemons := parts.read(state.daemons, "daemons", "reachable")) is not None:
        judge_daemons(ledger, expected, daemons)
    if (rules := parts.read(state.rules, "rules", "routes")) is not None:
        judge_rules(ledger, rules)
    if (maintenance := parts.read(state.maintenance, "maintenance", "reachable")) is not None:
        judge_maintenance(ledger, maintenance, drained=expected.drained)


def _ports(ledger: Ledger, parts: _Parts, expected: Expected, state: State) -> None:
    planned, checks = expected.interfaces, ("interfaces", "mtu", "addresses")
    if (interfaces := parts.read(state.interfaces, "interfaces", *checks, planned=planned)) is not None:
        judge_strays(ledger, expected, judge_interfaces(ledger, planned, interfaces))
    if (neighbors := parts.read(state.static_neighbors, "static_neighbors", "addresses")) is not None:
        judge_neighbors(ledger, expected, neighbors)
    if "lldp" in expected.unchecked:
        return
    if (lldp := parts.read(state.lldp, "lldp", "lldp", planned=expected.adjacencies)) is not None:
        judge_lldp(ledger, expected.adjacencies, lldp, expected.management)


def _sessions(ledger: Ledger, parts: _Parts, expected: Expected, state: State) -> None:
    if (bgp := parts.read(state.bgp, "bgp", "sessions", planned=expected.sessions)) is not None:
        judge_sessions(ledger, expected, bgp)
    if (bfd := parts.read(state.bfd, "bfd", "bfd", planned=expected.bfd)) is not None:
        judge_bfd(ledger, expected, bfd, bgp)
    if bgp is not None:
        blame_sessions(ledger, expected, bgp)  # the BFD findings say more about a session that fails by BFD


def _routes(ledger: Ledger, parts: _Parts, expected: Expected, state: State) -> None:
    if state.routes is None:
        planned = {"routes": expected.routes, "isolation": expected.forbidden}
        parts.skip("routes", *(check for check, rows in planned.items() if rows))
        return
    isolated = judge_isolation(ledger, expected, state.routes)
    judge_routes(ledger, expected, state, idle(expected.interfaces, state.interfaces), isolated)


def _overlay(ledger: Ledger, parts: _Parts, expected: Expected, state: State) -> None:
    if (vnis := parts.read(state.vnis, "vnis", "vnis", planned=expected.vnis)) is not None:
        judge_vnis(ledger, expected.vnis, vnis)
    has_macs = "static_macs" in state.unread and expected.vnis
    if (macs := parts.read(state.static_macs, "static_macs", "vnis", planned=has_macs)) is not None:
        judge_macs(ledger, expected, macs)
    if (evpn := parts.read(state.evpn, "evpn", "evpn", planned=expected.evpn)) is not None:
        judge_evpn(ledger, expected.evpn, evpn, up_lags(state.interfaces or ()))
        judge_duplicates(ledger, expected.segments, evpn)


def _settings(ledger: Ledger, parts: _Parts, expected: Expected, state: State, drift: Drifts) -> None:
    if (qos := parts.read(state.qos, "qos", "qos", planned=expected.qos)) is not None:
        judge_qos(ledger, expected.qos, qos)
    counters = parts.read(state.counters, "counters", "qos", planned=expected.queues)
    if counters is not None and expected.queues:
        judge_counters(ledger, expected.queues, counters, state.unread)
    if expected.configuration is None:
        ledger.skip("drift", "no file is rendered for it")
    elif (running := parts.read(state.running, "running", "drift", planned=True)) is not None:
        speakers = Speakers(expected.sessions, expected.drains)
        judge_drift(ledger, expected.configuration, running, drift, state.pushed, speakers)
        if state.startup is not None:
            judge_startup(ledger, expected.configuration, running, state.startup, drift)
        for part in ("startup", "beside"):
            if part in state.unread:
                parts.skip(part, "drift")
    _further(ledger, parts, expected, state)


def _further(ledger: Ledger, parts: _Parts, expected: Expected, state: State) -> None:
    """Judge files in addition to the configuration, kernel settings in force, and shapers. Few platforms have them."""
    if (shapers := parts.read(state.shapers, "shapers", "qos")) is not None:
        judge_shapers(ledger, shapers)
    if not expected.files:
        return
    if state.files is not None:
        judge_files(ledger, expected, state.files)
    if state.settings is not None:
        judge_settings(ledger, expected, state.settings)
    for part in ("files", "settings"):  # some files may be read and others not
        if part in state.unread:
            parts.skip(part, "drift")
