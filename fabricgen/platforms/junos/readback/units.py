"""Units with addresses: of routed ports, loopbacks, gateways and the management port.

Sources: Interfaces User Guide (Protocol MTU: a family has what the interface leaves it, or less; primary), EVPN User
Guide (irb, default gateway; no-dhcp-flood). Names of management ports: em, fxp, me and vme of Junos, re0:mgmt-0 of
Junos OS Evolved.
"""

import re
from collections.abc import Iterator

from fabricgen.platforms.junos.readback.config import Config
from fabricgen.platforms.junos.readback.text import Tree
from fabricgen.platforms.junos.readback.tree import block, blocks, flag, interface_address, line_of, mac, number, value
from fabricgen.readback.rows import Key

MANAGED = re.compile(r"(em|fxp|me|vme)\d*|re\d:mgmt-\d")
HEADER = 14
MTU = 1500
"""Largest packet where nothing is said (manual, Default Media MTU)."""
FAMILIES = (("inet", "ipv4"), ("inet6", "ipv6"))

Room = tuple[int, int]
"""The largest packet, and the line that says so."""


def routed(config: Config, key: Key, rest: Tree, room: Room) -> None:
    """Addresses of a unit, and the largest packet: the least of what the interface and each family take."""
    for below, family in _families(rest):
        if (mtu := number(below, "mtu")) is not None and mtu[0] <= room[0]:
            room = mtu
        found = dict(_addresses(below))
        if found:
            config.several(key._replace(setting=family), found)
    config.put(key.thing, key.name, "mtu", *room)


def _families(rest: Tree) -> Iterator[tuple[Tree, str]]:
    every = block(rest, "family")
    for word, family in FAMILIES:
        if word in every:
            yield block(every, word), family


def _addresses(below: Tree) -> Iterator[tuple[str, int]]:
    """Addresses with their lengths and lines; those without a valid form stay unread."""
    for text, rest, line in blocks(below, "address"):
        if (one := interface_address(text)) is not None:
            flag(rest, "primary")
            yield one, line
        else:
            rest[None] = line
            block(below, "address")[text] = rest


def loopbacks(config: Config, below: Tree) -> None:
    """Units of lo0. Unit 0 has all loopbacks of the default table; one of a VRF may have no address."""
    for unit, rest, line in blocks(below, "unit"):
        text, vrf, has = value(rest, "description"), config.vrf_of(f"lo0.{unit}"), False
        for own, family in _families(rest):
            _filters(config, f"lo0.{unit} {family}", block(own, "filter"))
            found = dict(_addresses(own))
            if found:
                has = True
                config.several(Key("loopback", unit, family), found)
        if has and vrf:
            config.put("loopback", unit, "vrf", vrf, config.joined.get(f"lo0.{unit}", line))
        if text is not None and has and vrf:
            config.put("loopback", unit, "description", text.text, text.line)
        elif text is not None:
            config.idle(text.line, "text of a unit that has no loopback of its own")


def _filters(config: Config, where: str, below: Tree) -> None:
    for direction in ("input", "output"):
        if (name := value(below, direction)) is not None:
            config.need(f"{where} filter {direction} {name.text}", name.line)


def of_unit_zero(tree: Tree) -> Iterator[tuple[str, int, bool]]:
    """Addresses of lo0.0 before interfaces are read: address, line, and whether it is the primary one."""
    here: Tree | int | None = tree
    for word in ("interfaces", "lo0", "unit", "0", "family", "inet", "address"):
        here = here.get(word) if isinstance(here, dict) else None
    for text, below in here.items() if isinstance(here, dict) else ():
        if text is not None:
            yield text.partition("/")[0], line_of(below), isinstance(below, dict) and "primary" in below


def gateways(config: Config, below: Tree, line: int) -> None:
    """Units of irb: each is the gateway of the VLAN that names it."""
    mtu = number(below, "mtu")
    room = (mtu[0] - HEADER, mtu[1]) if mtu is not None else (MTU, line)
    for unit, rest, begins in blocks(below, "unit"):
        title = f"irb.{unit}"
        name = str(config.gateway_of.get(title, title))
        if (text := value(rest, "description")) is not None:
            config.put("gateway", name, "description", text.text, text.line)
        if (vrf := config.vrf_of(title)) != "":
            config.put("gateway", name, "vrf", vrf, config.joined.get(title, begins))
        routed(config, Key("gateway", name, "mtu"), rest, room)
        if (word := value(rest, "mac")) is not None:
            config.put("gateway", name, "mac", mac(word.text), word.line)
        config.need(f"VLAN {name}: no-dhcp-flood", flag(rest, "no-dhcp-flood"))


def management(config: Config, name: str, below: Tree, line: int) -> None:
    """The port of the management instance."""
    for unit, rest, begins in blocks(below, "unit"):
        if unit != "0":
            rest[None] = begins
            continue
        for own, _ in _families(rest):
            for one, at in _addresses(own):
                config.put("management", "", "port", name, line)
                config.put("management", "", "address", one, at)
