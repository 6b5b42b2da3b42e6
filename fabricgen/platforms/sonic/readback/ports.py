"""Ports, their addresses, loopbacks, VLANs of ports.

Sources: src/sonic-yang-models: sonic-port (MTU 9100, admin_status down by default), sonic-interface, sonic-vlan,
sonic-vlan-sub-interface, sonic-loopback-interface; sonic-swss, cfgmgr/intfmgr.cpp: a subinterface has the MTU of its
port, and `Eth4.10` is one of Ethernet4.
"""

import re
from collections.abc import Iterable

from fabricgen.platforms.linux.readback.words import interface, is_ipv6, is_link_local, number
from fabricgen.platforms.sonic.readback.database import Database, count, is_on, refuse, text_at
from fabricgen.readback.fields import Field

DEFAULT_MTU = 9100
KBPS = 1000
"""kb/s of one unit of `speed`, which is in Mb/s."""
STORMS = ("broadcast", "unknown-unicast")
"""Kinds of PORT_STORM_CONTROL; its third, of unknown multicast, is never configured here (sonic-storm-control)."""
FEC = {"rs": "rs-fec", "fc": "fc-fec", "none": "none", "auto": "", "": ""}
_SHORT = re.compile(r"Eth(\d+\.\d+)")
_LOOPBACK = re.compile(r"Loopback(\d+)")
Addresses = dict[str, list[tuple[str, int]]]
"""Interface → addresses with their lines."""


def put_ports(db: Database) -> None:
    """Rows of PORT, PORT_STORM_CONTROL, INTERFACE, VLAN_MEMBER, SFLOW_SESSION."""
    own = addresses(db, "INTERFACE")
    access, trunks = _members(db)
    for key, row in db.rows("INTERFACE").items():
        row.used = row.used and key.partition("|")[0] in db.rows("PORT")
    for name, row in db.rows("PORT").items():
        _put_port(db, name, row)
        _put_storms(db, name, row)
        _put_addresses(db, "port", name, own.get(name, []), row.number)
        routed = db.row("INTERFACE", name)
        vrf, line = text_at(routed, "vrf_name")
        bare, at = text_at(routed, "ipv6_use_link_local_only")
        db.put_all(
            "port",
            name,
            (
                ("vrf", vrf, line or row.number),
                ("unnumbered", bare == "enable", at or row.number),
                ("access-vlan", *access.get(name, (0, row.number))),
            ),
        )
        tagged = sorted(trunks.get(name, []))
        db.put_parts("port", name, "trunk-vlans", tuple(vlan for vlan, _ in tagged), [line for _, line in tagged], row)


