"""The cable of one link: length, medium and modules, and where they were written."""

from collections.abc import Iterator

from fabricgen.explain.answer import AnswerLine, Origin
from fabricgen.explain.known import KnownSite, cable_rows, intent_origin, spot
from fabricgen.plan.cable import LENGTH_KEYS
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.links import Link, cage_links
from fabricgen.plan.medium import Chooser, length_of


def cable_facts(known: KnownSite, fabric: FabricPlan, link: Link) -> Iterator[AnswerLine]:
    """Length, medium and modules of a cable."""
    yield AnswerLine("length", f"{length_of(fabric, link):g} m", "", _length_origin(known, link))
    chooser = Chooser(fabric, known.plan.catalog.media)
    near_cage, far_cage = cage_links(fabric, link, link.near), cage_links(fabric, link, link.far)
    medium = chooser.choose(link, near_cage, far_cage)
    if medium.choice is None:
        yield AnswerLine(
            "medium", f"the hardware library has no cable or optic for these ports over {medium.span_m:g} m"
        )
        return
    choice = medium.choice
    parts = (
        choice.near
        if choice.near == choice.far
        else f"{choice.near} at {link.near.device}, {choice.far} at the other end"
    )
    yield AnswerLine("medium", f"{choice.kind}: {parts}")


def _length_origin(known: KnownSite, link: Link) -> Origin:
    ends = ((link.near.device, link.near.port), (link.far.device, link.far.port))
    written = cable_rows(known, ends)
    if written:
        return Origin(spot(written[0].at("length_m")), "cable file")
    key = LENGTH_KEYS[link.kind]
    path = ("cables", "default", key)
    if known.intent is not None and path not in known.intent.places:
        return Origin("", f"cables.default.{key}: the default, as it is unset in the intent")
    return intent_origin(known, path)
