"""How a leaf's cages are split for servers: so that a cable or a pair of transceivers joins them to the NIC."""

from collections import Counter
from collections.abc import Iterator

from fabricgen.hardware.media import MediaEnd, choose_cable
from fabricgen.hardware.model import Media, NicGroup, SwitchModel
from fabricgen.hardware.ports import PanelPort, ports


def joined(media: Media, switch: SwitchModel, nics: NicGroup, first: tuple[PanelPort, ...]) -> tuple[PanelPort, ...]:
    """Return the first choice where a medium joins any of its cages to the NIC, else another split that one joins.

    first  the ports that are taken without a look at media; they are returned where no split has a medium, too

    Lanes decide: a 200G NIC with a QSFP56 has four lanes of 50G, and 200G in a quarter of an 800G cage are two lanes of
    100G. So 4 x 200G cannot serve it, and 2 x 200G on four lanes each can (NVIDIA MCP7Y60-H; IEEE 802.3, clauses 136
    and 162). Of other splits the one with the most ports is taken. What no medium joins is refused (`no-medium`), so no
    fabric that has been rendered changes its split by this.
    """
    if not first or _has_medium(media, nics, first):
        return first
    return next((other for other in _others(switch, first[0].speed_gbps) if _has_medium(media, nics, other)), first)


def _others(switch: SwitchModel, speed_gbps: int) -> Iterator[tuple[PanelPort, ...]]:
    """Ports of a speed, by what a cage is split into, the most ports first."""
    runs = (run for run in switch.cages if not run.service)
    modes = {(mode.parts, mode.lanes) for run in runs for mode in run.modes if mode.speed_gbps == speed_gbps}
    every = (ports(switch, speed_gbps, split) for split in sorted(modes))
    yield from sorted(every, key=len, reverse=True)


def _has_medium(media: Media, nics: NicGroup, chosen: tuple[PanelPort, ...]) -> bool:
    """Whether anything joins any of these cages to any of the NIC's, at whatever length."""
    near = {MediaEnd(port.connector, port.speed_gbps, port.parts) for port in chosen}
    speed = nics.speed_gbps // nics.planes
    mates = Counter(port.cage for port in nics.ports if port.cage)
    sizes = {mates.get(port.cage, 1) if port.cage else 1 for port in nics.ports}
    far = {MediaEnd(nics.connector, speed, size * nics.planes) for size in sizes}
    return any(choose_cable(media, one, other, 0, shared=True) is not None for one in near for other in far)
