"""Every kind of fact that a Device holds: what a diff, a table of costs and an `expect:` file may name."""

from fabricgen.facts import kinds_evpn, kinds_interfaces, kinds_management, kinds_qos, kinds_routing
from fabricgen.facts.kind import Kind, Reach, Value

KINDS: tuple[Kind, ...] = (
    *kinds_management.KINDS,
    *kinds_interfaces.KINDS,
    *kinds_routing.KINDS,
    *kinds_evpn.KINDS,
    *kinds_qos.KINDS,
    Kind("raw", "block of raw lines", "blocks of raw lines", Value.SETTING, Reach.SWITCH),
)

KIND: dict[str, Kind] = {kind.name: kind for kind in KINDS}
"""Every kind by its name."""
