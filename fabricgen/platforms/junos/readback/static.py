"""Static routes of a table.

Source: Protocol-Independent Routing User Guide, static: next-hop, discard, reject; several next hops all count, and of
the two families each has its own default route.
"""

from fabricgen.platforms.junos.readback.config import Config
from fabricgen.platforms.junos.readback.text import Tree
from fabricgen.platforms.junos.readback.tree import blocks, flag, values
from fabricgen.readback.addresses import host
from fabricgen.readback.intended import in_vrf, prefix


def static_routes(config: Config, vrf: str, options: Tree) -> None:
    """Rows of the static routes below routing-options, or below a table of it."""
    for name, below, line in blocks(options, "static", "route"):
        try:
            network = prefix(name)
        except ValueError:
            below[None] = line
            continue
        hops = values(below, "next-hop")
        for hop in hops:
            config.put("static-route", in_vrf(vrf, network), "next-hop", host(hop.text), hop.line)
        if not hops and (begins := flag(below, "discard")):
            config.put("static-route", in_vrf(vrf, network), "next-hop", "discard", begins)


def default_gateway(config: Config, options: Tree) -> None:
    """The way out of the management instance."""
    for name, below, line in blocks(options, "static", "route"):
        hops = values(below, "next-hop") if name in ("0.0.0.0/0", "::/0") else []
        for hop in hops:
            config.put("management", "", "gateway", host(hop.text), hop.line)
        if not hops:
            below[None] = line
