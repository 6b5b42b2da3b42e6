"""How a leaf's cages are split for servers: so that a cable or a pair of transceivers fits leaf and NIC."""

from collections import Counter
from collections.abc import Iterator

from fabricgen.hardware.media import MediaEnd, choose_cable
from fabricgen.hardware.model import Media, NicGroup, SwitchModel
from fabricgen.hardware.ports import PanelPort, ports


def joined(media: Media, switch: SwitchModel, nics: NicGroup, first: tuple[PanelPort, ...]) -> tuple[PanelPort, ...]:
    """Return `first` where a medium connects any of its cages to the NIC, else another split that a medium connects.

    first  the preferred ports, chosen without regard to media; also returned where no split has a medium

    The lanes decide: a 200G NIC with a QSFP56 has four lanes of 50G, and 200G in a quarter of an 800G cage are two
    lanes of 100G. So 4 x 200G cannot serve it, and 2 x 200G on four lanes each can (NVIDIA MCP7Y60-H; IEEE 802.3,
    clauses 136 and 162). Of other splits the one with the most ports is taken. Ports without a medium are refused
    (`no-medium`), so this changes the split of no fabric that has been rendered.
    """
    if not first or _has_medium(media, nics, first):
        return first
    return next((split for split in _others(switch, first[0].speed_gbps) if _has_medium(media, nics, split)), first)


def _others(switch: SwitchModel, speed_gbps: int) -> Iterator[tuple[PanelPort, ...]]:
    """Yield the ports of a speed for each way to split a cage, the most ports first."""
    runs = (run for run in switch.cages if not run.service)
    modes = {(mode.parts, mode.lanes) for run in runs for mode in run.modes if mode.speed_gbps == speed_gbps}
    splits = (ports(switch, speed_gbps, split) for split in sorted(modes))
    yield from sorted(splits, key=len, reverse=True)


def _has_medium(media: Media, nics: NicGroup, chosen: tuple[PanelPort, ...]) -> bool:
    """Return whether a medium of any length connects any of these cages to any of the NIC's."""
    near = {MediaEnd(port.connector, port.speed_gbps, port.parts) for port in chosen}
    speed = nics.speed_gbps // nics.planes
    ports_by_cage = Counter(port.cage for port in nics.ports if port.cage)
    sizes = {ports_by_cage.get(port.cage, 1) if port.cage else 1 for port in nics.ports}
    far = {MediaEnd(nics.connector, speed, size * nics.planes) for size in sizes}
    return any(
        choose_cable(media, near_end, far_end, 0, shared=True) is not None for near_end in near for far_end in far
    )
