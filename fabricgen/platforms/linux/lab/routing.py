"""What a platform that routes with FRR provides for a lab."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from fabricgen.device.device import Device


class RoutingText(NamedTuple):
    """Routing text of a switch.

    text    what FRR runs; unread: routing parts of the system's own files that are not in it
    """

    text: str
    unread: tuple[str, ...] = ()


class LabRouting(NamedTuple):
    """A system that routes with FRR.

    routing    (rendered files by name, switch name) → what FRR runs there. Raises LookupError, ValueError, TypeError,
               AttributeError or yaml.YAMLError for files that a user's own templates have turned into something else
    vrf_names  Device → (VRF of a tenant → its name on the system)
    made_of    what the routing text is made from, in words
    """

    routing: Callable[[Mapping[str, str], str], RoutingText]
    vrf_names: Callable[[Device], Mapping[str, str]]
    made_of: str
