"""Every platform that containerlab can run, and how."""

from collections.abc import Callable, Mapping

from fabricgen.on_demand import OnDemand
from fabricgen.platforms.containerlab import Kind, Release

Kinds = tuple[Kind, ...]
"""Of one platform, oldest first."""


def _eos() -> Kinds:
    from fabricgen.platforms.eos_containerlab import KINDS as FOUND  # noqa: PLC0415

    return FOUND


def _frr() -> Kinds:
    from fabricgen.platforms.frr_containerlab import KINDS as FOUND  # noqa: PLC0415

    return FOUND


def _srlinux() -> Kinds:
    from fabricgen.platforms.srlinux_containerlab import KINDS as FOUND  # noqa: PLC0415

    return FOUND


def _nxos() -> Kinds:
    from fabricgen.platforms.nxos_containerlab import KINDS as FOUND  # noqa: PLC0415

    return FOUND


def _cumulus() -> Kinds:
    from fabricgen.platforms.cumulus_containerlab import KINDS as FOUND  # noqa: PLC0415

    return FOUND


MAKERS: Mapping[str, Callable[[], Kinds]] = {
    "eos": _eos,
    "frr": _frr,
    "srlinux": _srlinux,
    "nxos": _nxos,
    "cumulus": _cumulus,
}

KINDS = OnDemand(MAKERS)
"""Platform → its kinds. A platform without a row can not be exported."""

REFUSALS: Mapping[str, str] = {
    "sonic": (
        "sonic-vm adds config_db.json to what its image comes with, neighbors and addresses of another box among them "
        "(vrnetlab 9b1495fd, sonic/docker/backup.sh: `config load`), reads no frr.conf, and calls its ports Ethernet0, "
        "Ethernet4 and so on; of sonic-vs containerlab's manual has no startup configuration at all"
    ),
    "junos": (
        "juniper_vjunosevolved has twelve ports, et-0/0/0 to et-0/0/11, and none of them divided; "
        "juniper_vjunosswitch is an EX9214 whose ports are ge-0/0/N (containerlab's manual), and which lines of a QFX "
        "either takes was found nowhere"
    ),
}
"""Platform that containerlab has nodes for → why a switch of ours can not be one, as its documents of 0.79 have it."""


def kind_of(platform: str, release: Release) -> Kind | None:
    """The kind of a platform in a release; None where there is none."""
    return next((kind for kind in KINDS.get(platform, ()) if kind.holds(release)), None)
