"""Compare what the plan expects of a server with what an agent saw there.

`reported` has the form of the expected state: {"nics": [{"interface": …}]}, with the keys that the agent read. A key
that is absent was not read and is not judged; a null value means that it was read and does not exist. A NIC that is
absent is missing.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fabricgen.policy.nics import REORDERING


class HostDifference(NamedTuple):
    """One difference: interface, key (with dots), and both values."""

    interface: str
    code: str
    key: str
    wanted: object
    actual: object


MISSING = "host-nic-missing"
FACTS = (
    ("pci", "host-rail"),
    ("lldp.switch", "host-cabling"),
    ("lldp.port", "host-cabling"),
    ("speed_gbps", "host-speed"),
    ("fec", "host-fec"),
    ("mtu", "host-mtu"),
    ("address", "host-address"),
    ("pair.address", "host-address"),
    ("bond", "host-bond"),
    ("roce.trust", "host-trust"),
    ("roce.global_pause", "host-pause"),
    ("roce.pfc", "host-pfc"),
    ("roce.lossless_dscps", "host-dscp"),
    ("roce.data.priority", "host-dscp"),
    ("roce.cnp.dscp", "host-cnp"),
    ("roce.cnp.priority", "host-cnp"),
    ("roce.ecn.reaction_point", "host-ecn"),
    ("roce.ecn.notification_point", "host-ecn"),
    ("roce.traffic_class", "host-traffic-class"),
    ("roce.gid.index", "host-gid"),
    ("roce.gid.value", "host-gid"),
    ("roce.packet_gap_octets", "host-packet-gap"),
    ("roce.cable_length_m", "host-cable-length"),
    *((f"roce.adaptive_routing.{field.name}", "host-adaptive-routing") for field in REORDERING),
)
"""Keys that are compared, and the code of a difference. The other keys only describe the NIC."""
ABSENT = object()


def compare(expected: Mapping[str, Any], reported: Mapping[str, Any]) -> Iterator[HostDifference]:
    """Differences of one server, NIC by NIC in the order of the plan; only NICs that are in use."""
    by_name = {nic["interface"]: nic for nic in reported.get("nics", ())}
    for nic in expected["nics"]:
        if not nic["used"]:
            continue
        name = nic["interface"]
        if name not in by_name:
            yield HostDifference(name, MISSING, "interface", name, None)
            continue
        for key, code in FACTS:
            planned, actual = _value(nic, key), _value(by_name[name], key)
            if ABSENT not in (planned, actual) and planned != actual:
                yield HostDifference(name, code, key, planned, actual)


def _value(nic: Mapping[str, Any], key: str) -> object:
    """Value of a key with dots; ABSENT where the key or its parent is absent; None where the parent is null."""
    value: object = nic
    for part in key.split("."):
        if value is None:
            return None
        if not isinstance(value, Mapping) or part not in value:
            return ABSENT
        value = value[part]
    return value
