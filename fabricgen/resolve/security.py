"""What deviates from the security profile of a site, by rule: each with the switches that deviate."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.errors import IntentPath
from fabricgen.intent.fabric import Fabric, Frontend
from fabricgen.intent.security import ANYBODY, SecurityProfile
from fabricgen.intent.site import Management
from fabricgen.intent.waivers import waiver_line
from fabricgen.plan.fabric import chassis_of, name_of, present_places
from fabricgen.plan.place import UPPER
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import Platform
from fabricgen.resolve.macs import mac_limit
from fabricgen.resolve.servers import lacks_mac_limit

SERVICES: Mapping[str, str] = {"ssh": "SSH", "api": "the HTTP API", "gnmi": "gNMI", "snmp": "SNMP"}
"""Management service → its name in a sentence."""

REASON = "what limits it instead"
"""Reason of an example waiver, where the system cannot keep a rule."""


class SwitchSettings(NamedTuple):
    """Settings of switches that one rule judges together: those of one role, system and set of overrides."""

    name: str
    fabric: Fabric
    role: str
    system: str
    platform: Platform
    management: Management


class Finding(NamedTuple):
    """How switches deviate.

    what   as a sentence about them, before "on N switches"
    where  path of the intent that decides; `fabric.` paths begin below the fabric's block
    why    the threat, or what the system lacks
    fix    what to type
    """

    what: str
    where: IntentPath
    why: str
    fix: str


class Deviation(NamedTuple):
    """One rule of the profile that switches do not keep. `code`: of its warning; `switches`: their names, sorted."""

    code: str
    finding: Finding
    switches: tuple[str, ...]

    @property
    def line(self) -> str:
        """The deviation as one line of `plan`."""
        count = len(self.switches)
        return f"{self.finding.what} on {count:,} switch{'es' * (count != 1)}"


class Rule(NamedTuple):
    """One demand of profiles: its code, the profiles, and the deviation of switches, if any."""

    code: str
    profiles: tuple[SecurityProfile, ...]
    judge: Callable[[SwitchSettings], Finding | None]


def _in_band(switch: SwitchSettings) -> Finding | None:
    """No management service answers on fabric ports, loopbacks or gateways."""
    management, facts = switch.management, switch.platform.in_band
    access = management.access
    runs = {"ssh": True, "api": True, "gnmi": management.gnmi is not None, "snmp": management.snmp is not None}
    if access is None:
        answering = facts.open
    else:
        answering = tuple(name for name in facts.by_source if (getattr(access, name) or access.sources) == ANYBODY)
    if facts.api_without_certificate and management.eapi is None:
        answering = (*answering, "api")
    names = [SERVICES[name] for name in answering if runs[name]]
    if not names:
        return None
    of_api = ["management.eapi: {certificate: NAME}"] if "api" in answering and facts.api_without_certificate else []
    of_access = ["management.access.sources: [PREFIX] with the sources of managers and of pushes"]
    fix = f"write {' and '.join([*of_api, *(of_access if set(answering) != {'api'} or not of_api else [])])}"
    return Finding(
        what=f"{_listed(names)} in band",
        where=("management", "access") if access is not None else ("management",),
        why=f"{switch.platform.title} answers there, too ({facts.why}): every server may try passwords",
        fix=fix,
    )


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _storm(switch: SwitchSettings) -> Finding | None:
    """Server ports of switched networks limit broadcast and multicast."""
    if not isinstance(switch.fabric, Frontend) or switch.role in UPPER or switch.role == "border-leaf":
        return None
    refusal = _refusal(switch, "storm-control")
    if switch.fabric.server_ports.storm_control is not None and not refusal:
        return None
    return Finding(
        what="no storm control of server ports",
        where=("fabrics", switch.name, "server_ports"),
        why=refusal or "one server that floods reaches every leaf of its network",
        fix=waiver_line("security-storm-control", REASON)
        if refusal
        else f"remove fabrics.{switch.name}.server_ports.storm_control: null",
    )


def _mac_limit(switch: SwitchSettings) -> Finding | None:
    """Server ports learn a limited number of MAC addresses."""
    if not isinstance(switch.fabric, Frontend) or switch.role in UPPER or switch.role == "border-leaf":
        return None
    ports = switch.fabric.server_ports
    refusal = lacks_mac_limit(switch.system, bonds=ports.multihoming == "evpn-esi")
    if mac_limit(ports) and not refusal:
        return None
    return Finding(
        what="no MAC limit of server ports",
        where=("fabrics", switch.name, "server_ports"),
        why=refusal or "one server that sends from many addresses fills the tables of every leaf",
        fix=waiver_line("security-mac-limit", REASON)
        if refusal
        else f"write fabrics.{switch.name}.server_ports.mac_limit: auto",
    )


def _clocks(switch: SwitchSettings) -> Finding | None:
    """Two NTP servers, so that certificates and logs keep their time when one is lost."""
    if len(switch.management.ntp) > 1:
        return None
    return Finding(
        what="fewer than two NTP servers",
        where=("management", "ntp") if switch.management.ntp else ("management",),
        why="a wrong clock makes certificates invalid, and logs useless as evidence",
        fix="write management.ntp: [ADDRESS, ADDRESS]",
    )


def _logs(switch: SwitchSettings) -> Finding | None:
    """A log that an intruder on the switch cannot remove."""
    if switch.management.syslog:
        return None
    return Finding(
        what="no log server",
        where=("management",),
        why="who breaks into a switch can remove its own log",
        fix="write management.syslog: [ADDRESS]",
    )


def _sessions(switch: SwitchSettings) -> Finding | None:
    """BGP between switches takes no packet from farther away than the peer (GTSM, RFC 5082)."""
    refusal = _refusal(switch, "ttl-check")
    if switch.fabric.bgp.ttl_security == "check" and not refusal:
        return None
    where = f"fabrics.{switch.name}.bgp.ttl_security"
    return Finding(
        what="BGP sessions that do not check the TTL",
        where=("fabrics", switch.name),
        why=refusal or "whoever can send packets through the fabric can send them to BGP of every switch",
        fix=waiver_line("security-sessions", REASON)
        if refusal
        else f"write {where}: send, push, then write check (`fabricgen plan --steps` has the order)",
    )


def _login(switch: SwitchSettings) -> Finding | None:
    """A session without input ends: a terminal that was left open is nobody's way in."""
    refusal = _refusal(switch, "login-idle")
    login = switch.management.login
    if login is not None and login.idle_timeout is not None and not refusal:
        return None
    return Finding(
        what="no end of idle sessions",
        where=("management",),
        why=refusal or "a terminal that was left open is a way in for whoever finds it",
        fix=waiver_line("security-login", REASON) if refusal else "write management.login.idle_timeout: 10",
    )


