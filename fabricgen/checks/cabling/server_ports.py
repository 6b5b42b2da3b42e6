"""NIC ports of servers across all fabrics of a site: one cable per port, one transceiver per cage."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.nic_ports import nic_port_clashes
from fabricgen.plan.plan import Plan


def nic_ports_once(plan: Plan) -> Iterator[Problem]:
    """A NIC port has one cable, and a cage of a server one transceiver, across all fabrics of the site.

    Proof: a fabric connects each port of a NIC group to one leaf (`rails`), the same way in every slot of the server
    group. So a port has two cables only where two fabrics use it, which the server group alone shows. A port is
    identified by its name, its RDMA device and its PCI address, as two NIC groups of a file may describe the same port.
    """
    yield from nic_port_clashes(plan.intent, plan.catalog)
