"""A bundle: one folder, or a .tar.gz of it, with the records and results of a proof, without private data.

   manifest.json        the switch's platform and release, the steps with their times, a verdict for each claim
   outputs/MOMENT/…     outputs of the switch at a moment, as a collection of verify (verify/collect/store.py)
   states/MOMENT.json   the state that the reader parsed from them
   texts.json           differences, by name

A bundle can be checked without the switch: `replayed` has the reader of this release parse the recorded outputs, and
compares the result with the recorded state.
"""

import json
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fabricgen import __version__
from fabricgen.base.schema_version import SCHEMA_VERSION
from fabricgen.errors import FabricError, Problem
from fabricgen.platforms.readers import reader_of
from fabricgen.prove.bench import ProofBench
from fabricgen.prove.redact import Redactor
from fabricgen.prove.run import Ended, verdicts
from fabricgen.prove.values import ClaimVerdict, ProofMoment, Timing
from fabricgen.state.state import State
from fabricgen.summary.page import plain
from fabricgen.verify.collect.store import Collected, read, write

MANIFEST, TEXTS, OUTPUTS, STATES = "manifest.json", "texts.json", "outputs", "states"
PACKED = ".tar.gz"
DEVICE = "host-1"
"""Name of the switch in its bundle."""
LARGEST = 256 * 2**20
"""Maximum octets of a bundle that is read."""


class MomentRow(NamedTuple):
    """One moment at which the switch was read.

    name     of its files; at: seconds since the beginning
    altered  parts of the state that have another number of rows after names and addresses were replaced
    """

    name: str
    at: float
    altered: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleManifest:
    """One proof.

    fabricgen   its release; platform, release, model: of the switch
    began       UTC; seconds: duration
    hold        seconds of its timers
    outcome     `held`, `did not hold`, `stopped` or `failed`; why: what ended it early
    running, startup  both final configurations compared with the first reading
    redacted    kind → number of replaced names or addresses
    """

    schema_version: int
    fabricgen: str
    platform: str
    release: str
    model: str
    began: str
    seconds: float
    hold: int
    outcome: str
    why: str
    running: str
    startup: str
    claims: tuple[ClaimVerdict, ...]
    timings: tuple[Timing, ...]
    moments: tuple[MomentRow, ...]
    redacted: Mapping[str, int]


class ProofBundle(NamedTuple):
    """A manifest and the records. states: moment → the parsed state, as JSON."""

    manifest: Mapping[str, object]
    outputs: Mapping[str, Collected]
    states: Mapping[str, object]
    texts: Mapping[str, str]


def made(bench: ProofBench, ended: Ended, began: str, redactor: Redactor) -> tuple[BundleManifest, ProofBundle]:
    """The bundle of a proof, redacted, with states parsed from the redacted outputs."""
    subject = bench.subject
    redactor.know("host", subject.name)
    reads = (*subject.reader.reads(subject.vrfs), *subject.table.flap_reads)
    parsed = [(moment, subject.reader.state(moment.outputs, subject.vrfs)) for moment in bench.moments]
    for moment, state in parsed:
        redactor.know_state(state)
        for output in moment.outputs.values():
            redactor.learn(output.value)
    outputs = {moment.name: _collected(bench, moment, redactor, reads) for moment in bench.moments}
    states = {name: state_of(item) for name, item in outputs.items()}
    facts = next((state.facts for _, state in parsed if state.facts is not None), None)
    manifest = BundleManifest(
        schema_version=SCHEMA_VERSION,
        fabricgen=__version__,
        platform=subject.table.system,
        release=facts.version if facts is not None else "",
        model=facts.model if facts is not None else "",
        began=began,
        seconds=round(bench.now(), 1),
        hold=bench.hold,
        outcome=ended.outcome,
        why=redactor.text(ended.why),
        running=ended.running,
        startup=ended.startup,
        claims=tuple(item._replace(why=redactor.text(item.why)) for item in verdicts(bench)),
        timings=tuple(
            row._replace(what=redactor.text(row.what), ended=redactor.text(row.ended)) for row in bench.timings
        ),
        moments=tuple(
            MomentRow(moment.name, moment.at, _altered(plain(state), states[moment.name])) for moment, state in parsed
        ),
        redacted=redactor.counts(),
    )
    texts = {name: redactor.text(text) for name, text in bench.texts.items()}
    manifest_value = json.loads(json.dumps(plain(manifest)))
    return manifest, ProofBundle(manifest_value if isinstance(manifest_value, dict) else {}, outputs, states, texts)


def _collected(bench: ProofBench, moment: ProofMoment, redactor: Redactor, reads: Sequence[object]) -> Collected:
    outputs = redactor.outputs(moment.outputs, reads)  # type: ignore[arg-type]
    return Collected(device=DEVICE, system=bench.subject.table.system, vrfs=bench.subject.vrfs, outputs=outputs)


def _altered(before: object, after: object) -> tuple[str, ...]:
    if not isinstance(before, dict) or not isinstance(after, dict):
        return ()
    return tuple(sorted(name for name in before if _size(before[name]) != _size(after.get(name))))


