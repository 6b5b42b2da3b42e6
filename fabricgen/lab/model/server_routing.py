"""FRR's configuration of a lab's server: what `export hosts` writes, with the names of the lab's interfaces."""

from collections.abc import Iterable

from fabricgen.hosts.build import make_hosts
from fabricgen.hosts.routing import at_ports, host_routing
from fabricgen.lab.model.lab import LabNic
from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.plan import Plan
from fabricgen.render.render import environment

DAEMONS = 'bgpd=yes\nfrr_profile="datacenter"\n'
"""What of a server's file of daemons a lab reads."""


def server_routing(plan: Plan, slot: SlotKey, nics: Iterable[LabNic]) -> str:
    """Return the configuration of a server in a slot, over the ports that the lab has; empty without such a port."""
    names = {(nic.switch, nic.port): nic.name for nic in nics}
    for host in make_hosts(plan, [slot]):
        routing = host_routing(host.name, host.site, at_ports(host.pairs, names))
        if routing is not None:
            return environment(None).get_template("hosts/frr.j2").render(routing=routing)
    return ""
