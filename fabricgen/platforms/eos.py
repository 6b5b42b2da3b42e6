"""Arista EOS."""

from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.platforms.platform import Artifact, Platform

SECTIONS = (
    "hostname.j2",
    "interfaces.j2",
    "bgp.j2",
    "end.j2",
)


class Spelling(NamedTuple):
    """What EOS spells by model or chip."""

    queue: str


def spell(device: Device) -> Spelling:
    """EOS words that depend on the chip."""
    return Spelling(queue=device.hardware.spellings.get("queue", "uc-tx-queue"))


def finish(text: str) -> str:
    """EOS text needs no last step."""
    return text


CONFIGURATION = (Artifact("startup-config", SECTIONS),)

EOS = Platform(
    name="eos",
    title="Arista EOS",
    versions=("4.34",),
    artifacts={"leaf": CONFIGURATION, "border-leaf": CONFIGURATION, "spine": CONFIGURATION},
    spell=spell,
    finish=finish,
    main="startup-config",
    comment="!",
    capabilities=(),
    driver="eos",
)