def _size(value: object) -> int | None:
    """Number of rows, or lines; None for a part that was not read."""
    match value:
        case None:
            return None
        case str():
            return len(value.splitlines())
        case dict() | list():
            return len(value)
        case _:
            return 0


def state_of(collected: Collected) -> object:
    """The state that the reader of this release parses from recorded outputs, as JSON."""
    state: State = reader_of(collected.system).state(collected.outputs, collected.vrfs)
    return json.loads(json.dumps(plain(state)))


def keep(path: Path, bundle: ProofBundle) -> None:
    """Write a bundle to a new path. Raises FabricError."""
    try:
        if path.name.endswith(PACKED):
            with TemporaryDirectory(prefix="fabricgen-prove-") as folder:
                _write(Path(folder), bundle)
                _pack(Path(folder), path)
            return
        path.mkdir(parents=True)
        _write(path, bundle)
    except OSError as error:
        raise FabricError([_problem(path, error.strerror or str(error), "use a new folder or file")]) from None


def _write(folder: Path, bundle: ProofBundle) -> None:
    for name, collected in bundle.outputs.items():
        (folder / OUTPUTS / name).mkdir(parents=True, exist_ok=True)
        write(folder / OUTPUTS / name, collected)
        _json(folder / STATES / f"{name}.json", bundle.states[name])
    _json(folder / TEXTS, bundle.texts)
    _json(folder / MANIFEST, bundle.manifest)


def _json(path: Path, value: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)}\n", encoding="utf-8")


def _pack(folder: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file, tarfile.open(fileobj=file, mode="w:gz") as packed:
        for file_path in sorted(folder.rglob("*")):
            if file_path.is_file():
                # A new TarInfo has neither owner nor time of the file.
                row = tarfile.TarInfo(str(file_path.relative_to(folder)))
                octets = file_path.read_bytes()
                row.size = len(octets)
                packed.addfile(row, BytesIO(octets))


def open_bundle(path: Path) -> ProofBundle:
    """Read a bundle. Raises FabricError for any other file or folder."""
    try:
        with _folder(path) as folder:
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            if not isinstance(manifest, dict) or manifest.get("schema_version") != SCHEMA_VERSION:
                raise FabricError([_problem(path, f"its manifest has not the schema version {SCHEMA_VERSION}")])
            names = [str(row["name"]) for row in manifest["moments"]]
            outputs = {
                name: collected for name in names if (collected := read(folder / OUTPUTS / name, DEVICE)) is not None
            }
            states = {name: json.loads((folder / STATES / f"{name}.json").read_text("utf-8")) for name in names}
            texts = json.loads((folder / TEXTS).read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError, tarfile.TarError) as error:
        raise FabricError(
            [_problem(path, getattr(error, "strerror", None) or f"it is not a bundle: {error}")]
        ) from None
    return ProofBundle(manifest, outputs, states, texts)


@contextmanager
def _folder(path: Path) -> Iterator[Path]:
    """The folder of a bundle. A packed one is unpacked to a temporary folder: only files, at most LARGEST octets."""
    if path.is_dir():
        yield path
        return
    with TemporaryDirectory(prefix="fabricgen-prove-") as folder, tarfile.open(path, "r:gz") as packed:
        octets_left = LARGEST
        for row in packed:
            octets_left -= row.size
            source = packed.extractfile(row) if row.isfile() else None
            target = (Path(folder) / row.name).resolve()
            # Refuse archives that expand too far, and members that are no files or outside of the folder.
            if octets_left < 0 or source is None or not target.is_relative_to(Path(folder).resolve()):
                raise ValueError(f"{row.name!r} is not part of a bundle")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read())
        yield Path(folder)


def replayed(bundle: ProofBundle) -> tuple[str, ...]:
    """Moments whose state the reader of this release parses differently, with the differing parts.

    A part, or a field, that an older release did not have is not a difference; nor are the words of a reason.
    """
    differences = {
        name: _different(bundle.states[name], state_of(collected)) for name, collected in bundle.outputs.items()
    }
    return tuple(f"{name}: {', '.join(parts)}" for name, parts in differences.items() if parts)


def _different(before: object, later: object) -> list[str]:
    if not isinstance(before, dict) or not isinstance(later, dict):
        return ["all"]
    return sorted(name for name in before if not _contains(_compared(name, later), _compared(name, before)))


def _compared(name: str, state: Mapping[str, object]) -> object:
    """A part of a state. Of what was unread it is the names of the parts, without the reasons."""
    value = state.get(name)
    return dict.fromkeys(value, "") if name == "unread" and isinstance(value, dict) else value


def _contains(later: object, before: object) -> bool:
    """Whether a value contains all of an earlier one: objects may have more members, anything else must be equal."""
    match later, before:
        case dict(), dict():
            return all(name in later and _contains(later[name], value) for name, value in before.items())
        case list(), list():
            return len(later) == len(before) and all(map(_contains, later, before))
        case _:
            return later == before


_WRITTEN_BY_PROVE = "use a folder or file that `fabricgen prove-platform --commit` wrote"


def _problem(path: Path, reason: str, fix: str = _WRITTEN_BY_PROVE) -> Problem:
    return Problem(
        code="prove-bundle",
        what=f"{path} cannot be used as a bundle",
        why=reason,
        fix=fix,
    )
