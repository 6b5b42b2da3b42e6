"""The switches that `fabricgen verify` compares with: the plan's, or those of a lab made from it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from fabricgen.checks.catalogue import run_checks
from fabricgen.device.device import Device
from fabricgen.intent.scenarios import BASE
from fabricgen.lab.model.containers import containers, trimmed
from fabricgen.lab.model.faults import faults
from fabricgen.lab.model.lab import Lab, LabEnd
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.routing_text import LabRenderer
from fabricgen.lab.model.subset import parse_subset
from fabricgen.plan.exceptions import AWAY, DEAD
from fabricgen.plan.name_patterns import matching
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.containerlab import Release
from fabricgen.platforms.readers import reader_of
from fabricgen.render.render import RenderedFile, Renderer
from fabricgen.resolve.device import devices as resolved
from fabricgen.site.checked import LoadRequest, load_checked
from fabricgen.site.workspace import Workspace
from fabricgen.verify.collect.store import Target
from fabricgen.verify.expect.derive import RenderedTexts

NOTHING: Mapping[str, Device] = {}
"""No switches of another plan."""


class LabLocation(NamedTuple):
    """Switches that represent a site's: those of a namespace lab, or containers.

    subset   part of the plan, as written on the command line
    release  of containerlab; None: no containers
    built    ends of the cables that a lab was built with; none where unknown
    """

    subset: str
    release: Release | None = None
    built: frozenset[LabEnd] = frozenset()

    @property
    def is_lab(self) -> bool:
        """Whether they run the lab's network OS instead of their own."""
        return self.release is None


