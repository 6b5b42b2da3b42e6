"""Kinds of input, and what fabricgen does with one of each, in this process."""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random
from typing import NamedTuple

import click

from fabricgen.cli import main
from fabricgen.hardware.catalog import load_catalog
from fabricgen.hardware.headroom_faults import contradictions, short_rows
from fabricgen.hardware.model import Asic, ServerModel, SwitchModel
from fabricgen.platforms import SYSTEMS
from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.readers import READERS
from fabricgen.policy.headroom import HeadroomFacts, headroom
from fabricgen.source.report import report
from fabricgen.state.state import State
from fabricgen.verify.collect.inventory import InventoryError, read_inventory
from tests.fuzz import sites
from tests.fuzz.hostile import SCALARS, spoilt, spoilt_value

ROOT = Path(__file__).parents[2]
REFUSED, ACCEPTED = "refused", "accepted"


class WrongError(AssertionError):
    """What was accepted and must not have been, or an answer that is none."""


class Said(NamedTuple):
    """What a call of the command line gave."""

    code: int
    text: str


def call(*words: str) -> Said:
    """Run a verb in this process: its exit code, and what it printed. Raises what is no error of the operator."""
    # As Python opens them: what stderr cannot print it spells, stdout does not.
    octets = BytesIO()
    out = TextIOWrapper(octets, encoding="utf-8", write_through=True)
    err = TextIOWrapper(octets, encoding="utf-8", errors="backslashreplace", write_through=True)
    code = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main.main(args=list(words), prog_name="fabricgen", standalone_mode=False)
        except SystemExit as leave:
            code = leave.code if isinstance(leave.code, int) else 0
        except click.exceptions.Exit as leave:
            code = leave.exit_code
        except click.ClickException as error:
            code = error.exit_code
            error.show(err)
        except click.Abort:
            code = 130
    return Said(code, octets.getvalue().decode())


def judged(said: Said, *fine: int) -> str:
    """Whether an input was refused or accepted. Raises WrongError for an answer that says neither."""
    if "Traceback" in said.text:
        raise WrongError(f"a traceback: {said.text[-500:]}")
    if said.code in (0, *fine):
        return ACCEPTED
    if said.code not in (1, 2):
        raise WrongError(f"exit code {said.code}: {said.text[-500:]}")
    if not said.text.strip():
        raise WrongError("refused without a word")
    return REFUSED


