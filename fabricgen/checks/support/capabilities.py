"""Whether every switch's operating system supports what the intent asks for."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.checks.cabling.cabling import chassis_by_role
from fabricgen.checks.capacity.mac_limits import mac_limits_of_ports
from fabricgen.checks.numbers.pools import former_prefix
from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.intent.fabric import Frontend
from fabricgen.intent.rules import free_ipv4
from fabricgen.intent.waivers import waiver_line
from fabricgen.plan.place import UPPER
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS, supports
from fabricgen.platforms.base.platform import Capability, Platform
from fabricgen.platforms.base.release import is_at_least, is_of_train, neighbors
from fabricgen.platforms.releases import first_with, newest
from fabricgen.resolve.needs import FeatureNeed, Role, needs, roles
from fabricgen.topologies.shape import Chassis
from fabricgen.topologies.upper import speeds_of


def platforms(plan: Plan) -> Iterator[Problem]:
    """Every role has an operating system that is rendered for it, in a release that is covered and runs on its model.

    Source: each platform's NOTES.md, which lists what was tested with what.
    """
    for fabric, role, version, platform in _roles(plan):
        chassis = _chassis(plan, fabric, role.name)
        if platform is None:
            yield _unknown(role, chassis)
        elif not (platform.covers(version) or platform.between(version)):
            why, what = _why_unsupported(platform, version), f"{platform.title} {version} is not supported"
            yield _unsupported(plan, fabric, role, what, why, version)
        elif later := _later(chassis, platform, version):
            model, since = later
            why = f"{platform.title} runs on this model from {since} on (its hardware file)"
            what = f"{role.system} does not run on {model}"
            yield _unsupported(plan, fabric, role, what, why, f"{role.system} on it")
        elif other := _other_train(chassis, platform, version):
            why = f"{platform.title} runs on this model in {' and '.join(other.trains)} only (its hardware file)"
            what = f"{role.system} does not run on {other.model}"
            yield _unsupported(plan, fabric, role, what, why, f"{role.system} on it")
        elif role.name not in platform.artifacts:
            yield _role(fabric, role, platform, chassis)


def _roles(plan: Plan) -> Iterator[tuple[str, Role, str, Platform | None]]:
    """Yield the fabric of each role, the role, its release, and its platform: None for an unknown one."""
    for fabric in plan.fabrics.values():
        for role in roles(fabric):
            name, _, version = role.system.partition("-")
            yield fabric.name, role, version, PLATFORMS.get(name)


def _unknown(role: Role, chassis: list[Chassis]) -> Problem:
    known = [newest(name) for name, platform in PLATFORMS.items() if _runs(chassis, platform)]
    return Problem(
        code="unknown-platform",
        what=f"unknown operating system {role.system.partition('-')[0]}",
        where=role.where,
        why=f"its model can run {', '.join(known)}",
        fix=did_you_mean(role.system, known),
    )


def _later(chassis: list[Chassis], platform: Platform, version: str) -> tuple[str, str] | None:
    """Return a model that runs later releases only, and the first of them."""
    firsts = ((member.switch.model, member.switch.first_release.get(platform.name, "")) for member in chassis)
    return next(((model, since) for model, since in firsts if since and not is_at_least(version, since)), None)


class _Trains(NamedTuple):
    """A model, and the only release trains of a system that run on it."""

    model: str
    trains: tuple[str, ...]


def _other_train(chassis: list[Chassis], platform: Platform, version: str) -> _Trains | None:
    """Return a model that does not run this release, as it runs some release trains only."""
    found = (_Trains(member.switch.model, member.switch.release_trains.get(platform.name, ())) for member in chassis)
    return next((model for model in found if model.trains and not is_of_train(version, model.trains)), None)


def _role(fabric: str, role: Role, platform: Platform, chassis: list[Chassis]) -> Problem:
    others = [
        candidate.name
        for candidate in PLATFORMS.values()
        if role.name in candidate.artifacts and _runs(chassis, candidate)
    ]
    known = f"; its model also runs {', '.join(others)}" if others else ""
    return Problem(
        code="platform-role",
        what=f"{platform.title} is not supported as the {role.name} of {fabric}",
        where=role.where,
        why=f"it is supported as {', '.join(platform.artifacts)} only{known}",
        fix="choose a model and an operating system that are supported in this role (`fabricgen list systems`)",
    )


def _unsupported(plan: Plan, fabric: str, role: Role, what: str, why: str, tested: str) -> Problem:
    """Return the problem of a release. tested: what a waiver vouches for."""
    return Problem(
        code="unsupported-version",
        what=what,
        where=role.where,
        why=why,
        fix=f"write os: {_supported(plan, fabric, role)}, or "
        f"{waiver_line('unsupported-version', 'tested by NAME on DATE')} if you have tested {tested} yourself",
    )


def _supported(plan: Plan, fabric: str, role: Role) -> str:
    """Return the system of a role in a release that can do what the role needs: one in use, the next, or the newest."""
    name, _, version = role.system.partition("-")
    platform = PLATFORMS[name]
    chassis = _chassis(plan, fabric, role.name)
    firsts = [member.switch.first_release.get(name, "") for member in chassis]
    trains = tuple(train for member in chassis for train in member.switch.release_trains.get(name, ()))
    features = {need.feature for need in needs(plan) if (need.fabric, need.role) == (fabric, role.name)}
    firsts += [row.since for row in platform.capabilities if row.feature in features]
    used = [used for _, _, used, other in _roles(plan) if other is platform and platform.covers(used)]
    later = [known for known in platform.versions if is_at_least(known, version)]
    known_trains = tuple(train for train in trains if platform.covers(train))
    able = (
        each
        for each in (*used, *(known_trains or later))
        if all(is_at_least(each, since) for since in firsts if since) and (not trains or is_of_train(each, trains))
    )
    # What a train of the model does not have is refused by name where the intent asks for it.
    return f"{name}-{next(able, (known_trains or trains or platform.versions[-1:])[0])}"


def _why_unsupported(platform: Platform, version: str) -> str:
    known = f"its configuration is validated for {', '.join(platform.versions)} only"
    around = neighbors(version, platform.releases)
    return f"{known}, and {around[1].name} has other lines than {around[0].name}" if around else known


def between_releases(plan: Plan) -> Iterator[Problem]:
    """A release between two that are known gets the lines that both have; nobody has tried them on it.

    Source: the table of differences of each platform, which has none between the two.
    """
    for fabric, role, version, platform in _roles(plan):
        around = platform.between(version) if platform is not None and not platform.covers(version) else None
        if platform is not None and around is not None:
            older, newer = around
            yield Problem(
                code="release-between",
                what=f"{platform.title} {version} of {fabric} {role.name} was not validated",
                where=role.where,
                why=f"{older.name} and {newer.name} were, and no line is known that differs between them",
                fix=f"write os: {platform.name}-{newer.name}, or waive release-between once you have loaded the files",
            )


def capabilities(plan: Plan) -> Iterator[Problem]:
    """The operating system of a switch supports everything that the intent asks for; nothing is left out silently.

    Source: the capability table of each platform, each row with its own source.
    """
    for (system, _, feature), found_needs in unsupported(plan).items():
        yield refused(plan, PLATFORMS[system], feature, found_needs)
    yield from mac_limits_of_ports(plan)


def unsupported(plan: Plan) -> Mapping[tuple[str, str, str], list[FeatureNeed]]:
    """Return system, release and feature → who needs what it does not support. Loads no other operating system."""
    found: dict[tuple[str, str, str], list[FeatureNeed]] = {}
    for need in needs(plan):
        platform = PLATFORMS.get(need.system)
        if platform is None:
            continue
        capability = platform.can(need.feature, need.version)
        if capability is None or _why_not(plan, need, capability):
            found.setdefault((need.system, need.version, need.feature), []).append(need)
    return found


def _chassis(plan: Plan, fabric_name: str, role: str) -> list[Chassis]:
    """Return every chassis of a role, by its name in `roles`."""
    fabric = plan.fabrics[fabric_name]
    border = fabric.shape.border if role == "border-leaf" else None
    return [border] if border else [chassis for key, chassis in chassis_by_role(fabric) if key == role]


def _runs(chassis: list[Chassis], platform: Platform) -> bool:
    """Return whether all of these switch models run an operating system: their hardware files name its ports."""
    return all(platform.name in member.switch.port_names for member in chassis)


def _why_not(plan: Plan, need: FeatureNeed, capability: Capability) -> str:
    return _lacks(capability, need.system, need.role, _chassis(plan, need.fabric, need.role))


def _lacks(capability: Capability, system: str, role: str, chassis: list[Chassis]) -> str:
    """Return why chassis of a role lack a feature; empty where platform or hardware files support it."""
    if not capability.refusal:
        return ""
    if not capability.vouched or not chassis:
        return capability.refusal
    return next(filter(None, (_unvouched(capability, system, role, member) for member in chassis)), "")


def _unvouched(capability: Capability, system: str, role: str, chassis: Chassis) -> str:
    """Return why a hardware file does not lift a refusal; empty where it does (see `Capability.vouched`)."""
    able = _able_speeds(capability, system, chassis)
    if able is None:
        return capability.refusal
    between = (*chassis.down, *chassis.uplinks) if role in UPPER else chassis.uplinks
    others = sorted({port.speed_gbps for port in between} - set(able)) if able else []
    if not others:
        return ""
    return (
        f"links between switches are {_speeds(others)}, and {chassis.switch.model} supports it on {_speeds(able)} only"
    )


def _able_speeds(capability: Capability, system: str, chassis: Chassis) -> tuple[int, ...] | None:
    """Return speeds in Gb/s at which a hardware file supports it; empty for all of them, None if it says nothing."""
    spellings = {**chassis.asic.spellings.get(system, {}), **chassis.switch.spellings.get(system, {})}
    value = spellings.get(capability.vouched)
    if value is None:
        return None
    return tuple(int(speed) for speed in value.split() if speed.isdigit()) if capability.by_speed else ()


def _speeds(numbers: Iterable[int]) -> str:
    return " or ".join(f"{number}G" for number in numbers)


_WEAKER: Mapping[str, str] = {"auth_algorithm": "sha", "privacy_algorithm": "aes128"}
"""Key of an SNMP algorithm → the one that every system with SNMP has."""
_OFF: Mapping[str, str] = {
    "transport": "write transport: best-effort",
    "load_balancing": "write load_balancing: ecmp",
    "link_loss": "write link_loss: keep",
    "leaves_per_rail": "write leaves_per_rail: 1",
    "links": "write links: [ipv4] or [ipv4, ipv6]",
    "multihoming": "write multihoming: active-backup",
    "networks": "keep one network of the tenant, so that frames of its servers have no tag",
    "df_election": "write df_election: platform",
    "storm_control": "write storm_control: null",
    "unknown_unicast_percent": "write unknown_unicast_percent: null",
    "lacp_fallback": "write lacp_fallback: false",
    "bpdu_guard": "write bpdu_guard: false",
    "uplink_tracking": "write uplink_tracking: false",
    "mac_limit": "write mac_limit: none",
    "duplicate_mac": "write duplicate_mac: null",
    "recovery_minutes": "write recovery_minutes: null",
    "bfd": "write bfd: false",
    "lldp": "write lldp: false",
    **{key: f"write {key}: {value}" for key, value in _WEAKER.items()},
    "alpha": "leave alpha out",
    "action": "write action: drop",
    "imports": "remove `imports`, and connect these tenants beyond their border leaves",
    **{key: f"remove `{key}`" for key in ("tenancy", "dhcp_relay", "snmp", "gnmi", "eapi", "sflow", "aaa", "users")},
    **{key: f"remove `{key}`" for key in ("domain", "dns", "ntp", "syslog", "traps", "raw", "guards")},
}
"""Key that asks for a feature → how to do without it."""


def without(where: IntentPath) -> str:
    """Return how to do without the feature that a path asks for; for an operating system, remove the override's."""
    last = str(where[-1]) if where else ""
    if last == "os":
        return "remove this `os`" if where[0] == "overrides" else ""
    return _OFF.get(last, "turn it off here")


