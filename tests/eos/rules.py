"""Configuration text → lines that look right and are wrong on EOS, each with the rule it breaks.

Most were seen in public repositories and in no manual; NOTES.md has the list. A rule reads one line, stripped.
"""

import re
from typing import NamedTuple

from tests.eos.oracle import Path, paths


class Rule(NamedTuple):
    """A form that must never be printed, and what EOS has in its place."""

    name: str
    wrong: re.Pattern[str]
    instead: str


class Broken(NamedTuple):
    """A line and the rule it breaks."""

    rule: str
    path: Path


RULES = (
    Rule("pfc-enable", re.compile(r"priority-flow-control priority \d enable"), "no-drop"),
    Rule("pfc-watchdog", re.compile(r"priority-flow-control watchdog.*"), "priority-flow-control pause watchdog"),
    Rule("pfc-mode", re.compile(r"priority-flow-control mode .*"), "priority-flow-control on"),
    Rule("watchdog-default-action", re.compile(r".*pause watchdog default action.*"), "pause watchdog action drop"),
    Rule("watchdog-units", re.compile(r".*pause watchdog.*(milliseconds|\bms\b).*"), "seconds without a unit"),
    Rule("watchdog-no-drop", re.compile(r".*pause watchdog.*action no-drop"), "drop, errdisable or notify-only"),
    Rule("tx-queue-policy-map", re.compile(r"(policy-map|service-policy) type tx-queue.*"), "queues of a qos profile"),
    Rule("flowcontrol-both", re.compile(r"(no )?flowcontrol receive\S+send.*"), "one line a direction"),
    Rule("ecn-units", re.compile(r"random-detect ecn minimum-threshold \d+ maximum-threshold.*"), "a unit each"),
    Rule("ecn-bare", re.compile(r"random-detect ecn"), "thresholds, or count"),
    Rule("l2vpn-evpn", re.compile(r"address-family l2vpn evpn"), "address-family evpn"),
    Rule("peer-group-hyphen", re.compile(r"neighbor \S+ peer-group.*"), "two words: peer group"),
    Rule("bgp-graceful-shutdown", re.compile(r"neighbor \S+ graceful-shutdown.*"), "a route map that sets GSHUT"),
    Rule("map-class-7", re.compile(r"qos map traffic-class 7 to .*"), "nothing: queue 7 is fixed"),
    Rule("map-to-uc", re.compile(r"qos map traffic-class \d to [um]c-tx-queue \d"), "to tx-queue"),
    Rule("map-to-dscp", re.compile(r"qos map traffic-class \d to dscp \d+"), "qos map dscp: the other direction"),
    Rule("old-speed", re.compile(r"speed forced (400|200|800)g.*"), "speed with lanes: 400g-4"),
    Rule("logging-source", re.compile(r"logging (vrf \S+ )?source-interface .*"), "local-interface, from 4.33.4 on"),
    Rule("ecn-counter", re.compile(r"hardware counter feature ecn .*"), "nothing: these chips count without it"),
    Rule("guaranteed", re.compile(r"bandwidth guaranteed .*"), "nothing: no source for these chips"),
    Rule(
        "hash-seed",
        re.compile(r"ip load-sharing (?!trident [1-5]$).*|.*hash-seed.*"),
        "ip load-sharing trident 1-5; 0 is the default",
    ),
    Rule("community-secret", re.compile(r"snmp-server community .*"), "SNMPv3"),
    Rule("template-left", re.compile(r".*(\{\{|\{%|\}\}|%\}|\bNone\b|Undefined).*"), "a value"),
    Rule("empty-word", re.compile(r".*  .*"), "a value: two blanks are a missing one"),
)


def broken(text: str) -> list[Broken]:
    """Every line that a rule names, in order of the text; two blanks inside free text are none of its business."""
    return [
        Broken(rule.name, path)
        for path in paths(text)
        for rule in RULES
        if rule.wrong.fullmatch(path[-1]) and not (rule.name == "empty-word" and _is_free(path[-1]))
    ]


def _is_free(line: str) -> bool:
    return line.startswith(("description ", "snmp-server location ", "snmp-server contact "))
