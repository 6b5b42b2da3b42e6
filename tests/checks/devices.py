"""Switches of a plan with a fault put in by hand: what no plan comes to, and a fault of ours would."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from fabricgen.checks.routing.isolation import uncabled
from fabricgen.checks.routing.valleys import Turns, turns_between
from fabricgen.device.device import Device
from fabricgen.device.routing import PrefixEntry, RouteMap, Statement
from fabricgen.plan.plan import Plan
from fabricgen.resolve.device import devices as resolved

Edit = Callable[[Device], Device]

OPEN = (Statement(sequence=10, permit=True),)


def turns(device: Device) -> Turns:
    """The turns of a switch that is looked at alone."""
    return turns_between(device, {row.peer: row.profile.role for row in device.interfaces.ethernet})


def strangers(device: Device) -> tuple[str, ...]:
    """Peers of a switch that it has no cable to."""
    return tuple(uncabled(device, {row.peer for row in device.interfaces.ethernet}))


class Devices(Protocol):
    """As `resolve.device.devices`."""

    def __call__(self, plan: Plan, known: Iterable[Device] = ()) -> Iterator[Device]:
        """Every switch of a plan."""


def with_edit(edit: Edit, *names: str) -> Devices:
    """A stand-in for `devices` that edits those of these names, or all."""

    def devices(plan: Plan, known: Iterable[Device] = ()) -> Iterator[Device]:
        for device in resolved(plan, known):
            yield edit(device) if device.name in names or not names else device

    return devices


def map_replaced(name: str, statements: tuple[Statement, ...]) -> Edit:
    """Edit that gives a route map other statements."""

    def edit(device: Device) -> Device:
        policy = device.routing.policy
        maps = tuple(RouteMap(m.name, statements) if m.name == name else m for m in policy.route_maps)
        return device._replace(routing=device.routing._replace(policy=policy._replace(route_maps=maps)))

    return edit


def list_replaced(name: str, *entries: PrefixEntry) -> Edit:
    """Edit that gives a prefix list other entries."""

    def edit(device: Device) -> Device:
        policy = device.routing.policy
        lists = tuple(found._replace(entries=entries) if found.name == name else found for found in policy.prefix_lists)
        return device._replace(routing=device.routing._replace(policy=policy._replace(prefix_lists=lists)))

    return edit


def statements_edited(name: str, edit_one: Callable[[Statement], Statement | None]) -> Edit:
    """Edit that changes, or with None removes, statements of a route map."""

    def edit(device: Device) -> Device:
        found = next((m.statements for m in device.routing.policy.route_maps if m.name == name), ())
        kept = tuple(new for old in found if (new := edit_one(old)) is not None)
        return map_replaced(name, kept)(device)

    return edit


def bgp_edited(**changes: object) -> Edit:
    """Edit of fields of Bgp."""

    def edit(device: Device) -> Device:
        bgp = device.routing.bgp._replace(**changes)  # type: ignore[arg-type]
        return device._replace(routing=device.routing._replace(bgp=bgp))

    return edit


def both(*edits: Edit) -> Edit:
    """One edit after the other."""

    def edit(device: Device) -> Device:
        for one in edits:
            device = one(device)
        return device

    return edit
