"""Small sites as text, on panels that exist nowhere, and the shapes and problems that come of them."""

from pathlib import Path

import pytest

import fabricgen.hardware
from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.catalog import Catalog, Shelf
from fabricgen.hardware.model import Asic, Cages, Mode, NicGroup, NicPort, PortNames, ServerModel, SwitchModel
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from fabricgen.topologies.shape import Shape

MEDIA = Path(fabricgen.hardware.__file__).with_name("media.yaml")
ASIC = Asic(sources={}, name="chip", title="chip", terabits=51.2, queues=8)


def panel(name: str, *runs: tuple[int, int], most: int = 2) -> SwitchModel:
    """Panel of runs of whole cages, each (how many, Gb/s); cages of 400G and more also give halves, up to `most`."""
    cages, first = [], 1
    for count, speed in runs:
        splits = [parts for parts in (2, 4, 8) if parts <= most and speed >= 400]
        halves = tuple(Mode(parts=parts, speed_gbps=speed // parts, lanes=8 // parts) for parts in splits)
        cages.append(
            Cages(
                cages=f"{first}-{first + count - 1}",
                connector="osfp",
                lanes=8,
                modes=(Mode(parts=1, speed_gbps=speed, lanes=8), *halves),
                source="none",
            )
        )
        first += count
    return SwitchModel(
        sources={},
        model=name,
        vendor="none",
        title=name,
        asic="chip",
        cages=tuple(cages),
        port_names={"eos": PortNames(whole="Ethernet{cage}/1", part="Ethernet{cage}/{lane}")},
        management_port={"eos": "Management1"},
        mtu=9214,
    )


def server(
    name: str, speed: int, count: int, rails: bool = True, choices: tuple[int, ...] = (), a_rail: int = 1
) -> ServerModel:
    """Server with one NIC group `nics` of so many ports, `a_rail` of each rail, and the slices a NIC may have."""
    ports = tuple(NicPort(name=f"nic{at}", rail=at // a_rail if rails else 0) for at in range(count))
    group = NicGroup(
        speed_gbps=speed, connector="osfp", ports=ports, plane_choices=choices, vendor="nvidia", source="none"
    )
    return ServerModel(sources={}, model=name, vendor="none", title=name, gpus=8, nics={"nics": group})


SWITCHES = (
    panel("r2", (2, 400)),
    panel("r4", (4, 400)),
    panel("r16", (16, 400)),
    panel("r32", (32, 400)),
    panel("r64", (64, 400)),
    panel("r128", (128, 400)),
    panel("r144", (144, 800)),
    panel("r220", (220, 400)),
    panel("r288", (288, 400)),
    panel("r64-800", (64, 800), most=8),
    panel("mixed", (24, 200), (8, 400)),
    panel("mixed-small", (8, 100), (4, 400)),
    panel("two-uplinks", (24, 200), (2, 400)),
    panel("slow", (48, 100)),
)
SERVERS = (
    server("gpu8", 400, 8),
    server("gpu8-800", 800, 8),
    server("gpu7", 400, 7),
    server("gpu8-200", 200, 8),
    server("gpu8-slices", 800, 8, choices=(1, 2, 4, 8)),
    server("gpu8-halves", 400, 8, choices=(1, 2)),
    server("gpu8-pairs", 200, 16, a_rail=2),
    server("gpu4-slices", 800, 4, choices=(1, 2)),
    server("gpu4-halves", 400, 4, choices=(1, 2)),
    server("gpu4", 400, 4),
    server("one", 200, 1, rails=False),
    server("two", 200, 2, rails=False),
    server("four", 200, 4, rails=False),
    server("three", 200, 3, rails=False),
    server("two-100", 100, 2, rails=False),
    server("odd-speed", 25, 2, rails=False),
)


def catalog() -> Catalog:
    """Library of the panels and servers above."""
    here = Path("none.yaml")
    switches = {each.model: each for each in SWITCHES}
    servers = {each.model: each for each in SERVERS}
    return Catalog(
        switches=Shelf(SwitchModel, dict.fromkeys(sorted(switches), here), _read=dict(switches)),
        asics=Shelf(Asic, {"chip": here}, _read={"chip": ASIC}),
        servers=Shelf(ServerModel, dict.fromkeys(sorted(servers), here), _read=dict(servers)),
        media_file=MEDIA,
    )


def site(fabrics: str, servers: str, tenants: str = "{}", oob: str = "172.16.0.0/16") -> Intent:
    """Intent of these fabrics and servers, both as YAML in flow style."""
    text = (
        f"fabricgen: 1\nsite: dc1\nmanagement: {{oob: {oob}, gateway: 172.16.0.1}}\n"
        f"servers: {servers}\nfabrics: {fabrics}\ntenants: {tenants}\n"
    )
    return validate(Intent, load_document(text, "intent.yaml"))


def rail(
    leaf: str,
    spine: str | None,
    slots: str,
    *,
    model: str = "gpu8",
    per_leaf: int = 1,
    spines: str = "",
    planned: int = 0,
) -> Intent:
    """Intent of one rail-optimized backend with one server group."""
    above = f"spine: {{model: {spine}, os: eos-4.34}}, " if spine else ""
    counts = f", spines: {spines}" if spines else ""
    more = f", planned: {planned}" if planned else ""
    return site(
        f"{{backend: {{kind: backend, connects: {{train: nics}}, leaf: {{model: {leaf}, os: eos-4.34}}, {above}"
        f"topology: {{design: rail-optimized, rails_per_leaf: {per_leaf}{counts}}}, "
        "addressing: {ipv4: 10.0.0.0/8}, asns: 4200000000-4200099999}}",
        f"{{train: {{model: {model}, slots: {slots}{more}}}}}",
    )


def pairs(
    leaf: str,
    spine: str,
    ratio: str,
    slots: str,
    *,
    model: str = "two",
    borders: int = 0,
    spines: str = "",
    extra: str = "",
) -> Intent:
    """Intent of one leaf-spine frontend with one server group; `extra` is more text of the fabric."""
    counts = f", spines: {spines}" if spines else ""
    return site(
        f"{{frontend: {{kind: frontend, connects: {{train: nics}}, leaf: {{model: {leaf}, os: eos-4.34}}, "
        f"spine: {{model: {spine}, os: eos-4.34}}, {extra}"
        f'topology: {{design: leaf-spine, oversubscription: "{ratio}", border_leaves: {borders}{counts}}}, '
        "addressing: {ipv4: 10.0.0.0/8}, asns: 4200000000-4200099999}}",
        f"{{train: {{model: {model}, slots: {slots}}}}}",
    )


def backend(topology: str, slots: str, *, leaf: str = "r64", spine: str = "r64", core: str = "", **more: str) -> Intent:
    """Intent of one backend with these keys of its topology; `model` and `planned` are of its servers."""
    above = (f"spine: {{model: {spine}, os: eos-4.34}}, " if spine else "") + (
        f"superspine: {{model: {core}, os: eos-4.34}}, " if core else ""
    )
    model, planned = more.get("model", "gpu8"), f", planned: {more['planned']}" if "planned" in more else ""
    return site(
        f"{{backend: {{kind: backend, connects: {{train: nics}}, leaf: {{model: {leaf}, os: eos-4.34}}, {above}"
        f"topology: {{{topology}}}, addressing: {{ipv4: 10.0.0.0/8}}, asns: 4200000000-4200999999}}}}",
        f"{{train: {{model: {model}, slots: {slots}{planned}}}}}",
        oob="172.16.0.0/14",
    )


def shape_of(intent: Intent) -> Shape:
    """Shape of the only fabric."""
    (made,) = make_shapes(intent, catalog()).values()
    return made


def plan_of(intent: Intent, recorded: Lock | None = None, exceptions: Exceptions | None = None) -> Plan:
    """Plan of a site."""
    library = catalog()
    return make_plan(intent, library, make_shapes(intent, library), recorded or Lock(), exceptions or Exceptions())


def problem_of(intent: Intent) -> Problem:
    """Return the only problem of an impossible intent."""
    with pytest.raises(FabricError) as raised:
        shape_of(intent)
    (problem,) = raised.value.problems
    return problem
