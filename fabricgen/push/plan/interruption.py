"""How long a change may interrupt sessions and paths before it is reverted: by its risk, its driver, and the inventory.

   data: {interruption: {session reset: 60, traffic loss: 200}}

in an inventory's defaults, groups or hosts replaces the seconds of the drivers' tables.
"""

from collections.abc import Iterable, Iterator, Mapping

from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.platforms.base.cost import Risk
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.push.model import PlannedSwitch
from fabricgen.source.document import Document
from fabricgen.verify.collect.inventory import DEFAULTS, InventoryError, SiteInventory

KEY = "interruption"
RISKS: Mapping[str, Risk] = {risk.words: risk for risk in Risk}


def expected(planned: PlannedSwitch, profile: CommitProfile, given: object, converge: float) -> float | None:
    """Seconds for which the change of a switch may interrupt sessions and paths; None where unknown.

    given     the inventory's values for the switch
    converge  seconds; without a measured source, nothing is reverted earlier
    """
    configured = given.get(planned.risk) if isinstance(given, Mapping) else None
    if isinstance(configured, int):
        return float(configured)
    interruption = profile.interrupts.get(RISKS.get(planned.risk, Risk.UNKNOWN))
    if interruption is None:
        return None
    return max(interruption.seconds, converge) if interruption.unsure else interruption.seconds


def given(site: SiteInventory, names: Iterable[str]) -> Mapping[str, object]:
    """The inventory's values for each switch. Raises InventoryError for anything but seconds of a risk."""
    problems = [problem for document in site.documents for problem in _problems(document)]
    if problems:
        raise InventoryError(problems, site.documents)
    hosts = site.nornir.hosts
    return {name: hosts[name].get(KEY) for name in names if name in hosts}


def _problems(document: Document) -> Iterator[Problem]:
    value = document.value if isinstance(document.value, Mapping) else {}
    elements = {(): value} if document.file.endswith(DEFAULTS) else {(name,): row for name, row in value.items()}
    for above, element in elements.items():
        data = element.get("data") if isinstance(element, Mapping) else None
        if isinstance(data, Mapping) and KEY in data:
            yield from _wrong(document, (*above, "data", KEY), data[KEY])


def _wrong(document: Document, path: IntentPath, rows: object) -> Iterator[Problem]:
    if not isinstance(rows, Mapping):
        yield _problem(
            document, path, f"{KEY} is {rows!r}", f"write a risk and its seconds: {KEY}: {{session reset: 60}}"
        )
        return
    for name, seconds in rows.items():
        if name not in RISKS:
            yield _problem(document, (*path, name), f"unknown risk {name!r}", did_you_mean(str(name), RISKS))
        elif isinstance(seconds, bool) or not isinstance(seconds, int) or not 0 <= seconds <= 86_400:
            yield _problem(document, (*path, name), f"{name} is {seconds!r}", "write whole seconds, from 0 to 86400")


def _problem(document: Document, path: IntentPath, fault: str, fix: str) -> Problem:
    return Problem(
        code="inventory-interruption",
        what=fault,
        why="a push rolls back a change that interrupts for longer than these seconds for its risk",
        fix=fix,
        at=document.place(path),
    )
