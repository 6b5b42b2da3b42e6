"""Cisco NX-OS on Nexus 9000: one file per switch; its sections define names before their use."""

from collections.abc import Mapping

from fabricgen.platforms.base.forms import words
from fabricgen.platforms.base.platform import EcnChoice, InBand, Platform, one_file, without
from fabricgen.platforms.base.unpriced import unpriced
from fabricgen.platforms.nxos.capabilities import CAPABILITIES
from fabricgen.platforms.nxos.context import derived, template_context
from fabricgen.platforms.nxos.limits import LOSSLESS_METRES, limits
from fabricgen.platforms.nxos.lossless import rendered
from fabricgen.platforms.nxos.releases import DIFFERENCES, RELEASES
from fabricgen.platforms.nxos.secrets import SECRETS
from fabricgen.platforms.nxos.telemetry import STREAMS

FORM = words(
    r"""["'|;?<>\\]|\$\(""",
    "no source shows such a character as a part of a word on NX-OS: quotation marks enclose text, a bar and angle "
    "brackets redirect, a semicolon separates commands, a question mark shows help, and `$(` begins a "
    "variable of the command line, as SWITCHNAME is (Cisco, Configuring CLI Variables)",
)
"""How secrets are written in its lines."""

SECTIONS = (
    "header.j2",
    "hostname.j2",
    "features.j2",
    "users.j2",
    "domain.j2",
    "access-lists.j2",
    "control-plane.j2",
    "aaa.j2",
    "snmp.j2",
    "ntp.j2",
    "logging.j2",
    "default-ports.j2",
    "breakouts.j2",
    "qos-classes.j2",
    "qos-network.j2",
    "qos-queues.j2",
    "qos-system.j2",
    "dhcp-relay.j2",
    "gateway-mac.j2",
    "duplicate-mac.j2",
    "vlans.j2",
    "static-routes.j2",
    "vrfs.j2",
    "prefix-lists.j2",
    "community-lists.j2",
    "route-maps.j2",
    "loopbacks.j2",
    "vlan-interfaces.j2",
    "nve.j2",
    "ethernet.j2",
    "subinterfaces.j2",
    "management-interface.j2",
    "terminal-lines.j2",
    "load-balancing.j2",
    "router-bgp.j2",
    "router-bgp-neighbors.j2",
    "router-bgp-vrfs.j2",
    "evpn.j2",
    "apis.j2",
    "sflow.j2",
    "raw.j2",
)
"""Sections of all roles, in the order of the file."""
BRIDGING = {"dhcp-relay.j2", "gateway-mac.j2", "duplicate-mac.j2", "vlans.j2", "vlan-interfaces.j2", "evpn.j2"}
LEAF = without(SECTIONS, {"subinterfaces.j2"})
BORDER_LEAF = without(SECTIONS, BRIDGING)
SPINE = without(SECTIONS, BRIDGING | {"subinterfaces.j2", "nve.j2", "router-bgp-vrfs.j2"})


TITLE = "Cisco NX-OS"


ANSIBLE: Mapping[str, object] = {
    "ansible_network_os": "cisco.nxos.nxos",
    "ansible_connection": "ansible.netcommon.httpapi",
    "ansible_httpapi_use_ssl": True,
    "ansible_httpapi_validate_certs": True,
}
"""Group variables with which Ansible reaches a switch.

Source: github.com/ansible-collections/cisco.nxos 154aa54 (httpapi over NX-API)."""

NXOS = Platform(
    name="nxos",
    title=TITLE,
    vendor="Cisco",
    releases=RELEASES,
    differences=DIFFERENCES,
    artifacts=one_file("running-config", LEAF, BORDER_LEAF, SPINE, FORM),
    template_context=template_context,
    derived=derived,
    main="running-config",
    comment="!",
    capabilities=CAPABILITIES,
    costs=unpriced(TITLE),
    streams=STREAMS,
    driver="nxos",
    secrets=SECRETS,
    accounts="a start from a file without an administrator's name and password locks the console, too (Cisco Nexus "
    "3600 NX-OS Fundamentals 10.5(x), Using PowerOn Auto Provisioning: they are mandatory; unsure for the Nexus 9000)",
    limits=limits,
    own_headroom_m=LOSSLESS_METRES,
    rendered=rendered,
    ecn=(EcnChoice("cisco-100"), EcnChoice("cisco-400")),
    ansible=ANSIBLE,
    in_band=InBand(
        ("ssh", "snmp"),
        ("ssh", "snmp"),
        "SSH and SNMP look at the source alone, and NX-API listens in every VRF until one is named: NX-OS security "
        "guide 10.3(x), Kernel Stack ACL",
        api_without_certificate=True,
        own_certificate=True,
    ),
)
