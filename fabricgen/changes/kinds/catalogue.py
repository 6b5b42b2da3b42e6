"""Every kind of change of a Device: what a diff, a table of costs and an `expect:` file can name."""

from fabricgen.changes.kind import BlastRadius, ChangeType, ValueType
from fabricgen.changes.kinds import evpn, interfaces, management, qos, routing

KINDS: tuple[ChangeType, ...] = (
    *management.KINDS,
    *interfaces.KINDS,
    *routing.KINDS,
    *evpn.KINDS,
    *qos.KINDS,
    ChangeType("raw", "block of raw lines", "blocks of raw lines", ValueType.SETTING, BlastRadius.SWITCH),
)

KIND: dict[str, ChangeType] = {kind.name: kind for kind in KINDS}
"""Every kind by its name."""
