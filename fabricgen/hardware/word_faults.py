"""Words of a user's hardware file that only mean something to others: connectors, and keys of operating systems."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.hardware.model import Media, ServerModel, SwitchModel
from fabricgen.source.document import Document, mapping

CONNECTOR = "connector"


def connectors_in(value: object) -> Iterator[str]:
    """Yield each connector of a switch or server, as it is in its file."""
    rows = mapping(value).get("cages")
    runs = rows if isinstance(rows, list) else []
    for part in (*runs, *mapping(mapping(value).get("nics")).values()):
        word = mapping(part).get(CONNECTOR)
        if isinstance(word, str):
            yield word


def connectors_of(media: Media) -> frozenset[str]:
    """Return the connectors that cables, transceivers and cages of a media file name."""
    return frozenset(word for word, _ in _named(media))


def _named(media: Media) -> Iterator[tuple[str, IntentPath]]:
    for position, cable in enumerate(media.copper):
        yield from ((word, ("copper", position, "ends", end)) for end, word in enumerate(cable.ends))
    for position, module in enumerate(media.transceivers):
        yield module.connector, ("transceivers", position, CONNECTOR)
    for cage, plugs in media.fits.items():
        yield cage, ("fits", cage)
        yield from ((word, ("fits", cage, position)) for position, word in enumerate(plugs))


def connector_faults(
    thing: SwitchModel | ServerModel | Media, document: Document, known: Iterable[str]
) -> Iterator[Problem]:
    """Yield connectors that nothing else has: no cable would fit, or no cage. known: of the library and the user."""
    words = frozenset(known)
    used: list[tuple[str, IntentPath]]
    match thing:
        case SwitchModel():
            used = [(run.connector, ("cages", position, CONNECTOR)) for position, run in enumerate(thing.cages)]
        case ServerModel():
            used = [(group.connector, ("nics", name, CONNECTOR)) for name, group in thing.nics.items()]
        case Media():
            used = list(_named(thing))
    for word, where in used:
        if word not in words:
            is_media = isinstance(thing, Media)
            near = did_you_mean(word, words)
            near += "" if near.endswith("?") or is_media else "."
            yield Problem(
                code="hardware-word",
                what=f"unknown connector {word}",
                why=f"no {'cage' if is_media else 'cable or transceiver'} has it: {', '.join(sorted(words))}",
                fix=near if is_media else f"{near} For a new one, add its cables and transceivers to media.yaml",
                where=where,
                at=document.place(where),
            )


def spelling_faults(
    spellings: Mapping[str, Mapping[str, str]], known: Callable[[str], tuple[str, ...] | None], document: Document
) -> Iterator[Problem]:
    """Yield keys of `spellings` that their operating system does not read: what they say would be lost.

    known  operating system → its keys, in which `<word>` stands for a number; None for an unknown system
    """
    for system, values in spellings.items():
        keys = known(system)
        patterns = re.compile("|".join(re.sub(r"<\w+>", "[0-9]+", key) for key in keys or ()))
        for key in values if keys is not None else ():
            if patterns.fullmatch(key) is None:
                where: IntentPath = ("spellings", system, key)
                yield Problem(
                    code="unknown-name",
                    what=f"unknown key {key} of spellings.{system}",
                    why=f"{system} reads {', '.join(keys)} there" if keys else f"{system} reads no key there",
                    fix=did_you_mean(key, keys) if keys else f"remove {key}",
                    where=where,
                    at=document.keys.get(where, document.place(where)),
                )
