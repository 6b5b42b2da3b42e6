"""Tasks of a lab around a push, which a real site does itself: register interfaces files, and update servers."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from fabricgen.device.device import Device
from fabricgen.lab.build.follow import prepare, rehost
from fabricgen.lab.host.place import LabPlace, place_of
from fabricgen.lab.model.lab import Lab
from fabricgen.operation.push.site import PushSite
from fabricgen.push.act.work import is_above
from fabricgen.push.model import Need, RunRecord


def learn(ground: PushSite) -> None:
    """Register the intent's interfaces files with the switches of a lab. Raises FabricError."""
    place = _place(ground)
    if place is not None:
        _prepare(ground, place, ground.intended.lab)


def learn_drained(ground: PushSite, record: RunRecord) -> None:
    """Register those of leaves that are drained first, before and after. Raises FabricError."""
    place = _place(ground)
    leaves = [switch.device for switch in record.planned if switch.need is Need.DRAIN] if place is not None else []
    for name in leaves:
        drained, initial_devices = ground.drained(frozenset({name})).lab, ground.before(frozenset({name}))
        if place is not None and drained is not None and not is_above(ground.devices[name]):
            _prepare(ground, place, drained)
            if name in initial_devices:
                _prepare(ground, place, replace(drained, devices=(initial_devices[name],)))


def follow(ground: PushSite) -> None:
    """Give the servers of a lab the addresses that DHCP, or their own files, would give them."""
    place = _place(ground)
    if place is None or ground.intended.lab is None:
        return
    changed = rehost(place, ground.intended.lab, _rendered(ground, ground.intended.devices))
    if changed:
        click.echo(f"lab: updated the DHCP addresses of {', '.join(changed)}", err=True)


def _place(ground: PushSite) -> LabPlace | None:
    lab = ground.site.lab
    return place_of(Path(str(lab["dir"]))) if lab is not None and ground.intended.lab is not None else None


def _prepare(ground: PushSite, place: LabPlace, lab: Lab | None) -> None:
    if lab is not None:
        prepare(place, lab, _rendered(ground, lab.devices))


def _rendered(ground: PushSite, devices: Iterable[Device]) -> dict[str, dict[str, str]]:
    """Switch → its files by name."""
    return {
        device.name: {file.path.rpartition("/")[2]: file.text for file in ground.renderer.render(device)}
        for device in devices
    }
