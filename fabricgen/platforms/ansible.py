"""How Ansible reaches each platform: variables of its group.

Sources: docs.ansible.com, "EOS Platform Options" (arista.eos: httpapi over eAPI, network_cli over SSH; become with
method enable) and "Junos OS Platform Options" (netconf); github.com/ansible-collections/cisco.nxos 154aa54 (httpapi
over NX-API); ansible.builtin.ssh for Linux hosts: frr.frr takes what logs in to be vtysh, and on these boxes it is a
shell, so FRR is reached as any Linux host is.
"""

from collections.abc import Mapping

from fabricgen.platforms.eos import EOS
from fabricgen.platforms.frr import FRR
from fabricgen.platforms.junos import JUNOS
from fabricgen.platforms.nxos import NXOS

VARIABLES: Mapping[str, Mapping[str, object]] = {
    EOS.name: {
        "ansible_network_os": "arista.eos.eos",
        "ansible_connection": "ansible.netcommon.httpapi",
        "ansible_httpapi_use_ssl": True,
        "ansible_httpapi_validate_certs": True,
        "ansible_become": True,
        "ansible_become_method": "enable",
    },
    FRR.name: {"ansible_connection": "ansible.builtin.ssh", "ansible_become": True},
    JUNOS.name: {
        "ansible_network_os": "junipernetworks.junos.junos",
        "ansible_connection": "ansible.netcommon.netconf",
    },
    NXOS.name: {
        "ansible_network_os": "cisco.nxos.nxos",
        "ansible_connection": "ansible.netcommon.httpapi",
        "ansible_httpapi_use_ssl": True,
        "ansible_httpapi_validate_certs": True,
    },
}
"""Platform → variables; a platform without a row has none of its own."""
