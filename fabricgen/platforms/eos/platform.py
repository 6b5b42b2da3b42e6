"""Arista EOS: the one file of a switch, with sections in the order of a running-config."""

from collections.abc import Mapping

from fabricgen.device.device import Device
from fabricgen.platforms.base.platform import EcnChoice, Platform, one_file, without
from fabricgen.platforms.eos.capabilities import CAPABILITIES
from fabricgen.platforms.eos.costs import COSTS
from fabricgen.platforms.eos.limits import limits
from fabricgen.platforms.eos.lossless import rendered
from fabricgen.platforms.eos.releases import DIFFERENCES, RELEASES
from fabricgen.platforms.eos.secrets import SECRETS
from fabricgen.platforms.eos.telemetry import STREAMS

SECTIONS = (
    "header.j2",
    "users.j2",
    "hardware-counters.j2",
    "dhcp-relay.j2",
    "vlan-internal-order.j2",
    "load-interval.j2",
    "interface-defaults.j2",
    "service-routing.j2",
    "queue-monitor.j2",
    "link-tracking.j2",
    "lldp.j2",
    "logging.j2",
    "mmu.j2",
    "hostname.j2",
    "qos-profiles.j2",
    "port-security.j2",
    "sflow.j2",
    "snmp.j2",
    "spanning-tree.j2",
    "port-channel-hash.j2",
    "system-l1.j2",
    "vlans.j2",
    "vrfs.j2",
    "queue-monitor-streaming.j2",
    "banner.j2",
    "management-api.j2",
    "management-security.j2",
    "aaa.j2",
    "port-channels.j2",
    "ethernet.j2",
    "subinterfaces.j2",
    "loopbacks.j2",
    "management-interface.j2",
    "vlan-interfaces.j2",
    "vxlan.j2",
    "load-balance-cluster.j2",
    "access-lists.j2",
    "ip-routing.j2",
    "community-lists.j2",
    "prefix-lists.j2",
    "ipv6-routing.j2",
    "static-routes.j2",
    "ntp.j2",
    "qos.j2",
    "route-maps.j2",
    "router-bgp.j2",
    "router-bgp-families.j2",
    "router-bgp-vrfs.j2",
    "tacacs-source.j2",
    "mmu-apply.j2",
    "management-ssh.j2",
    "raw.j2",
    "end.j2",
)
"""Sections of all roles, in the order of the file."""
BRIDGING = {
    *("dhcp-relay.j2", "link-tracking.j2", "port-security.j2", "vlans.j2"),
    *("port-channels.j2", "vlan-interfaces.j2", "load-balance-cluster.j2"),
}
LEAF = without(SECTIONS, {"subinterfaces.j2"})
BORDER_LEAF = without(SECTIONS, BRIDGING)
SPINE = without(SECTIONS, BRIDGING | {"subinterfaces.j2", "vxlan.j2", "router-bgp-vrfs.j2"})


def template_context(device: Device) -> object:
    """The values that the templates print. The import is local because checks do not need it."""
    from fabricgen.platforms.eos.context import template_context as words  # noqa: PLC0415

    return words(device)


def derived(device: Device) -> Mapping[str, str]:
    """Derived numbers and names. The import is local because only a comparison of two switches needs it."""
    from fabricgen.platforms.eos.context import derived as own  # noqa: PLC0415

    return own(device)


ANSIBLE: Mapping[str, object] = {
    "ansible_network_os": "arista.eos.eos",
    "ansible_connection": "ansible.netcommon.httpapi",
    "ansible_httpapi_use_ssl": True,
    "ansible_httpapi_validate_certs": True,
    "ansible_become": True,
    "ansible_become_method": "enable",
}
"""Variables of the platform's Ansible group: how Ansible connects.

Source: docs.ansible.com, "EOS Platform Options" (arista.eos: httpapi over eAPI, network_cli over SSH; become with
method enable).
"""

EOS = Platform(
    name="eos",
    title="Arista EOS",
    vendor="Arista",
    releases=RELEASES,
    differences=DIFFERENCES,
    artifacts=one_file("startup-config", LEAF, BORDER_LEAF, SPINE),
    template_context=template_context,
    derived=derived,
    main="startup-config",
    comment="!",
    capabilities=CAPABILITIES,
    hardware_keys=("ecn_count", "ecn_counter_feature", "mmu", "speed_<gbps>_<lanes>", "transmit_queue"),
    costs={cost.kind: cost for cost in COSTS},
    streams=STREAMS,
    driver="eos",
    secrets=SECRETS,
    accounts="a file without `username` leaves only the factory account `admin`, which has no password and can log "
    "in on the console only (eos.arista.com, Securing EOS CLI)",
    limits=limits,
    rendered=rendered,
    ecn=(EcnChoice("arista-guide"),),
    ansible=ANSIBLE,
)
