"""Words of ports that stand together: whatever one has of its own, it has its own words."""

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.platforms.eos.context import OWN_FIELDS, PortsContext, template_context
from tests.eos.fleet import samples


def _with(device: Device, rows: tuple[Ethernet, ...]) -> Device:
    return device._replace(interfaces=device.interfaces._replace(ethernet=rows, idle=()))


def _row() -> tuple[Device, Ethernet]:
    """A leaf, and a port of it that is alone and limits what is flooded."""
    device = samples()["demo frontend leaf"]
    row = next(row for row in device.interfaces.ethernet if row.switching)
    assert row.switching is not None
    switching = row.switching._replace(access_vlan=0, trunk_vlans=(7, 9), broadcast_percent=3)
    return device, row._replace(lag=0, switching=switching)


def test_a_port_beside_others_has_the_words_that_it_has_alone() -> None:
    device, row = _row()
    assert row.switching is not None
    others = (
        row._replace(enabled=not row.enabled),
        row._replace(lag=4),
        row._replace(switching=None),
        row._replace(switching=row.switching._replace(trunk_vlans=(8,))),
        row._replace(switching=row.switching._replace(broadcast_percent=4)),
        row._replace(profile=row.profile._replace(lanes=3)),
        row._replace(profile=row.profile._replace(fec="none")),
        row._replace(profile=row.profile._replace(tracking="upstream")),
    )
    rows = tuple(each for other in others for each in (row, other))
    ports = template_context(_with(device, rows)).ports
    alone = [template_context(_with(device, (each,))).ports[0] for each in rows]
    assert ports == tuple(alone)
    assert len({alike[1:] for alike in ports}) == len(others) + 1
    assert [alike.ports for alike in ports] == [(OWN_FIELDS(each),) for each in rows]


def test_ports_alike_share_their_words() -> None:
    device, row = _row()
    rows = tuple(row._replace(name=f"Ethernet{number}/1", description=f"to {number}") for number in range(1, 4))
    (alike,) = template_context(_with(device, rows)).ports
    assert type(alike) is PortsContext
    assert alike.ports == tuple(map(OWN_FIELDS, rows))
