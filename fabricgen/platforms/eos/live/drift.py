"""Differences of EOS's running-config from the artifact: lines under their sections, by indentation.

The order of lines is not compared. Remarks, blank lines and `end` are left out. A secret equals any other in the same
place, whatever its type; `show running-config sanitized` shows none anyway. Lists of VLANs, code points, traffic
classes and communities are sets: EOS joins adjacent numbers to ranges, and lines that map to one target. Sequences have
numbers (route maps, prefix lists), and methods of AAA are one line, so both are compared in order.

Unknown: whether servers of an AAA group and name servers are used in the order of their lines; here they are sets.

Unsure: EOS shows no line that is a default. DEFAULTS has those that recorded running-configs leave out; any other line
of an artifact that is a default counts as missing until it is listed. UNTOLD has what recorded switches show without
being configured; another release or model may show more.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from fabricgen.base.secret import shown
from fabricgen.platforms.base.live.reader import Drift

Path = tuple[str, ...]

OWN_LINES: tuple[tuple[Path, str], ...] = (
    ((), r"no aaa root"),
    ((), r"no service interface inactive port-id allocation disabled"),
    ((), r"service routing protocols model multi-agent"),
    ((), r"spanning-tree mode mstp"),
    ((), r"system l1"),
    (("system l1",), r"unsupported (speed|error-correction) action error"),
    ((), r"transceiver qsfp default-mode 4x10G"),
    ((), r"interface (Ethernet|Management)\S+"),
)
"""Section and line that EOS adds itself.

Source: batfish/lab-validation, the configuration of cEOS 4.36.0.1F (source/configs) against what it shows (configs);
the last two from vEOS 4.23.0.1F, which shows every port it has.
"""

DEFAULTS: tuple[tuple[str, str], ...] = (
    (r"interface (Loopback|Vlan|Port-Channel|Management)\S*", r"no shutdown"),
    (r"interface (Ethernet|Port-Channel)\S*", r"switchport( mode access| access vlan 1)?"),
)
"""Section and line that EOS leaves out because it is a default.

`no shutdown` of an Ethernet port is not listed: after `interface defaults` with `shutdown` it is not a default. Source:
the same files, none of whose interfaces show these though they are up and bridged.
"""

_SECRETS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<before>username .* secret) (?:(?:0|5|\*|sha512) )?\S+(?P<after>)",
        r"(?P<before>(?:enable|aaa root) (?:secret|password)) (?:(?:0|5|8a|sha512) )?\S+(?P<after>)",
        r"(?P<before>neighbor \S+ password) (?:(?:0|7|8a) )?\S+(?P<after>)",
        r"(?P<before>(?:tacacs|radius)-server (?:.* )?key) (?:(?:0|7|8a) )?\S+(?P<after>)",
        r"(?P<before>ntp authentication-key \d+ \S+) (?:(?:0|7|8a) )?\S+(?P<after>)",
        r"(?P<before>snmp-server community) \S+(?P<after>.*)",
    )
)
_SNMP_USER = re.compile(r"(snmp-server user .* v3)(?: localized \S+)? (auth \S+) \S+(?: (priv \S+) \S+)?")
_LINK = re.compile(r"(neighbor interface) Et([\d/]+) (.*)")
"""A session over a port, which EOS shows by the port's short name (netlab's EOS 4.31, `show running-config`)."""
_VLANS = re.compile(r"((?:switchport trunk allowed )?vlan) (\d+(?:[-,]\d+)*)", re.ASCII)
_MAP = re.compile(r"(qos map (?:dscp|cos|traffic-class)) (\d+(?:(?:-|, ?| )\d+)*) (to \S+ \d+)", re.ASCII)
"""Code points or classes with the same target: EOS shows them on one line, separated by blanks (`show qos map`)."""
_COMMUNITIES = re.compile(
    r"(?P<before>set community|ip community-list \S+ (?:permit|deny)) (?P<members>\S+(?: \S+)*?)(?P<after> additive)?"
)
_BANNER = re.compile(r"banner \S+")
_HIDDEN = "*"


def drift(wanted: str, running: str) -> tuple[Drift, ...]:
    """Lines of the artifact that the switch lacks (present False), then the reverse, each in the order of its text."""
    ours, theirs = dict.fromkeys(_lines(shown(wanted))), dict.fromkeys(_lines(running))
    missing = [Drift(*place, present=False) for place in ours if place not in theirs and not _is_default(*place)]
    added = [Drift(*place, present=True) for place in theirs if place not in ours and not _is_own(*place)]
    return (*missing, *added)


def _is_own(section: Path, line: str) -> bool:
    return any(section == place and re.fullmatch(pattern, line) for place, pattern in OWN_LINES)


def _is_default(section: Path, line: str) -> bool:
    return len(section) == 1 and any(
        re.fullmatch(place, section[0]) and re.fullmatch(pattern, line) for place, pattern in DEFAULTS
    )


def _lines(text: str) -> Iterator[tuple[Path, str]]:
    """Every line with the lines that it is nested under; the text of a banner unchanged."""
    above: list[tuple[int, str]] = []
    banner = ""
    for raw in text.splitlines():
        line = raw.strip()
        # Text of a banner can look like configuration; a line EOF ends it.
        if banner:
            banner = "" if line == "EOF" else banner
            yield (banner,), raw
            continue
        if not line or line.startswith("!") or raw == "end":
            continue
        depth = len(raw) - len(raw.lstrip())
        while above and above[-1][0] >= depth:
            above.pop()
        line = _normal(line)
        yield from ((tuple(name for _, name in above), single) for single in _each(line))
        above.append((depth, line))
        banner = line if _BANNER.fullmatch(line) else ""


@lru_cache(maxsize=4096)  # a switch repeats most of its lines for every port
def _normal(line: str) -> str:
    """One spelling for lines with the same meaning."""
    vlans = _VLANS.fullmatch(line)
    if vlans:
        return f"{vlans[1]} {','.join(map(str, sorted(_members(vlans[2]))))}"
    communities = _COMMUNITIES.fullmatch(line)
    if communities:
        return f"{communities['before']} {' '.join(sorted(communities['members'].split()))}{communities['after'] or ''}"
    link = _LINK.fullmatch(line)
    if link:
        return f"{link[1]} Ethernet{link[2]} {link[3]}"
    user = _SNMP_USER.fullmatch(line)
    if user:
        return " ".join((user[1], *(f"{part} {_HIDDEN}" for part in user.groups()[1:] if part)))
    for pattern in _SECRETS:
        match = pattern.fullmatch(line)
        if match:
            return f"{match['before']} {_HIDDEN}{match['after']}"
    return line


def _each(line: str) -> Iterator[str]:
    """A line that maps several numbers, once for each; any other line unchanged."""
    match = _MAP.fullmatch(line)
    if match:
        yield from (f"{match[1]} {number} {match[3]}" for number in sorted(_members(match[2])))
    else:
        yield line


def _members(text: str) -> set[int]:
    """Numbers of `20,22-24` or `20 22-24`; a range that runs backwards or beyond 4094 has only its ends."""
    numbers: set[int] = set()
    for part in re.split(r"[, ]+", text):
        first, *last = (int(digits[:5]) for digits in part.split("-"))
        end = last[-1] if last else first
        numbers |= {first, end} | set(range(first, min(end, 4094) + 1))
    return numbers
