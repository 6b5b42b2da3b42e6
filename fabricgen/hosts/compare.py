"""What the plan expects of a server against what an agent saw there.

`seen` has the form of the expected state: {"nics": [{"interface": …}]}, with what was looked at. A key that is left
out was not looked at and is not judged; one that is null was looked for and is not there. A NIC that is left out is
missing.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fabricgen.policy.nics import REORDERING


class HostDifference(NamedTuple):
    """One difference: interface, what it is about (`key`, with dots), and both values."""

    interface: str
    code: str
    key: str
    wanted: object
    seen: object


MISSING = "host-nic-missing"
FACTS = (
    ("pci", "host-rail"),
    ("lldp.switch", "host-cabling"),
    ("lldp.port", "host-cabling"),
    ("speed_gbps", "host-speed"),
    ("fec", "host-fec"),
    ("mtu", "host-mtu"),
    ("address", "host-address"),
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
"""Keys that are compared, and the code of a difference. The others say what the NIC is for."""
ABSENT = object()


def compare(expected: Mapping[str, Any], seen: Mapping[str, Any]) -> Iterator[HostDifference]:
    """Differences of one server, NIC by NIC in the order of the plan; of those that it uses."""
    by_name = {nic["interface"]: nic for nic in seen.get("nics", ())}
    for nic in expected["nics"]:
        if not nic["used"]:
            continue
        name = nic["interface"]
        if name not in by_name:
            yield HostDifference(name, MISSING, "interface", name, None)
            continue
        for key, code in FACTS:
            wanted, found = _value(nic, key), _value(by_name[name], key)
            if ABSENT not in (wanted, found) and wanted != found:
                yield HostDifference(name, code, key, wanted, found)


def _value(nic: Mapping[str, Any], key: str) -> object:
    """Value of a key with dots; ABSENT where it, or what it lies in, is left out; None where that is null."""
    found: object = nic
    for part in key.split("."):
        if found is None:
            return None
        if not isinstance(found, Mapping) or part not in found:
            return ABSENT
        found = found[part]
    return found
