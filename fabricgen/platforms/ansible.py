"""How Ansible reaches each platform: variables of its group.

Sources: docs.ansible.com, "EOS Platform Options" (arista.eos: httpapi over eAPI, network_cli over SSH; become with
method enable); ansible.builtin.ssh for Linux hosts: frr.frr takes what logs in to be vtysh, and on these boxes it is a
shell, so FRR is reached as any Linux host is.
"""

from collections.abc import Mapping

from fabricgen.platforms.eos import EOS
from fabricgen.platforms.frr import FRR

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
}
"""Platform → variables; a platform without a row has none of its own."""