@dataclass(frozen=True, slots=True, kw_only=True)
class IntendedSwitches:
    """The intended switches, by name, and those of them that are read.

    lab    the lab that they belong to, if any
    where  the lab or containers that represent the site, if any
    """

    plan: Plan
    names: tuple[str, ...]
    targets: Mapping[str, Target]
    lab: Lab | None
    where: LabLocation | None = None

    @property
    def known(self) -> tuple[str, ...]:
        """Names that an inventory may have: these switches, and those that are declared dead or absent."""
        states = next((fabric.exceptions.devices for fabric in self.plan.fabrics.values()), {})
        return (*self.names, *(name for name, state in states.items() if state in AWAY))

    @property
    def is_whole(self) -> bool:
        """Whether every switch is read."""
        return len(self.targets) == len(self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intended(IntendedSwitches):
    """Intended switches with all Devices in memory, to compare them with each other."""

    devices: tuple[Device, ...]


def read_plan(intent: Path, overlay: Path | None = None, *, scenario: str = BASE, is_lab: bool = False) -> Plan:
    """The plan of an intent without problems, as `read_site` reads it."""
    return read_site(intent, overlay, scenario=scenario, is_lab=is_lab).plan


def read_site(
    intent: Path, overlay: Path | None = None, *, scenario: str = BASE, is_lab: bool = False, with_sites: bool = False
) -> Workspace:
    """An intent without problems, and its plan. Raises WorkspaceError.

    overlay  applied before the intent's overrides; scenario: the scenario to read it in
    is_lab   for a lab of it, which is possible although the switches' own network OSes may not support something
    with_sites  also compares it with the other sites of its pool file, if it has one; not for a lab
    """
    check = faults if is_lab else run_checks
    return load_checked(LoadRequest(intent, overlay), scenario, check, with_sites=with_sites and not is_lab)


def intended(plan: Plan, where: LabLocation | None, pattern: str, alike: Mapping[str, Device] = NOTHING) -> Intended:
    """The switches of a plan, or of its lab.

    where    the lab or containers that represent the site; None for real switches
    pattern  of the names of the switches to read
    alike    switches of a plan that differs little: equal ones are taken from there, to save memory

    Raises FabricError if the pattern matches none.
    """
    lab = lab_of(plan, where) if where is not None else None
    living = alive(lab.devices if lab is not None else resolved(plan))
    devices = tuple(alike[switch.name] if alike.get(switch.name) == switch else switch for switch in living)
    targets = fitting({device.name: target_of(device) for device in devices}, pattern)
    fitted = lab.plan if lab is not None else plan
    own_lab = lab if where is not None and where.is_lab else None
    names = tuple(device.name for device in devices)
    return Intended(plan=fitted, names=names, devices=devices, targets=targets, lab=own_lab, where=where)


def fitting(targets: Mapping[str, Target], pattern: str) -> Mapping[str, Target]:
    """The switches of a site to read, by a pattern of names. Raises FabricError if it matches none."""
    return {name: targets[name] for name in matching(targets, pattern)}


def lab_of(plan: Plan, where: LabLocation) -> Lab:
    """The lab or containers that represent a site, without what has been declared dead since they were built."""
    if where.release is None:
        return _living(make_lab(plan, parse_subset(where.subset), where.built))
    return containers(plan, where.subset, where.release)


def _living(lab: Lab) -> Lab:
    """The lab without what has been declared dead since it was built: its switches, and NICs attached to them."""
    dead = {device.name for device in lab.devices if device.state == DEAD}
    broken = frozenset(key for fabric in lab.plan.fabrics.values() for key in fabric.exceptions.broken)
    servers = (
        server._replace(
            nics=tuple(nic for nic in server.nics if nic.switch not in dead and (nic.switch, nic.port) not in broken)
        )
        for server in lab.servers
    )
    return replace(lab, devices=tuple(alive(lab.devices)), servers=tuple(server for server in servers if server.nics))


def alive(switches: Iterable[Device]) -> Iterator[Device]:
    """Switches that answer: a dead one has a configuration, for the device that will replace it."""
    return (device for device in switches if device.state != DEAD)


def target_of(device: Device) -> Target:
    """The collection target of a switch."""
    reader = reader_of(device.system)
    vrfs = reader.vrf_names(device)
    return Target(device.name, device.system, reader.driver, vrfs, reader.reads(vrfs))


def renderer_of(switches: IntendedSwitches, templates: Path | None) -> Renderer:
    """The renderer of these switches; some of a lab's have the routing text of another OS. `templates`: the user's."""
    return renderer_for(switches.lab.systems if switches.lab is not None else None, templates)


def renderer_for(systems: Mapping[str, str] | None, templates: Path | None) -> Renderer:
    """The renderer for the switches of a site, with None, or of a lab with these `systems`."""
    return Renderer(templates) if systems is None else LabRenderer(systems, templates)


def artifact_of(renderer: Renderer, where: LabLocation | None) -> Callable[[Device], str]:
    """A function that renders the main artifact of a switch or of its container; its secrets are marked."""
    return lambda device: texts_of(device, renderer, where, ()).main


def texts_of(device: Device, renderer: Renderer, where: LabLocation | None, names: tuple[str, ...]) -> RenderedTexts:
    """The main artifact of a switch, and its artifacts with these names; rendering stops after the last of them."""
    main = PLATFORMS[device.system].main
    name_of_path = {f"{device.name}/{name}": name for name in (main, *names)}
    texts: dict[str, str] = {}
    for file in rendered_as(device, renderer.render(device), where):
        if file.path in name_of_path:
            texts[name_of_path[file.path]] = file.marked
        if len(texts) == len(name_of_path):
            break
    return RenderedTexts(texts.pop(main), texts)


def rendered_as(device: Device, files: Iterable[RenderedFile], where: LabLocation | None) -> Iterator[RenderedFile]:
    """A switch's rendered files, as its container gets them: without lines for hardware."""
    if where is None or where.release is None:
        yield from files
        return
    path = f"{device.name}/{PLATFORMS[device.system].main}"
    for file in files:
        yield file._replace(marked=trimmed(device, where.release, file.marked)) if file.path == path else file
