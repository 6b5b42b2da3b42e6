"""NIC ports of servers over all fabrics of a site: one cable in each port, one transceiver in each cage."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.nic_ports import nic_port_clashes
from fabricgen.plan.plan import Plan


def nic_ports_once(plan: Plan) -> Iterator[Problem]:
    """A NIC port ends one cable, and a cage of a server holds one transceiver, over all fabrics of the site.

    Proof: a fabric gives each port of a NIC group one leaf (`rails`), in every slot of the server group the same. So a
    port has two cables only where two fabrics take it, and that shows in the server group alone. A port is known by its
    name, its RDMA device and its PCI address, as two NIC groups of a file may describe one port.
    """
    yield from nic_port_clashes(plan.intent, plan.catalog)
