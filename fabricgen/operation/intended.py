"""What `fabricgen verify` compares with: the plan's switches, or those of a lab made from it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.checks.catalogue import run_checks
from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.intent.scenarios import BASE
from fabricgen.lab.model.containers import containers, trimmed
from fabricgen.lab.model.faults import faults
from fabricgen.lab.model.lab import Lab, LabEnd
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.routing_text import LabRenderer
from fabricgen.lab.model.subset import parse_subset
from fabricgen.plan.exceptions import AWAY, DEAD
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

NOTHING: Mapping[str, Device] = MappingProxyType({})
"""No switch of another plan."""


class LabLocation(NamedTuple):
    """Switches that stand for a site's: those of a namespace lab, or containers.

    subset   part of the plan, as written on the command line
    release  of containerlab; None: of no containers
    built    ends of the cables that a lab was built with; none where that is not known
    """

    subset: str
    release: Release | None = None
    built: frozenset[LabEnd] = frozenset()

    @property
    def is_lab(self) -> bool:
        """Whether they have the lab's operating system in place of their own."""
        return self.release is None


@dataclass(frozen=True, slots=True, kw_only=True)
class IntendedSwitches:
    """The switches that are meant, by name, and those of them that are asked.

    lab    what they are the switches of, if any
    where  what stands for the site, if anything does
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
        """Whether every switch is asked."""
        return len(self.targets) == len(self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intended(IntendedSwitches):
    """The same with the switches themselves, all held at once: for what compares them with each other."""

    devices: tuple[Device, ...]


def read_plan(intent: Path, overlay: Path | None = None, *, scenario: str = BASE, is_lab: bool = False) -> Plan:
    """The plan of an intent without problems, as `read_site` reads it."""
    return read_site(intent, overlay, scenario=scenario, is_lab=is_lab).plan


def read_site(intent: Path, overlay: Path | None = None, *, scenario: str = BASE, is_lab: bool = False) -> Workspace:
    """An intent without problems, and its plan. Raises WorkspaceError.

    overlay  in front of the intent's overrides; scenario: the one to read it in
    is_lab   what is asked is a lab of it, which stands although the switches' own systems may refuse something
    """
    return load_checked(LoadRequest(intent, overlay), scenario, faults if is_lab else run_checks)


def intended(plan: Plan, where: LabLocation | None, pattern: str, alike: Mapping[str, Device] = NOTHING) -> Intended:
    """The switches of a plan, or of its lab.

    where    what stands for the site; None where the switches are real ones
    pattern  of the names of those that are asked
    alike    switches of a plan that differs little: those that are equal are taken from there, and held once

    Raises FabricError where the pattern fits none.
    """
    lab = lab_of(plan, where) if where is not None else None
    found = alive(lab.devices if lab is not None else resolved(plan))
    devices = tuple(alike[one.name] if alike.get(one.name) == one else one for one in found)
    targets = fitting({device.name: target_of(device) for device in devices}, pattern)
    fitted = lab.plan if lab is not None else plan
    own = lab if where is not None and where.is_lab else None
    names = tuple(device.name for device in devices)
    return Intended(plan=fitted, names=names, devices=devices, targets=targets, lab=own, where=where)


def fitting(targets: Mapping[str, Target], pattern: str) -> Mapping[str, Target]:
    """Those of a site that are asked, by a pattern of names. Raises FabricError where it fits none."""
    found = {name: target for name, target in targets.items() if fnmatchcase(name, pattern)}
    if not found:
        first = next(iter(targets), "")
        problem = Problem(
            code="devices-none",
            what=f"no switch matches --devices {pattern}",
            why=f"there are {len(targets)} switches, the first is {first}" if first else "there is no switch",
            fix="use a quoted shell pattern, e.g. 'be-leaf-*'",
        )
        raise FabricError([problem])
    return found


def lab_of(plan: Plan, where: LabLocation) -> Lab:
    """What stands for a site, without what has been declared dead since it was built."""
    if where.release is None:
        return _living(make_lab(plan, parse_subset(where.subset), where.built))
    return containers(plan, where.subset, where.release)


def _living(lab: Lab) -> Lab:
    """The lab without what has been declared dead since it was built: its switches, and NICs that hang at them."""
    dead = {device.name for device in lab.devices if device.state == DEAD}
    broken = frozenset(key for fabric in lab.plan.fabrics.values() for key in fabric.exceptions.broken)
    servers = (
        server._replace(
            nics=tuple(nic for nic in server.nics if nic.switch not in dead and (nic.switch, nic.port) not in broken)
        )
        for server in lab.servers
    )
    return replace(lab, devices=tuple(alive(lab.devices)), servers=tuple(server for server in servers if server.nics))


def alive(found: Iterable[Device]) -> Iterator[Device]:
    """Switches that answer: a dead one has a configuration, which waits for the box that replaces it."""
    return (device for device in found if device.state != DEAD)


def target_of(device: Device) -> Target:
    """How a switch is asked."""
    reader = reader_of(device.system)
    vrfs = reader.vrf_names(device)
    return Target(device.name, device.system, reader.driver, vrfs, reader.reads(vrfs))


def renderer_of(meant: IntendedSwitches, templates: Path | None) -> Renderer:
    """What renders these switches: some of a lab's run the routing text of another system. `templates`: the user's."""
    return renderer_for(meant.lab.systems if meant.lab is not None else None, templates)


def renderer_for(systems: Mapping[str, str] | None, templates: Path | None) -> Renderer:
    """What renders the switches of a site, with None, or of a lab whose `systems` these are."""
    return Renderer(templates) if systems is None else LabRenderer(systems, templates)


def artifact_of(renderer: Renderer, where: LabLocation | None) -> Callable[[Device], str]:
    """What renders the main artifact of a switch, as what stands for it has it; its secrets are marked."""
    return lambda device: texts_of(device, renderer, where, ()).main


def texts_of(device: Device, renderer: Renderer, where: LabLocation | None, names: tuple[str, ...]) -> RenderedTexts:
    """The main artifact of a switch, and those of these names that it has; nothing is rendered behind the last."""
    main = PLATFORMS[device.system].main
    wanted = {f"{device.name}/{name}": name for name in (main, *names)}
    found: dict[str, str] = {}
    for file in rendered_as(device, renderer.render(device), where):
        if file.path in wanted:
            found[wanted[file.path]] = file.marked
        if len(found) == len(wanted):
            break
    return RenderedTexts(found.pop(main), found)


def rendered_as(device: Device, files: Iterable[RenderedFile], where: LabLocation | None) -> Iterator[RenderedFile]:
    """A switch's rendered files, as what stands for it has them: a container lacks what is hardware's."""
    if where is None or where.release is None:
        yield from files
        return
    path = f"{device.name}/{PLATFORMS[device.system].main}"
    for file in files:
        yield file._replace(marked=trimmed(device, where.release, file.marked)) if file.path == path else file
