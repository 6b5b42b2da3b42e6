"""A link, its length and the links that share its cages → its cable or transceivers."""

from typing import NamedTuple

from fabricgen.hardware.media import KINDS, CableChoice, MediaEnd, choose_cable
from fabricgen.hardware.model import Media
from fabricgen.plan.cable import usual_length
from fabricgen.plan.exceptions import AsBuilt, PortKey
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.links import Link, cage_links

OPTIC = "optic"
AND = " and "


def built_of(fabric: FabricPlan, link: Link) -> AsBuilt | None:
    """The entry of the cable file for a link, by either end."""
    built = fabric.exceptions.cables
    if not built:
        return None
    return built.get(PortKey(link.near.device, link.near.port)) or built.get(PortKey(link.far.device, link.far.port))


def length_of(fabric: FabricPlan, link: Link) -> float:
    """Metres: the cable file's, else the default of the kind."""
    built = built_of(fabric, link)
    if built is not None:
        return built.length_m
    return usual_length(fabric.lengths, link.kind)


class Medium(NamedTuple):
    """Requirements of a link, together with the links that share its cages, and the chosen medium.

    span_m  the longest of their lengths; choice: None: nothing fits
    named   media named in the cable file and overrides, joined by " and " if there are several; empty for none
    """

    span_m: float
    named: str
    choice: CableChoice | None


class Chooser:
    """Chooses what joins two plugs. Equal requests are answered once."""

    def __init__(self, fabric: FabricPlan, media: Media) -> None:
        self.fabric = fabric
        self.media = media
        self.answers: dict[tuple[MediaEnd, MediaEnd, float, bool, str], CableChoice | None] = {}

    def choose(self, link: Link, near: tuple[Link, ...], far: tuple[Link, ...]) -> Medium:
        """Return the medium of a link. `near`, `far`: links of the cage at either end.

        All links that are connected through shared cages get one medium.
        """
        joined = self._joined(link, near, far)
        span = max(length_of(self.fabric, other) for other in joined)
        named = self._named(joined)
        # If both cages have the same links, one straight cable can carry all of them.
        key = (link.near.media_end, link.far.media_end, span, set(near) == set(far), named)
        if key not in self.answers:
            media = named_media(self.media, named)
            self.answers[key] = choose_cable(media, key[0], key[1], span, shared=key[3])
        return Medium(span, named, self.answers[key])

    def _joined(self, link: Link, near: tuple[Link, ...], far: tuple[Link, ...]) -> tuple[Link, ...]:
        """Links connected through shared cages, this one first.

        Without a cable file all are alike, so one is enough.
        """
        if not self.fabric.exceptions.cables:
            return (link,)
        connected = dict.fromkeys((link, *near, *far))
        pending = [other for other in connected if other != link]
        while pending:
            current = pending.pop()
            for end in (current.near, current.far):
                for other in cage_links(self.fabric, current, end):
                    if other not in connected:
                        connected[other] = None
                        pending.append(other)
        return tuple(connected)

    def _named(self, joined: tuple[Link, ...]) -> str:
        if not self.fabric.exceptions.cables:
            return ""
        named = {built.medium for built in (built_of(self.fabric, other) for other in joined) if built}
        return AND.join(sorted(named - {""}))


def medium_names(media: Media) -> tuple[str, ...]:
    """Names of media that the cable file may use: kinds, then optical reaches, then parts, each sorted."""
    reaches = {module.reach for module in media.transceivers}
    parts = {cable.name for cable in media.copper} | {module.name for module in media.transceivers}
    return (*KINDS, OPTIC, *sorted(reaches), *sorted(parts))


def named_media(media: Media, named: str) -> Media:
    """Only the media that a name means: a kind (as dac, aoc, optic), an optical reach (dr4) or a part; all for none.

    named  several joined by " and ": media that all of them mean, as one cage holds one module
    """
    for name in named.split(AND) if named else ():
        media = _one_name(media, name)
    return media


def _one_name(media: Media, name: str) -> Media:
    copper = tuple(
        cable.model_copy(update={"only_named": False}) for cable in media.copper if name in (cable.kind, cable.name)
    )
    reaches = {module.reach for module in media.transceivers if name in (OPTIC, module.reach, module.name)}
    modules = tuple(module for module in media.transceivers if module.reach in reaches)
    return media.model_copy(update={"copper": copper, "transceivers": modules})


def longest_reach(media: Media, near: MediaEnd, far: MediaEnd) -> float | None:
    """Metres that the longest medium between two cages spans; None if none fits them at any length."""
    lengths = {cable.reach_m for cable in media.copper} | {module.reach_m for module in media.transceivers}
    spanned = [length for length in lengths if choose_cable(media, near, far, length, shared=True) is not None]
    return max(spanned, default=None)
