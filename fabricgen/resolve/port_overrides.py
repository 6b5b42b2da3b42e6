"""Port settings from overrides, and the mark of ports whose cable or far end is declared dead."""

from collections.abc import Iterable

from fabricgen.device.interfaces import Ethernet, PortProfile
from fabricgen.plan.exceptions import DEAD, NO_PORT_SETTINGS, PortKey, PortSettings
from fabricgen.resolve.context import Context
from fabricgen.resolve.servers import with_settings


class Own:
    """Overrides of the ports of one switch. Ports with equal overrides share a profile."""

    def __init__(self, context: Context) -> None:
        exceptions = context.fabric.exceptions
        self._context, self._found = context, exceptions
        self._is_plain = not (exceptions.port_settings or exceptions.broken or DEAD in exceptions.devices.values())
        self._profiles: dict[tuple[str, int, str], PortProfile] = {}

    def rows(self, rows: Iterable[Ethernet]) -> tuple[Ethernet, ...]:
        """Return each row with its overrides applied; unchanged rows are returned as they are."""
        return tuple(rows) if self._is_plain else tuple(self._row(row) for row in rows)

    def _row(self, row: Ethernet) -> Ethernet:
        key = PortKey(self._context.name, row.name)
        if key in self._found.broken or self._found.devices.get(row.peer) == DEAD:
            row = row._replace(dead=True)
        settings = self._found.port_settings.get(key, NO_PORT_SETTINGS)
        return row if settings == NO_PORT_SETTINGS else self._with(row, settings)

    def _with(self, row: Ethernet, settings: PortSettings) -> Ethernet:
        switching, ports = row.switching, settings.server_ports
        return row._replace(
            description=settings.description or row.description,
            profile=self._profile(row.profile, settings),
            switching=with_settings(self._context, switching, ports) if switching and ports else switching,
            headroom_octets=settings.headroom_octets or self._headroom(row, settings.mtu),
        )

    def _profile(self, profile: PortProfile, settings: PortSettings) -> PortProfile:
        if not (settings.mtu or settings.fec):
            return profile
        key = (profile.name, settings.mtu, settings.fec)
        if key not in self._profiles:
            name_parts = [
                profile.name,
                *([f"mtu{settings.mtu}"] if settings.mtu else []),
                *([settings.fec] if settings.fec else []),
            ]
            self._profiles[key] = profile._replace(
                name="-".join(name_parts), mtu=settings.mtu or profile.mtu, fec=settings.fec or profile.fec
            )
        return self._profiles[key]

    def _headroom(self, row: Ethernet, mtu: int) -> int:
        """Return the octets of headroom, computed again for another MTU."""
        lossless = self._context.lossless
        if not mtu or lossless is None or not row.profile.qos:
            return row.headroom_octets
        at_mtu = lossless._replace(fabric=lossless.fabric.model_copy(update={"mtu": mtu}), cache={})
        headroom = at_mtu.headroom(row.profile.speed_gbps, row.length_m)
        return headroom.octets if headroom else 0
