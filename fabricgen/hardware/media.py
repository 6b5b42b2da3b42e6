"""Two ends and a length → the cable, or the pair of transceivers, that connects them."""

from collections.abc import Collection, Iterator, Mapping
from typing import Literal, NamedTuple

from fabricgen.hardware.model import Copper, Media, Transceiver

KINDS = ("dac", "acc", "aec", "aoc")
"""Kinds of cables with plugs: copper in order of power, lowest first, then optical."""


class MediaEnd(NamedTuple):
    """One end of a link: the cage's connector, the link's speed and the links that share the cage."""

    connector: str
    speed_gbps: int
    parts: int


class CableChoice(NamedTuple):
    """A cable or a pair of transceivers that connects two ends.

    near, far   names of the two modules, or twice the cable's name
    watts       per link, both ends together
    """

    kind: Literal["dac", "acc", "aec", "aoc", "optic"]
    near: str
    far: str
    watts: float
    reach_m: float


def part_names(media: Media) -> frozenset[str]:
    """Return the names of all cables and transceivers."""
    return frozenset((*(row.name for row in media.copper), *(row.name for row in media.transceivers)))


def overlaid(ours: Media, theirs: Media) -> Media:
    """Return the library's media with the user's: rows by name, and `fits` by cage.

    A row of the library is dropped where the user's file has or leaves out (`without`) its name.
    """
    replaced = {*theirs.without, *part_names(theirs)}
    return Media(
        sources={**ours.sources, **theirs.sources},
        cited=_of_kept(ours.cited, replaced) | theirs.cited,
        unsure=_of_kept(ours.unsure, replaced) | theirs.unsure,
        copper=(*(row for row in ours.copper if row.name not in replaced), *theirs.copper),
        transceivers=(*(row for row in ours.transceivers if row.name not in replaced), *theirs.transceivers),
        fits={**ours.fits, **theirs.fits},
    )


def _of_kept(reasons: Mapping[str, str], replaced: Collection[str]) -> dict[str, str]:
    """What the library says of parts that stay, by path: `copper.NAME`, or a fact below it."""
    return {path: reason for path, reason in reasons.items() if not set(path.split(".")) & set(replaced)}


def choose_cable(
    media: Media, near: MediaEnd, far: MediaEnd, length_m: float, *, shared: bool = False
) -> CableChoice | None:
    """Return copper where one is long enough and fits both cages, else transceivers of the shortest reach, or None.

    length_m  of the longest link in either cage: links that share a cage share one cable or module
    shared    all links of the near cage end in one far cage, so that a straight cable of several links can carry them

    A cable that is `only_named` is never chosen. Among copper the kind with the lowest power is preferred, then the
    shortest; among transceivers the pair with the shortest reach, then the lowest power, then two equal modules.
    """
    if near.speed_gbps != far.speed_gbps:
        return None
    cables = [
        cable
        for cable in media.copper
        if not cable.only_named
        and cable.reach_m >= length_m
        and cable.speed_gbps == near.speed_gbps
        and _fits(media, cable, near, far, shared)
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
        watts=round(cable.end_watts * plugs / cable.links, 3),
        reach_m=cable.reach_m,
    )


def _fits(media: Media, cable: Copper, near: MediaEnd, far: MediaEnd, shared: bool) -> bool:
    """Return whether a cable connects the two cages, in either direction."""
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
    for near_module in _modules(media, near):
        for far_module in _modules(media, far):
            if near_module.reach != far_module.reach:
                continue
            yield CableChoice(
                kind="optic",
                near=near_module.name,
                far=far_module.name,
                watts=round(near_module.watts / near_module.links + far_module.watts / far_module.links, 3),
                reach_m=min(near_module.reach_m, far_module.reach_m),
            )


def _modules(media: Media, end: MediaEnd) -> Iterator[Transceiver]:
    for module in media.transceivers:
        is_same = (module.speed_gbps, module.links) == (end.speed_gbps, end.parts)
        if is_same and _takes(media, end.connector, module.connector):
            yield module
