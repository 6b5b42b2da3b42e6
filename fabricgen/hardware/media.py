"""Two ends and a length → the cable, or the pair of transceivers, that joins them."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from fabricgen.hardware.model import Copper, Media, Transceiver

KINDS = ("dac", "acc", "aec")
"""Copper from the one that draws least to the one that draws most."""


class MediaEnd(NamedTuple):
    """One end of a link: the cage's connector, the link's speed and the links that share the cage."""

    connector: str
    speed_gbps: int
    parts: int


class CableChoice(NamedTuple):
    """What joins two ends.

    near, far   names of the modules, or twice that of the cable
    near_links  links that one module carries at the near end, far_links at the far end; of a cable, its links
    watts       of one link, both ends
    """

    kind: Literal["dac", "acc", "aec", "optic"]
    near: str
    far: str
    near_links: int
    far_links: int
    watts: float
    reach_m: float


def part_names(media: Media) -> frozenset[str]:
    """Names of all cables and transceivers."""
    return frozenset((*(row.name for row in media.copper), *(row.name for row in media.transceivers)))


def overlaid(ours: Media, theirs: Media) -> Media:
    """Return the library's media with the user's: rows by name, and by cage what a cage takes.

    All of our rows of a name that the user writes, or leaves out (`without`), are gone.
    """
    gone = {*theirs.without, *part_names(theirs)}
    return Media(
        sources={},
        copper=(*(row for row in ours.copper if row.name not in gone), *theirs.copper),
        transceivers=(*(row for row in ours.transceivers if row.name not in gone), *theirs.transceivers),
        fits={**ours.fits, **theirs.fits},
    )


def choose_cable(
    media: Media, near: MediaEnd, far: MediaEnd, length_m: float, *, shared: bool = False
) -> CableChoice | None:
    """Return copper where one is long enough and fits both cages, else transceivers of the shortest reach, or None.

    length_m  of the longest link in either cage: links that share a cage share what is plugged into it
    shared    all links of the near cage end in the far one, so that a straight cable of several links can carry them

    Of copper the kind that draws least wins, then the shortest; of transceivers the pair with the shortest reach,
    then the one that draws least, then one of equal modules.
    """
    if near.speed_gbps != far.speed_gbps:
        return None
    cables = [
        cable
        for cable in media.copper
        if cable.reach_m >= length_m and cable.speed_gbps == near.speed_gbps and _fits(media, cable, near, far, shared)
    ]
    if cables:
        return _copper(min(cables, key=lambda cable: (KINDS.index(cable.kind), cable.reach_m, cable.name)))
    pairs = [pair for pair in _pairs(media, near, far) if pair.reach_m >= length_m]
    return min(
        pairs, key=lambda pair: (pair.reach_m, pair.watts, pair.near != pair.far, pair.near, pair.far), default=None
    )


def _copper(cable: Copper) -> CableChoice:
    plugs = 1 + cable.far_plugs
    return CableChoice(
        kind=cable.kind,
        near=cable.name,
        far=cable.name,
        near_links=cable.links,
        far_links=cable.links,
        watts=round(cable.end_watts * plugs / cable.links, 3),
        reach_m=cable.reach_m,
    )


def _fits(media: Media, cable: Copper, near: MediaEnd, far: MediaEnd, shared: bool) -> bool:
    """Whether a cable joins the two cages, either way round."""
    if cable.far_plugs == 1 and cable.links > 1 and not shared:
        return False
    far_links = cable.links // cable.far_plugs
    return any(
        (wide.parts, narrow.parts) == (cable.links, far_links)
        and _takes(media, wide.connector, cable.ends[0])
        and _takes(media, narrow.connector, cable.ends[1])
        for wide, narrow in ((near, far), (far, near))
    )


def _takes(media: Media, cage: str, plug: str) -> bool:
    return cage == plug or plug in media.fits.get(cage, ())


def _pairs(media: Media, near: MediaEnd, far: MediaEnd) -> Iterator[CableChoice]:
    for own in _modules(media, near):
        for other in _modules(media, far):
            if own.reach != other.reach:
                continue
            yield CableChoice(
                kind="optic",
                near=own.name,
                far=other.name,
                near_links=own.links,
                far_links=other.links,
                watts=round(own.watts / own.links + other.watts / other.links, 3),
                reach_m=min(own.reach_m, other.reach_m),
            )


def _modules(media: Media, end: MediaEnd) -> Iterator[Transceiver]:
    for module in media.transceivers:
        same = (module.speed_gbps, module.links) == (end.speed_gbps, end.parts)
        if same and _takes(media, end.connector, module.connector):
            yield module
