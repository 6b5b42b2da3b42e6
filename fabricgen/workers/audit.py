"""Audit every switch of a folder, in runs: by this process, or by several of this machine."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from fabricgen.audit.folder import ConfigFolder
from fabricgen.audit.gathered import GatheredSite
from fabricgen.audit.switch import SwitchAudit, audited
from fabricgen.audit.total import AuditTotal
from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.plan.plan import Plan
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.readback.rows import TextLine
from fabricgen.render.render import Renderer
from fabricgen.render.tree import FabricSlice, devices_of, runs_of
from fabricgen.verify.collect.redact_config import without_likely_secrets
from fabricgen.workers.pool import workers
from fabricgen.workers.request import ParallelOptions
from fabricgen.workers.tree import size_of

FROM = 32
"""Number of switches from which more than one process pays off: a switch takes 3 to 50 ms, by its system."""
LEAST = 8
"""Least number of switches of a run."""


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


class AuditTask(NamedTuple):
    """Input of a process: a folder, a run of switches, the names of all, and of those that are read; None: all."""

    plan: Plan
    folder: ConfigFolder
    run: FabricSlice
    known: frozenset[str]
    wanted: frozenset[str] | None


class AuditResult(NamedTuple):
    """Output of a process, or the problems that prevented it.

    shown  switches that are not as planned
    site   what the properties need of all; empty where some switches were picked
    """

    total: AuditTotal
    shown: tuple[SwitchAudit, ...]
    site: GatheredSite
    problems: tuple[Problem, ...] = ()


def audit_folder(
    plan: Plan, folder: ConfigFolder, known: frozenset[str], wanted: frozenset[str] | None, jobs: int | None
) -> AuditResult:
    """Audit the switches of a plan by the files of a folder.

    known  names of all switches; wanted: of those that are read, None: all; jobs: processes, None: by the size

    Raises FabricError for a file that cannot be read, and where a process was lost.
    """
    total, shown, site = AuditTotal(), list[SwitchAudit](), GatheredSite()
    count = len(known if wanted is None else wanted)
    with workers(ParallelOptions(jobs, least=FROM), count) as pool:
        size = size_of(len(known), pool.jobs, LEAST)
        tasks = (AuditTask(plan, folder, run, known, wanted) for run in runs_of(plan, size))
        for result in pool.each(audit_run, tasks):
            if result.problems:
                raise FabricError(result.problems)
            total.join(result.total)
            shown += result.shown
            site.join(result.site)
    return AuditResult(total, tuple(shown), site)


def audit_run(task: AuditTask) -> AuditResult:
    """Audit the switches of one run."""
    total, shown, site = AuditTotal(), list[SwitchAudit](), GatheredSite()
    try:
        with without_collector():
            for device, audit in _audits(task):
                total.add(audit)
                if not audit.is_exact:
                    shown.append(_redacted(audit))
                if task.wanted is None:
                    site.add(task.plan.fabrics[device.fabric], device, audit, task.known)
    except FabricError as error:
        return AuditResult(AuditTotal(), (), GatheredSite(), error.problems)
    return AuditResult(total, tuple(shown), site)


def _audits(task: AuditTask) -> Iterator[tuple[Device, SwitchAudit]]:
    folder, renderer = task.folder, Renderer()
    for device in devices_of(task.plan, task.run):
        if task.wanted is None or device.name in task.wanted:
            files = folder.files(device.name, READBACKS[device.system].main)
            rendered = {file.name: file.text for file in renderer.render(device)} if device.raw else None
            yield device, audited(device, files, filled=folder.filled, rendered=rendered)


def _redacted(audit: SwitchAudit) -> SwitchAudit:
    """The audit without secrets that a line holds which nobody has understood."""
    return audit._replace(unread=_sifted(audit.unread), added=_sifted(audit.added))


def _sifted(lines: tuple[TextLine, ...]) -> tuple[TextLine, ...]:
    return tuple(line._replace(text=without_likely_secrets(line.text)) for line in lines)
