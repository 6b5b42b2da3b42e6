"""Inputs of `fabricgen push`: the inventory, the plan, and the target configuration of each switch, with secrets."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.operation.intended import Intended, LabLocation, fitting, intended, read_site, rendered_as, renderer_of
from fabricgen.operation.inventory import open_inventory, placed_problems, where_of
from fabricgen.operation.push.options import PushOptions
from fabricgen.operation.push.rules_file import read_rules
from fabricgen.plan.exceptions import ACTIVE, DRAINED
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.forms import Form
from fabricgen.platforms.commit_profiles import commit_profile_of
from fabricgen.platforms.readers import READERS, reader_of
from fabricgen.push.plan.duty import RunRules
from fabricgen.push.plan.interruption import given
from fabricgen.push.prove.snapshots import Checks
from fabricgen.push.switch.candidate import Goal, goal_of
from fabricgen.push.switch.secret_fit import SecretDemand, demands, misfits
from fabricgen.push.switch.secrets import SecretUse, places, read_secrets, unspelled, uses
from fabricgen.render.render import Renderer
from fabricgen.site.workspace import Workspace, WorkspaceError
from fabricgen.verify.collect.collect import Collection, collect
from fabricgen.verify.collect.inventory import SiteInventory
from fabricgen.verify.collect.inventory_faults import check_hosts
from fabricgen.verify.collect.store import PACKED, Target

ALL = "*"
NO_SWITCHES: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class PushSite:
    """An inventory and an intent that fit each other.

    plan     of the intent; intended: its switches, or those of the inventory's lab
    old      plan of the baseline
    targets  switches that may be changed; all of `intended` may be read
    rules    of push.yaml
    given    switch → the inventory's limits of how long its change may interrupt
    """

    options: PushOptions
    site: SiteInventory
    where: LabLocation | None
    plan: Plan
    intended: Intended
    targets: Mapping[str, Target]
    renderer: Renderer
    secrets: Mapping[str, str]
    rules: RunRules
    given: Mapping[str, object]
    old: Plan | None = None
    meanwhile: dict[frozenset[tuple[str, str]], Intended] = field(default_factory=dict)

    @property
    def inventory(self) -> Path:
        """Folder of the inventory, resolved."""
        return self.options.inventory.resolve()

    @property
    def devices(self) -> Mapping[str, Device]:
        """Every switch by name."""
        return {device.name: device for device in self.intended.devices}

    def goal(self, device: Device) -> Goal:
        """The target configuration of a switch."""
        platform = PLATFORMS[device.system]
        files = rendered_as(device, self.renderer.render(device), self.where)
        profile = commit_profile_of(reader_of(device.system).driver)
        return goal_of(device, files, platform.main, profile, self.secrets, _forms(device))

    def drained(self, names: frozenset[str], waiting: frozenset[str] = NO_SWITCHES) -> Intended:
        """The switches with these drained; waiting ones in their present state, the others as in the intent."""
        states = {**self._still(waiting), **dict.fromkeys(sorted(names), DRAINED)}
        if not states:
            return self.intended
        key = frozenset(states.items())
        if key not in self.meanwhile:
            self.meanwhile.clear()  # a wave uses one set, the next wave another
            self.meanwhile[key] = intended(_with_states(self.plan, states), self.where, ALL, self.devices)
        return self.meanwhile[key]

    def _still(self, waiting: frozenset[str]) -> Mapping[str, str]:
        """States that switches leave only in their own wave: two neighbors drain one after the other.

        Without a baseline, a switch that the change drains is assumed to be active.
        """
        new = _states(self.plan)
        old = _states(self.old) if self.old is not None else {}
        pairs = {name: (old.get(name, ACTIVE), new.get(name, ACTIVE)) for name in sorted(waiting)}
        return {name: before for name, (before, after) in pairs.items() if {before, after} == {ACTIVE, DRAINED}}

    def turned(self, name: str) -> tuple[str, str]:
        """States of a switch in the baseline and in the intent; twice the same without a baseline."""
        state = _states(self.plan).get(name, ACTIVE)
        return (_states(self.old).get(name, ACTIVE) if self.old is not None else state), state

    def before_plan(self) -> Plan | None:
        """The plan of the baseline, of the lab's switches for a lab."""
        return intended(self.old, self.where, ALL).plan if self.old is not None else None

    def before(self, names: frozenset[str] = frozenset()) -> Mapping[str, Device]:
        """Switches of the baseline, with these drained; none without a baseline."""
        if self.old is None:
            return {}
        plan = _with_states(self.old, dict.fromkeys(sorted(names), DRAINED)) if names else self.old
        return {device.name: device for device in intended(plan, self.where, ALL).devices}


