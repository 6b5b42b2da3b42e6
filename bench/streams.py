"""Memory of each verb that goes through all switches, at two sizes: `make bench`, or --quick at the smallest one.

A switch, its files and its lines are held one at a time. What is kept of every switch (a name, a digest, a fact that
differs) is told in octets a device: the most memory of the process at the larger size less that at the smaller one,
over the switches that are more. Each verb is a process of its own. Exit code 1 where one is above its goal.
`export hosts` goes through all servers, and its devices are those: each has 17 files.

    diff one    one leaf is drained
    diff every  another ECN profile: every switch differs by the same
    diff moved  other AS numbers: every switch and session differs by what is its own
    diff tree   a rendered tree, as it was rendered
    diff aged   one of other templates: two lines of every port are others
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.child import Run, run
from bench.diff import age
from bench.sites import SIZES, Size, intent

TMPFS = Path("/dev/shm")  # noqa: S108 - the fastest place to write; a folder of our own below it
FROM, TO = (next(size for size in SIZES if size.gpus == gpus) for gpus in (16_384, 102_400))
OCTETS = 4096
"""Most that a verb may keep of a device."""
DIFFERS = 3
OWN = ("4210000000-4210999999", "4200000000-4200999999")
"""AS numbers of a site, and of one whose numbers are all others."""


class Verb(NamedTuple):
    """A verb and how it ends. device: what it goes through, switch or server."""

    words: tuple[object, ...]
    code: int = 0
    device: str = "switch"


class Sites(NamedTuple):
    """Folders of one size: the intent as it stands, as it is to be in three ways, and two rendered trees of it."""

    old: Path
    one: Path
    every: Path
    moved: Path
    tree: Path
    aged: Path


def main() -> int:
    """Run, print, and tell by the exit code."""
    parser = argparse.ArgumentParser(description="Memory of each verb at two sizes.")
    parser.add_argument("--quick", action="store_true", help="the smallest size alone: that it runs, not what it takes")
    quick = parser.parse_args().quick
    sizes = SIZES[:1] if quick else (FROM, TO)
    where = TMPFS if os.access(TMPFS, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="fabricgen-streams-", dir=where) as name:
        missed = list(_measured(Path(name), sizes))
    print(f"missed: {', '.join(missed)}" if missed else "every goal met")
    return 1 if missed else 0


def _measured(folder: Path, sizes: tuple[Size, ...]) -> Iterator[str]:
    """Print each verb; names of those above their goals."""
    print(f"{'':20}" + "".join(f"{size.gpus:>10,} GPUs: MB, CPU s" for size in sizes) + "   octets a device")
    sites = [_written(folder / str(size.gpus), size) for size in sizes]
    verbs = [dict(_verbs(each, folder / "out")) for each in sites]
    for name in verbs[0]:
        runs = [_run(each[name], folder / "out") for each in verbs]
        told = "".join(f"{found.megabytes:17.1f} {found.cpu:8.1f} " for found in runs)
        device = verbs[0][name].device
        each = _each(runs, [_devices(size, device) for size in sizes])
        print(f"{name:20}{told}{each:13.0f}   goal: at most {OCTETS} a {device}", flush=True)
        if each > OCTETS:
            yield f"{name}: {each:.0f} octets a {device}, at most {OCTETS}"


def _devices(size: Size, device: str) -> int:
    return size.fabrics * size.servers if device == "server" else size.switches


def _each(runs: list[Run], devices: list[int]) -> float:
    """Octets of memory for each device more; 0 at one size."""
    more = devices[-1] - devices[0]
    return (runs[-1].megabytes - runs[0].megabytes) * 2**20 / more if more else 0.0


def _run(verb: Verb, out: Path) -> Run:
    shutil.rmtree(out, ignore_errors=True)
    return run(*verb.words, codes=(verb.code,))


def _written(folder: Path, size: Size) -> Sites:
    text = intent(size)
    texts = {
        "old": text,
        "one": f"overrides: {{be0-leaf-003: {{state: drained}}}}\n{text}",
        "every": text.replace("ecn: formula", "ecn: arista-guide"),
        "moved": text.replace(*OWN),
    }
    for name, own in texts.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "intent.yaml").write_text(own)
    found = Sites(*(folder / name for name in Sites._fields))
    run("render", found.old / "intent.yaml", "-o", found.tree)
    shutil.copytree(found.tree, found.aged)
    age(found.aged)
    return found


def _verbs(sites: Sites, out: Path) -> Iterator[tuple[str, Verb]]:
    intent_path = sites.old / "intent.yaml"
    yield "validate", Verb(("validate", intent_path))
    yield "plan", Verb(("plan", intent_path))
    yield "plan --json", Verb(("plan", intent_path, "--json"))
    yield "plan --cables", Verb(("plan", intent_path, "--cables"))
    yield "cables --json", Verb(("plan", intent_path, "--cables", "--json"))
    yield "explain", Verb(("explain", intent_path, "be0-leaf-003"))
    for what in ("nornir", "ansible", "gnmic", "containerlab"):
        yield f"export {what}", Verb(("export", what, intent_path, "-o", out))
    yield "export hosts", Verb(("export", "hosts", intent_path, "-o", out), device="server")
    for name, new in (("one", sites.one), ("every", sites.every), ("moved", sites.moved)):
        words = ("diff", new / "intent.yaml", "--against", sites.old)
        yield f"diff {name}", Verb(words, DIFFERS)
        if name != "one":
            yield f"{name} --json", Verb((*words, "--json"), DIFFERS)
    for name, tree, code in (("tree", sites.tree, 0), ("aged", sites.aged, DIFFERS)):
        yield f"diff {name}", Verb(("diff", intent_path, "--against", tree), code)
    yield "every --markdown", Verb(("diff", sites.every / "intent.yaml", "--against", sites.old, "--markdown"), DIFFERS)


if __name__ == "__main__":
    sys.exit(main())
