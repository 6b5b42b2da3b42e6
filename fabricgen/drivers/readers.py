"""Readers by platform name: each platform that is rendered is read, too."""

from collections.abc import Callable, Mapping

from fabricgen.drivers.reader import Reader
from fabricgen.errors import FabricError, Problem
from fabricgen.on_demand import OnDemand


def _eos() -> Reader:
    from fabricgen.drivers.eos import EOS  # noqa: PLC0415

    return EOS


def _frr() -> Reader:
    from fabricgen.drivers.frr import FRR  # noqa: PLC0415

    return FRR


def _sonic() -> Reader:
    from fabricgen.drivers.sonic import SONIC  # noqa: PLC0415

    return SONIC


def _cumulus() -> Reader:
    from fabricgen.drivers.cumulus import CUMULUS  # noqa: PLC0415

    return CUMULUS


def _junos() -> Reader:
    from fabricgen.drivers.junos import JUNOS  # noqa: PLC0415

    return JUNOS


def _srlinux() -> Reader:
    from fabricgen.drivers.srlinux import SRLINUX  # noqa: PLC0415

    return SRLINUX


def _nxos() -> Reader:
    from fabricgen.drivers.nxos import NXOS  # noqa: PLC0415

    return NXOS


MAKERS: Mapping[str, Callable[[], Reader]] = {
    "eos": _eos,
    "frr": _frr,
    "sonic": _sonic,
    "cumulus": _cumulus,
    "junos": _junos,
    "srlinux": _srlinux,
    "nxos": _nxos,
}

READERS = OnDemand(MAKERS)
"""Only the readers of systems that are asked for are imported."""


def reader_of(system: str) -> Reader:
    """Return the reader of a platform. Raises FabricError where it has none."""
    if system not in READERS:
        problem = Problem(
            code="no-reader",
            what=f"live switches with {system} can not be read",
            why=f"platforms that are read: {', '.join(READERS)}",
            fix=f"add a reader of {system} (docs/adding.md), or name other switches with --devices",
        )
        raise FabricError([problem])
    return READERS[system]