def _put_port(db: Database, name: str, row: Field) -> None:
    status, of_status = text_at(row, "admin_status")
    mtu, of_mtu = count(row, "mtu", DEFAULT_MTU)
    speed, of_speed = count(row, "speed")
    if speed % 1000:
        refuse(row, "speed")
    fec, of_fec = text_at(row, "fec")
    if fec not in FEC:
        refuse(row, "fec")
    lanes, line = text_at(row, "lanes")
    db.put_all(
        "port",
        name,
        (
            ("enabled", status == "up", of_status),
            ("description", *text_at(row, "description")),
            ("mtu", mtu, of_mtu),
            ("speed", speed // 1000, of_speed),
            ("fec", FEC.get(fec, fec), of_fec),
            ("lanes", len(lanes.split(",")) if lanes else 0, line),
        ),
    )
    row.take("alias")
    if text_at(row, "pfc_asym")[0] not in ("off", ""):
        refuse(row, "pfc_asym")
    index, subport = text_at(row, "index")[0], text_at(row, "subport")[0] or "0"
    if status == "up" or lanes:
        db.reading.put("line", f"{name}: lanes {lanes}, cage {index}, part {subport}", "present", True, db.file, line)


def _put_storms(db: Database, name: str, port: Field) -> None:
    """Limits in percent of the port's speed; a limit that is no whole percent stands as it is written."""
    speed = number(text_at(port, "speed")[0]) or 0
    for kind in STORMS:
        key = f"{name}|{kind}"
        row = db.rows("PORT_STORM_CONTROL").get(key)
        if row is not None:
            kbps, line = count(row, "kbps")
            one = speed * KBPS // 100
            whole = one and not kbps % one
            db.put("port", name, f"{kind}-limit", kbps // one if whole else f"{kbps} kb/s", line)


def addresses(db: Database, table: str) -> Addresses:
    """Addresses of interfaces; those of the link alone do not count.

    An address waits for the row of its interface (sonic-swss, cfgmgr/intfmgr.cpp, isIntfCreated): without one it is
    not understood.
    """
    found: Addresses = {}
    rows = db.rows(table)
    for key, row in rows.items():
        name, sign, text = key.partition("|")
        whole = interface(text) if sign else ""
        if sign and (not whole or name not in rows):
            row.used = False
        elif whole and not is_link_local(whole):
            found.setdefault(name, []).append((whole, row.number))
        if sign:
            for word in ("scope", "family"):  # in older files; the address says it
                row.take(word)
    return found


def _put_addresses(db: Database, thing: str, name: str, rows: Iterable[tuple[str, int]], line: int) -> None:
    for setting, of_ipv6 in (("ipv4", False), ("ipv6", True)):
        own = [row for row in rows if is_ipv6(row[0]) is of_ipv6]
        db.put_members(thing, name, setting, dict(own), line)


def _members(db: Database) -> tuple[dict[str, tuple[int, int]], dict[str, list[tuple[int, int]]]]:
    """Untagged and tagged VLANs of ports."""
    access: dict[str, tuple[int, int]] = {}
    trunks: dict[str, list[tuple[int, int]]] = {}
    for key, row in db.rows("VLAN_MEMBER").items():
        vlan, _, port = key.partition("|")
        mode, _ = text_at(row, "tagging_mode")
        found = number(vlan.removeprefix("Vlan"))
        if found is None or vlan not in db.rows("VLAN"):
            row.used = False
        elif mode == "untagged":
            access[port] = (found, row.number)
        elif mode == "tagged":
            trunks.setdefault(port, []).append((found, row.number))
        else:
            refuse(row, "tagging_mode")
    return access, trunks


def put_loopbacks(db: Database) -> None:
    """Rows of LOOPBACK_INTERFACE."""
    own = addresses(db, "LOOPBACK_INTERFACE")
    for key, row in db.rows("LOOPBACK_INTERFACE").items():
        match = _LOOPBACK.fullmatch(key)
        if match is None:
            row.used = row.used and "|" in key
            continue
        _put_addresses(db, "loopback", match[1], own.get(key, []), row.number)
        vrf, line = text_at(row, "vrf_name")
        db.put("loopback", match[1], "vrf", vrf, line)
    db.rows("LOOPBACK")


def put_subinterfaces(db: Database) -> None:
    """Rows of VLAN_SUB_INTERFACE. Each has the MTU of its port unless it has a smaller one."""
    own = addresses(db, "VLAN_SUB_INTERFACE")
    for key, row in db.rows("VLAN_SUB_INTERFACE").items():
        if "|" in key:
            continue
        match = _SHORT.fullmatch(key)
        name = f"Ethernet{match[1]}" if match else key
        parent, _, tag = name.partition(".")
        vlan, line = count(row, "vlan", number(tag) or 0)
        db.put("subinterface", name, "vlan", vlan, line)
        vrf, line = text_at(row, "vrf_name")
        db.put("subinterface", name, "vrf", vrf, line)
        of_port, _ = count(db.row("PORT", parent), "mtu", DEFAULT_MTU)
        mtu, line = count(row, "mtu", of_port)
        db.put("subinterface", name, "mtu", min(mtu, of_port), line)
        _put_addresses(db, "subinterface", name, own.get(key, []), row.number)
        db.say(f"{name}: {'up' if is_on(row, 'admin_status') else 'down'}", row)


def put_gateway(db: Database, vlan: str, own: Addresses) -> None:
    """Rows of a VLAN_INTERFACE that is the gateway of its network."""
    name, row = f"Vlan{vlan}", db.row("VLAN_INTERFACE", f"Vlan{vlan}")
    vrf, line = text_at(row, "vrf_name")
    db.put("gateway", vlan, "vrf", vrf, line)
    mtu, line = count(db.row("VLAN", name), "mtu", DEFAULT_MTU)
    db.put("gateway", vlan, "mtu", mtu, line)
    _put_addresses(db, "gateway", vlan, own.get(name, []), row.number)
