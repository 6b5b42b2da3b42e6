"""Static routes of a table. Source: Protocol-Independent Routing User Guide, static: next-hop, discard, reject."""

from fabricgen.platforms.junos.readback.config import Config
from fabricgen.platforms.junos.readback.text import Tree
from fabricgen.platforms.junos.readback.tree import blocks, flag, host, value
from fabricgen.readback.intended import in_vrf, prefix


def static_routes(config: Config, vrf: str, options: Tree) -> None:
    """Rows of the static routes below routing-options, or below a table of it."""
    for name, below, line in blocks(options, "static", "route"):
        try:
            network = prefix(name)
        except ValueError:
            below[None] = line
            continue
        hop = value(below, "next-hop")
        if hop is not None:
            config.put("static-route", in_vrf(vrf, network), "next-hop", host(hop.text), hop.line)
        elif begins := flag(below, "discard"):
            config.put("static-route", in_vrf(vrf, network), "next-hop", "discard", begins)


def default_gateway(config: Config, options: Tree) -> None:
    """The way out of the management instance."""
    for name, below, line in blocks(options, "static", "route"):
        hop = value(below, "next-hop") if name in ("0.0.0.0/0", "::/0") else None
        if hop is not None:
            config.put("management", "", "gateway", host(hop.text), hop.line)
        else:
            below[None] = line
