"""Audit every switch of a folder, in runs: by this process, or by several of this machine."""

import gc
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from hashlib import blake2b
from typing import NamedTuple

from fabricgen.audit.folder import ConfigFolder
from fabricgen.audit.gathered import GatheredSite
from fabricgen.audit.large import LargeFabric
from fabricgen.audit.representatives import WHOLE
from fabricgen.audit.switch import SwitchAudit, audited
from fabricgen.audit.total import AuditTotal
from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.plan.fabric import places
from fabricgen.plan.plan import Plan
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.readback.rows import TextLine
from fabricgen.render.render import Renderer
from fabricgen.render.tree import FabricSlice, devices_of, runs_of
from fabricgen.verify.collect.redact_config import without_likely_secrets
from fabricgen.workers.pool import Workers, workers
from fabricgen.workers.request import ParallelOptions
from fabricgen.workers.tree import size_of

FROM = 32
"""Number of switches from which more than one process pays off: a switch takes 3 to 50 ms, by its system."""
LEAST = 8
"""Least number of switches of a run."""
NONE: Mapping[str, bytes] = {}


@contextmanager
def without_collector() -> Iterator[None]:
    """Nothing that an audit reads and keeps has cycles: looking for them took a tenth of the time of 640 switches."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Kept(Enum):
    """What is kept of the switches of a run."""

    NOTHING = "nothing: they were picked, and tell nothing of the others"
    VIEWS = "their views"
    ACCOUNT = "their shares in the account of a large fabric"


class AuditTask(NamedTuple):
    """Input of a process: a folder and a run of switches.

    roles   of all switches, by name
    wanted  names of those that are read; None: all
    before  digests of the files of switches that were read before, by name: they must not have changed
    """

    plan: Plan
    folder: ConfigFolder
    run: FabricSlice
    roles: Mapping[str, str]
    kept: Kept
    wanted: frozenset[str] | None = None
    before: Mapping[str, bytes] = NONE


class AuditResult(NamedTuple):
    """Output of a process, or the problems that prevented it.

    shown  switches that are not as planned
    site   their views, or `account`: as the task says
    digests  of the files of switches that may be read again, by name
    """

    total: AuditTotal
    shown: tuple[SwitchAudit, ...]
    site: GatheredSite
    account: LargeFabric
    digests: Mapping[str, bytes] = NONE
    problems: tuple[Problem, ...] = ()


class FolderAudit(NamedTuple):
    """The audit of a folder.

    shown            switches that are not as planned
    site             what the properties need of all switches, but of large fabrics whose account holds
    representatives  the switches of those that show the routes of all
    has_nics         NICs of those were looked at
    """

    total: AuditTotal
    shown: tuple[SwitchAudit, ...]
    site: GatheredSite
    representatives: GatheredSite
    has_nics: bool


def audit_folder(
    plan: Plan,
    folder: ConfigFolder,
    roles: Mapping[str, str],
    wanted: frozenset[str] | None = None,
    jobs: int | None = None,
    whole: int = WHOLE,
) -> FolderAudit:
    """Audit the switches of a plan by the files of a folder.

    roles  of all switches, by name; wanted: those that are read, None: all; jobs: processes, None: by the size
    whole  switches of a fabric up to which it is not large

    Raises FabricError for a file that cannot be read, and where a process was lost.
    """
    total, shown = AuditTotal(), list[SwitchAudit]()
    accounts = {name: LargeFabric() for name in _large(plan, whole)} if wanted is None else {}
    sites, digests = {name: GatheredSite() for name in plan.fabrics}, dict[str, bytes]()
    with workers(ParallelOptions(jobs, least=FROM), len(roles if wanted is None else wanted)) as pool:
        runs = [*runs_of(plan, size_of(len(roles), pool.jobs, LEAST))]
        tasks = [AuditTask(plan, folder, run, roles, _kept(run, accounts, wanted), wanted) for run in runs]
        for task, result in zip(tasks, _results(pool, tasks), strict=True):
            total.join(result.total)
            shown += result.shown
            sites[task.run.fabric].join(result.site)
            digests |= result.digests
            if task.kept is Kept.ACCOUNT:
                accounts[task.run.fabric].join(result.account)
        holding = {name: account for name, account in accounts.items() if account.holds}
        # The report of a fault needs the views of all switches: the other large fabrics are read a second time.
        again = [
            *(_of_representatives(plan, folder, roles, name, account) for name, account in holding.items()),
            *(
                AuditTask(plan, folder, run, roles, Kept.VIEWS)
                for run in runs
                if run.fabric in accounts and run.fabric not in holding
            ),
        ]
        again = [task._replace(before=digests) for task in again]
        representatives = GatheredSite()
        for task, result in zip(again, _results(pool, again), strict=True):
            (representatives if task.run.fabric in holding else sites[task.run.fabric]).join(result.site)
    site = GatheredSite()
    for gathered in sites.values():
        site.join(gathered)
    return FolderAudit(
        total=total,
        shown=tuple(shown),
        site=site,
        representatives=representatives,
        has_nics=any(account.has_nics for account in holding.values()),
    )


def _large(plan: Plan, whole: int) -> Iterator[str]:
    """Fabrics with more switches, of which an account is made first."""
    return (name for name, fabric in plan.fabrics.items() if sum(1 for _ in places(fabric)) > whole)


def _kept(run: FabricSlice, accounts: Container[str], wanted: frozenset[str] | None) -> Kept:
    if wanted is not None:
        return Kept.NOTHING
    return Kept.ACCOUNT if run.fabric in accounts else Kept.VIEWS


def _of_representatives(
    plan: Plan, folder: ConfigFolder, roles: Mapping[str, str], name: str, account: LargeFabric
) -> AuditTask:
    """The task to read the representatives of a large fabric for their views."""
    run = FabricSlice(name, 0, sum(1 for _ in places(plan.fabrics[name])))
    return AuditTask(plan, folder, run, roles, Kept.VIEWS, account.representatives())


def _results(pool: Workers, tasks: Iterable[AuditTask]) -> Iterator[AuditResult]:
    """Raises FabricError for the problems of a run."""
    for result in pool.each(_audit_run, tasks):
        if result.problems:
            raise FabricError(result.problems)
        yield result


def _audit_run(task: AuditTask) -> AuditResult:
    """Audit the switches of one run."""
    total, shown, site, account = AuditTotal(), list[SwitchAudit](), GatheredSite(), LargeFabric()
    digests: dict[str, bytes] = {}
    try:
        with without_collector():
            for device, files in _files(task):
                if task.kept is Kept.ACCOUNT:
                    digests[device.name] = _digest(files)
                audit = _audited(device, files, task.folder)
                total.add(audit)
                if not audit.is_exact:
                    shown.append(_redacted(audit))
                if task.kept is not Kept.NOTHING:
                    keeper = site if task.kept is Kept.VIEWS else account
                    keeper.add(task.plan.fabrics[device.fabric], device, audit, task.roles)
    except FabricError as error:
        return AuditResult(AuditTotal(), (), GatheredSite(), LargeFabric(), problems=error.problems)
    return AuditResult(total, tuple(shown), site, account, digests)


Files = Mapping[str, str] | None
"""Files of a switch by name; None: it has none."""


def _files(task: AuditTask) -> Iterator[tuple[Device, Files]]:
    """Each switch with its files. Raises FabricError where they are not what they were before."""
    for device in devices_of(task.plan, task.run, task.wanted):
        files = task.folder.files(device.name, READBACKS[device.system].main)
        if device.name in task.before and task.before[device.name] != _digest(files):
            raise FabricError.of(
                code="config-changed",
                what=f"the configuration of {device.name} in {task.folder.path} changed while it was read",
                why="what was read before and what is there now are two states, and neither may be judged by the other",
                fix="run the audit again when nothing writes to the folder",
            )
        yield device, files


def _audited(device: Device, files: Files, folder: ConfigFolder) -> SwitchAudit:
    rendered = {file.name: file.text for file in Renderer().render(device)} if device.raw else None
    return audited(device, files, filled=folder.filled, rendered=rendered)


def _digest(files: Files) -> bytes:
    return blake2b(repr(sorted(files.items()) if files is not None else None).encode(), digest_size=16).digest()


def _redacted(audit: SwitchAudit) -> SwitchAudit:
    """The audit without secrets that a line holds which nobody has understood."""
    fault = _sifted((audit.fault,))[0] if audit.fault is not None else None
    return audit._replace(fault=fault, unread=_sifted(audit.unread), added=_sifted(audit.added))


def _sifted(lines: tuple[TextLine, ...]) -> tuple[TextLine, ...]:
    return tuple(line._replace(text=without_likely_secrets(line.text)) for line in lines)
