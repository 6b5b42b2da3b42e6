"""The cable of one link: length, what it is made of, and where that was written."""

from collections.abc import Iterator

from fabricgen.explain.answer import Fact, Origin
from fabricgen.explain.known import Known, cable_rows, intent_origin, spot
from fabricgen.hardware.ports import Port
from fabricgen.plan.cabling import LENGTH_KEYS
from fabricgen.plan.exceptions import SlotKey, server_name
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, port_text
from fabricgen.plan.links import BORDER_EXTERNAL, LEAF_SPINE, SERVER_LEAF, Link, Plug, cage_links
from fabricgen.plan.medium import Chooser, length_of
from fabricgen.plan.place import Place
from fabricgen.plan.wiring import HostPort, Uplink


def uplink_link(fabric: FabricPlan, uplink: Uplink) -> Link:
    """The link of an uplink, the lower switch first."""
    near = switch_plug(fabric, uplink.lower, uplink.lower_port)
    return Link(LEAF_SPINE, near, switch_plug(fabric, uplink.upper, uplink.upper_port))


def host_link(fabric: FabricPlan, leaf: Place, host: HostPort) -> Link:
    """The link of a leaf's port towards servers, the server first."""
    return Link(SERVER_LEAF, nic_plug(fabric, host), switch_plug(fabric, leaf, host.port))


def external_link(fabric: FabricPlan, border: Place, port: Port, peer: str) -> Link:
    """The link of a border leaf's port to the outside: of the far end nothing is known but its name."""
    near = switch_plug(fabric, border, port)
    return Link(BORDER_EXTERNAL, near, near._replace(owner=None, device=peer, port="", cage="", part=0))


def switch_plug(fabric: FabricPlan, place: Place, port: Port) -> Plug:
    """One end of a link in a switch."""
    return Plug(
        owner=place,
        device=name_of(fabric, place),
        port=port_text(fabric, place, port),
        cage=str(port.cage),
        part=port.part,
        parts=port.parts,
        connector=port.connector,
        speed_gbps=port.speed_gbps,
    )


def nic_plug(fabric: FabricPlan, host: HostPort) -> Plug:
    """One end of a link in a server; a cage may hold two of its NIC ports."""
    nics = group_of(fabric, host.group).nics
    port = nics.ports[host.nic]
    mates = [at for at, other in enumerate(nics.ports) if port.cage and other.cage == port.cage] or [host.nic]
    return Plug(
        owner=SlotKey(host.group, host.slot),
        device=server_name(fabric.exceptions, host.group, host.slot),
        port=port.name,
        cage=port.cage,
        part=mates.index(host.nic),
        parts=len(mates),
        connector=nics.connector,
        speed_gbps=nics.speed_gbps // nics.planes,
    )


def cable_facts(known: Known, fabric: FabricPlan, link: Link) -> Iterator[Fact]:
    """Length, medium and modules of a cable."""
    yield Fact("length", f"{length_of(fabric, link):g} m", "", _length_origin(known, link))
    chooser = Chooser(fabric, known.plan.catalog.media)
    near, far = cage_links(fabric, link, link.near), cage_links(fabric, link, link.far)
    medium = chooser.choose(link, near, far)
    if medium.choice is None:
        yield Fact("medium", f"nothing in the hardware library joins the two over {medium.span_m:g} m")
        return
    choice = medium.choice
    parts = (
        choice.near
        if choice.near == choice.far
        else f"{choice.near} at {link.near.device}, {choice.far} at the other end"
    )
    yield Fact("medium", f"{choice.kind}: {parts}")


def _length_origin(known: Known, link: Link) -> Origin:
    ends = ((link.near.device, link.near.port), (link.far.device, link.far.port))
    written = cable_rows(known, ends)
    if written:
        return Origin(spot(written[0].at("length_m")), "cable file")
    key = LENGTH_KEYS[link.kind]
    path = ("cables", "default", key)
    if known.intent is not None and path not in known.intent.places:
        return Origin("", f"cables.default.{key}: the default, as the intent leaves it out")
    return intent_origin(known, path, f"cables.default.{key}")
