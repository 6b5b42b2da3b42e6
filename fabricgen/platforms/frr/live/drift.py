"""Differences of a running FRR configuration from the rendered one: lines, each with its sections.

Sets of lines with their sections are compared. FRR sorts what it prints, and everything whose order counts has a
sequence number. The communities of one line are a set that FRR sorts, too (seen with FRR 8.4.4; community_uniq_sort and
ecommunity_uniq_sort of bgpd): they are sorted on both sides here. Lines that are ignored on purpose are in OMITTED and
below, each with its reason. The result is empty for every file of ours that FRR 8.4.4 has loaded and printed.
"""

import re
from collections.abc import Iterable, Iterator

from fabricgen.base.secret import REFERENCE, shown
from fabricgen.platforms.base.live.reader import Drift

Path = tuple[str, ...]
"""A line after the sections that enclose it, outermost first."""

OMITTED = (
    (r"!.*|end", "separators and comments"),
    (r"exit|exit-[a-z-]+", "leaves a section; the indentation tells as much"),
    (r"Building configuration\.\.\.|Current configuration:", "header of `show running-config`"),
    (r"frr version .*", "the release that runs; its name is among the facts"),
    (r"(no )?service integrated-vtysh-config", "a setting of vtysh, in vtysh.conf"),
)
_OMITTED = re.compile("|".join(f"(?:{pattern})" for pattern, _ in OMITTED))
_SECRET = re.compile(
    r"\b(password|secret|key-string|authentication-key|authentication string|md5|nhrp authentication|tcp-md5-auth)"
    r"( [0-9]+(?= ))? \S.*"
)
"""Words that a secret follows: of BGP neighbors, terminals and, configured by hand, other protocols (FRR user manual).

NHRP and PCEP: clicmd `ip nhrp authentication PASSWORD` (nhrpd.rst) and `tcp-md5-auth WORD` (pathd.rst)."""
_COMMUNITIES = re.compile(
    r"(set (?:large-)?community|set extcommunity (?:rt|soo)|"
    r"bgp (?:large-|ext)?community-list standard \S+(?: seq \d+)? (?:permit|deny)) (.+?)( additive)?"
)
"""Lines that end in a set of communities; expanded lists end in an expression instead."""
_COMMUNITY = re.compile(r"(?:(?:rt|soo) )?\S+")
_NUMBERS = re.compile(r"\d+")
_NETNS = re.compile(r"netns \S+")
_RD = re.compile(r"rd (\d+\.\d+\.\d+\.\d+):\d+")
HIDDEN = "<secret>"


def drift(wanted: str, running: str) -> tuple[Drift, ...]:
    """Lines that only one of the two has, sorted. Secrets are never shown, and compare as equal."""
    want, have = _paths(wanted), _paths(running)
    absent = {path for path in want - have if not _resolved(path, have) and not _automatic(path, want, have)}
    added = {path for path in have - want if not _is_of_switch(path, want & have)}
    # A line with a secret is no addition if a missing line with a reference matches it.
    added -= {path for path in added if any(_matches_reference(absent_path, path) for absent_path in want - have)}
    differences = [*(Drift(_shown(path[:-1]), shown(path[-1]), present=False) for path in absent)]
    differences += [Drift(path[:-1], path[-1], present=True) for path in added]
    return tuple(sorted(differences))


def _paths(text: str) -> frozenset[Path]:
    """Every line with its sections, by FRR's own indentation."""
    paths: set[Path] = set()
    sections: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line or _OMITTED.fullmatch(line):
            continue
        depth = len(raw) - len(raw.lstrip())
        sections = [section for section in sections if section[0] < depth]
        line = _sorted(_SECRET.sub(rf"\1 {HIDDEN}", line))
        paths.add((*(section[1] for section in sections), line))
        sections.append((depth, line))
    return frozenset(paths)


def _sorted(line: str) -> str:
    """A line with its communities in FRR's order: by number, names after numbers."""
    match = _COMMUNITIES.fullmatch(line)
    if match is None:
        return line
    members = sorted(dict.fromkeys(_COMMUNITY.findall(match[2])), key=_by_number)
    return " ".join((match[1], *members)) + (match[3] or "")


def _by_number(community: str) -> tuple[bool, list[int], str]:
    numbers = [int(number) for number in _NUMBERS.findall(community)]
    return not numbers, numbers, community


def _resolved(path: Path, have: Iterable[Path]) -> bool:
    """Whether the running configuration has a line that holds a reference to a secret, with any value."""
    return REFERENCE.search(path[-1]) is not None and any(_matches_reference(path, other) for other in have)


def _matches_reference(path: Path, other: Path) -> bool:
    """Whether the second path is the first with values in place of its references."""
    if path[:-1] != other[:-1] or not REFERENCE.search(path[-1]):
        return False
    pattern = ".+".join(re.escape(part) for part in _between(path[-1]))
    return re.fullmatch(pattern, other[-1]) is not None


def _between(line: str) -> Iterator[str]:
    """The parts of a line before, between and after its references."""
    position = 0
    for match in REFERENCE.finditer(line):
        yield line[position : match.start()]
        position = match.end()
    yield line[position:]


def _shown(path: Path) -> Path:
    return tuple(shown(line) for line in path)


def _automatic(path: Path, want: frozenset[Path], have: frozenset[Path]) -> bool:
    """Whether a line is the default RD of a VRF or VNI (router id and a small number), which FRR does not print.

    Source: bgp_evpn_vrf_rd and bgp_evpn_vni_rd in bgpd/bgp_evpn_vty.c, FRR 8.4.4: they ignore a line with the same
    value. The EVPN routes show the RD in use.
    """
    match = _RD.fullmatch(path[-1])
    if match is None or (path[0], f"bgp router-id {match[1]}") not in want:
        return False
    return not any(other[:-1] == path[:-1] and other[-1].startswith("rd ") for other in have)


def _is_of_switch(path: Path, same: frozenset[Path]) -> bool:
    """Whether a line is not ours: a VRF's network namespace, or vtysh's host name in addition to the wanted one."""
    if len(path) == 2 and path[0].startswith("vrf "):
        return _NETNS.fullmatch(path[1]) is not None
    return (
        len(path) == 1 and path[0].startswith("hostname ") and any(other[0].startswith("hostname ") for other in same)
    )
