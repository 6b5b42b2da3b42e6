"""Problems of servers and NICs as a tenant or a scenario lists them: unknown groups, slots that are not planned."""

from collections.abc import Mapping

from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.intent.site import ServerGroup
from fabricgen.intent.slot_ranges import parse_range


def unknown_group(servers: Mapping[str, ServerGroup], text: str, where: IntentPath) -> Problem | None:
    """Return the problem of a range whose group does not exist; its fix has the same slots of the nearest name."""
    group, bracket, rest = text.partition("[")
    if group in servers:
        return None
    fix = did_you_mean(group, servers)
    near = fix.removeprefix("did you mean ").removesuffix("?")
    return Problem(
        code="unknown-name",
        what=f"unknown server group {group}",
        where=where,
        why=f"{text} must begin with a server group: {', '.join(sorted(servers))}",
        fix=f'did you mean "{near}{bracket}{rest}"?' if near != fix else fix.replace("choose", "begin it with"),
    )


def unplanned_slots(servers: Mapping[str, ServerGroup], text: str, where: IntentPath) -> Problem | None:
    """Return the problem of a range of a known group whose numbers are not valid, or beyond its planned slots."""
    try:
        group, slots, _ = parse_range(text)
    except ValueError as error:
        return bad_slots(text, str(error), where)
    last, planned = slots[-1].last, servers[group].planned_slots
    if last < planned:
        return None
    return Problem(
        code="slot-not-planned",
        what=f"{text} names slot {last}; {group} plans slots 0-{planned - 1}",
        where=where,
        why="only a planned slot has ports and addresses",
        fix=f"name slots up to {planned - 1}, or write servers.{group}.planned: {last + 1} if the fabrics have "
        "enough ports",
    )


def bad_slots(text: str, why: str, where: IntentPath) -> Problem:
    """Return the problem of a range with invalid numbers."""
    group, is_nics = text.partition("[")[0], "/" in text
    return Problem(
        code="bad-slots",
        what=f"invalid slots{' or rails' if is_nics else ''} in {text}",
        where=where,
        why=why,
        fix=f'write e.g. "{group}[0-3]{"/0-7" if is_nics else ""}"',
    )
