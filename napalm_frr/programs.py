"""Programs other than vtysh that `cli` runs, and the rules that limit them to read-only commands.

Names of objects, verbs and options: ip(8), bridge(8), tc(8), nft(8), lldpcli(8), ping(8), sysctl(8).
"""

from collections.abc import Iterator, Sequence

from napalm_frr.files import INTERFACES, SETTINGS

READS = frozenset({"show", "list", "ls", "get"})
# Objects of ip, bridge and tc whose `show` is the default. Abbreviations are refused: `ip l s` may be a `set`.
OBJECTS = {
    "ip": frozenset({"address", "addr", "link", "neighbour", "neighbor", "neigh", "nexthop", "netns", "maddress",
                     "route", "rule", "vrf", "netconf", "ntable", "addrlabel"}),
    "bridge": frozenset({"link", "fdb", "mdb", "vlan", "vni"}),
    "tc": frozenset({"qdisc", "class", "filter", "chain", "action"}),
}  # fmt: skip
# Options with a value. `-b`/`-batch` and nft's `-f` read commands from a file, so only options in this table and in
# FLAGS are accepted.
VALUED = {
    "ip": frozenset({"-n", "-netns", "-f", "-family"}),
    "bridge": frozenset({"-n", "-netns"}),
    "tc": frozenset({"-n", "-netns"}),
    "lldpcli": frozenset({"-f"}),
    "sysctl": frozenset({"-r"}),
}
FLAGS = {
    "ip": frozenset({"-j", "-json", "-p", "-pretty", "-d", "-details", "-s", "-stats", "-statistics", "-4", "-6",
                     "-o", "-oneline", "-br", "-brief", "-N", "-Numeric", "-r", "-resolve"}),
    "bridge": frozenset({"-j", "-json", "-p", "-pretty", "-d", "-details", "-s", "-stats", "-statistics", "-o",
                         "-oneline", "-compressvlans"}),
    "tc": frozenset({"-j", "-json", "-p", "-pretty", "-d", "-details", "-s", "-stats", "-statistics", "-o", "-r",
                     "-raw", "-g", "-graph"}),
    "nft": frozenset({"-j", "--json", "-a", "--handle", "-s", "--stateless", "-n", "--numeric"}),
    "lldpcli": frozenset(),
    "sysctl": frozenset({"-a", "-e", "-n", "-N"}),
}  # fmt: skip
STARTUP = "/etc/frr/frr.conf"
FILES = frozenset({STARTUP, INTERFACES, SETTINGS})
"""Files that `cat` may print: configuration files of the switch, one at a time."""
PROGRAMS = frozenset({*FLAGS, "ping", "cat"})


def refused(words: Sequence[str]) -> str:
    """Reason to refuse a command of one of these programs; "" when it only reads."""
    program = words[0]
    if program == "ping":
        return "" if "-c" in words or "-V" in words else "a ping without a count (-c) does not end"
    if program == "cat":
        return "" if len(words) == 2 and words[1] in FILES else f"cat is run for one of {', '.join(sorted(FILES))}"
    try:
        rest = tuple(_without_options(program, words[1:]))
    except ValueError as error:
        return str(error)
    if program in OBJECTS:
        return _object_refused(program, rest)
    if program == "sysctl":
        # Options are valid after names too (getopt(3)), and a name with a value would be set.
        other = next((word for word in rest if "=" in word or word.startswith("-")), "")
        return f"sysctl is run for names alone: cli reads; found `{other}`" if other else ""
    read_verb = "list" if program == "nft" else "show"
    return "" if rest[:1] == (read_verb,) else f"only `{program} {read_verb} …` is run: cli reads"


def _object_refused(program: str, rest: Sequence[str]) -> str:
    if not rest or rest[0] not in OBJECTS[program]:
        return f"{program} is run for {', '.join(sorted(OBJECTS[program]))} alone, in full words"
    if len(rest) > 1 and rest[1] not in READS:
        return f"only show, list and get are run: cli reads; found `{rest[1]}`"
    return ""


def _without_options(program: str, words: Sequence[str]) -> Iterator[str]:
    """Words after the leading options. Raises ValueError at an option that is not known to be read-only."""
    remaining = iter(words)
    for word in remaining:
        if not word.startswith("-"):
            yield word
            yield from remaining
            return
        if word in VALUED.get(program, ()):
            next(remaining, "")
        elif word not in FLAGS[program]:
            raise ValueError(f"option {word} of {program} is not run: cli reads")