def _snmp(switch: SwitchSettings) -> Finding | None:
    """SNMPv3 authenticates with SHA-2."""
    snmp = switch.management.snmp
    if snmp is None or _refusal(switch, "snmp") or snmp.auth_algorithm == "sha256":
        return None
    refusal = _refusal(switch, "snmp-sha256")
    return Finding(
        what="SNMP with SHA-1",
        where=("management", "snmp"),
        why=refusal or "SHA-1 is broken for signatures, and guides ask for SHA-2 everywhere",
        fix=waiver_line("security-snmp", REASON) if refusal else "write management.snmp.auth_algorithm: sha256",
    )


def _refusal(switch: SwitchSettings, feature: str) -> str:
    """Return why the system cannot do something in its release; empty where it can."""
    row = switch.platform.can(feature, switch.system.partition("-")[2])
    return row.refusal if row is not None else ""


EACH: tuple[SecurityProfile, ...] = ("standard", "strict")
STRICT: tuple[SecurityProfile, ...] = ("strict",)
RULES = (
    Rule("security-in-band", EACH, _in_band),
    Rule("security-storm-control", EACH, _storm),
    Rule("security-mac-limit", EACH, _mac_limit),
    Rule("security-clocks", EACH, _clocks),
    Rule("security-logs", EACH, _logs),
    Rule("security-sessions", STRICT, _sessions),
    Rule("security-login", STRICT, _login),
    Rule("security-snmp", STRICT, _snmp),
)
"""Every demand, in the order of the plan page."""


def deviations(plan: Plan) -> tuple[Deviation, ...]:
    """Return what deviates from the profile of a plan, rule by rule; nothing without a profile."""
    profile = plan.intent.security
    rules = [rule for rule in RULES if profile in rule.profiles]
    if not rules:
        return ()
    kinds = kinds_of_settings(plan)
    found: dict[tuple[str, Finding], list[str]] = {}
    for rule in rules:
        for switch, names in kinds:
            finding = rule.judge(switch)
            if finding is not None:
                found.setdefault((rule.code, finding), []).extend(names)
    return tuple(Deviation(code, finding, tuple(sorted(names))) for (code, finding), names in found.items())


def kinds_of_settings(plan: Plan) -> list[tuple[SwitchSettings, list[str]]]:
    """Return the settings that differ, and the present switches with each."""
    kinds: dict[tuple[object, ...], tuple[SwitchSettings, list[str]]] = {}
    for settings, name in _switches(plan):
        key = (settings.name, settings.role, settings.system, id(settings.fabric), id(settings.management))
        kinds.setdefault(key, (settings, []))[1].append(name)
    return list(kinds.values())


def _switches(plan: Plan) -> Iterator[tuple[SwitchSettings, str]]:
    for name, fabric in plan.fabrics.items():
        for place in present_places(fabric):
            switch = name_of(fabric, place)
            own = fabric.exceptions.settings.get(switch)
            system = chassis_of(fabric, place).system
            platform = PLATFORMS.get(system.partition("-")[0])
            if platform is not None:
                block = own.fabric if own is not None else fabric.fabric
                management = own.management if own is not None else plan.intent.management
                yield SwitchSettings(name, block, place.tier.value, system, platform, management), switch
