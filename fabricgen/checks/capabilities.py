"""Whether every switch's operating system can do what the intent asks of it."""

from collections.abc import Iterator

from fabricgen.errors import Problem, did_you_mean
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.platform import Platform
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
        if found is None or found.refusal:
            asked.setdefault((need.system, need.feature), []).append(need)
    for (system, feature), found_needs in asked.items():
        yield _refused(PLATFORMS[system], feature, found_needs)


def _refused(platform: Platform, feature: str, found: list[Need]) -> Problem:
    capability = platform.can(feature)
    able = [p.title for p in PLATFORMS.values() if (row := p.can(feature)) is not None and not row.refusal]
    who = ", ".join(dict.fromkeys(f"{need.fabric} {need.role}" for need in found))
    return Problem(
        code="platform-cannot",
        what=f"{platform.title} can not do {feature}, which {who} needs",
        where=found[0].where,
        why=f"{capability.refusal} ({capability.source})" if capability else "its capability table has no such row",
        fix=f"turn it off here, or run {' or '.join(able)} on these switches" if able else "turn it off here",
    )