def _states(plan: Plan) -> Mapping[str, str]:
    return next(fabric.exceptions.devices for fabric in plan.fabrics.values())


def _with_states(plan: Plan, changed: Mapping[str, str]) -> Plan:
    exceptions = next(fabric.exceptions for fabric in plan.fabrics.values())
    states = {name: state for name, state in {**exceptions.devices, **changed}.items() if state != ACTIVE}
    return with_exceptions(plan, exceptions._replace(devices=states))


def open_push_site(options: PushOptions, old: Plan | None) -> PushSite:
    """Read the inventory and the intent, and every secret that a rendered file refers to. Raises FabricError.

    old  the plan of the baseline, if given
    """
    site = open_inventory(options.inventory)
    where = where_of(site)
    is_lab = where is not None and where.is_lab
    workspace = read_site(options.intent, options.overlay, scenario=options.scenario, is_lab=is_lab, with_sites=True)
    plan = workspace.plan
    switches = intended(plan, where, ALL)
    targets = fitting(switches.targets, options.devices)
    with placed_problems():
        check_hosts(site, switches.targets, switches.known)
    renderer = renderer_of(switches, options.templates)
    before = intended(old, where, ALL).devices if old is not None else ()
    selected = [device for device in (*switches.devices, *before) if device.name in targets]
    return PushSite(
        options=options,
        site=site,
        where=where,
        plan=plan,
        intended=switches,
        targets=targets,
        renderer=renderer,
        secrets=_secrets(
            frozenset(use for device in selected for use in _uses(device, renderer)),
            dict.fromkeys(demand for device in selected for demand in demands(device)),
            workspace,
        ),
        rules=read_rules(options.inventory),
        given=given(site, targets),
        old=old,
    )


def _forms(device: Device) -> Mapping[str, Form]:
    """Syntax of each file of a switch, by its name."""
    return {artifact.name: artifact.form for artifact in PLATFORMS[device.system].artifacts[device.role]}


def _uses(device: Device, renderer: Renderer) -> Iterator[SecretUse]:
    """Every reference in the files of a switch, with the spelling rule of its place."""
    forms = _forms(device)
    for file in renderer.render(device):
        yield from uses(file.marked, forms[file.name])


def _secrets(
    secret_uses: frozenset[SecretUse], secret_demands: Iterable[SecretDemand], workspace: Workspace
) -> Mapping[str, str]:
    """The secrets of these references. Raises WorkspaceError with those that are missing, or fit no file or field."""
    written = places(workspace.document)
    try:
        secrets = read_secrets(sorted({use.name for use in secret_uses}), workspace.path.parent, written)
    except FabricError as error:
        raise WorkspaceError(error.problems, workspace.documents) from None
    problems = (*unspelled(secret_uses, secrets, written), *misfits(secret_demands, secrets, written))
    if problems:
        raise WorkspaceError(problems, workspace.documents)
    return secrets


def neighbors_of(push_site: PushSite) -> Mapping[str, frozenset[str]]:
    """Switch → its neighbors by cable that can be read."""
    names = push_site.intended.targets.keys()
    return {
        device.name: frozenset(row.peer for row in device.interfaces.ethernet if row.peer in names)
        for device in push_site.intended.devices
    }


def checks_of(push_site: PushSite, folder: Path) -> Checks:
    """The snapshots of the switches; outputs are stored in a folder."""

    def ask(kept: Path, targets: Mapping[str, Target]) -> None:
        collection = Collection(
            site=push_site.site,
            folder=kept,
            suffix=PACKED,
            workers=push_site.options.workers,
            stop=Event(),  # a snapshot that was begun is completed: missing switches would look lost
            done=lambda collected: None,
        )
        collect(collection, targets)

    return Checks(
        targets=push_site.intended.targets,
        readers=READERS,
        ask=ask,
        neighbors=neighbors_of(push_site),
        devices=lambda drained, waiting: push_site.drained(drained, waiting).devices,
        folder=folder,
    )


def snapshots_folder(journal: Path, token: str) -> Path:
    """Folder of a run's snapshots, next to its journal: a run that is resumed after a kill finds them there."""
    return journal.with_name(f"{journal.name}.{token}")
