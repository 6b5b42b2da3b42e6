"""What becomes of a parallel link that is lost, in the kernel's own routes: weights, or another spine."""

import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache

import pytest

from fabricgen.resolve.device import devices
from tests.frr import reading
from tests.frr.site import Rendered, plan_of, render, single_homed
from tests.frr.waiting import becomes
from tests.judges import frr
from tests.judges.frr import Link, Loaded

pytestmark = pytest.mark.skipif(frr.available() is not None, reason=f"judge: {frr.available()}")

NEAR, FAR = "fe-leaf-000", "fe-leaf-001"
SPINES = ("fe-spine-00", "fe-spine-01")
LINKS = 2
"""Of a leaf and a spine of this frontend."""
Hop = tuple[str, int]
"""The spine behind a next hop, and its weight."""


@cache
def switches(link_loss: str) -> Mapping[str, Rendered]:
    """Two leaves and both spines of the frontend, told this."""
    intent = single_homed()
    frontend = intent.fabrics["frontend"].model_copy(update={"link_loss": link_loss})
    told = intent.model_copy(update={"fabrics": {**intent.fabrics, "frontend": frontend}})
    return {one.name: render(one) for one in devices(plan_of(told)) if one.name in (NEAR, FAR, *SPINES)}


def uplinks(found: Mapping[str, Rendered], leaf: str) -> dict[str, list[Link]]:
    """Spine → the cables of a leaf to it."""
    cables: dict[str, list[Link]] = {}
    for row in found[leaf].device.interfaces.ethernet:
        if row.profile.role == "uplink" and row.peer in SPINES:
            cables.setdefault(row.peer, []).append(Link((leaf, row.name), (row.peer, row.peer_port)))
    return cables


@contextmanager
def fabric(link_loss: str) -> Iterator[Mapping[str, Loaded]]:
    found = switches(link_loss)
    texts = {name: one.files["frr.conf"] for name, one in found.items()}
    addresses = {
        name: {port: lines.get("address", ()) for port, lines in reading.stanzas(one.files["interfaces"]).items()}
        for name, one in found.items()
    }
    every = [link for leaf in (NEAR, FAR) for cables in uplinks(found, leaf).values() for link in cables]
    with frr.wire(texts, addresses, tuple(every)) as loaded:
        yield loaded


def hops(switch: Loaded, found: Mapping[str, Rendered], prefix: str) -> Counter[Hop]:
    """Next hops of a prefix in the kernel of the near leaf."""
    peers = {row.name: row.peer for row in found[NEAR].device.interfaces.ethernet}
    family = "-6" if ":" in prefix else "-4"
    command = ["ip", "-n", switch.namespace, family, "-j", "route", "show", prefix, "proto", "bgp"]
    rows = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout or "[]")
    ways = [way for row in rows for way in row.get("nexthops", [row])]
    return Counter((peers[way["dev"]], way.get("weight", 1)) for way in ways)


def cut(switch: Loaded, link: Link) -> None:
    command = ["ip", "-n", switch.namespace, "link", "set", link[0][1], "down"]
    subprocess.run(command, capture_output=True, timeout=120, check=True)


def far_prefixes(found: Mapping[str, Rendered]) -> tuple[str, str]:
    bgp = found[FAR].device.routing.bgp
    return bgp.networks_ipv4[0].removesuffix("/32"), bgp.networks_ipv6[0].removesuffix("/128")


def test_a_pair_that_lost_a_link_weighs_less() -> None:
    """Hundredths of the whole, rounded down: 2 of 8 paths' worth, then 2 of 6 and 1 of 6."""
    found = switches("weighted")
    with fabric("weighted") as loaded:
        for prefix in far_prefixes(found):
            becomes(Counter({(spine, 25): LINKS for spine in SPINES}), hops, loaded[NEAR], found, prefix)
        cut(loaded[FAR], uplinks(found, FAR)[SPINES[0]][0])
        for prefix in far_prefixes(found):
            becomes(Counter({(SPINES[0], 16): LINKS, (SPINES[1], 33): LINKS}), hops, loaded[NEAR], found, prefix)


def test_a_spine_that_lost_a_link_is_left_until_all_have() -> None:
    found = switches("withdraw")
    with fabric("withdraw") as loaded:
        for prefix in far_prefixes(found):
            becomes(Counter({(spine, 25): LINKS for spine in SPINES}), hops, loaded[NEAR], found, prefix)
        cut(loaded[FAR], uplinks(found, FAR)[SPINES[0]][0])
        for prefix in far_prefixes(found):
            becomes(Counter({(SPINES[1], 50): LINKS}), hops, loaded[NEAR], found, prefix)
        cut(loaded[FAR], uplinks(found, FAR)[SPINES[1]][1])
        for prefix in far_prefixes(found):
            becomes(Counter({(spine, 25): LINKS for spine in SPINES}), hops, loaded[NEAR], found, prefix)


@pytest.mark.parametrize("link_loss", ["weighted", "withdraw"])
def test_the_daemons_take_every_line(link_loss: str) -> None:
    for name in (NEAR, SPINES[0]):
        with frr.load(switches(link_loss)[name].files["frr.conf"]) as loaded:
            assert loaded.complaints == ()
            assert frr.differences(switches(link_loss)[name].files["frr.conf"], loaded.running) == ()
