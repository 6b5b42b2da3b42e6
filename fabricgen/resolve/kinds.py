"""Values that ports of one role share on a switch, and the lengths of their cables."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fabricgen.device.interfaces import PortProfile
from fabricgen.hardware.ports import PanelPort
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import FabricPlan
from fabricgen.resolve.context import Context
from fabricgen.resolve.profiles import port_profile


class PortKind(NamedTuple):
    """Values shared by the ports of one role, speed and cable length of a switch."""

    profile: PortProfile
    headroom_octets: int


class Kinds:
    """The kinds of ports of one role on one switch, each computed once."""

    def __init__(self, context: Context, role: str) -> None:
        self._context, self._role = context, role
        self._made: dict[tuple[int, int, float], PortKind] = {}

    def of_all(self, ports: Sequence[PanelPort], lengths: Sequence[float]) -> list[PortKind]:
        """Return the kinds of several ports."""
        made = self._made
        return [
            made.get((port.speed_gbps, port.lanes, length)) or self.of(port, length)
            for port, length in zip(ports, lengths, strict=True)
        ]

    def of(self, port: PanelPort, length_m: float) -> PortKind:
        """Return the kind of a port with a cable of this length."""
        key = (port.speed_gbps, port.lanes, length_m)
        port_kind = self._made.get(key)
        if port_kind is None:
            # Ports of one speed share one profile, whatever the length of their cables.
            profiles = (kind.profile for key, kind in self._made.items() if key[:2] == (port.speed_gbps, port.lanes))
            profile = next(profiles, None) or port_profile(self._context, self._role, port)
            port_kind = self._made[key] = PortKind(profile, port_headroom(self._context, profile, length_m))
        return port_kind


def port_headroom(context: Context, profile: PortProfile, length_m: float) -> int:
    """Return the headroom of a lossless port in octets; 0 elsewhere, and without a source (a check reports that)."""
    if context.lossless is None or not profile.qos:
        return 0
    row = context.lossless.headroom(profile.speed_gbps, length_m)
    return row.octets if row else 0


def cable_lengths(
    plan: FabricPlan, device: str, ports: Sequence[str], far: Iterable[tuple[str, str]], default: float
) -> list[float]:
    """Return the lengths of the cables of several ports in metres. far: device and port at the other ends."""
    if not plan.exceptions.cables:
        return [default] * len(ports)
    return [cable_length(plan, device, port, end, default) for port, end in zip(ports, far, strict=True)]


def cable_length(plan: FabricPlan, device: str, port: str, far: tuple[str, str], default: float) -> float:
    """Return the length of a cable in metres: from the cable file by either end, else the default of its kind."""
    cables = plan.exceptions.cables
    cable = cables.get(PortKey(device, port)) or cables.get(PortKey(*far))
    return cable.length_m if cable else default
