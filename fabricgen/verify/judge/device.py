"""Expected against actual state of one switch. Pure: the same stored outputs always give the same verdict."""

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
    _name(ledger, expected, state)
    judge_release(ledger, expected.version, state.facts.version if state.facts else "")
    _system(ledger, expected, state)
    _ports(ledger, expected, state)
    _sessions(ledger, expected, state)
    _routes(ledger, expected, state)
    _overlay(ledger, expected, state)
    _settings(ledger, expected, state, drift)
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
    ledger.wrong(
        Finding(
            device=ledger.device,
            check="reachable",
            code="another-name",
            subject="the switch",
            problem="has another hostname",
            expected=ledger.device,
            actual=facts.hostname,
        )
    )


def _unread(ledger: Ledger, state: State, part: str, *checks: str) -> None:
    for check in checks:
        ledger.skip(check, state.unread.get(part, UNREAD))


def _system(ledger: Ledger, expected: Expected, state: State) -> None:
    """Judge daemons and rules. Not every platform has them; a failed read is reported."""
    if state.daemons is not None:
        judge_daemons(ledger, expected, state.daemons)
    elif "daemons" in state.unread:
        _unread(ledger, state, "daemons", "reachable")
    if state.rules is not None:
        judge_rules(ledger, state.rules)
    elif "rules" in state.unread:
        _unread(ledger, state, "rules", "routes")
    if state.maintenance is not None:
        judge_maintenance(ledger, state.maintenance, drained=expected.drained)
    elif "maintenance" in state.unread:
        _unread(ledger, state, "maintenance", "reachable")


def _ports(ledger: Ledger, expected: Expected, state: State) -> None:
    if state.interfaces is not None:
        judge_strays(ledger, expected, judge_interfaces(ledger, expected.interfaces, state.interfaces))
    elif expected.interfaces:
        _unread(ledger, state, "interfaces", "interfaces", "mtu", "addresses")
    if state.static_neighbors is not None:
        judge_neighbors(ledger, expected, state.static_neighbors)
    elif "static_neighbors" in state.unread:
        _unread(ledger, state, "static_neighbors", "addresses")
    if "lldp" in expected.unchecked:
        return
    if state.lldp is not None:
        judge_lldp(ledger, expected.adjacencies, state.lldp, expected.management)
    elif expected.adjacencies:
        _unread(ledger, state, "lldp", "lldp")


def _sessions(ledger: Ledger, expected: Expected, state: State) -> None:
    if state.bgp is not None:
        judge_sessions(ledger, expected, state.bgp)
    elif expected.sessions:
        _unread(ledger, state, "bgp", "sessions")
    if state.bfd is not None:
        judge_bfd(ledger, expected, state.bfd, state.bgp)
    elif expected.bfd:
        _unread(ledger, state, "bfd", "bfd")
    if state.bgp is not None:
        blame_sessions(ledger, expected, state.bgp)  # the BFD findings say more about a session that fails by BFD


def _routes(ledger: Ledger, expected: Expected, state: State) -> None:
    if state.routes is None:
        for check, expected_rows in (("routes", expected.routes), ("isolation", expected.forbidden)):
            if expected_rows:
                _unread(ledger, state, "routes", check)
        return
    isolated = judge_isolation(ledger, expected, state.routes)
    judge_routes(ledger, expected, state, idle(expected.interfaces, state.interfaces), isolated)


def _overlay(ledger: Ledger, expected: Expected, state: State) -> None:
    if state.vnis is not None:
        judge_vnis(ledger, expected.vnis, state.vnis)
    elif expected.vnis:
        _unread(ledger, state, "vnis", "vnis")
    if state.static_macs is not None:
        judge_macs(ledger, expected, state.static_macs)
    elif "static_macs" in state.unread and expected.vnis:
        _unread(ledger, state, "static_macs", "vnis")
    if state.evpn is not None:
        judge_evpn(ledger, expected.evpn, state.evpn, up_lags(state.interfaces or ()))
        judge_duplicates(ledger, expected.segments, state.evpn)
    elif expected.evpn:
        _unread(ledger, state, "evpn", "evpn")


def _counters(ledger: Ledger, expected: Expected, state: State) -> None:
    if expected.queues and state.counters is not None:
        judge_counters(ledger, expected.queues, state.counters, state.unread)
    elif expected.queues:
        _unread(ledger, state, "counters", "qos")


def _settings(ledger: Ledger, expected: Expected, state: State, drift: Drifts) -> None:
    if state.qos is not None:
        judge_qos(ledger, expected.qos, state.qos)
    elif expected.qos:
        _unread(ledger, state, "qos", "qos")
    _counters(ledger, expected, state)
    if expected.configuration is None:
        ledger.skip("drift", "no file is rendered for it")
    elif state.running is None:
        _unread(ledger, state, "running", "drift")
    else:
        speakers = Speakers(expected.sessions, expected.drains)
        judge_drift(ledger, expected.configuration, state.running, drift, state.pushed, speakers)
        if state.startup is not None:
            judge_startup(ledger, expected.configuration, state.running, state.startup, drift)
        for part in ("startup", "beside"):
            if part in state.unread:
                _unread(ledger, state, part, "drift")
    _beside(ledger, expected, state)


def _beside(ledger: Ledger, expected: Expected, state: State) -> None:
    """Judge files in addition to the configuration, kernel settings in force, and shapers. Few platforms have them."""
    if state.shapers is not None:
        judge_shapers(ledger, state.shapers)
    elif "shapers" in state.unread:
        _unread(ledger, state, "shapers", "qos")
    if not expected.files:
        return
    if state.files is not None:
        judge_files(ledger, expected, state.files)
    if state.settings is not None:
        judge_settings(ledger, expected, state.settings)
    for part in ("files", "settings"):
        if part in state.unread:
            _unread(ledger, state, part, "drift")
