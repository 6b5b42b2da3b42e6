"""What a peer may do to a switch, read from the text of each system: limits of routes, policies, peers that are listed.

A limit that closes a session for good would cut a leaf off for what another has caused: sessions upwards only warn, one
towards a leaf, a server or a peer outside opens again by itself (templates of all systems).
"""

import re
from collections.abc import Iterator

import pytest

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.readback.intended import peer
from fabricgen.readback.policy import PERMIT_ALL, Policy
from fabricgen.readback.rows import Key, Value
from fabricgen.render.render import Renderer
from tests.platforms import rich
from tests.readback.sites import files_of

RENDERER = Renderer()
LISTEN = re.compile(
    r"listen range|listen-range|dynamic-neighbors\W+accept|\ballow\s+(?:[0-9a-f:.]+/|all;)|neighbor [0-9a-f.:]+/\d"
)
"""Words by which a system takes sessions of peers that no line names."""
FEW = 3
"""Switches of each role and system."""
NO_EVPN_LIMIT = {"frr", "sonic", "srlinux", "cumulus"}
"""Systems of which some release limits no EVPN routes: their capability tables say so."""


def switches(system: str) -> Iterator[tuple[Device, dict[str, str]]]:
    """Some switches of each role, with their files; those that a limit refuses are left out."""
    found: dict[str, int] = {}
    for device in rich.fleet(system):
        if found.get(device.role, 0) < FEW:
            try:
                yield device, files_of(RENDERER, device)
            except FabricError:
                continue
            found[device.role] = found.get(device.role, 0) + 1


def sessions(device: Device, files: dict[str, str]) -> dict[str, dict[str, Value]]:
    """Session → its settings, as the text says them."""
    found: dict[str, dict[str, Value]] = {}
    for key, row in READBACKS[device.system].read(files).rows.items():
        assert isinstance(key, Key)
        if key.thing == "session":
            found.setdefault(key.name, {})[key.setting] = row.value
    return found


def upward(device: Device) -> frozenset[str]:
    """Sessions with switches of the tier above."""
    return frozenset(
        peer(row.peer) for row in device.routing.bgp.neighbors if row.group.startswith(("SPINES", "SUPER"))
    )


@pytest.mark.parametrize("system", PLATFORMS)
def test_no_peer_comes_in_unlisted_unlimited_or_unfiltered(system: str) -> None:
    outside = 0
    for device, files in switches(system):
        assert not [text for text in files.values() if LISTEN.search(text)]
        above = upward(device)
        for name, said in sessions(device, files).items():
            where = f"{device.name}, session {name}"
            families = said["families"]
            assert isinstance(families, frozenset)
            for family in families:
                assert said.get(f"maximum-routes.{family}") or (family == "evpn" and system in NO_EVPN_LIMIT), where
                for way in ("in", "out"):
                    policy = said[f"policy-{way}.{family}"]
                    assert isinstance(policy, Policy)
                    # Routes of the overlay have route targets; all others are denied where no term names them.
                    assert family == "evpn" or PERMIT_ALL not in policy.terms, where
            closes = said.get("restart", 0)
            assert isinstance(closes, int), f"{where}: closed until somebody opens it"
            assert not (name in above and closes), where
            if " " in name:
                outside += 1
                assert closes, where
    assert outside
