"""What `fabricgen verify` compares with: the plan's switches, or those of a lab made from it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from fabricgen.checks.catalogue import run_checks
from fabricgen.device.device import Device
from fabricgen.drivers.readers import READERS
from fabricgen.errors import FabricError, Problem
from fabricgen.lab.faults import faults
from fabricgen.lab.lab import make_lab
from fabricgen.lab.model import Lab
from fabricgen.lab.subset import parse_subset
from fabricgen.plan.fabric import places
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.render.render import Renderer
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from fabricgen.verify.derive import expectations
from fabricgen.verify.derive_about import about_of
from fabricgen.verify.judge import judge
from fabricgen.verify.run import Judge
from fabricgen.verify.store import Target, without_secrets
from fabricgen.verify.swaps import explain
from fabricgen.workspace import WorkspaceError, open_workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Intended:
    """The switches that are meant, and those of them that are asked. `lab`: what they are the switches of, if any."""

    plan: Plan
    devices: tuple[Device, ...]
    targets: Mapping[str, Target]
    lab: Lab | None

    @property
    def is_whole(self) -> bool:
        """Whether every switch is asked."""
        return len(self.targets) == len(self.devices)


def read_plan(intent: Path, overlay: Path | None = None, *, is_lab: bool = False) -> Plan:
    """The plan of an intent without problems. Raises WorkspaceError.

    overlay  in front of the intent's overrides
    is_lab   what is asked is a lab of it, which stands although the switches' own systems may refuse something
    """
    workspace = open_workspace(intent, overlay=overlay)
    problems = tuple(faults(workspace.plan) if is_lab else run_checks(workspace.plan))
    if problems:
        raise WorkspaceError(problems, workspace.documents)
    return workspace.plan


def intended(plan: Plan, subset: str | None, pattern: str) -> Intended:
    """The switches of a plan, or of its lab.

    subset   of the lab; None where the switches are real ones
    pattern  of the names of those that are asked

    Raises FabricError where the pattern fits none.
    """
    lab = make_lab(plan, parse_subset(subset)) if subset is not None else None
    devices = lab.devices if lab is not None else tuple(_planned(plan))
    targets = {device.name: _target(device) for device in devices if fnmatchcase(device.name, pattern)}
    if not targets:
        problem = Problem(
            code="devices-none",
            what=f"--devices {pattern} fits no switch",
            why=f"the first of {len(devices)} is {devices[0].name}" if devices else "there is none",
            fix="write a pattern as a shell has them, in quotes, e.g. 'be-leaf-*'",
        )
        raise FabricError([problem])
    fitted = lab.plan if lab is not None else plan
    return Intended(plan=fitted, devices=devices, targets=targets, lab=lab)


def _planned(plan: Plan) -> Iterator[Device]:
    for name, fabric in plan.fabrics.items():
        site = make_site(plan, name)
        for place in places(fabric):
            yield resolve(site, place)


def _target(device: Device) -> Target:
    reader = READERS[device.system]
    vrfs = reader.vrf_names(device)
    return Target(device.name, device.system, reader.driver, vrfs, reader.reads(vrfs))


def judge_of(meant: Intended, templates: Path | None) -> Judge:
    """What judges these switches. `templates`: the user's, in front of ours."""
    artifact, about = artifact_of(Renderer(templates)), about_of(meant.plan)
    return Judge(
        targets=meant.targets,
        readers=READERS,
        expectations=lambda: expectations(meant.devices, lambda device: _discreet(artifact(device)), about),
        compare=judge,
        explain=explain,
    )


def _discreet(artifact: str) -> str:
    """An artifact whose lines a finding may tell: a user's template may spell a secret out."""
    return str(without_secrets(artifact))


def artifact_of(renderer: Renderer) -> Callable[[Device], str]:
    """What renders the main artifact of a switch."""

    def main(device: Device) -> str:
        path = f"{device.name}/{PLATFORMS[device.system].main}"
        return next(rendered.text for rendered in renderer.render(device) if rendered.path == path)

    return main
