"""Published YANG models that the judges are made of: where they are looked for, and unpacking them for a while.

The archives are no part of this repository. They are looked for in ../shared/data beside the checkout, or in the folder
that FABRICGEN_MODELS names. Without them the tests that need them are skipped; with CI=true a skip is a failure.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from fabricgen.baseline.unpack import unpack

BESIDE = Path(__file__).resolve().parents[2].parent / "shared" / "data"

ARCHIVES: Mapping[str, str] = MappingProxyType(
    {
        "sonic-202505": "sonic-yang-202505.tar.xz",  # sonic-net/sonic-buildimage, branch 202505
        "sonic-202511": "sonic-yang-202511.tar.xz",  # the same, branch 202511 at fde92d2
        "sonic-202605": "sonic-yang-202605.tar.xz",  # the same, branch 202605 at 10ae470
        "sonic-master": "sonic-yang-master-2026-08.tar.xz",  # the same, 086b03b of 2026-08-23
        "srlinux": "srlinux-yang-25.3.1.tar.xz",  # nokia/srlinux-yang-models 97b373e, v25.3.1
        "srlinux-24.10": "srlinux-yang-24.10.3.tar.xz",  # the same, d494866, v24.10.3
        "junos": "junos-qfx-yang-24.4R1.tar.xz",  # Juniper/yang 2a696d6, 24.4R1
        "junos-23.4": "junos-qfx-yang-23.4R2.tar.xz",  # the same, 23.4R2
        "junos-evolved-23.4": "junos-evo-yang-23.4R2.tar.xz",  # the same, 23.4R2-EVO
        "junos-evolved-24.4": "junos-evo-yang-24.4R1.tar.xz",  # the same, 24.4R1-EVO
    }
)
"""Name → file. What each holds: the README beside them."""


def available(name: str) -> str | None:
    """Why the models of this name cannot be had, or None when they can. Raises KeyError for a name not in ARCHIVES."""
    if _archive(name).is_file():
        return None
    return f"no {ARCHIVES[name]} in ../shared/data beside the checkout nor in FABRICGEN_MODELS"


@contextmanager
def unpacked(name: str) -> Iterator[Path]:
    """Unpack an archive into a folder of this process alone, which is removed on leaving; it may be written to.

    A judge reads its models once a process and keeps what it made of them, so nothing stays on the disk. Raises
    FileNotFoundError where `available` gives a reason.
    """
    with tempfile.TemporaryDirectory(prefix="fabricgen-models-") as folder:
        unpack(_archive(name), Path(folder))
        yield Path(folder)


def _archive(name: str) -> Path:
    return Path(os.environ.get("FABRICGEN_MODELS") or BESIDE) / ARCHIVES[name]
