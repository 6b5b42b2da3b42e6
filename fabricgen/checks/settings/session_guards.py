"""What guards the sessions of a fabric, and where it guards less than it says."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.control import can
from fabricgen.resolve.needs import roles


def ttl_unchecked(plan: Plan) -> Iterator[Problem]:
    """Where a fabric checks the TTL of BGP packets, every switch does.

    A system that cannot sends 255: its sessions are guarded at the far end, and between two of them not at all.
    Source: the capability tables (ttl-check), with the maker's page.
    """
    for name, fabric in plan.fabrics.items():
        if fabric.fabric.bgp.ttl_security != "check":
            continue
        found = {role.name: role.system.partition("-")[0] for role in roles(fabric)}
        unable = {role: system for role, system in found.items() if not can(system, "ttl-check")}
        if unable:
            rest = "nobody checks" if len(unable) == len(found) else "the others check, and these only send"
            reasons = (PLATFORMS[system].can("ttl-check") for system in dict.fromkeys(unable.values()))
            yield Problem(
                code="ttl-unchecked",
                what=f"{' and '.join(unable)} of {name} cannot check the TTL of BGP packets: {rest}",
                where=("fabrics", name, "bgp", "ttl_security"),
                why="; ".join(row.refusal for row in reasons if row is not None),
                fix="waive ttl-unchecked if that is enough, or write ttl_security: none",
            )


def ttl_sent_only(plan: Plan) -> Iterator[Problem]:
    """A fabric that sends a TTL of 255 checks it, too: sending alone guards nothing, and is for a change.

    Systems send it as if the peer were several hops away. A link that goes down then does not end its session at once,
    but the hold time does. Source: FRR 8.4.4 between namespaces (templates/frr/NOTES.md); RFC 5082 section 3.
    """
    for name, fabric in plan.fabrics.items():
        bgp = fabric.fabric.bgp
        if bgp.ttl_security == "send":
            yield Problem(
                code="ttl-sent-only",
                what=f"sessions of {name} send a TTL of 255, and nobody checks it",
                where=("fabrics", name, "bgp", "ttl_security"),
                why="it is a step of a change: meanwhile a lost link may end its session only after "
                f"{bgp.hold_seconds} s",
                fix="write ttl_security: check once every switch sends it",
            )
