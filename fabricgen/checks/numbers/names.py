"""Names of devices and servers: unique, and valid as host names."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.fabric import device_name
from fabricgen.plan.place import SHORT_NAMES
from fabricgen.plan.plan import Plan

LABEL_OCTETS = 63
"""Longest label of a host name, RFC 1123 section 2.1 and RFC 1035 section 2.3.4."""


def name_length(plan: Plan) -> Iterator[Problem]:
    """A device name is one label of at most 63 octets (RFC 1035 section 2.3.4).

    Proof: a higher number never has fewer digits, so the highest of each tier has the longest name.
    """
    for name, fabric in plan.fabrics.items():
        names = [
            device_name(fabric.prefix, tier, max(segment.first + segment.box.size() - 1 for segment in segments))
            for (tier, _), segments in fabric.segments.items()
            if segments
        ]
        longest = max(names, key=len, default="")
        if len(longest) > LABEL_OCTETS:
            yield Problem(
                code="name-too-long",
                what=f"{longest} is too long for a hostname",
                where=("fabrics", name, "prefix"),
                why=f"it has {len(longest)} characters, and a label has at most {LABEL_OCTETS} (RFC 1035 section "
                f"2.3.4)",
                fix=f"write a prefix of at most {len(fabric.prefix) - len(longest) + LABEL_OCTETS} characters",
            )


def names_unique(plan: Plan) -> Iterator[Problem]:
    """No two devices, and no device and server, share a name: descriptions, LLDP and files are keyed by it.

    Proof: a name is the prefix of its fabric, the abbreviation of its tier and a number. Tiers have different
    abbreviations, fabrics different prefixes. Within a tier each line of the lock has a range of numbers that overlaps
    no other line's (other locks are refused when read), and numbers the places of its box in mixed radix, which is one
    to one.
    """
    starts: dict[str, str] = {}
    for name, fabric in plan.fabrics.items():
        if fabric.prefix in starts:
            yield _clash(name, f"devices of {starts[fabric.prefix]} and {name} all start with {fabric.prefix}")
        starts.setdefault(fabric.prefix, name)
    for group in plan.intent.servers:
        for name, fabric in plan.fabrics.items():
            if group in {f"{fabric.prefix}-{short}" for short in SHORT_NAMES.values()}:
                yield _clash(name, f"servers of {group} have the names of switches of {name}, e.g. {group}-000")


def _clash(name: str, what: str) -> Problem:
    return Problem(
        code="name-twice",
        what=what,
        where=("fabrics", name, "prefix"),
        why="names must be unique in descriptions, LLDP and file names",
        fix=f"write another hostname prefix for {name}",
    )
