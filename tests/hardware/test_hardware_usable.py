"""Every switch of the library is of use: to a server, to another of its kind, and to an operating system."""

from collections.abc import Iterator

import pytest

from fabricgen.hardware.catalog import load_catalog
from fabricgen.hardware.media import MediaEnd, choose_cable
from fabricgen.hardware.model import Cages, Mode
from fabricgen.platforms import PLATFORMS

CATALOG = load_catalog(None)
USUAL_M = 5
"""Metres from a server to its leaf."""


def modes(model: str) -> Iterator[tuple[Cages, Mode]]:
    """Every use of every cage that is not a service port."""
    for run in CATALOG.switches[model].cages:
        if not run.service:
            yield from ((run, mode) for mode in run.modes)


def nic_ends() -> frozenset[MediaEnd]:
    """Ports of all NICs of the library, whole and in each number of planes."""
    groups = [group for server in CATALOG.servers.values() for group in server.nics.values()]
    slices = ((group, planes) for group in groups for planes in {group.planes, *group.plane_choices})
    return frozenset(MediaEnd(group.connector, group.speed_gbps // planes, planes) for group, planes in slices)


def serves(run: Cages, mode: Mode) -> bool:
    """Whether a cable of the library leads from a cage that is used so to a NIC of the library."""
    own = MediaEnd(run.connector, mode.speed_gbps, mode.parts)
    return any(choose_cable(CATALOG.media, own, nic, USUAL_M) is not None for nic in nic_ends())


@pytest.mark.parametrize("model", CATALOG.switches)
def test_a_server_can_be_plugged_in_at_the_fastest_speed(model: str) -> None:
    """A spine alone would be a box that no leaf could be made of."""
    fastest: dict[str, int] = {}
    for run, mode in modes(model):
        fastest[run.cages] = max(fastest.get(run.cages, 0), mode.parts * mode.speed_gbps)
    served = {run.cages for run, mode in modes(model)
              if mode.parts * mode.speed_gbps == fastest[run.cages] and serves(run, mode)}  # fmt: skip
    assert served == set(fastest)


@pytest.mark.parametrize("model", CATALOG.switches)
@pytest.mark.parametrize("length", [2, 40])
def test_two_of_a_kind_can_be_joined(model: str, length: int) -> None:
    for run in CATALOG.switches[model].cages:
        if not run.service:
            native = run.modes[0]
            own = MediaEnd(run.connector, native.speed_gbps, native.parts)
            assert choose_cable(CATALOG.media, own, own, length) is not None, run.cages


@pytest.mark.parametrize("model", CATALOG.switches)
def test_a_system_that_is_rendered_names_its_ports(model: str) -> None:
    switch = CATALOG.switches[model]
    assert set(switch.port_names) & set(PLATFORMS)
    assert set(switch.port_names) == set(switch.management_port)


@pytest.mark.parametrize("model", CATALOG.switches)
def test_every_full_use_of_an_eight_lane_cage_reaches_a_nic(model: str) -> None:
    """100G NICs on quarters of 400G cages and eighths of 800G ones, among others."""
    for run, mode in modes(model):
        lanes = max(one.parts * one.lanes for one in run.modes)
        whole = max(one.parts * one.speed_gbps for one in run.modes)
        if lanes == 8 and mode.parts * mode.speed_gbps == whole:
            assert serves(run, mode), (run.cages, mode)
