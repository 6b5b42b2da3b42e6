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


def learn(push_site: PushSite) -> None:
    """Register the intent's interfaces files with the switches of a lab. Raises FabricError."""
    place = _place(push_site)
    if place is not None:
        _prepare(push_site, place, push_site.intended.lab)


def learn_drained(push_site: PushSite, record: RunRecord) -> None:
    """Register those of leaves that are drained first, before and after. Raises FabricError."""
    place = _place(push_site)
    leaves = [switch.device for switch in record.planned if switch.need is Need.DRAIN] if place is not None else []
    for name in leaves:
        drained, initial_devices = push_site.drained(frozenset({name})).lab, push_site.before(frozenset({name}))
        if place is not None and drained is not None and not is_above(push_site.devices[name]):
            _prepare(push_site, place, drained)
            if name in initial_devices:
                _prepare(push_site, place, replace(drained, devices=(initial_devices[name],)))


def follow(push_site: PushSite) -> None:
    """Give the servers of a lab the addresses that DHCP, or their own files, would give them."""
    place = _place(push_site)
    if place is None or push_site.intended.lab is None:
        return
    changed = rehost(place, push_site.intended.lab, _rendered(push_site, push_site.intended.devices))
    if changed:
        click.echo(f"lab: updated the DHCP addresses of {', '.join(changed)}", err=True)


def _place(push_site: PushSite) -> LabPlace | None:
    lab = push_site.site.lab
    return place_of(Path(str(lab["dir"]))) if lab is not None and push_site.intended.lab is not None else None


def _prepare(push_site: PushSite, place: LabPlace, lab: Lab | None) -> None:
    if lab is not None:
        prepare(place, lab, _rendered(push_site, lab.devices))


def _rendered(push_site: PushSite, devices: Iterable[Device]) -> dict[str, dict[str, str]]:
    """Switch → its files by name."""
    return {device.name: {file.name: file.text for file in push_site.renderer.render(device)} for device in devices}
