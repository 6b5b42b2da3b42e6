"""SR Linux configurations → rows, and what a Device asks for in the words of SR Linux."""

from collections import Counter

from fabricgen.platforms.srlinux.document import KEYS
from fabricgen.platforms.srlinux.document import document as merged
from fabricgen.platforms.srlinux.readback.bgp import Sessions
from fabricgen.platforms.srlinux.readback.config import Config
from fabricgen.platforms.srlinux.readback.control_plane import control_plane
from fabricgen.platforms.srlinux.readback.document import NotReadableError, Tree, numbers, tree_of
from fabricgen.platforms.srlinux.readback.expected import NOT_SHOWN, adjusted
from fabricgen.platforms.srlinux.readback.instances import instances, read_instances
from fabricgen.platforms.srlinux.readback.interfaces import interfaces
from fabricgen.platforms.srlinux.readback.policy import Policies
from fabricgen.platforms.srlinux.readback.qos import qos
from fabricgen.platforms.srlinux.readback.system import system, watched
from fabricgen.readback.added import added_lines
from fabricgen.readback.fields import document
from fabricgen.readback.file_reading import all_unread
from fabricgen.readback.platform import Files, Readback
from fabricgen.readback.rows import Reading, TextLine, Value, written

MAIN = "config.json"


def read(files: Files) -> Reading:
    """Read the one file of a switch; lines of others are unread."""
    reading = Reading()
    main = MAIN if MAIN in files else next(iter(files), "")
    for name, text in files.items():
        reading.lines += written(text)
        lines = text.split("\n")
        if name != main:
            reading.unread += [TextLine(name, at, line.strip()) for at, line in enumerate(lines, 1) if line.strip()]
            continue
        try:
            tree = tree_of(text)
        except NotReadableError as error:
            reading.unread += all_unread(name, text, error.line)
        else:
            _file(Config(reading, name, lines, tree))
    return reading


def _file(config: Config) -> None:
    _remarks(config, config.tree)
    found = instances(config)
    policies = Policies(config)
    watched(config)
    interfaces(config)
    _loopbacks(config)
    system(config)
    control_plane(config)
    qos(config)
    sessions = Sessions(config, policies)
    read_instances(config, found, policies, sessions)
    _paths(config, sessions)
    _tunnels(config)
    for name, line in policies.lines().items():
        if name not in policies.used:
            config.put("policy", name, "terms", policies.chain((name,), frozenset()), line)
    _left(config, config.tree)


def _loopbacks(config: Config) -> None:
    """Addresses that sessions may speak from."""
    for key, row in config.reading.rows.items():
        if key.thing == "loopback" and isinstance(row.value, frozenset):
            for address in row.value:
                config.loopbacks[address.partition("/")[0]] = int(key.name)


def _tunnels(config: Config) -> None:
    """Tunnels start at the IPv4 address of system0.0 (VXLAN guide, source-ip)."""
    row = next((row for key, row in config.reading.rows.items() if key[:3] == ("loopback", "1", "ipv4")), None)
    if config.vnis and row is not None and isinstance(row.value, frozenset):
        for address in row.value:
            config.put("vtep", "", "address", address.partition("/")[0], row.line)


def _paths(config: Config, sessions: Sessions) -> None:
    """Equal paths of the underlay, and those of EVPN and VRFs, which are the same everywhere."""
    own = sessions.paths.get("", {})
    underlay = [own[family] for family in ("ipv4", "ipv6") if family in own]
    overlay = [own["evpn"]] if "evpn" in own else []
    overlay += [found for vrf, families in sessions.paths.items() if vrf for found in families.values()]
    for setting, every in (("maximum-paths", underlay), ("overlay-paths", overlay)):
        if every:
            rare = Counter(paths for paths, _ in reversed(every)).most_common()
            value: Value = rare[0][0] if len(rare) == 1 else ", ".join(str(paths) for paths, _ in rare)
            config.put("bgp", "", setting, value, next(at for paths, at in every if paths == rare[-1][0]))


REMARKS = {"_preamble": "release and models that wrote the file", "_annotate": "a remark"}


def _remarks(config: Config, tree: Tree) -> None:
    """What a switch writes beside the configuration (configuration basics guide, save and annotate)."""
    for key, why in REMARKS.items():
        for at in numbers(tree.pop(key, {})):
            config.idle(at, why)


def _left(config: Config, tree: Tree) -> None:
    for at in sorted({*numbers(tree)}):
        if at and (text := config.lines[at - 1].strip()):
            config.reading.unread.append(TextLine(config.file, at, text))


def added(text: str, raw: str) -> frozenset[int]:
    """Lines of config.json that objects of the intent add."""
    return added_lines(document(text), document(merged(raw)), KEYS)


READBACK = SRLINUX = Readback(main=MAIN, read=read, not_shown=NOT_SHOWN, adjusted=adjusted, added=added)
