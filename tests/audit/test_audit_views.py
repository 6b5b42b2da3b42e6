"""The view of a switch that is as planned is the view of the plan, so that it is made once."""

import pytest

from fabricgen.audit.switch import audited, planned_view
from fabricgen.audit.views import At, SwitchView
from fabricgen.platforms.readbacks import READBACKS
from tests.audit.detected import site
from tests.audit.seeded.catalogue import ROWS, SYSTEMS


def _without_lines(view: SwitchView) -> SwitchView:
    """The view with nothing of where it was read, and its things in the order of their names."""
    none = At()
    return view._replace(
        ports={name: port._replace(at=none) for name, port in view.ports.items()},
        sessions=tuple(sorted((row._replace(at=none) for row in view.sessions), key=lambda row: (row.vrf, row.peer))),
        networks=dict.fromkeys(view.networks, none),
        statics={name: (hop, none) for name, (hop, _) in view.statics.items()},
        gateways=tuple(sorted((row._replace(at=none) for row in view.gateways), key=lambda row: row.vlan)),
        segments=tuple(sorted((row._replace(at=none) for row in view.segments), key=lambda row: row.number)),
        vrfs=tuple(sorted((row._replace(at=none, lines={}) for row in view.vrfs), key=lambda row: row.name)),
        vlans=tuple(sorted((row._replace(at=none, lines={}) for row in view.vlans), key=lambda row: row.name)),
        at=none,
        router_id_at=none,
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_as_planned_is_seen_as_planned(system: str) -> None:
    whole = site(system, ROWS[system][0].variant)
    for name, device in whole.devices.items():
        audit = audited(device, whole.files[name], filled=False).whole()
        assert audit.is_clean
        assert audit.view is audit.planned
        assert audit.view is not None
        planned = planned_view(device, READBACKS[device.system].planned(device))
        assert _without_lines(audit.view) == _without_lines(planned), name


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_port_is_where_it_was_read(system: str) -> None:
    whole = site(system, ROWS[system][0].variant)
    for name, device in whole.devices.items():
        view = audited(device, whole.files[name], filled=False).whole().view
        assert view is not None
        assert [port.name for port in view.ports.values() if not port.at.line] == [], name