def refused(plan: Plan, platform: Platform, feature: str, needing: list[FeatureNeed]) -> Problem:
    """Return the problem of a feature that a platform does not support and that these roles need."""
    newest = platform.can(feature)
    is_old = newest is not None and not any(_why_not(plan, need, newest) for need in needing)
    capability = platform.can(feature, needing[0].version) if is_old else newest
    newer = _newer(platform, capability, needing[0].version) if is_old else ""
    others = [other for other in PLATFORMS.values() if not newer and other.name != platform.name]
    able = [other.title for other in others if _could(plan, other, feature, needing)]
    who = ", ".join(dict.fromkeys(f"{need.fabric} {need.role}" for need in needing))
    off = _with_families(plan, needing[0]) or _turn_off_fix(plan, needing[0]) or without(needing[0].where)
    if isinstance(plan.intent.fabrics[needing[0].fabric], Frontend) and needing[0].where[-1:] == ("transport",):
        off += " (a routed fabric for RDMA is kind: storage)"
    ways = (off, f"run {' or '.join(able)} on these switches" if able else "")
    slower = _slower(plan, capability, needing[0]) if capability else ""
    fix = ", or ".join(filter(None, (newer, *ways, slower))) or _without_a_way(feature, needing[0].fabric)
    return Problem(
        code="platform-cannot",
        what=f"{platform.title}{_on_models(plan, capability, needing)} does not support {feature}, which {who} "
        f"{'need' if ',' in who else 'needs'}",
        where=needing[0].where,
        why=_why(plan, capability, needing) if capability else "fabricgen has no source for this feature on it",
        fix=fix + (_by_hardware(platform, capability) if capability and capability.vouched else ""),
    )


