"""Two states of a switch to the changes between them. Tables in the neighboring modules list what is compared.

Some values are configured on no switch, so they are never a change: the name of a port profile, how many ports share a
headroom row and the source of its octets, the position of raw lines in the intent, and the order of what is found by
its name.
"""

import re
from collections.abc import Iterator

from fabricgen.base.secret import REFERENCE, shown
from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.evpn import evpn_changes
from fabricgen.changes.compare.interfaces import interface_changes
from fabricgen.changes.compare.management import management_changes
from fabricgen.changes.compare.qos import load_balancing_changes, qos_changes
from fabricgen.changes.compare.routing import routing_changes
from fabricgen.changes.compare.telemetry import telemetry_changes
from fabricgen.changes.compare.values import ChangeScope, ComparedField, Thing, device_change, paired, settings, things
from fabricgen.changes.kinds.catalogue import KINDS
from fabricgen.device.device import Device, RawLines

ORDER = {kind.name: at for at, kind in enumerate(KINDS)}
DIGITS = re.compile(r"(\d+)")

DEVICE: tuple[ComparedField[Device], ...] = (
    ComparedField("device.name", lambda device: device.name),
    ComparedField("device.site", lambda device: device.site),
    ComparedField("device.fabric", lambda device: device.fabric),
    ComparedField("device.place", lambda device: f"{device.role} of a {device.kind}"),
    ComparedField("device.model", lambda device: f"{device.hardware.model} ({device.hardware.asic})"),
    ComparedField("device.system", lambda device: device.system),
    ComparedField("device.version", lambda device: device.version),
    ComparedField("device.state", lambda device: device.state),
)


def changes_between(before: Device, after: Device) -> tuple[DeviceChange, ...]:
    """All changes between two states of one switch, in the order of KINDS, then of subjects. Empty if equal."""
    if before is after or before == after:
        return ()
    return tuple(sorted(_changes(before, after), key=_order))


def _order(change: DeviceChange) -> tuple[object, ...]:
    # split() puts text at even positions and numbers at odd ones, so any two subjects can be compared.
    subject = [int(part) if index % 2 else part for index, part in enumerate(DIGITS.split(change.subject))]
    return ORDER[change.kind], subject, change[1:]


def _changes(before: Device, after: Device) -> Iterator[DeviceChange]:
    yield from settings(DEVICE, before, after, ChangeScope())
    yield from _spellings(before, after)
    if before.management != after.management:
        yield from management_changes(before.management, after.management)
    if before.interfaces != after.interfaces:
        yield from interface_changes(before.interfaces, after.interfaces)
    if before.routing != after.routing:
        yield from routing_changes(before, after)
    if before.evpn != after.evpn:
        yield from evpn_changes(before.evpn, after.evpn)
    yield from _traffic(before, after)
    if before.raw != after.raw:
        yield from _raw(before.raw, after.raw)


def _traffic(before: Device, after: Device) -> Iterator[DeviceChange]:
    """Changes of how packets are queued, load-balanced and counted."""
    if before.qos != after.qos:
        yield from qos_changes(before.qos, after.qos)
    if before.load_balancing != after.load_balancing:
        yield from load_balancing_changes(before.load_balancing, after.load_balancing)
    if before.telemetry != after.telemetry:
        yield from telemetry_changes(before.telemetry, after.telemetry)


def _spellings(before: Device, after: Device) -> Iterator[DeviceChange]:
    old, new = before.hardware.spellings, after.hardware.spellings
    if old == new:
        return
    for word in sorted({*old, *new}):
        if old.get(word) != new.get(word):
            yield device_change("device.spelling", old.get(word, ""), new.get(word, ""), ChangeScope(word))


def _raw(before: tuple[RawLines, ...], after: tuple[RawLines, ...]) -> Iterator[DeviceChange]:
    """Changes of blocks of raw lines.

    Equal lines are the same block; others are paired by their place in the intent.
    """
    changed = paired(before, after, _content)
    pairs = tuple(changed)
    removed_blocks = [old for old, new in pairs if old is not None and new is None]
    added_blocks = [new for old, new in pairs if old is None and new is not None]
    yield from things(RAW, removed_blocks, added_blocks, lambda block: ChangeScope(block.where))
    if not removed_blocks and not added_blocks and [*map(_content, before)] != [*map(_content, after)]:
        yield device_change("raw", _texts(before), _texts(after), ChangeScope("order"))


def _content(block: RawLines) -> tuple[str, tuple[str, ...]]:
    return block.artifact, block.lines


def _texts(blocks: tuple[RawLines, ...]) -> str:
    return ", ".join(_block(block) for block in blocks)


def _block(block: RawLines) -> str:
    lines = REFERENCE.sub(lambda match: f"<secret {shown(match[0])}>", "; ".join(block.lines))
    return f"{block.artifact}: {lines}" if block.artifact else lines


RAW = Thing[RawLines](
    "raw",
    key=lambda block: (block.artifact, block.where),
    summary=_block,
    settings=(ComparedField("raw", _block),),
)
