"""Values of this site in fixes that have an example: from other keys of the intent, and from the lock."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network

from fabricgen.checks.numbers.pools import former_prefix
from fabricgen.checks.numbers.router_ids import former_router_ids
from fabricgen.errors import Problem
from fabricgen.intent.scalars import ASNS_EXAMPLE, AsnRange, free_asns, parse_asns
from fabricgen.plan.lock import Lock
from fabricgen.plan.place import Tier
from fabricgen.source.document import mapping


def with_site_values(problem: Problem, intent: object, lock: Callable[[], Lock]) -> Problem:
    """Return the problem of a missing key, or of one with a wrong type, with a fix for this site where there is one."""
    root = mapping(intent)
    management, fabrics = mapping(root.get("management")), mapping(root.get("fabrics"))
    fix = problem.fix
    with suppress(ValueError):  # a value that is refused, too, or none
        match problem.code, problem.where:
            case _, (*_, "asns") if ASNS_EXAMPLE in fix:
                used: list[AsnRange] = []
                for fabric in fabrics.values():
                    with suppress(ValueError):  # the refused range, or another one
                        used.append(parse_asns(mapping(fabric).get("asns")))
                free = free_asns(used)
                fix = fix.replace(ASNS_EXAMPLE, f"{free.first}-{free.last}")
            case "missing-key", ("management", "oob"):
                oob = IPv4Network((str(IPv4Address(management.get("gateway"))), 22), strict=False)  # 1,024 addresses
                fix = f"add e.g. oob: {oob} to management: the gateway and the management ports are in it"
            case "missing-key", ("management", "gateway"):
                first = IPv4Network(management.get("oob"))[1]
                fix = f"add e.g. gateway: {first} to management: the router's address in oob, often its first"
            case "missing-key", ("fabrics", name, "addressing"):
                lines = [line for line in lock().segments if line.fabric == name]
                former = (
                    ("ipv4", former_prefix(lines, 32)),
                    ("ipv6", f'"{ipv6}"' if (ipv6 := former_prefix(lines, 128)) else ""),
                    ("router_ids", str(former_router_ids(lines) or "")),
                )
                keys = ", ".join(f"{key}: {text}" for key, text in former if text)
                fix = f"add addressing: {{{keys}}} to fabrics.{name}" if keys else fix
            case "wrong-type", ("fabrics", name, "topology", "spines"):
                spines = (line for line in lock().segments if line.fabric == name and line.tier is Tier.SPINE)
                planned = max(line.box.index.last + 1 for line in spines)
                now = int(fix.partition("now: ")[2].partition("}")[0])
                fix = fix.replace("}", f", planned: {planned}}}", 1) if planned > now else fix
            case _, ("fabrics", name, *_) if "os: OS" in fix:
                fix = _as_another(fix, mapping(fabrics.get(str(name))))
    return problem._replace(fix=fix)


def _as_another(fix: str, fabric: Mapping[str, object]) -> str:
    """Return the fix with model and release of another switch of the fabric, which has a speed in common with it."""
    other = next((switch for switch in map(mapping, fabric.values()) if {"model", "os"} <= switch.keys()), None)
    if other is None:
        return fix
    whole = re.sub(r"\{model: [^,]+, os: OS", f"{{model: {other['model']}, os: {other['os']}", fix)
    return whole.replace("add leaf", "add e.g. leaf").replace("os: OS", f"os: {other['os']}")
