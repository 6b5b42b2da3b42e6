"""What `fabricgen push` stands on: the inventory, the plan, and what each switch is to run, secrets in place."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.operation.intended import Intended, LabLocation, fitting, intended, read_site, rendered_as, renderer_of
from fabricgen.operation.inventory import inventory_told, open_inventory, where_of
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
NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class PushSite:
    """An inventory and an intent that fit each other.

    plan     of the intent; meant: its switches, or those of the lab that the inventory is of
    old      plan of what is said to run
    targets  switches that may be changed; all of `meant` may be looked at
    rules    of push.yaml
    given    switch → what the inventory says of how long its change may interrupt
    """

    options: PushOptions
    site: SiteInventory
    where: LabLocation | None
    plan: Plan
    meant: Intended
    targets: Mapping[str, Target]
    renderer: Renderer
    secrets: Mapping[str, str]
    rules: RunRules
    given: Mapping[str, object]
    old: Plan | None = None
    meanwhile: dict[frozenset[tuple[str, str]], Intended] = field(default_factory=dict)

    @property
    def inventory(self) -> Path:
        """Folder of the inventory, however it was typed."""
        return self.options.inventory.resolve()

    @property
    def devices(self) -> Mapping[str, Device]:
        """Every switch by name."""
        return {device.name: device for device in self.meant.devices}

    def goal(self, device: Device) -> Goal:
        """What a switch is to run."""
        platform = PLATFORMS[device.system]
        files = rendered_as(device, self.renderer.render(device), self.where)
        profile = commit_profile_of(reader_of(device.system).driver)
        return goal_of(device, files, platform.main, profile, self.secrets, _forms(device))

    def drained(self, names: frozenset[str], waiting: frozenset[str] = NOBODY) -> Intended:
        """The same switches with these drained; those that wait as they still are, the rest as the intent has them."""
        states = {**self._still(waiting), **dict.fromkeys(sorted(names), DRAINED)}
        if not states:
            return self.meant
        key = frozenset(states.items())
        if key not in self.meanwhile:
            self.meanwhile.clear()  # a wave has one set, and the next another
            self.meanwhile[key] = intended(_with_states(self.plan, states), self.where, ALL, self.devices)
        return self.meanwhile[key]

    def _still(self, waiting: frozenset[str]) -> Mapping[str, str]:
        """States that switches leave only when it is their turn: two that are neighbors drain one after the other.

        Where nothing says what runs, one that is to be drained is taken for active.
        """
        new = _states(self.plan)
        old = _states(self.old) if self.old is not None else {}
        pairs = {name: (old.get(name, ACTIVE), new.get(name, ACTIVE)) for name in sorted(waiting)}
        return {name: was for name, (was, now) in pairs.items() if {was, now} == {ACTIVE, DRAINED}}

    def turned(self, name: str) -> tuple[str, str]:
        """States of a switch in what is said to run and in the intent; the same twice where nothing is said."""
        now = _states(self.plan).get(name, ACTIVE)
        return (_states(self.old).get(name, ACTIVE) if self.old is not None else now), now

    def before_plan(self) -> Plan | None:
        """The plan of what is said to run, of the lab's switches where they are a lab's."""
        return intended(self.old, self.where, ALL).plan if self.old is not None else None

    def before(self, names: frozenset[str] = frozenset()) -> Mapping[str, Device]:
        """Switches of what is said to run, these drained; none where nothing is said."""
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

    old  the plan of what is said to run, where it is said
    """
    site = open_inventory(options.inventory)
    where = where_of(site)
    is_lab = where is not None and where.is_lab
    workspace = read_site(options.intent, options.overlay, scenario=options.scenario, is_lab=is_lab)
    plan = workspace.plan
    meant = intended(plan, where, ALL)
    targets = fitting(meant.targets, options.devices)
    with inventory_told():
        check_hosts(site, meant.targets, meant.known)
    renderer = renderer_of(meant, options.templates)
    before = intended(old, where, ALL).devices if old is not None else ()
    wanted = [device for device in (*meant.devices, *before) if device.name in targets]
    return PushSite(
        options=options,
        site=site,
        where=where,
        plan=plan,
        meant=meant,
        targets=targets,
        renderer=renderer,
        secrets=_secrets(
            frozenset(use for device in wanted for use in _uses(device, renderer)),
            dict.fromkeys(demand for device in wanted for demand in demands(device)),
            workspace,
        ),
        rules=read_rules(options.inventory),
        given=given(site, targets),
        old=old,
    )


def _forms(device: Device) -> Mapping[str, Form]:
    """How each file of a switch is written, by its name."""
    return {artifact.name: artifact.form for artifact in PLATFORMS[device.system].artifacts[device.role]}


def _uses(device: Device, renderer: Renderer) -> Iterator[SecretUse]:
    """Every reference in the files of a switch, with the way its secret is spelled there."""
    forms = _forms(device)
    for file in renderer.render(device):
        yield from uses(file.marked, forms[file.path.rpartition("/")[2]])


def _secrets(found: frozenset[SecretUse], wanted: Iterable[SecretDemand], workspace: Workspace) -> Mapping[str, str]:
    """What references lead to. Raises WorkspaceError with those that lead nowhere, or fit no file or field."""
    written = places(workspace.document)
    try:
        secrets = read_secrets(sorted({use.name for use in found}), workspace.path.parent, written)
    except FabricError as error:
        raise WorkspaceError(error.problems, workspace.documents) from None
    problems = (*unspelled(found, secrets, written), *misfits(wanted, secrets, written))
    if problems:
        raise WorkspaceError(problems, workspace.documents)
    return secrets


def near_of(ground: PushSite) -> Mapping[str, frozenset[str]]:
    """Switch → those that it is cabled to and that can be asked."""
    names = ground.meant.targets.keys()
    return {
        device.name: frozenset(row.peer for row in device.interfaces.ethernet if row.peer in names)
        for device in ground.meant.devices
    }


def checks_of(ground: PushSite, folder: Path) -> Checks:
    """How the switches are looked at; what they say is kept in a folder."""

    def ask(kept: Path, targets: Mapping[str, Target]) -> None:
        how = Collection(
            site=ground.site,
            folder=kept,
            suffix=PACKED,
            workers=ground.options.workers,
            stop=Event(),  # a look that was begun is finished: what it would lack would look lost
            done=lambda collected: None,
        )
        collect(how, targets)

    return Checks(
        targets=ground.meant.targets,
        readers=READERS,
        ask=ask,
        near=near_of(ground),
        devices=lambda drained, waiting: ground.drained(drained, waiting).devices,
        folder=folder,
    )


def looks_folder(journal: Path, token: str) -> Path:
    """Folder of what a run sees, beside its journal: a run that goes on after a kill finds it there again."""
    return journal.with_name(f"{journal.name}.{token}")
