"""Nokia SR Linux: one file per switch, a whole configuration in JSON as `load file` reads it."""

from fabricgen.platforms.base.forms import json_text
from fabricgen.platforms.base.platform import FactoryAccount, OwnAdmin, Platform, one_file, without
from fabricgen.platforms.base.unpriced import unpriced
from fabricgen.platforms.srlinux.capabilities import CAPABILITIES
from fabricgen.platforms.srlinux.context import CONTAINERS, OWN_ADMIN, derived, template_context
from fabricgen.platforms.srlinux.document import finish, lines_fault
from fabricgen.platforms.srlinux.limits import MOST_IN_TABLE, limits
from fabricgen.platforms.srlinux.lossless import rendered
from fabricgen.platforms.srlinux.releases import DIFFERENCES, RELEASES
from fabricgen.platforms.srlinux.secrets import SECRETS
from fabricgen.platforms.srlinux.telemetry import STREAMS

FILE = "config.json"
FORM = json_text({})

FACTORY = (
    "documentation.nokia.com, SR Linux 25.3 Configuration Basics, Securing access; srl_nokia-aaa of 25.3.1: default of "
    "its password"
)

SECTIONS = (
    "system.j2",
    "aaa.j2",
    "control-plane.j2",
    "management.j2",
    "grpc-server.j2",
    "logging.j2",
    "snmp.j2",
    "sflow.j2",
    "interfaces.j2",
    "lags.j2",
    "subinterfaces.j2",
    "gateways.j2",
    "routing-policy.j2",
    "network-instances.j2",
    "bgp.j2",
    "bgp-neighbors.j2",
    "evpn.j2",
    "bgp-vrfs.j2",
    "qos.j2",
    "qos-interfaces.j2",
    "raw.j2",
)
"""Sections of all roles, in the order of the file."""
BRIDGING = {"lags.j2", "gateways.j2"}
QOS = {"qos.j2", "qos-interfaces.j2"}
LEAF = without(SECTIONS, {"bgp-vrfs.j2"})
BORDER_LEAF = without(SECTIONS, BRIDGING | QOS)
SPINE = without(SECTIONS, BRIDGING | {"sflow.j2", "evpn.j2", "bgp-vrfs.j2"})


SRLINUX = Platform(
    name="srlinux",
    title="Nokia SR Linux",
    vendor="Nokia",
    releases=RELEASES,
    differences=DIFFERENCES,
    artifacts=one_file(FILE, LEAF, BORDER_LEAF, SPINE, FORM, finish),
    template_context=template_context,
    derived=derived,
    main=FILE,
    comment="//",
    capabilities=CAPABILITIES,
    costs=unpriced("Nokia SR Linux"),
    streams=STREAMS,
    driver="srlinux",
    own_driver="fabricgen.platforms.srlinux.napalm_driver:SRLinuxDriver",
    secrets=SECRETS,
    limits=limits,
    raw_fault=lines_fault,
    vlan_macs=MOST_IN_TABLE,
    rendered=rendered,
    own_admin=OwnAdmin(
        OWN_ADMIN,
        f"`{OWN_ADMIN}` is a superuser only while no file gives it another role; then linuxadmin alone, an account of "
        "its Linux, is left (Nokia's models of 25.3.1, srl_nokia-aaa: admin-user, linuxadmin-user)",
    ),
    factory=tuple(
        FactoryAccount(
            name,
            is_configurable=True,
            why=f"{container} is in every configuration, and a file that says nothing of it gives it the password that "
            f"Nokia publishes ({FACTORY})",
        )
        for name, container in CONTAINERS.items()
    ),
)
