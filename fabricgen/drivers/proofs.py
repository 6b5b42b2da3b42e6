"""What is claimed of each platform and can be tried, by the platform's name: see proof.py."""

from collections.abc import Callable, Mapping

from fabricgen.drivers.proof import ProofTable
from fabricgen.on_demand import OnDemand


def _eos() -> ProofTable:
    from fabricgen.drivers.eos_proof import EOS  # noqa: PLC0415

    return EOS


def _frr() -> ProofTable:
    from fabricgen.drivers.frr_proof import FRR  # noqa: PLC0415

    return FRR


def _sonic() -> ProofTable:
    from fabricgen.drivers.sonic_proof import SONIC  # noqa: PLC0415

    return SONIC


def _cumulus() -> ProofTable:
    from fabricgen.drivers.cumulus_proof import CUMULUS  # noqa: PLC0415

    return CUMULUS


def _junos() -> ProofTable:
    from fabricgen.drivers.junos_proof import JUNOS  # noqa: PLC0415

    return JUNOS


def _srlinux() -> ProofTable:
    from fabricgen.drivers.srlinux_proof import SRLINUX  # noqa: PLC0415

    return SRLINUX


def _nxos() -> ProofTable:
    from fabricgen.drivers.nxos_proof import NXOS  # noqa: PLC0415

    return NXOS


MAKERS: Mapping[str, Callable[[], ProofTable]] = {
    "eos": _eos,
    "frr": _frr,
    "sonic": _sonic,
    "cumulus": _cumulus,
    "junos": _junos,
    "srlinux": _srlinux,
    "nxos": _nxos,
}

PROOFS = OnDemand(MAKERS)
"""Only the tables of platforms that are asked for are imported."""
