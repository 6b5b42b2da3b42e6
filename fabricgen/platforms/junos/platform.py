"""Juniper Junos on QFX (Junos OS Evolved): one file per switch, its sections in the order of Junos' own output.

The file is text in braces and replaces the whole configuration: NAPALM loads it with overwrite, which PyEZ refuses for
`set` lines (jnpr/junos/utils/config.py of 2.8.2).
"""

from collections.abc import Mapping

from fabricgen.platforms.base.forms import braces
from fabricgen.platforms.base.platform import EcnChoice, Platform, one_file, without
from fabricgen.platforms.base.unpriced import unpriced
from fabricgen.platforms.junos.capabilities import CAPABILITIES
from fabricgen.platforms.junos.context import derived, template_context
from fabricgen.platforms.junos.limits import limits
from fabricgen.platforms.junos.lossless import rendered
from fabricgen.platforms.junos.raw import lines_fault
from fabricgen.platforms.junos.releases import DIFFERENCES, RELEASES
from fabricgen.platforms.junos.secrets import SECRETS
from fabricgen.platforms.junos.telemetry import STREAMS

FORM = braces(
    quoted=(r'["\\]', "no source shows a quotation mark or a backslash inside quotation marks on Junos"),
    word=(
        r'[\][(){};"#\\]',
        "such a character ends a word on Junos or has a special meaning: write the text in quotation marks",
    ),
)
"""How secrets are written; where a word ends is taken from batfish's JuniperLexer.g4 at 15053784 (2026-11-22)."""
SECTIONS = (
    "header.j2",
    "system.j2",
    "system-servers.j2",
    "chassis.j2",
    "interfaces-ports.j2",
    "interfaces-lags.j2",
    "interfaces-gateways.j2",
    "interfaces-loopbacks.j2",
    "interfaces-management.j2",
    "snmp.j2",
    "firewall.j2",
    "firewall-ipv6.j2",
    "forwarding-options.j2",
    "policy-lists.j2",
    "policy-statements.j2",
    "class-of-service.j2",
    "class-of-service-ports.j2",
    "routing-instances-management.j2",
    "routing-instances-macs.j2",
    "routing-instances-vrfs.j2",
    "routing-instances-end.j2",
    "routing-options.j2",
    "protocols-advertisements.j2",
    "protocols-bgp.j2",
    "protocols-isolation.j2",
    "protocols-ports.j2",
    "raw.j2",
)
"""Sections of all roles, in the order of the file."""
BRIDGING = {"interfaces-lags.j2", "interfaces-gateways.j2", "routing-instances-macs.j2", "protocols-isolation.j2"}
QOS = {"class-of-service.j2", "class-of-service-ports.j2"}
BORDER_LEAF = without(SECTIONS, BRIDGING | QOS)
SPINE = without(SECTIONS, BRIDGING | {"routing-instances-vrfs.j2"})

ANSIBLE: Mapping[str, object] = {
    "ansible_network_os": "junipernetworks.junos.junos",
    "ansible_connection": "ansible.netcommon.netconf",
}
"""Group variables with which Ansible reaches a switch.

Source: docs.ansible.com, "Junos OS Platform Options" (netconf)."""

JUNOS = Platform(
    name="junos",
    title="Juniper Junos",
    vendor="Juniper",
    releases=RELEASES,
    differences=DIFFERENCES,
    artifacts=one_file("juniper.conf", SECTIONS, BORDER_LEAF, SPINE, FORM),
    template_context=template_context,
    derived=derived,
    main="juniper.conf",
    comment="##",
    capabilities=CAPABILITIES,
    costs=unpriced("Juniper Junos"),
    streams=STREAMS,
    driver="junos",
    own_driver="fabricgen.platforms.junos.napalm_driver:CheckedJunOSDriver",
    secrets=SECRETS,
    accounts='`load override` leaves root alone, whose password no login matches (encrypted-password "*"; Juniper\'s '
    "YANG of 24.4R1, system root-authentication)",
    limits=limits,
    lossless_keys=("chip_octets", "cell_octets"),
    hardware_keys=("buffer_octets", "rebalancing"),
    raw_fault=lines_fault,
    rendered=rendered,
    ecn=(EcnChoice("juniper-th5", ("tomahawk5",)), EcnChoice("juniper-th4", ("tomahawk4",))),
    ansible=ANSIBLE,
)
