"""FRR on Linux: the files of a switch, with sections in the order in which FRR and ifupdown2 print or read them."""

from collections.abc import Mapping

from fabricgen.device.device import Device
from fabricgen.platforms.base.platform import Artifact, InBand, Platform, without
from fabricgen.platforms.frr.capabilities import CAPABILITIES
from fabricgen.platforms.frr.costs import COSTS
from fabricgen.platforms.frr.limits import limits
from fabricgen.platforms.frr.releases import DIFFERENCES, RELEASES
from fabricgen.platforms.frr.secrets import SECRETS
from fabricgen.platforms.linux.interfaces import derived

VTEP = (
    "frr-header.j2",
    "frr-static-routes.j2",
    "frr-vrfs.j2",
    "frr-interfaces.j2",
    "frr-bgp.j2",
    "frr-bgp-families.j2",
    "frr-bgp-evpn.j2",
    "frr-bgp-end.j2",
    "frr-bgp-vrfs.j2",
    "frr-prefix-lists.j2",
    "frr-community-lists.j2",
    "frr-route-maps.j2",
    "frr-raw.j2",
    "frr-end.j2",
)
SPINE = without(VTEP, {"frr-vrfs.j2", "frr-interfaces.j2", "frr-bgp-vrfs.j2"})

INTERFACES = (
    "interfaces-header.j2",
    "interfaces-loopback.j2",
    "interfaces-management.j2",
    "interfaces-vrfs.j2",
    "interfaces-ports.j2",
    "interfaces-bonds.j2",
    "interfaces-subinterfaces.j2",
    "interfaces-bridge.j2",
    "interfaces-vxlan.j2",
    "interfaces-svis.j2",
    "raw.j2",
)
"""Sections of all roles, in the order of the file."""
OVERLAY = {"interfaces-vrfs.j2", "interfaces-bridge.j2", "interfaces-vxlan.j2", "interfaces-svis.j2"}
SWITCHED_LEAF = without(INTERFACES, {"interfaces-subinterfaces.j2"})
SWITCHED_BORDER = without(INTERFACES, {"interfaces-bonds.j2"})
ROUTED = without(INTERFACES, OVERLAY | {"interfaces-bonds.j2", "interfaces-subinterfaces.j2"})

SYSTEM = (
    Artifact("daemons", ("daemons.j2", "raw.j2")),
    Artifact("sysctl.conf", ("sysctl.j2", "raw.j2")),
    Artifact("lldpd.conf", ("lldpd.j2", "raw.j2")),
    Artifact("chrony.conf", ("chrony.j2", "raw.j2")),
    Artifact("rsyslog.conf", ("rsyslog.j2", "raw.j2")),
    Artifact("resolv.conf", ("resolv.j2", "raw.j2")),
    Artifact("hostname", ("hostname.j2", "raw.j2")),
)
"""Files of the switch's services, the same for all roles."""

RELAY = Artifact("dhcp-relay.service", ("dhcp-relay.j2", "raw.j2"))


def template_context(device: Device) -> object:
    """The values that the templates print. The import is local because checks do not need it."""
    from fabricgen.platforms.linux.frr_conf import template_context as words  # noqa: PLC0415

    return words(device, device.version)


ANSIBLE: Mapping[str, object] = {"ansible_connection": "ansible.builtin.ssh", "ansible_become": True}
"""Variables of the platform's Ansible group: how Ansible connects.

frr.frr expects vtysh as the login shell; these switches have a Linux shell. So they are reached like any Linux host.
"""

FRR = Platform(
    name="frr",
    title="FRR on Linux",
    releases=RELEASES,
    differences=DIFFERENCES,
    artifacts={
        "leaf": (Artifact("frr.conf", VTEP), Artifact("interfaces", SWITCHED_LEAF), *SYSTEM, RELAY),
        "border-leaf": (Artifact("frr.conf", VTEP), Artifact("interfaces", SWITCHED_BORDER), *SYSTEM),
        "spine": (Artifact("frr.conf", SPINE), Artifact("interfaces", ROUTED), *SYSTEM),
        "superspine": (Artifact("frr.conf", SPINE), Artifact("interfaces", ROUTED), *SYSTEM),
    },
    template_context=template_context,
    derived=derived,
    main="frr.conf",
    comment="!",
    capabilities=CAPABILITIES,
    costs={cost.kind: cost for cost in COSTS},
    driver="frr",
    secrets=SECRETS,
    limits=limits,
    ansible=ANSIBLE,
    in_band=InBand(("ssh",), why="without `access` no file of ours filters what comes to the host"),
)