def _on_models(plan: Plan, capability: Capability | None, needing: list[FeatureNeed]) -> str:
    """Return the models without a feature that hardware files give to others of the same roles; empty where none do."""
    if capability is None or not capability.vouched:
        return ""
    lacking: dict[str, bool] = {}
    for need in needing:
        for member in _chassis(plan, need.fabric, need.role):
            lacks = bool(_lacks(capability, need.system, need.role, [member]))
            lacking[member.switch.model] = lacking.get(member.switch.model, False) or lacks
    models = [model for model, lacks in lacking.items() if lacks]
    return f" on {' and '.join(models)}" if 0 < len(models) < len(lacking) else ""


def _newer(platform: Platform, capability: Capability | None, version: str) -> str:
    """Return the fix by a newer release; empty where none has the feature, or this one has it."""
    since = capability.since if capability is not None else ""
    return f"write os: {first_with(platform, since)}" if since and not is_at_least(version, since) else ""


def _with_families(plan: Plan, need: FeatureNeed) -> str:
    """Return how a fabric without IPv4 does without a feature; empty for others."""
    if plan.intent.fabrics[need.fabric].addressing.ipv4 is not None:
        return ""
    lines = (line for line in plan.recorded.segments if line.fabric == need.fabric)
    prefix = former_prefix(lines, 32) or free_ipv4(plan.intent)
    return {"unnumbered": "write links: [ipv6]", "vtep-ipv6": f"write addressing.ipv4: {prefix}"}.get(need.feature, "")


