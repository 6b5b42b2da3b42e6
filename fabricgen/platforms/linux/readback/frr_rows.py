"""Rows of a frr.conf that need no other file."""

from fabricgen.platforms.linux.readback.bgp import AUTOMATIC, put_speakers, put_unused
from fabricgen.platforms.linux.readback.frr_conf import FrrConf
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Key, Part, Reading, Row

USUAL_DUPLICATES = {"moves": (5, 180), "freeze": (0,)}
"""Where frr.conf says nothing: 5 moves in 180 s, and a warning (docs.frrouting.org, EVPN)."""


def put_conf(conf: FrrConf, reading: Reading) -> None:
    """BGP, policies, VRFs, static routes, and lines that the fabric needs."""
    file = conf.file
    if conf.hostname[0]:
        reading.put("switch", "", "hostname", conf.hostname[0], file, conf.hostname[1])
    put_speakers(conf.speakers.values(), conf.policies, reading)
    put_unused(conf.policies, reading, file)
    for name, (vni, line) in conf.vrfs.items():
        if vni:
            reading.put("vrf", name, "vni", vni, file, line)
    for name, hop, line in conf.routes:
        reading.put("static-route", name, "next-hop", hop, file, line)
    put_duplicates(conf, reading)
    for text, line in conf.needed.items():
        reading.put("line", text, "present", True, file, line)


def put_duplicates(conf: FrrConf, reading: Reading) -> None:
    """Detection of duplicate addresses, where frr.conf says something of it."""
    if conf.duplicates:
        line = next(iter(conf.duplicates.values()))[1]
        moves, freeze = (conf.duplicates.get(word, (usual, line)) for word, usual in USUAL_DUPLICATES.items())
        parts: dict[Part, Lines] = {0: moves[1], 1: moves[1], 2: freeze[1]}
        reading.add(Key("vtep", "", "duplicate-mac"), Row((*moves[0], *freeze[0]), conf.file, line, parts))


def put_vni(conf: FrrConf, vlan: str, vni: int, line: int, reading: Reading) -> None:
    """Route distinguisher and targets of a VLAN; what is not configured FRR makes (docs.frrouting.org, EVPN).

    line  of what says that the VLAN has this VNI, for what frr.conf does not say
    """
    block, speaker = conf.vnis.get(vni), conf.speakers.get("")
    target = f"{(speaker.asn if speaker else 0) & 0xFFFF}:{vni}"
    rd, rd_line = block.rd if block else ("", 0)
    if not line and speaker is not None:
        line = speaker.blocks.get("evpn", speaker.line)
    reading.put("vlan", vlan, "rd", rd or AUTOMATIC, conf.file, rd_line or line)
    for setting, rows in (("imports", block.imports if block else []), ("exports", block.exports if block else [])):
        parts: dict[Part, Lines] = dict(rows) if rows else {target: line}
        at = rows[-1][1] if rows else line
        reading.add(Key("vlan", vlan, setting), Row(frozenset(map(str, parts)), conf.file, at, parts))
