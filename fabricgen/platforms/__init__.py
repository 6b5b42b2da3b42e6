"""One adapter an operating system, and what each can do."""

from collections.abc import Callable

from fabricgen.on_demand import OnDemand
from fabricgen.platforms.platform import Platform


def _eos() -> Platform:
    from fabricgen.platforms.eos import EOS  # noqa: PLC0415

    return EOS


def _frr() -> Platform:
    from fabricgen.platforms.frr import FRR  # noqa: PLC0415

    return FRR


def _sonic() -> Platform:
    from fabricgen.platforms.sonic import SONIC  # noqa: PLC0415

    return SONIC


def _cumulus() -> Platform:
    from fabricgen.platforms.cumulus import CUMULUS  # noqa: PLC0415

    return CUMULUS


def _junos() -> Platform:
    from fabricgen.platforms.junos import JUNOS  # noqa: PLC0415

    return JUNOS


def _srlinux() -> Platform:
    from fabricgen.platforms.srlinux import SRLINUX  # noqa: PLC0415

    return SRLINUX


def _nxos() -> Platform:
    from fabricgen.platforms.nxos import NXOS  # noqa: PLC0415

    return NXOS


ADAPTERS: dict[str, Callable[[], Platform]] = {
    "eos": _eos,
    "frr": _frr,
    "sonic": _sonic,
    "cumulus": _cumulus,
    "junos": _junos,
    "srlinux": _srlinux,
    "nxos": _nxos,
}
"""Every platform by its name. Adding one is one folder, one adapter, and a function and a word here."""

PLATFORMS = OnDemand(ADAPTERS)
"""The platforms themselves: only the adapters of systems that are asked for are imported."""


def tells(system: str, feature: str) -> bool:
    """Whether a platform, by its name, can be told a feature."""
    found = PLATFORMS[system].can(feature)
    return found is not None and not found.refusal