def _turn_off_fix(plan: Plan, need: FeatureNeed) -> str:
    """Return how to turn a service of `management` off on the switches that lack it; empty where none has it.

    The key is for the whole site. Without it the other switches would lose it, too, e.g. their users.
    """
    if need.where[0] != "management":
        return ""
    with_it = [other for other in needs(plan) if other.feature == need.feature]
    unable = dict.fromkeys((other.fabric, other.role) for other in with_it if not _supports(plan, other))
    able = {(other.fabric, other.role) for other in with_it} - unable.keys()
    if not able:
        return ""
    # A whole fabric is named only where no system in it has the service.
    fabrics = {fabric for fabric, _ in able} | {
        fabric.name
        for fabric in plan.fabrics.values()
        for role in roles(fabric)
        if role.system.partition("-")[0] in PLATFORMS and supports(role.system, need.feature)
    }
    selectors = dict.fromkeys(f"{fabric}/{role}" if fabric in fabrics else fabric for fabric, role in unable)
    key = str(need.where[-1])
    off = {"users": "{}", "lldp": "false"}.get(key, "null")
    own = f"snmp: {{{key}: {_WEAKER[key]}}}" if key in _WEAKER else f"{key}: {off}"
    return f"write overrides: {{{', '.join(f'{name}: {{management: {{{own}}}}}' for name in selectors)}}}"


