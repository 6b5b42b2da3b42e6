"""Juniper Junos for Batfish: the same file, with the prefixes of a list where a policy names the list.

Sources, github.com/batfish/batfish cba1873 (2026-08-21), below projects/batfish/src/main:
D  java/org/batfish/grammar/VendorConfigurationFormatDetector.java, checkRancid: `juniper` is all of Junos, and
   `junos-evo` is refused.
P  antlr4/org/batfish/grammar/flatjuniper/FlatJuniper_policy_options.g4, popsf: a term knows `route-filter`, and no
   `route-filter-list`; without its prefixes a term matches every route.
J  java/org/batfish/representation/juniper/JuniperConfiguration.java, setIpv4UnicastAddressFamily: every neighbor has
   it, whatever the families of its group.
"""

import re

from fabricgen.platforms.base.batfish import (
    CONFIGS,
    EVERYWHERE,
    RENDERED,
    UNDERLAY,
    BatfishReading,
    SnapshotFormat,
    Unmodelled,
    sessions,
)

HEADER = "#RANCID-CONTENT-TYPE: juniper"
LIST = re.compile(r"^    route-filter-list (\S+) \{\n((?:        \S.*;\n)*)    \}\n", re.MULTILINE)
USE = re.compile(r"^( +)route-filter-list (\S+);\n", re.MULTILINE)


def prefixes_in_place(text: str) -> str:
    """The configuration with `route-filter PREFIX` in place of each use of a list (P)."""
    lists = {name: [line.strip() for line in entries.splitlines()] for name, entries in LIST.findall(text)}

    def spelled(use: re.Match[str]) -> str:
        return "".join(f"{use[1]}route-filter {entry}\n" for entry in lists[use[2]]) if use[2] in lists else use[0]

    return USE.sub(spelled, LIST.sub("", text))


def _texts(_: str, files: RENDERED) -> tuple[str, ...]:
    return (f"{HEADER}\n{prefixes_in_place(files['juniper.conf'])}",)


OVERLAY = Unmodelled(
    "EVPN sessions",
    lambda device: any(sessions(device, "evpn")),
    "Batfish exchanges IPv4 routes over them, too (representation/juniper/JuniperConfiguration.java)",
)

JUNOS = BatfishReading(
    SnapshotFormat(name="JUNIPER", paths=CONFIGS, texts=_texts, barriers=(*UNDERLAY, OVERLAY), unmodelled=EVERYWHERE)
)
