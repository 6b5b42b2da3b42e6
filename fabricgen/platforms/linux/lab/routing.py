"""What a platform whose routing is FRR's says of it to a lab."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from fabricgen.device.device import Device


class RoutingText(NamedTuple):
    """Routing text of a switch.

    text    what FRR runs; unsaid: parts of the system's own files that are routing's and not in it
    """

    text: str
    unsaid: tuple[str, ...] = ()


class LabRouting(NamedTuple):
    """A system whose routing is FRR's.

    routing    its rendered files by name, and the switch's name → what FRR runs there. Raises LookupError,
               ValueError, TypeError, AttributeError or yaml.YAMLError for files of which a user's own templates have
               made something else
    vrf_names  VRF of a tenant → what the system calls it
    made_of    what the routing text is, in words
    """

    routing: Callable[[Mapping[str, str], str], RoutingText]
    vrf_names: Callable[[Device], Mapping[str, str]]
    made_of: str
