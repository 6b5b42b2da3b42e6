"""What a process does for `fabricgen verify`: it boils switches down for all others, and it judges switches.

Which process it is does not matter: it is given the plan, and what was collected lies in its reach or comes along. It
asks no switch, and is given nothing of an inventory.
"""

import pickle
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.operation.intended import LabLocation, renderer_for, target_of, texts_of
from fabricgen.plan.exceptions import AWAY
from fabricgen.plan.fabric import place_of, places, state_of
from fabricgen.plan.plan import Plan
from fabricgen.platforms.readers import READERS
from fabricgen.render.tree import FabricSlice
from fabricgen.resolve.context import FabricContext as Fabric
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from fabricgen.verify.collect.redact_config import without_secrets
from fabricgen.verify.collect.store import Collected, Target, collected_of, read
from fabricgen.verify.expect.cable_names import about_of
from fabricgen.verify.expect.derive import RenderedTexts, either, expected_of
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.expect.ports import described
from fabricgen.verify.expect.site import Digest, ExpectedSite, digest
from fabricgen.verify.finding import SwitchVerdict
from fabricgen.verify.judge.device import judge
from fabricgen.verify.judge.rounds import Judge, verdicts


class Errand(NamedTuple):
    """Some places of a plan whose switches are to be boiled down."""

    plan: Plan
    run: FabricSlice


class Gathered(NamedTuple):
    """What is kept of some switches of a fabric, in order: how each is asked, and what the others must know of it."""

    fabric: str
    targets: Mapping[str, Target]
    digest: Digest


def gathered(errand: Errand | tuple[Device, ...]) -> Gathered:
    """Do it, or the same with a lab's switches. Those that are declared dead answer nobody."""
    if not isinstance(errand, Errand):
        return _boiled("", errand)
    site = make_site(errand.plan, errand.run.fabric)
    run = islice(places(site.fabric), errand.run.first, errand.run.last)
    found = tuple(resolve(site, place) for place in run if state_of(site.fabric, place) not in AWAY)
    return _boiled(site.fabric.name, found)


def _boiled(fabric: str, devices: tuple[Device, ...]) -> Gathered:
    return Gathered(fabric, {device.name: target_of(device) for device in devices}, digest(devices))


class BatchContext(NamedTuple):
    """What all parts have in common. systems: of a lab's switches, None where they are a site's."""

    plan: Plan
    site: ExpectedSite
    where: LabLocation | None
    systems: Mapping[str, str] | None
    templates: Path | None


def packed(shared: BatchContext) -> bytes:
    """For `SwitchBatch`: small, and known again by a process that has unpacked it before."""
    return zlib.compress(pickle.dumps(shared), 1)


class FabricSwitches(NamedTuple):
    """Switches of one fabric of a plan."""

    fabric: str
    names: tuple[str, ...]


class SwitchBatch(NamedTuple):
    """Switches that one process judges.

    shared   see `packed`
    wanted   a lab's switches come themselves: their plan alone does not tell them
    targets  how each of them was asked
    folder   where what was collected lies, in files with this suffix
    octets   the files themselves, where the process has no way to the folder
    """

    shared: bytes
    wanted: FabricSwitches | tuple[Device, ...]
    targets: Mapping[str, Target]
    folder: Path
    suffix: str
    octets: Mapping[str, bytes] | None = None


class BatchVerdicts(NamedTuple):
    """What a process gives back: verdicts in the order of the part, or why there is none."""

    verdicts: tuple[SwitchVerdict, ...]
    problems: tuple[Problem, ...] = ()


def judged(part: SwitchBatch) -> BatchVerdicts:
    """Judge a part: one switch after the other is resolved, derived, compared and let go."""
    bench = bench_of(part.shared)
    each = Judge(
        targets=part.targets, readers=READERS, expectations=lambda: bench.expectations(part.wanted), compare=judge
    )
    try:
        return BatchVerdicts(tuple(verdicts(each, lambda device: _kept(part, device))))
    except FabricError as error:
        # As a value: an exception comes back from a process by its words alone.
        return BatchVerdicts((), error.problems)


def _kept(part: SwitchBatch, device: str) -> Collected | None:
    if part.octets is None:
        return read(part.folder, device, part.suffix)
    octets = part.octets.get(device)
    return collected_of(octets, part.folder, device, part.suffix) if octets is not None else None


class ExpectationBuilder:
    """What derives the expectations of any switches: templates compiled once, paths found once."""

    def __init__(self, shared: BatchContext) -> None:
        self._shared = shared
        self._renderer = renderer_for(shared.systems, shared.templates)
        self._about = about_of(shared.plan)
        self._fabrics: dict[str, Fabric] = {}

    def expectations(self, wanted: FabricSwitches | tuple[Device, ...]) -> Iterator[Expected]:
        """One switch at a time."""
        for device in self._resolved(wanted) if isinstance(wanted, FabricSwitches) else wanted:
            about = either(self._about, described(device))
            # Artifacts whose lines a finding may tell: a user's template may spell a secret out.
            texts = texts_of(device, self._renderer, self._shared.where, READERS[device.system].files)
            beside = {name: str(without_secrets(text)) for name, text in texts.beside.items()}
            expected = expected_of(
                device, self._shared.site, RenderedTexts(str(without_secrets(texts.main)), beside), about
            )
            # What stands for a site has the release that its host or its images have.
            yield replace(expected, version=device.version) if self._shared.where is None else expected

    def _resolved(self, wanted: FabricSwitches) -> Iterable[Device]:
        site = self._fabrics.get(wanted.fabric)
        if site is None:
            site = self._fabrics[wanted.fabric] = make_site(self._shared.plan, wanted.fabric)
        found = (place_of(site.fabric, name) for name in wanted.names)
        return (resolve(site, place) for place in found if place is not None)


_OWN = threading.local()


def bench_of(shared: bytes) -> ExpectationBuilder:
    """A thread's own, of the last parts that it was given."""
    held = getattr(_OWN, "held", None)
    if held is None or held[0] != shared:
        # What comes from a scheduler is unpickled anyway (`runs.there`).
        held = _OWN.held = (shared, ExpectationBuilder(pickle.loads(zlib.decompress(shared))))  # noqa: S301
    found: ExpectationBuilder = held[1]
    return found
