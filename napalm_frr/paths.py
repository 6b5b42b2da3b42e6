"""Configuration as a tree of lines, without lines that FRR adds or omits by itself.

A line belongs to the block whose first line has less indentation, as `show running-config` prints it. Source of the
tables: output of 8.4.4's own `show running-config` for a given text (tests/napalm_frr tests each).
"""

import re
from collections.abc import Container, Iterator

Path = tuple[str, ...]
Tree = dict[str, "Tree"]
"""Line → lines in its block, both in their order."""

# Lines that do not configure anything: (pattern, reason).
OMITTED = (
    (r"!.*|#.*|end", "separators and comments"),
    (r"exit|exit-\S+", "leaves a block; the indentation tells as much"),
    (r"Building configuration\.\.\.|Current configuration:", "header of `show running-config`"),
    (r"hostname .*", "FRR takes any, and prints the machine's"),
    (r"frr version .*", "the release that runs, not the one it was written for"),
    (r"(no )?service integrated-vtysh-config", "a setting of vtysh, in vtysh.conf"),
)
# Lines that FRR accepts and does not print: (blocks around them, lines), as full-match patterns. BGP defaults listed
# here are the same in every profile; PROFILES has the others.
BGP, FAMILY = r"router bgp .+", r"address-family .+"
DEFAULTS = (
    ((), (r"(ip|ipv6) forwarding", r"zebra nexthop kernel enable")),
    ((r"interface \S+",), (r"no shutdown", r"no description", r"ipv6 nd suppress-ra")),
    ((r"vrf \S+",), (r"netns \S+",)),
    (
        (BGP,),
        (
            r"bgp default ipv4-unicast",
            r"no bgp default ipv6-unicast",
            r"bgp network import-check",
            r"bgp suppress-duplicates",
            r"bgp client-to-client reflection",
            r"bgp fast-external-failover",
            r"bgp default local-preference 100",
        ),
    ),
    ((BGP, FAMILY), (r"neighbor \S+ send-community( both)?",)),
    (
        (r"bfd", r"(profile|peer) .+"),
        (
            r"detect-multiplier 3",
            r"(receive|transmit)-interval 300",
            r"no shutdown",
            r"no passive-mode",
            r"minimum-ttl 254",
        ),
    ),
)
PROFILES = {
    "datacenter": (
        r"no bgp ebgp-requires-policy",
        r"bgp log-neighbor-changes",
        r"bgp deterministic-med",
        r"bgp default show-(nexthop-)?hostname",
        r"timers bgp 3 9",
    ),
    "traditional": (
        r"bgp ebgp-requires-policy",
        r"no bgp log-neighbor-changes",
        r"no bgp deterministic-med",
        r"no bgp default show-(nexthop-)?hostname",
        r"timers bgp 60 180",
    ),
}
TRADITIONAL = "traditional"  # FRR's default when a configuration names none
PROFILE = re.compile(r"^frr defaults (\S+)$", re.MULTILINE)
# Every neighbor is in the IPv4 family unless its BGP instance has this line.
NO_IPV4 = "no bgp default ipv4-unicast"
IPV4 = "address-family ipv4 unicast"
ACTIVATE = re.compile(r"neighbor \S+ activate")
# Blocks that mean nothing when empty: FRR prints those for kernel devices, and no empty families.
HOLLOW = re.compile(r"(interface|vrf) \S+|address-family .+")
# The old syntax of a route in a VRF; FRR prints it in the VRF's block.
VRF_ROUTE = re.compile(r"((?:no )?(?:ip|ipv6) route .+) vrf (\S+)(.*)")
# Some are lines of other software on a switch. `key 1` and `key chain K` begin blocks and contain no secret.
SECRET = re.compile(
    r"\b((?:password|md5|key-string|authentication-key|secret|auth-pass\w*|(?<!-)key(?! chain\b| \d+$)"
    r"|authentication string|nhrp authentication|(?:auth|priv) (?:sha\S*|3?des|aes\S*)"
    r"|snmp-server (?:community|host \S+))(?: \d)?) \S.*"
)
REMOVED = "<removed>"  # NAPALM's placeholder in sanitized configurations

_OMITTED = re.compile("|".join(f"(?:{pattern})" for pattern, _ in OMITTED))


def tree(text: str, profile: str, without: Container[Path] = ()) -> Tree:
    """Lines of a configuration, without those in `without`, defaults of this profile and meaningless blocks."""
    lines: Tree = {}
    for path in paths(text):
        if path not in without:
            add(lines, path)
    return _pruned(lines, (), PROFILES.get(profile, ()))


def profile_of(text: str) -> str:
    """Profile of defaults that a configuration names, or FRR's default."""
    match = PROFILE.search(text)
    return match[1] if match else TRADITIONAL


def paths(text: str) -> Iterator[Path]:
    """Every configuration line with the blocks around it, outermost first."""
    blocks: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line or _OMITTED.fullmatch(line):
            continue
        depth = len(raw) - len(raw.lstrip())
        blocks = [block for block in blocks if block[0] < depth]
        route = VRF_ROUTE.fullmatch(line) if not blocks else None
        if route:
            yield f"vrf {route[2]}", f"{route[1]}{route[3]}"
            continue
        yield (*(block[1] for block in blocks), line)
        blocks.append((depth, line))


def add(subtree: Tree, path: Path) -> None:
    """Add a line to a tree, with its blocks."""
    for line in path:
        subtree = subtree.setdefault(line, {})


def masked(text: str) -> str:
    """The text without its secrets."""
    return "\n".join(SECRET.sub(rf"\1 {REMOVED}", line) for line in text.split("\n"))


def _pruned(subtree: Tree, parents: Path, profile: tuple[str, ...]) -> Tree:
    pruned: Tree = {}
    everyone_is_ipv4 = bool(parents) and NO_IPV4 not in subtree
    for line, block in subtree.items():
        inner = _pruned(block, (*parents, line), profile)
        if line == IPV4 and everyone_is_ipv4:
            inner = {child: rest for child, rest in inner.items() if not ACTIVATE.fullmatch(child)}
        if not is_default((*parents, line), profile) and (inner or not HOLLOW.fullmatch(line)):
            pruned[line] = inner
    return pruned


def is_default(path: Path, profile: tuple[str, ...]) -> bool:
    """Whether FRR accepts this line and does not print it."""
    *blocks, line = path
    tables = (*DEFAULTS, ((BGP,), profile))
    return any(_inside(blocks, where) and _matches(line, lines) for where, lines in tables)


def _inside(blocks: list[str], where: tuple[str, ...]) -> bool:
    return len(blocks) == len(where) and all(
        re.fullmatch(pattern, block) for pattern, block in zip(where, blocks, strict=True)
    )


def _matches(line: str, patterns: tuple[str, ...]) -> bool:
    return any(re.fullmatch(pattern, line) for pattern in patterns)
