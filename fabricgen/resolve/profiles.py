"""Port profiles: settings that all ports of one role and speed share."""

from fabricgen.device.interfaces import PortProfile
from fabricgen.hardware.ports import PanelPort
from fabricgen.intent.fabric import Fabric, Frontend, is_lossless, is_unnumbered, overlay_of
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.resolve.context import Context

SAMPLED_ROLES = ("host", "server", "external")
"""Roles of ports that sample flows: where packets enter the fabric, once."""
LINK_ROLES = ("uplink", "downlink")
"""Ports towards other switches."""
LOSSLESS_ROLES = (*LINK_ROLES, "host", "server")
"""Ports of a lossless class. PFC ends at ports towards outside peers: what is behind them is not lossless."""
VXLAN_OVERHEAD = 50
"""Octets: outer IPv4 20 + UDP 8 + VXLAN 8 + inner Ethernet 14 (RFC 7348)."""
RS_FEC_FROM_GBPS = 50
"""IEEE 802.3 requires RS-FEC on PAM4 lane rates (clauses 91, 119, 134, 161); slower ports keep their default."""


def qos_name(speed_gbps: int) -> str:
    """Return the name of the QoS profile of a speed."""
    return f"ROCE-{speed_gbps}G"


def port_profile(context: Context, role: str, port: PanelPort) -> PortProfile:
    """Return the profile of a port of the switch in a role: uplink, downlink, host, server, external."""
    fabric = context.settings
    lossless = is_lossless(fabric) and role in LOSSLESS_ROLES
    return PortProfile(
        name=f"{role}-{port.speed_gbps}g-{port.lanes}",
        role=role,
        routed=role != "server",
        speed_gbps=port.speed_gbps,
        lanes=port.lanes,
        parts=port.parts,
        mtu=server_port_mtu(fabric) if role == "host" else fabric.mtu,
        fec="rs-fec" if port.speed_gbps // port.lanes >= RS_FEC_FROM_GBPS else "",
        qos=qos_name(port.speed_gbps) if lossless else "",
        sflow=context.management.sflow is not None and role in SAMPLED_ROLES,
        tracking=_tracking(context, role),
        unnumbered=_is_unnumbered(context, role),
    )


def _is_unnumbered(context: Context, role: str) -> bool:
    """Return whether ports of a role have only link-local addresses; those of servers behind two leaves do."""
    if role == "host":
        return has_leaf_pairs(context.fabric)
    return role in LINK_ROLES and is_unnumbered(context.settings.addressing)


def server_port_mtu(fabric: Fabric) -> int:
    """Octets of the largest IP packet on a port to a server.

    Behind a routed port an overlay adds its headers. A switched port of a frontend bridges what its VLAN has; there
    the addresses of the VLAN have the lower limit.
    """
    has_tunnels = overlay_of(fabric) is not None and not isinstance(fabric, Frontend)
    return fabric.mtu - (VXLAN_OVERHEAD if has_tunnels else 0)


def _tracking(context: Context, role: str) -> str:
    fabric = context.settings
    if not isinstance(fabric, Frontend) or not fabric.server_ports.uplink_tracking:
        return ""
    if context.place.tier.value != "leaf":
        return ""
    return {"uplink": "upstream", "server": "downstream"}.get(role, "")
