"""Turn a switch or server of the plan into a node of a containerlab topology, with the files that it needs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fabricgen.device.device import Device
from fabricgen.intent.fabric import Backend
from fabricgen.lab.interfaces.hosts import SETTINGS, lines, rules6
from fabricgen.lab.model.lab import LabServer
from fabricgen.plan.fabric import FabricPlan, group_of, place_of
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import groups_on
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.containerlab import Access, Container, Estimate, NodeKind
from fabricgen.platforms.base.forms import Form
from fabricgen.render.render import Renderer

LINUX = "linux"
"""Kind of a node that is no switch. Its settings are written per node, because platforms may use this kind too."""
SERVER, SERVER_IMAGE = "server", "wbitt/network-multitool:latest"
SERVER_MEMORY = Estimate(10, "unsure: a shell and its container, not measured")
LEVELS = {"superspine": "1", "spine": "2", "border-leaf": "3", "leaf": "3", SERVER: "4"}
"""Role → tier of the graph, 1 at the top (`graph-level` of clab-io-draw)."""
ICONS = {"superspine": "router", "spine": "router", "border-leaf": "router", "leaf": "switch", SERVER: "host"}
RAILS = "rails"
"""Name of the axis that a leaf may have several values of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One node.

    kind     name in the topology file; use: the platform's name, or `server`, which images are named by
    shared   whether `image` is written with the kind; otherwise it is written with the node
    labels   text each
    forms    name of a rendered file → how it is written
    """

    name: str
    kind: str
    use: str
    shared: bool
    image: str
    group: str
    memory: Estimate
    labels: Mapping[str, str]
    container: Container
    forms: Mapping[str, Form] = field(default_factory=dict)


def accesses(kinds: Mapping[str, NodeKind], images: Mapping[str, str]) -> dict[str, Access]:
    """How each platform's nodes are accessed, by the image that they run."""
    return {system: kind.access(images.get(system, kind.image)) for system, kind in kinds.items()}


def switch_node(plan: Plan, device: Device, kind: NodeKind, renderer: Renderer, images: Mapping[str, str]) -> Node:
    """Return the node of a switch, fitted and rendered."""
    fitted = kind.fit(device)
    files = {rendered.name: rendered.marked for rendered in renderer.render(fitted)}
    return Node(
        name=device.name,
        kind=kind.name,
        use=device.system,
        shared=kind.name != LINUX,
        image=images.get(device.system, kind.image),
        group=device.role,
        memory=kind.memory,
        labels=_labels(device.role, {"fabric": device.fabric} | axes(plan.fabrics[device.fabric], device)),
        container=kind.make(fitted, files),
        forms={artifact.name: artifact.form for artifact in PLATFORMS[device.system].artifacts[device.role]},
    )


def axes(fabric: FabricPlan, device: Device) -> dict[str, str]:
    """Place of a switch on the axes that its fabric has more than one of; of a leaf also server group and rails.

    A superspine belongs to a core group instead of a pod: it joins the spines of this number of all pods.
    `rails` lists all rails that the leaf serves, as "2,3".
    """
    place = place_of(fabric, device.name)
    if place is None:
        return {}
    shape, is_core = fabric.shape, place.tier is Tier.SUPERSPINE
    values = {
        "plane": (shape.planes, place.plane),
        "pod": (0 if is_core else shape.pods, place.pod),
        "core_group": (shape.spines if is_core else 0, place.su),
    }
    labels = {name: str(value) for name, (count, value) in values.items() if count > 1}
    return labels | (_leaf_axes(fabric, place) if place.tier is Tier.LEAF else {})


def _leaf_axes(fabric: FabricPlan, place: Place) -> dict[str, str]:
    group = group_of(fabric, place.group)
    servers = ",".join(each.name for each in groups_on(fabric, place))
    labels = {"servers": servers, "unit": str(place.pod * group.units_a_pod + place.su)}
    served = _rails(fabric, place)
    return labels | ({RAILS: ",".join(map(str, served))} if served else {})


def _rails(fabric: FabricPlan, leaf: Place) -> list[int]:
    """Rails of the NIC ports that are cabled to a leaf; empty on a frontend, and where all servers have one rail."""
    groups = groups_on(fabric, leaf)
    if not isinstance(fabric.fabric, Backend) or len({port.rail for each in groups for port in each.nics.ports}) == 1:
        return []
    return sorted(
        {
            each.nics.ports[nic].rail
            for each in groups
            for nic in each.nics_at(leaf.plane, leaf.rail, leaf.index).values()
        }
    )


def rail_names(switch_axes: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the rail groups of a switch: rail_2 and rail_3 for "2,3"."""
    return tuple(f"rail_{rail}" for rail in switch_axes[RAILS].split(",")) if RAILS in switch_axes else ()


def _labels(role: str, tags: Mapping[str, str]) -> dict[str, str]:
    tools = {
        "graph-level": LEVELS[role],
        "graph-icon": ICONS[role],
        "ansible-group": role.replace("-", "_"),
        "nornir-group": role,
    }
    more = [tags["fabric"], *(f"{tags['fabric']}__{name}" for name in rail_names(tags))] if "fabric" in tags else []
    groups = {f"nornir-group-{number}": name for number, name in enumerate(more, start=2)}
    return tools | groups | {"role": role, **tags}


def server_node(plan: Plan, server: LabServer, images: Mapping[str, str]) -> Node:
    """Return the node of a server; commands set its addresses and routes."""
    labels = {"servers": server.group} | ({"tenant": server.tenant} if server.tenant else {})
    return Node(
        name=server.name,
        kind=LINUX,
        use=SERVER,
        shared=False,
        image=images.get(SERVER, SERVER_IMAGE),
        group=SERVER,
        memory=SERVER_MEMORY,
        labels=_labels(SERVER, labels),
        container=Container(
            ports={nic.name: nic.name for nic in server.nics if not nic.parent},
            files={},
            execs=tuple(_server_execs(plan, server)),
            keys={"sysctls": dict(SETTINGS), "restart-policy": "no"},
        ),
    )


def _server_execs(plan: Plan, server: LabServer) -> Iterator[str]:
    """Commands of a server: those of a lab of namespaces, except that they replace docker's own default route."""
    for nic in server.nics:
        if nic.parent:
            yield f"ip link add link {nic.parent} name {nic.name} type vlan id {nic.vlan_id}"
    yield from (f"ip {line.replace('route add ', 'route replace ', 1)}" for line in lines(plan, server))
    yield from (f"ip -6 {line}" for line in rules6(server))
