"""Junos configurations → rows, and what a Device asks for in the words of Junos."""

from fabricgen.platforms.junos.readback.bgp import Sessions
from fabricgen.platforms.junos.readback.config import Config
from fabricgen.platforms.junos.readback.expected import NOT_SHOWN, adjusted
from fabricgen.platforms.junos.readback.groups import inherit
from fabricgen.platforms.junos.readback.interfaces import interfaces
from fabricgen.platforms.junos.readback.management import (
    chassis,
    filters,
    forwarding,
    lldp,
    ports_of,
    snmp,
    system,
    tables,
)
from fabricgen.platforms.junos.readback.overlay import instances, overlay
from fabricgen.platforms.junos.readback.policy import Policies
from fabricgen.platforms.junos.readback.qos import qos
from fabricgen.platforms.junos.readback.text import Text, numbers, text_of
from fabricgen.platforms.junos.readback.tree import block
from fabricgen.platforms.junos.readback.units import of_unit_zero
from fabricgen.readback.addresses import host
from fabricgen.readback.platform import Files, Readback
from fabricgen.readback.rows import Key, Reading, TextLine, written

MAIN = "juniper.conf"
OTHERS = "no file of Junos"


def read(files: Files) -> Reading:
    """Read the one file of a switch; lines of others are unread."""
    reading = Reading()
    main = MAIN if MAIN in files else next(iter(files), "")
    for name, text in files.items():
        reading.lines += written(text)
        if name == main:
            _file(reading, name, text)
        else:
            rows = enumerate(text.split("\n"), 1)
            reading.unread += [TextLine(name, number, line.strip()) for number, line in rows if line.strip()]
    return reading


def _file(reading: Reading, name: str, text: str) -> None:
    found = text_of(text)
    config = Config(reading, name, text.split("\n"), found.tree)
    inherit(found.tree)
    _rows(config)
    _left(config, found)


def _rows(config: Config) -> None:
    for number, (address, line, primary) in enumerate(rows := [*of_unit_zero(config.tree)]):
        alone = len(rows) == 1 or (not number and not any(row[2] for row in rows))
        config.loopbacks[host(address)] = 1 if primary else 0
        if primary or alone:
            config.primary = host(address), line
    found = instances(config)
    policies = Policies(config)
    system(config, found)
    interfaces(config, ports_of(config, chassis(config)))
    qos(config)
    snmp(config)
    filters(config, policies)
    routing = block(config.tree, "routing-options")
    sessions = Sessions(config, policies, *tables(config, routing))
    forwarding(config, policies, routing)
    lldp(config)
    sessions.networks("", sessions.read(block(config.tree, "protocols", "bgp")))
    overlay(config, found, policies, sessions)
    _paths(config, sessions)
    for name, line in policies.lines().items():
        if name not in policies.used:
            config.put("policy", name, "terms", policies.whole(name), line)


def _paths(config: Config, sessions: Sessions) -> None:
    """Equal paths: as many as the chassis has, where every session may have them; one number is for all tables."""
    row = config.reading.rows[Key("bgp", "", "maximum-paths")]
    if "" in sessions.single:
        config.put("bgp", "", "maximum-paths", 1, sessions.single[""])
    tenants = {vrf: line for vrf, line in sessions.single.items() if vrf}
    config.put("bgp", "", "overlay-paths", 1 if tenants else row.value, next(iter(tenants.values()), row.line))


def _left(config: Config, found: Text) -> None:
    """Lines that nobody took: unread, or without effect because they are inactive or a group that nothing applies."""
    groups = found.tree.pop("groups", None)
    left = {*numbers(found.tree), *found.faults}
    idle = {number: "it is inactive" for number in numbers(found.inactive) if number not in found.faults}
    version = found.tree.get("version")
    for number in numbers(version) if isinstance(version, dict) else ():
        idle[number] = "release that wrote the file"
    if isinstance(groups, dict):
        idle |= {number: "a group: what inherits it has been read" for number in numbers(groups) if number not in left}
    left -= idle.keys()
    left.update(*(range(first, last + 1) for first, last in found.spans.items() if first in left))
    unread = [TextLine(config.file, number, config.lines[number - 1].strip()) for number in sorted(left)]
    config.reading.unread += [line for line in unread if line.text]
    for number in sorted(idle):
        config.idle(number, idle[number])


READBACK = JUNOS = Readback(main=MAIN, read=read, not_shown=NOT_SHOWN, adjusted=adjusted)
