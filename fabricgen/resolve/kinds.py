"""What ports of one role have in common on a switch, and how long the cable at one is."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fabricgen.device.interfaces import PortProfile
from fabricgen.hardware.ports import PanelPort
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import FabricPlan
from fabricgen.resolve.context import Context
from fabricgen.resolve.profiles import port_profile


class PortKind(NamedTuple):
    """What ports of one role, speed and cable length of a switch share."""

    profile: PortProfile
    headroom_octets: int


class Kinds:
    """Kinds of ports of one role of one switch, each made once."""

    def __init__(self, context: Context, role: str) -> None:
        self._context, self._role = context, role
        self._made: dict[tuple[int, int, float], PortKind] = {}

    def of_all(self, ports: Sequence[PanelPort], lengths: Sequence[float]) -> list[PortKind]:
        """Kinds of several ports."""
        made = self._made
        return [
            made.get((port.speed_gbps, port.lanes, length)) or self.of(port, length)
            for port, length in zip(ports, lengths, strict=True)
        ]

    def of(self, port: PanelPort, length_m: float) -> PortKind:
        """Kind of a port with a cable of this length."""
        key = (port.speed_gbps, port.lanes, length_m)
        found = self._made.get(key)
        if found is None:
            # The one of another length, where there is one: rows of a speed share it.
            same = (kind.profile for key, kind in self._made.items() if key[:2] == (port.speed_gbps, port.lanes))
            profile = next(same, None) or port_profile(self._context, self._role, port)
            found = self._made[key] = PortKind(profile, port_headroom(self._context, profile, length_m))
        return found


def port_headroom(context: Context, profile: PortProfile, length_m: float) -> int:
    """Octets of headroom of a lossless port; 0 elsewhere, and where no source gives any (a check reports it)."""
    if context.lossless is None or not profile.qos:
        return 0
    found = context.lossless.headroom(profile.speed_gbps, length_m)
    return found.octets if found else 0


def cable_lengths(
    plan: FabricPlan, device: str, ports: Sequence[str], far: Iterable[tuple[str, str]], default: float
) -> list[float]:
    """Metres of the cables of several ports. far: device and port at the other ends."""
    if not plan.exceptions.cables:
        return [default] * len(ports)
    return [cable_length(plan, device, port, end, default) for port, end in zip(ports, far, strict=True)]


def cable_length(plan: FabricPlan, device: str, port: str, far: tuple[str, str], default: float) -> float:
    """Metres of a cable: what the cable file says of either end, else the default of its kind."""
    built = plan.exceptions.cables
    found = built.get(PortKey(device, port)) or built.get(PortKey(*far))
    return found.length_m if found else default