def _supports(plan: Plan, need: FeatureNeed) -> bool:
    capability = PLATFORMS[need.system].can(need.feature, need.version) if need.system in PLATFORMS else None
    return capability is not None and not _why_not(plan, need, capability)


def _without_a_way(feature: str, fabric: str) -> str:
    """Return the fix if no key turns the feature off and no other system runs on these switches."""
    return (
        f"remove the setting that needs {feature} from fabrics.{fabric}, or choose a model whose operating system "
        f"has it"
    )


def _why(plan: Plan, capability: Capability, needing: list[FeatureNeed]) -> str:
    reasons = [reason for need in needing if (reason := _why_not(plan, need, capability))]
    return f"{'; '.join(dict.fromkeys(reasons)) or capability.refusal} ({capability.source})"


def _slower(plan: Plan, capability: Capability, need: FeatureNeed) -> str:
    """Return the fix by a lower speed between switches that lifts the refusal; empty where the panel has none."""
    supported = [
        _able_speeds(capability, need.system, member) or () for member in _chassis(plan, need.fabric, need.role)
    ]
    offered = [speeds_of(member.switch) for member in _chassis(plan, need.fabric, need.role)]
    speeds = sorted(set.intersection(*map(set, (*supported, *offered)))) if supported else []
    return f"topology.uplink_gbps: {' or '.join(map(str, speeds))}" if speeds else ""


def _could(plan: Plan, platform: Platform, feature: str, needing: list[FeatureNeed]) -> bool:
    """Return whether all chassis that need a feature run another system that supports it, and all that theirs does.

    Other features that the same keys ask for count, too: without them the next refusal would be of the same line.
    """
    asked = {(need.fabric, need.role) for need in needing}
    keys = {need.where for need in needing}
    wanted = (
        need
        for need in needs(plan)
        if (need.fabric, need.role) in asked
        and (need.feature == feature or need.where in keys or _supports(plan, need))
    )
    return all(_supports_on(plan, platform, need) for need in wanted)


def _supports_on(plan: Plan, platform: Platform, need: FeatureNeed) -> bool:
    row, chassis = platform.can(need.feature), _chassis(plan, need.fabric, need.role)
    return row is not None and _runs(chassis, platform) and not _lacks(row, platform.name, need.role, chassis)


def _by_hardware(platform: Platform, capability: Capability) -> str:
    return (
        f'; or, where you know that the switch supports it, write {capability.vouched}: "yes" under '
        f"spellings.{platform.name} in a hardware file of your own for it or its chip, with your source"
    )
