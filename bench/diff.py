"""Cost of a diff between two versions of 1,344 switches, as the command does it: `make bench`, or --quick in small.

Seven backends like bench/intent.yaml. Each case is a process of its own: CPU seconds and peak memory of that process,
and the ratio to a whole `fabricgen render` of the same site in the same run. Exit code 1 above the limits: 30 CPU
seconds, 1 GiB.

    equal     nothing changed
    one       one spine is drained
    ecn       another ECN profile on every switch
    release   a tree of other templates, with two lines changed under every port, and the ECN profile as well
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

INTENT = Path(__file__).with_name("intent.yaml")
BACKENDS, QUICK_BACKENDS = 7, 1
MOST_SECONDS, MOST_MIB = 30, 1024
SMALLER = (
    ("slots: 0-1023, planned: 1024", "slots: 0-63, planned: 64"),
    ("{now: 64, planned: 64}", "{now: 8, planned: 8}"),
)
DIFFERS = 3


class Cost(NamedTuple):
    """What one process took: CPU seconds, peak memory in MiB, exit code."""

    seconds: float
    mib: float
    code: int


def main() -> int:
    """Run every case, print, and tell by the exit code."""
    parser = argparse.ArgumentParser(description="Cost of a diff between two versions of a large site.")
    parser.add_argument("--quick", action="store_true", help="once, over a small site: that it runs, not how fast")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory(prefix="fabricgen-bench-") as name:
        folder = Path(name)
        site = _text(QUICK_BACKENDS if quick else BACKENDS, quick=quick)
        old = _write(folder / "old", site)
        render = _cost("render", old, "-o", folder / "out")
        print(
            f"render               {render.seconds:6.1f} s  {render.mib:6.0f} MiB  {_switches(folder / 'out')} switches"
        )
        found = [
            _told(case, _cost("diff", new, "--against", folder / "out"), render, code)
            for case, new, code in _cases(folder, site)
        ]
    is_met = all(cost.seconds <= MOST_SECONDS and cost.mib <= MOST_MIB for cost in found)
    print(f"limits of {MOST_SECONDS} s and {MOST_MIB} MiB: {'met' if is_met else 'missed'}")
    return 0 if is_met else 1


def _cases(folder: Path, site: str) -> Iterator[tuple[str, Path, int]]:
    """Name of a case, the new intent, and the exit code that it must end with."""
    ecn = site.replace("ecn: formula", "ecn: arista-guide")
    yield "equal", folder / "old/intent.yaml", 0
    yield "one", _write(folder / "one", f"overrides: {{be0-spine-00: {{state: drained}}}}\n{site}"), DIFFERS
    yield "ecn", _write(folder / "ecn", ecn), DIFFERS
    age(folder / "out")
    yield "release", folder / "ecn/intent.yaml", DIFFERS


def _told(case: str, cost: Cost, render: Cost, code: int) -> Cost:
    ratio = cost.seconds / render.seconds
    print(f"diff, {case:<14} {cost.seconds:6.1f} s  {cost.mib:6.0f} MiB  {ratio:5.2f} of the render")
    if cost.code != code:
        raise SystemExit(f"diff ended with {cost.code}, and {code} was expected")
    return cost


def _text(backends: int, *, quick: bool) -> str:
    """The site of bench/intent.yaml with so many backends: each has servers, prefixes and AS numbers of its own."""
    text = INTENT.read_text()
    for old, new in SMALLER if quick else ():
        text = text.replace(old, new)
    head, servers, fabrics = re.split(r"(?m)^(?:servers|fabrics):\n", text)
    head = head.replace("10.0.0.0/20", "10.0.0.0/16")
    return head + "\n".join(
        (
            "servers:",
            *(servers.rstrip().replace("train:", f"train{at}:") for at in range(backends)),
            "fabrics:",
            *(_backend(fabrics.rstrip(), at) for at in range(backends)),
            "",
        )
    )


def _backend(text: str, at: int) -> str:
    for old, new in (
        ("backend:\n", f"backend{at}:\n"),
        ("prefix: be", f"prefix: be{at}"),
        ("train:", f"train{at}:"),
        ("10.64.0.0/12", f"10.{64 + 16 * at}.0.0/12"),
        ("fd5e:8c1f:2a00::/52", f"fd5e:8c1f:2a0{at}::/52"),
        ("4201000000-4201999999", f"420{at + 1}000000-420{at + 1}999999"),
    ):
        text = text.replace(old, new, 1)
    return text


def _write(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "intent.yaml").write_text(text)
    return folder / "intent.yaml"


def _switches(out: Path) -> int:
    return sum(1 for path in out.iterdir() if path.is_dir() and not path.name.startswith("."))


def age(out: Path) -> None:
    """Make a tree one of other templates: two lines of every port are others, and it does not say what made it."""
    path = out / ".fabricgen/manifest.json"
    manifest = json.loads(path.read_text())
    for name in manifest["files"]:
        if name.endswith("startup-config"):
            octets = (
                (out / name)
                .read_bytes()
                .replace(b"   mtu ", b"   mtu 1")
                .replace(b"   no shutdown", b"   no  shutdown")
            )
            (out / name).write_bytes(octets)
            manifest["files"][name] = hashlib.sha256(octets).hexdigest()
    path.write_text(json.dumps(manifest | {"made_by": ""}, indent=1, sort_keys=True) + "\n")


def _cost(*words: object) -> Cost:
    """Run fabricgen as a user does, and ask the kernel what it took."""
    command = [sys.executable, "-m", "fabricgen", *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = code = os.waitstatus_to_exitcode(status)
    if code not in (0, DIFFERS):
        raise SystemExit(f"{' '.join(command)} ended with {code}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, code)


if __name__ == "__main__":
    sys.exit(main())
