"""The FRR platform as witness: frr.conf that NVUE makes of our file, against FRR's own of the same switch."""

import re
from functools import cache

from tests.cumulus.classic import frr_conf
from tests.cumulus.fleet import RENDERER, sample
from tests.judges.frr import paths

ALLOWED = (
    (r"- zebra (work-queue 0|zapi-packets 1)", "a remedy for FRR 8.4 of Debian"),
    (r"- bgp extcommunity-list standard EC-.*", "a tenant's own routes come by `route-import from-evpn`, with no list"),
    (r"- route-map RM-[A-Z0-9-]+-IMPORT permit 10(, match extcommunity EC-.*)?", "the rule with that list"),
    (
        r"[-+] router bgp \d+( vrf \S+)?, (timers bgp|neighbor \S+ timers) 5 15",
        "each session's own, of a whole speaker",
    ),
    (
        r"[-+] router bgp \d+, neighbor \S+ (ttl-security hops [12]|disable-connected-check)",
        "NVUE's is of each neighbor, which stands behind its group; bgpd then needs no second line",
    ),
    (r"\+ bgp session-dscp 56", "the platform `frr` has no lossless class, whose CNP is CS6"),
    (r"\+ interface swp\d+(, evpn mh uplink)?", "NVIDIA's: bonds follow their uplinks"),
    (
        r"\+ route-map RM-\S+-IN permit \d+, set ipv6 next-hop prefer-global",
        "NVIDIA's: what adaptive routing wants of parallel sessions",
    ),
)
"""Differences that are meant, and why."""


def unlike(text: str, name: str) -> list[str]:
    """What FRR has for a sample and NVUE would not make of a file (-), and the other way round (+)."""
    told = paths(frr_conf(text))
    asked = paths(of_frr(name))
    found = [*(f"- {', '.join(path)}" for path in asked - told), *(f"+ {', '.join(path)}" for path in told - asked)]
    return sorted(line for line in found if not any(re.fullmatch(pattern, line) for pattern, _ in ALLOWED))


@cache
def of_frr(name: str) -> str:
    """frr.conf of a sample's switch, were it one of the platform `frr`."""
    rendered = RENDERER.render(sample(name).device._replace(system="frr"))
    (found,) = [row.text for row in rendered if "router bgp" in row.text]
    return found