Feed = Callable[[Path, Random], tuple[bytes, Callable[[], str]]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of input. weight: how often of 1000; feed: folder, chance → the input, and what meets it."""

    name: str
    weight: int
    feed: Feed


def _site(folder: Path, files: Mapping[str, bytes]) -> Path:
    """A site with these files, and no others. Returns its intent."""
    for entry in list(folder.iterdir()):
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    for name, octets in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(octets)
    return folder / "intent.yaml"


@cache
def intents() -> tuple[bytes, ...]:
    """Intents of which one is made worse: the smallest three times as often, as they cost least."""
    inventories = ("frr", "lab", "shared-backend-512", "time-sliced", "demo", "superpod-b300")
    texts = [(ROOT / f"inventories/{name}/intent.yaml").read_bytes() for name in inventories]
    return (*(sites.TINY.encode(),) * 14, *texts)


def _intent(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    octets = spoilt(rng.choice(intents()), rng)
    path = _site(folder, {"intent.yaml": octets})
    if rng.random() < 0.02:
        return octets, lambda: judged(call("render", str(path), "-o", str(folder / "out")))
    return octets, lambda: judged(call("validate", str(path)))


HARDWARE = {
    "asic": "hardware/asics/mychip.yaml",
    "switch": "hardware/switches/mybox.yaml",
    "sonic": "hardware/switches/mybox.yaml",
    "server": "hardware/servers/myhost.yaml",
}


@cache
def hardware(sonic: bool) -> Mapping[str, bytes]:
    """A site on hardware of its own."""
    files = {path: sites.own_hardware(kind) for kind, path in HARDWARE.items() if (kind == "sonic") <= sonic}
    box = (
        files[HARDWARE["switch"]].replace("asic: tomahawk5", "asic: mychip").replace("asic: spectrum4", "asic: mychip")
    )
    intent = sites.with_own_hardware().replace("frr-8.4", "sonic-master" if sonic else "frr-8.4")
    found = {**files, HARDWARE["switch"]: box, "intent.yaml": intent}
    return {name: text.encode() for name, text in found.items()}


def _hardware(kind: str, folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    files = hardware(kind == "sonic")
    octets = spoilt(files[HARDWARE[kind]], rng)
    path = _site(folder, {**files, HARDWARE[kind]: octets})
    return octets, lambda: _checked_hardware(path, rng.random() < 0.05)


def _checked_hardware(path: Path, renders: bool) -> str:
    words = ("render", str(path), "-o", str(path.parent / "out")) if renders else ("validate", str(path))
    found = judged(call(*words))
    if found == ACCEPTED:
        for thing in _read_hardware(path.parent / "hardware"):
            _plain(thing.model_dump())
            if isinstance(thing, SwitchModel | Asic):
                _computable(thing)
    return found


def _read_hardware(folder: Path) -> Iterator[SwitchModel | Asic | ServerModel]:
    """What was accepted of a user's files."""
    catalog = load_catalog(folder)
    for shelf in (catalog.switches, catalog.asics, catalog.servers):
        yield from (shelf[name] for name, file in shelf.files.items() if file.is_relative_to(folder))


def _plain(value: object) -> None:
    """Raise WrongError for text that would break a line, and numbers that no box has."""
    if isinstance(value, dict):
        for key, below in value.items():
            _plain(key)
            _plain(below)
    elif isinstance(value, list | tuple):
        for below in value:
            _plain(below)
    elif isinstance(value, str) and any(ord(sign) < 32 or ord(sign) == 127 for sign in value):
        raise WrongError(f"a control character was accepted: {value!r}")
    elif isinstance(value, int | float) and not -1 <= value <= 10**15:
        raise WrongError(f"{value} was accepted")


def _computable(thing: SwitchModel | Asic) -> None:
    """Raise WrongError for rows that contradict each other; compute with the fit, which raises where it cannot."""
    if contradictions(enumerate(thing.headroom)) or list(short_rows(thing.headroom)):
        raise WrongError("rows of headroom that cannot be were accepted")
    if isinstance(thing, Asic):
        facts = HeadroomFacts(asic_rows=thing.headroom, fit=thing.fit, cell_octets=thing.cell_octets)
        for speed in (10, 100, 400, 800):
            headroom(facts, speed_gbps=speed, length_m=40, mtu=9216)


@cache
def beside() -> Mapping[str, bytes]:
    """A site with a cable file, a placement file and a lock."""
    intent = sites.TINY.replace("cables: {", "placement: placement.csv\ncables: {file: cables.csv, ")
    files = {"intent.yaml": intent, "cables.csv": sites.CABLES, "placement.csv": sites.PLACEMENT}
    return {name: text.encode() for name, text in files.items()} | {"fabricgen.lock": lock()}


@cache
def lock() -> bytes:
    """The lock of the small site."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - once

    with TemporaryDirectory() as made:
        path = _site(Path(made), {"intent.yaml": sites.TINY.encode()})
        said = call("render", str(path), "-o", str(path.parent / "out"))
        assert said.code == 0, said.text
        return (path.parent / "fabricgen.lock").read_bytes()


def _beside(name: str, folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    """A file beside the intent."""
    octets = spoilt(beside()[name], rng)
    path = _site(folder, {**beside(), name: octets})
    return octets, lambda: judged(call("validate", str(path)))


def _media(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    octets = spoilt((sites.OURS / "media.yaml").read_bytes(), rng)
    path = _site(folder, {"intent.yaml": sites.TINY.encode(), "hardware/media.yaml": octets})
    return octets, lambda: judged(call("validate", str(path)))


def _overlay(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    octets = spoilt(sites.OVERLAY.encode(), rng)
    path = _site(folder, {"intent.yaml": sites.TINY.encode(), "overlay.yaml": octets})
    return octets, lambda: judged(call("validate", str(path), "--overlay", str(folder / "overlay.yaml")))


def _expect(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    octets = spoilt(sites.EXPECT.encode(), rng)
    files = {"intent.yaml": sites.TINY.encode(), "expect.yaml": octets}
    path = _site(folder, files)
    words = ("diff", str(path), "--against", str(path), "--expect", str(folder / "expect.yaml"))
    return octets, lambda: judged(call(*words), 3)


def _steps(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    """A change that is to be taken in steps; what stood is sound, or what comes is."""
    texts = [sites.TINY.encode(), (sites.TINY + sites.DRAINED).encode()]
    which = rng.randrange(2)
    octets = texts[which] = spoilt(texts[which], rng)
    files = {"intent.yaml": texts[0], "old/intent.yaml": texts[1]}
    path = _site(folder, files | {"fabricgen.lock": lock(), "old/fabricgen.lock": lock()})
    words = ("plan", str(path), "--steps", str(folder / "steps"), "--against", str(folder / "old"))
    return octets, lambda: judged(call(*words), 3)


def _template(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    name = rng.choice(sorted(templates()))
    octets = spoilt(templates()[name], rng)
    path = _site(folder, {"intent.yaml": sites.TINY.encode(), f"mine/frr/{name}": octets})
    words = ("render", str(path), "--device", "be-leaf-000", "--templates", str(folder / "mine"))
    return octets, lambda: judged(call(*words))


@cache
def templates() -> Mapping[str, bytes]:
    """Ours for FRR, by name."""
    return {path.name: path.read_bytes() for path in (ROOT / "templates/frr").glob("*.j2")}


INVENTORY = {"hosts.yaml": sites.HOSTS, "groups.yaml": sites.GROUPS, "defaults.yaml": sites.DEFAULTS}


def _raw(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    """Lines for a switch's own file, which their platform joins with ours."""
    system = rng.choice(sorted(sites.RAW))
    octets = spoilt(sites.RAW[system][2].encode(), rng)
    path = _site(folder, {"intent.yaml": sites.with_raw(system, octets.decode("utf-8", "replace")).encode()})
    words = ("render", str(path), "-o", str(folder / "out")) if rng.random() < 0.2 else ("validate", str(path))
    return f"{system}\n".encode() + octets, lambda: judged(call(*words))


def _inventory(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    name = rng.choice(sorted(INVENTORY))
    octets = spoilt(INVENTORY[name].encode(), rng)
    _site(folder, {**{key: text.encode() for key, text in INVENTORY.items()}, name: octets})
    return octets, lambda: _read_inventory(folder)


def _read_inventory(folder: Path) -> str:
    try:
        found = read_inventory(folder)
    except InventoryError as error:
        report(error.problems, *error.documents).encode()
        return REFUSED
    # What connects reads all of this of each switch.
    for host in found.nornir.hosts.values():
        host.dict(), host.get_connection_parameters("napalm"), host.extended_data()
    return ACCEPTED


@cache
def answers() -> Mapping[str, tuple[Outputs, Mapping[str, str]]]:
    """What a switch of each platform answers, as doubles of the tests have it, and its VRFs."""
    from tests.platform_cases import samples  # noqa: PLC0415 - a fabric each, and only where it is asked for

    return {name: samples(name).answers() for name in SYSTEMS}


def _answers(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    """What a switch says, one command of it made worse; a reader understands it or says why not."""
    del folder
    system = rng.choice(sorted(answers()))
    outputs, vrfs = answers()[system]
    command = rng.choice(sorted(outputs))
    value = _worse(outputs[command].value, rng)
    given = {**outputs, command: Output(value)}
    octets = f"{system} {command}\n{json.dumps(value, default=str)[:4000]}".encode("utf-8", "replace")

    def read() -> str:
        state = READERS[system].state(given, vrfs)
        if not isinstance(state, State):
            raise WrongError(f"{system} gave {type(state)}")
        return REFUSED if state.unread else ACCEPTED

    return octets, read


def _worse(value: object, rng: Random) -> object:
    if isinstance(value, str):
        return spoilt(value.encode(), rng).decode("utf-8", "replace")
    return spoilt_value(value, rng)


def _drift(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    """A running configuration that is none, beside what was rendered."""
    del folder
    system = rng.choice(sorted(configurations()))
    wanted = configurations()[system]
    octets = spoilt(wanted.encode(), rng)
    running = octets.decode("utf-8", "replace")
    return octets, lambda: REFUSED if READERS[system].drift(wanted, running) else ACCEPTED


@cache
def configurations() -> Mapping[str, str]:
    """What a switch of each platform is to run, as rendered, without its secrets."""
    from fabricgen.verify.collect.redact_config import without_secrets  # noqa: PLC0415 - once
    from tests.platform_cases import samples  # noqa: PLC0415

    return {name: str(without_secrets(samples(name).configuration())) for name in SYSTEMS}


def _collection(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    """A file that verify --save has kept."""
    kept = {
        "collection": 1,
        "device": "be-leaf-000",
        "system": "frr",
        "vrfs": dict(answers()["frr"][1]),
        "failure": None,
        "outputs": {command: {"value": said.value} for command, said in answers()["frr"][0].items() if not said.error},
    }
    octets = (
        spoilt(json.dumps(kept).encode(), rng) if rng.random() < 0.5 else json.dumps(spoilt_value(kept, rng)).encode()
    )
    path = _site(folder, {"intent.yaml": sites.TINY.encode(), "kept/be-leaf-000.json": octets})
    return octets, lambda: judged(call("verify", str(path), "--from", str(folder / "kept")), 4, 5)


def _tree(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    """What a render has left, changed by hand, as the other side of a diff."""
    name = rng.choice(sorted(tree()))
    octets = spoilt(tree()[name], rng)
    files = {f"out/{key}": text for key, text in tree().items()} | {f"out/{name}": octets}
    path = _site(folder, {"intent.yaml": sites.TINY.encode(), "fabricgen.lock": lock(), **files})
    words = ("diff", str(path), "--against", str(folder / "out"))
    if rng.random() < 0.3:
        words = ("render", str(path), "-o", str(folder / "out"))
    return f"{name}\n".encode() + octets, lambda: judged(call(*words), 3)


@cache
def tree() -> Mapping[str, bytes]:
    """The rendered tree of the small site."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - once

    with TemporaryDirectory() as made:
        path = _site(Path(made), {"intent.yaml": sites.TINY.encode()})
        out = path.parent / "out"
        assert call("render", str(path), "-o", str(out)).code == 0
        return {file.relative_to(out).as_posix(): file.read_bytes() for file in out.rglob("*") if file.is_file()}


WORDS = (
    "be-leaf-000", "train[0]", "train-000", "10.64.0.1", "10.64.0.0/24", "4201000000", "vlan110", "vni", "asn",
    "be-leaf-*", "base", "nope", "backend", "OSFP4P2", "swp1", "target", "65000:1", "::1", "port-twice",
    "1/2", "frr", "eos-4.34",
)  # fmt: skip


def _words(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    """A command line: verbs that only read, with words that nobody meant."""
    path = str(_site(folder, {"intent.yaml": sites.TINY.encode(), "fabricgen.lock": lock()}))

    def word() -> str:
        text = rng.choice((*WORDS, *SCALARS)) if rng.random() < 0.8 else os.fsdecode(rng.randbytes(rng.randrange(1, 9)))
        return os.fsdecode(spoilt(os.fsencode(text.replace("\ud800", "")), rng)) if rng.random() < 0.4 else text

    def below(text: str) -> str:
        """A path in the folder: nothing else is written to."""
        return f"{folder}/{text.replace('..', '_')}"

    own = str(folder / "out")
    lines: tuple[tuple[str, ...], ...] = (
        ("explain", path, word()),
        ("explain", path, word(), word()),
        ("explain", path, word(), "--scenario", word()),
        ("what-if", path, "--fail", word()),
        ("what-if", path, "--groups", word(), "--floor", word()),
        ("audit", path, "--configs", word()),
        ("audit", path, "--configs", str(folder), "--device", word()),
        ("validate", word()),
        ("validate", path, "--overlay", word()),
        ("plan", path, "--scenario", word()),
        ("plan", path, word()),
        ("plan", path, "--steps", own, "--floor", word(), "--against", path),
        ("render", path, "--device", word()),
        ("render", path, "--renumber", word(), "-o", own),
        ("render", path, "--templates", word(), "--device", "be-leaf-000"),
        ("diff", path, "--against", path, "--devices", word()),
        ("diff", path, "--against", below(word())),
        ("render", path, "-o", below(word())),
        ("plan", path, "--steps", below(word()), "--against", path),
        ("export", rng.choice(("hosts", "ansible", "batfish", "containerlab", "gnmic")), path, "-o", below(word())),
        ("init", below(word())),
        ("push", path, "-i", below(word()), "--show", "--journal", below(word())),
        ("validate", below(word())),
        ("diff", path, "--against", path, "--expect", word()),
        ("verify", path, "--from", word()),
        ("verify", path, "-i", word()),
        ("push", path, "-i", word(), "--show"),
        ("push", path, "-i", str(folder), "--show", "--journal", word()),
        ("export", word(), path),
        ("export", "hosts", path, "-o", own, "--servers", word()),
        ("export", "nornir", path, "-o", own, "--scenario", word()),
        ("init", own, "--site", word(), "--model", word(), "--os", word()),
        (word(), path),
        (word(),),
    )
    words = tuple(each.replace("\0", "") for each in rng.choice(lines))
    shown = " ".join(map(repr, words)).encode("utf-8", "replace")
    options = [each for each in words[2:] if each.startswith("-") and each not in LINE]
    # Options that nobody foresaw may write elsewhere, start processes or ask a scheduler; a device never ends.
    is_safe = not options and not any(each.startswith("/dev/zero") for each in words)
    return shown, lambda: judged(call(*words), 3, 4, 5) if is_safe else REFUSED


LINE = ("-o", "-i", "--overlay", "--scenario", "--steps", "--floor", "--against", "--device", "--renumber",
        "--templates", "--devices", "--expect", "--from", "--show", "--journal", "--servers", "--site",
        "--model", "--os", "--fail", "--groups")  # fmt: skip


def _names(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    """Folders and files whose names are no text, or that are something else than a file."""
    _site(folder, {})
    name = os.fsdecode(
        rng.choice((b"\xff\xfe", b"caf\xe9", b"a\nb", b"a\x1b[31mb", "é".encode(), b"-x", b"a b", b"${x}"))
    )
    place = folder / name
    place.mkdir()
    intent = place / rng.choice(("intent.yaml", name))
    site = hardware(sonic=False)
    text = sites.TINY.replace("cables: {", f"cables: {{file: {rng.choice(('cables.csv', 'x/../c.csv', '.'))}, ")
    intent.write_text(rng.choice((site["intent.yaml"].decode(), sites.TINY, text)))
    odd = ("hardware", "hardware/switches", "hardware/asics/a.yaml", "hardware/media.yaml", "fabricgen.lock")
    target = place / rng.choice((*odd, "cables.csv", f"hardware/{name}", f"hardware/switches/{name}.yaml"))
    target.parent.mkdir(parents=True, exist_ok=True)
    _odd_file(target, rng)
    words = rng.choice((("validate", str(intent)), ("validate", str(intent), "--json"), ("plan", str(intent)),
                        ("render", str(intent), "-o", str(place / "out")), ("explain", str(intent), "be-leaf-000"),
                        ("diff", str(intent), "--against", str(intent))))  # fmt: skip
    shown = f"{words!r} {target.relative_to(folder)!r}".encode("utf-8", "replace")
    return shown, lambda: judged(call(*words), 3)


def _odd_file(path: Path, rng: Random) -> None:
    if path.exists():
        return
    match rng.randrange(6):
        case 0:
            path.mkdir()
        case 1:
            os.mkfifo(path)
        case 2:
            path.symlink_to(path.name)
        case 3:
            path.symlink_to("nowhere")
        case 4:
            path.write_bytes(b"")
        case _:
            path.write_bytes(rng.randbytes(40))


def _journal(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
    """The database in which push keeps what it did."""
    octets = spoilt(journal(), rng)
    files = {key: text.encode() for key, text in INVENTORY.items()}
    path = _site(folder, {"intent.yaml": sites.TINY.encode(), "push.sqlite": octets, **files})
    return octets[:200], lambda: judged(call("push", str(path), "-i", str(folder), "--show"), 4, 5)


@cache
def journal() -> bytes:
    """The journal of a push that was killed in its first wave."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - once

    from fabricgen.push.journal.journal import open_journal  # noqa: PLC0415
    from tests.push.journal.test_journal import HEAD, PLANNED, WAVES  # noqa: PLC0415

    with TemporaryDirectory() as made:
        path = Path(made) / "push.sqlite"
        with open_journal(path) as opened:
            opened.begin(HEAD, WAVES, PLANNED)
        return path.read_bytes()


KINDS = (
    Kind("intent", 290, _intent),
    *(Kind(f"hardware {kind}", 50, partial(_hardware, kind)) for kind in HARDWARE),
    Kind("hardware media", 30, _media),
    *(Kind(name, 45, partial(_beside, name)) for name in ("cables.csv", "placement.csv")),
    Kind("lock", 60, partial(_beside, "fabricgen.lock")),
    Kind("overlay", 40, _overlay),
    Kind("expect", 40, _expect),
    Kind("steps", 15, _steps),
    Kind("template", 25, _template),
    Kind("raw", 40, _raw),
    Kind("inventory", 60, _inventory),
    Kind("answers", 60, _answers),
    Kind("drift", 30, _drift),
    Kind("collection", 20, _collection),
    Kind("tree", 20, _tree),
    Kind("words", 40, _words),
    Kind("names", 15, _names),
    Kind("journal", 5, _journal),
)
"""Every kind of file and word that a person or a switch gives to fabricgen."""
