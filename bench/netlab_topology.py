"""The fabric of bench/against.py as a topology of netlab: the same switches, cables, port names, AS numbers, NIC ports.

A node of netlab knows addresses, BGP and an MTU up to 9,194; it has no words for RoCE or for what telemetry needs.
Keys by the documentation of netlab 26.10 (topology, addressing, links, bgp).
"""

from collections.abc import Iterator

from bench.against_fabric import UNNUMBERED, Fabric

LARGEST_MTU = 9194
"""netlab's for this device; ours and AVD's have 9,214."""
HEAD = """\
provider: clab
defaults.device: eos
defaults.const.MAX_NODE_ID: 4000
module: [bgp]
defaults.interfaces.mtu: {mtu}
bgp.sessions: {{ipv4: [ebgp], ipv6: [ebgp]}}
addressing:
  loopback: {{ipv4: 10.96.0.0/20, ipv6: "fd5e:8c1f:2b00::/48"}}
  mgmt: {{ipv4: 10.0.0.0/20, start: 16}}
  p2p: {p2p}
"""
NUMBERED_POOL = '{ipv4: 10.128.0.0/12, prefix: 31, ipv6: "fd5e:8c1f:2c00::/48", prefix6: 127}'
UNNUMBERED_POOL = "{unnumbered: true}"


def topology_text(fabric: Fabric, links: str) -> str:
    """topology.yml. links: `unnumbered` or `numbered`; netlab numbers them in both families."""
    return "".join(f"{line}\n" for line in _lines(fabric, links))


def _lines(fabric: Fabric, links: str) -> Iterator[str]:
    pool = UNNUMBERED_POOL if links == UNNUMBERED else NUMBERED_POOL
    yield HEAD.format(mtu=LARGEST_MTU, p2p=pool).rstrip()
    yield "nodes:"
    for switch in fabric.switches:
        yield f"  {switch.name}: {{bgp.as: {switch.asn}}}"
    yield "links:"
    for link in fabric.links:
        yield f"- {link.lower}: {{ifname: {link.lower_port}}}"
        yield f"  {link.upper}: {{ifname: {link.upper_port}}}"
    for port in fabric.ports:
        yield f"- {port.leaf}: {{ifname: {port.port}, ipv4: {port.address}}}"
        yield f"  name: {port.server} {port.nic}"
        yield "  prefix: false"
