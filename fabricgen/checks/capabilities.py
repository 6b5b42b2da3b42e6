"""Whether every switch's operating system can do what the intent asks of it."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from fabricgen.checks.cabling import chassis_by_role
from fabricgen.errors import Problem, did_you_mean
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.platform import Capability, Platform
from fabricgen.resolve.needs import Need, Role, needs, roles


def platforms(plan: Plan) -> Iterator[Problem]:
    """Every role runs a known operating system, in a release that a judge's model or a cited manual covers.

    Source: each platform's NOTES.md says what was judged by what.
    """
    for fabric in plan.fabrics.values():
        for role in roles(fabric):
            name, _, version = role.system.partition("-")
            platform = PLATFORMS.get(name)
            if platform is None:
                yield _unknown(role, name)
            elif not any(_covers(known, version) for known in platform.versions):
                yield _version(role, platform, version)


def _covers(known: str, version: str) -> bool:
    """Whether a release belongs to a supported train: 4.34 covers 4.34 and 4.34.1F."""
    return version == known or version.startswith(f"{known}.")


def _unknown(role: Role, name: str) -> Problem:
    known = [f"{platform.name}-{platform.versions[0]}" for platform in PLATFORMS.values()]
    return Problem(
        code="unknown-platform",
        what=f"{name} is no operating system that can be rendered",
        where=role.where,
        why=f"known: {', '.join(known)}",
        fix=did_you_mean(role.system, known),
    )


def _version(role: Role, platform: Platform, version: str) -> Problem:
    return Problem(
        code="unsupported-version",
        what=f"{platform.title} {version} is not supported",
        where=role.where,
        why=f"its lines were judged for {', '.join(platform.versions)} only",
        fix=f"write os: {platform.name}-{platform.versions[-1]}",
    )


def capabilities(plan: Plan) -> Iterator[Problem]:
    """What the intent asks of a switch, its operating system can do; nothing is skipped in silence.

    Source: the capability table of each platform, each row with its own source.
    """
    asked: dict[tuple[str, str], list[Need]] = {}
    for need in needs(plan):
        platform = PLATFORMS.get(need.system)
        if platform is None:
            continue
        found = platform.can(need.feature)
        if found is None or (found.refusal and not _is_vouched(plan, need, found)):
            asked.setdefault((need.system, need.feature), []).append(need)
    for (system, feature), found_needs in asked.items():
        yield _refused(PLATFORMS[system], feature, found_needs)


def _is_vouched(plan: Plan, need: Need, capability: Capability) -> bool:
    """Whether the hardware files of all switches of a role say that they can do what the platform can not promise."""
    fabric = plan.fabrics[need.fabric]
    border = fabric.shape.border if need.role == "border-leaf" else None
    chassis = [border] if border else [found for role, found in chassis_by_role(fabric) if role == need.role]
    return bool(capability.vouched and chassis) and all(
        capability.vouched in {**one.asic.spellings.get(need.system, {}), **one.switch.spellings.get(need.system, {})}
        for one in chassis
    )


_OFF: Mapping[str, str] = MappingProxyType(
    {
        "transport": "write transport: best-effort",
        "load_balancing": "write load_balancing: ecmp",
        "link_loss": "write link_loss: keep",
        "leaves_per_rail": "write leaves_per_rail: 1",
        "links": "write links: [ipv4] or [ipv4, ipv6]",
        "multihoming": "write multihoming: active-backup",
        "storm_control": "write storm_control: null",
        "lacp_fallback": "write lacp_fallback: false",
        "bpdu_guard": "write bpdu_guard: false",
        "uplink_tracking": "write uplink_tracking: false",
        "bfd": "write bfd: false",
        "lldp": "write lldp: false",
        **{key: f"remove {key}:" for key in ("tenancy", "dhcp_relay", "snmp", "gnmi", "eapi", "sflow", "aaa", "users")},
    }
)
"""Key that asks for a feature → what to type to do without it."""


def _off(need: Need) -> str:
    return _OFF.get(str(need.where[-1]), "turn it off here") if need.where else "turn it off here"


def _refused(platform: Platform, feature: str, found: list[Need]) -> Problem:
    capability = platform.can(feature)
    off = _off(found[0])
    able = [p.title for p in PLATFORMS.values() if (row := p.can(feature)) is not None and not row.refusal]
    who = ", ".join(dict.fromkeys(f"{need.fabric} {need.role}" for need in found))
    return Problem(
        code="platform-cannot",
        what=f"{platform.title} can not do {feature}, which {who} needs",
        where=found[0].where,
        why=f"{capability.refusal} ({capability.source})" if capability else "its capability table has no such row",
        fix=(f"{off}, or run {' or '.join(able)} on these switches" if able else off)
        + (_by_hardware(platform, capability.vouched) if capability and capability.vouched else ""),
    )


def _by_hardware(platform: Platform, word: str) -> str:
    return (
        f'; or, where you know that the switch can, write {word}: "yes" under spellings.{platform.name} in a hardware '
        "file of your own for it or its chip, with your source"
    )
