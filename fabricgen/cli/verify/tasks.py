"""Work of a process for `fabricgen verify`: summarise switches for all others, and judge switches.

Any process can do it: it gets the plan, and the collected files are either within its reach or sent along. It connects
to no switch, and gets nothing of an inventory.
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
    """Some places of a plan whose switches are to be summarised."""

    plan: Plan
    run: FabricSlice


class Gathered(NamedTuple):
    """Summary of some switches of a fabric, in order: their targets, and the digest that others need of them."""

    fabric: str
    targets: Mapping[str, Target]
    digest: Digest


def gathered(errand: Errand | tuple[Device, ...]) -> Gathered:
    """Summarise an errand, or a lab's switches. Switches that are declared dead are skipped."""
    if not isinstance(errand, Errand):
        return _boiled("", errand)
    site = make_site(errand.plan, errand.run.fabric)
    run = islice(places(site.fabric), errand.run.first, errand.run.last)
    resolved = tuple(resolve(site, place) for place in run if state_of(site.fabric, place) not in AWAY)
    return _boiled(site.fabric.name, resolved)


def _boiled(fabric: str, devices: tuple[Device, ...]) -> Gathered:
    return Gathered(fabric, {device.name: target_of(device) for device in devices}, digest(devices))


class BatchContext(NamedTuple):
    """Context that all parts share. systems: of a lab's switches, None for those of a site."""

    plan: Plan
    site: ExpectedSite
    where: LabLocation | None
    systems: Mapping[str, str] | None
    templates: Path | None


def packed(shared: BatchContext) -> bytes:
    """Pack it for `SwitchBatch`: small, and cached by a process that has unpacked it before."""
    return zlib.compress(pickle.dumps(shared), 1)


class FabricSwitches(NamedTuple):
    """Switches of one fabric of a plan."""

    fabric: str
    names: tuple[str, ...]


class SwitchBatch(NamedTuple):
    """Switches that one process judges.

    shared   see `packed`
    wanted   a lab's switches are passed themselves: their plan alone does not determine them
    targets  how each of them was read
    folder   of the collected files, which have this suffix
    octets   the files themselves, if the process cannot reach the folder
    """

    shared: bytes
    wanted: FabricSwitches | tuple[Device, ...]
    targets: Mapping[str, Target]
    folder: Path
    suffix: str
    octets: Mapping[str, bytes] | None = None


class BatchVerdicts(NamedTuple):
    """Output of a process: verdicts in the order of the part, or the problems that prevented them."""

    verdicts: tuple[SwitchVerdict, ...]
    problems: tuple[Problem, ...] = ()


def judged(part: SwitchBatch) -> BatchVerdicts:
    """Judge a part: each switch is resolved, derived, compared and dropped before the next."""
    bench = bench_of(part.shared)
    judge_settings = Judge(
        targets=part.targets, readers=READERS, expectations=lambda: bench.expectations(part.wanted), compare=judge
    )
    try:
        return BatchVerdicts(tuple(verdicts(judge_settings, lambda device: _collected(part, device))))
    except FabricError as error:
        # Return problems as a value: an exception from another process keeps only its message.
        return BatchVerdicts((), error.problems)


def _collected(part: SwitchBatch, device: str) -> Collected | None:
    if part.octets is None:
        return read(part.folder, device, part.suffix)
    octets = part.octets.get(device)
    return collected_of(octets, part.folder, device, part.suffix) if octets is not None else None


class ExpectationBuilder:
    """Derives the expectations of switches: templates are compiled once, paths computed once."""

    def __init__(self, shared: BatchContext) -> None:
        self._shared = shared
        self._renderer = renderer_for(shared.systems, shared.templates)
        self._about = about_of(shared.plan)
        self._fabrics: dict[str, Fabric] = {}

    def expectations(self, wanted: FabricSwitches | tuple[Device, ...]) -> Iterator[Expected]:
        """Yield the expectations of one switch at a time."""
        for device in self._resolved(wanted) if isinstance(wanted, FabricSwitches) else wanted:
            about = either(self._about, described(device))
            # Findings may quote lines of these artifacts, and a user's template may contain a secret in clear text.
            texts = texts_of(device, self._renderer, self._shared.where, READERS[device.system].files)
            others = {name: str(without_secrets(text)) for name, text in texts.others.items()}
            expected = expected_of(
                device, self._shared.site, RenderedTexts(str(without_secrets(texts.main)), others), about
            )
            # Switches of a lab or of containers have the release of their host or images.
            yield replace(expected, version=device.version) if self._shared.where is None else expected

    def _resolved(self, switches: FabricSwitches) -> Iterable[Device]:
        site = self._fabrics.get(switches.fabric)
        if site is None:
            site = self._fabrics[switches.fabric] = make_site(self._shared.plan, switches.fabric)
        switch_places = (place_of(site.fabric, name) for name in switches.names)
        return (resolve(site, place) for place in switch_places if place is not None)


_OWN = threading.local()


def bench_of(shared: bytes) -> ExpectationBuilder:
    """The builder of this thread, cached for the last context."""
    cached = getattr(_OWN, "held", None)
    if cached is None or cached[0] != shared:
        # Calls from a scheduler are unpickled anyway (`workers.remote`).
        cached = _OWN.held = (shared, ExpectationBuilder(pickle.loads(zlib.decompress(shared))))  # noqa: S301
    builder: ExpectationBuilder = cached[1]
    return builder
