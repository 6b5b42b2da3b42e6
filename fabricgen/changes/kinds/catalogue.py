"""Every kind of fact that a Device holds: what a diff, a table of costs and an `expect:` file may name."""

from fabricgen.changes.kind import Kind, Reach, Value
from fabricgen.changes.kinds import evpn, interfaces, management, qos, routing

KINDS: tuple[Kind, ...] = (
    *management.KINDS,
    *interfaces.KINDS,
    *routing.KINDS,
    *evpn.KINDS,
    *qos.KINDS,
    Kind("raw", "block of raw lines", "blocks of raw lines", Value.SETTING, Reach.SWITCH),
)

KIND: dict[str, Kind] = {kind.name: kind for kind in KINDS}
"""Every kind by its name."""
