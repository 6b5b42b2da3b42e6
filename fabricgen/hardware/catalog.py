"""Hardware files of the library and the user → switches, chips, servers and media by name. Files are read on demand."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar

from fabricgen.errors import FabricError, Problem, Source, did_you_mean
from fabricgen.hardware.media import overlaid
from fabricgen.hardware.model import Asic, Media, ServerModel, SwitchModel
from fabricgen.source.document import Document, mapping, read_document
from fabricgen.source.validate import validate

OURS = Path(__file__).parent
FOLDERS = ("switches", "asics", "servers")
MEDIA = "media.yaml"
HARDWARE = "hardware"

T = TypeVar("T", SwitchModel, Asic, ServerModel)


@dataclass(frozen=True, slots=True)
class Shelf(Mapping[str, T], Generic[T]):
    """Hardware of one kind by name. Names need only a directory listing; a file is read at its first use.

    files  the user's where both have one of a name; ours: those of the library
    """

    model: type[T]
    files: Mapping[str, Path]
    ours: Mapping[str, Path] = field(default_factory=dict)
    _read: dict[str, T] = field(default_factory=dict)

    def __getitem__(self, name: str) -> T:
        """Return the hardware; raises KeyError for a name without a file, FabricError for a bad file."""
        if name not in self._read:
            self._read[name] = self._part(name)
        return self._read[name]

    def _part(self, name: str) -> T:
        path = self.files[name]
        return _of_model(self.model, path) if path.is_relative_to(OURS) else validate(self.model, self.document(name))

    def document(self, name: str) -> Document:
        """The file of a name; one of the user with what the library's file of this name has and it does not say.

        Raises FabricError for a file that cannot be read.
        """
        document, ours = _document(self.files[name]), self.ours.get(name)
        if ours in (None, self.files[name]):
            return document
        # Most sites have no hardware of their own.
        from fabricgen.hardware.overlay import overlaid_document  # noqa: PLC0415

        return overlaid_document(_document(ours), document)

    def __contains__(self, name: object) -> bool:
        return name in self.files

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """All hardware that an intent may name. Mappings are in the order of names.

    own_media_file  the user's media.yaml, which overrides rows of media_file
    """

    switches: Shelf[SwitchModel]
    asics: Shelf[Asic]
    servers: Shelf[ServerModel]
    media_file: Path
    own_media_file: Path | None = None
    _media: list[Media] = field(default_factory=list)

    @property
    def media(self) -> Media:
        """Cables and transceivers, read at first use."""
        if not self._media:
            media = validate(Media, _document(self.media_file))
            if self.own_media_file is not None:
                media = overlaid(media, validate(Media, read_document(self.own_media_file)))
            self._media.append(media)
        return self._media[0]


SpellingKeys = Callable[[str], tuple[str, ...] | None]
"""Operating system → keys of `spellings` that it reads; None where they are not known."""


def _any_keys(system: str) -> None:
    """Keys of no operating system are known."""


def load_catalog(user_directory: Path | None, spelling_keys: SpellingKeys = _any_keys) -> Catalog:
    """Return the library's hardware with the user's: a file of the user counts before the library's of the same name.

    Of a switch, chip or server it may say little: all else is ours (`overlaid_document`). In media.yaml rows are
    replaced by name (`overlaid`).

    user_directory  `hardware/` next to the intent, with switches/, asics/, servers/ and media.yaml in it, each of
                    them optional; None or a path that does not exist means the library only
    spelling_keys   the keys that the user's files may have in `spellings`

    Raises FabricError with every problem of every file of the user, each with its position.
    """
    user = user_directory if user_directory is not None and os.path.lexists(user_directory) else None
    if user is not None:
        _require_folders(user)
    own_media = user / MEDIA if user is not None and os.path.lexists(user / MEDIA) else None
    catalog = Catalog(
        switches=Shelf(SwitchModel, _files(user, "switches"), _files(None, "switches")),
        asics=Shelf(Asic, _files(user, "asics"), _files(None, "asics")),
        servers=Shelf(ServerModel, _files(user, "servers"), _files(None, "servers")),
        media_file=OURS / MEDIA,
        own_media_file=own_media,
    )
    if user is not None:
        # Capacities compare a panel with its chip: only when each file is valid by itself.
        problems = (*_stray_files(user), *_user_problems(user, catalog, spelling_keys)) or tuple(
            _capacities(user, catalog)
        )
        if problems:
            raise FabricError(problems)
    return catalog


def library_switch(name: str) -> SwitchModel | None:
    """Return a switch as the library alone has it, without what a file of the user says; None if it has no such one."""
    path = OURS / "switches" / f"{name}.yaml"
    return _of_model(SwitchModel, path) if path.is_file() else None


def _document(path: Path) -> Document:
    """Return a hardware file. One of the library is read once: `init` plans hundreds of sites, each with a catalog."""
    return _of_library(path) if path.is_relative_to(OURS) else read_document(path)


@cache
def _of_library(path: Path) -> Document:
    return read_document(path)


@cache
def _of_model(model: type[T], path: Path) -> T:
    return validate(model, _of_library(path))


def _require_folders(user: Path) -> None:
    """Raise FabricError for a folder that cannot be listed, or for a file in its place."""
    folders = (user, *(user / folder for folder in FOLDERS if os.path.lexists(user / folder)))
    for path in folders:
        try:
            next(path.iterdir(), None)
        except OSError as error:
            raise FabricError([_no_folder(path, error)]) from None


def _no_folder(path: Path, error: OSError) -> Problem:
    return Problem(
        code="hardware-stray-file",
        what=f"{path} cannot be listed",
        why=f"{error.strerror}; hardware files are in the folder {HARDWARE}/ beside the intent",
        fix="make it a folder, or rename it if it has no hardware files",
        at=Source(file=str(path), line=1, column=1),
    )


def _files(user: Path | None, folder: str) -> dict[str, Path]:
    """Return name → file, sorted by name; the user's files take precedence."""
    files: dict[str, Path] = {}
    for directory in (OURS / folder, user / folder) if user is not None else (OURS / folder,):
        if directory.is_dir():
            files |= {path.stem: path for path in directory.iterdir() if path.name.endswith(".yaml")}
    return dict(sorted(files.items()))


def _user_problems(user: Path, catalog: Catalog, spelling_keys: SpellingKeys) -> Iterator[Problem]:
    yield from _problems(catalog.asics, user, catalog, spelling_keys)
    yield from _problems(catalog.switches, user, catalog, spelling_keys)
    yield from _problems(catalog.servers, user, catalog, spelling_keys)
    if catalog.own_media_file is not None:
        yield from _media_problems(catalog.own_media_file, catalog)


def _problems(shelf: Shelf[T], user: Path, catalog: Catalog, spelling_keys: SpellingKeys) -> Iterator[Problem]:
    """Yield the problems of the user's files of one kind."""
    for name, path in shelf.files.items():
        if not path.is_relative_to(user):
            continue
        try:
            document = shelf.document(name)
        except FabricError as error:
            yield from error.problems
            continue
        try:
            thing = validate(shelf.model, document)
        except FabricError as error:
            yield from _with_names(error.problems, document, name, shelf)
        else:
            yield from hardware_faults(thing, name, document, catalog)
            if isinstance(thing, SwitchModel | Asic) and thing.spellings:
                from fabricgen.hardware.word_faults import spelling_faults  # noqa: PLC0415

                yield from spelling_faults(thing.spellings, spelling_keys, document)


def _with_names(problems: tuple[Problem, ...], document: Document, name: str, shelf: Shelf[T]) -> tuple[Problem, ...]:
    """Problems of a file of the user, with the library's names where a name of it seems to be misspelt."""
    from fabricgen.hardware.overlay_faults import of_misspelt_file, with_library_names  # noqa: PLC0415

    if name in shelf.ours:
        return with_library_names(problems, document, _document(shelf.ours[name]))
    return of_misspelt_file(problems, document, name, shelf.ours)


def hardware_faults(
    thing: SwitchModel | Asic | ServerModel, name: str, document: Document, catalog: Catalog
) -> Iterator[Problem]:
    """Yield the faults that the schema cannot find: names, sources, ranges, modes that need too many lanes."""
    # Imported here and below, not at the top: most sites have no hardware of their own.
    from fabricgen.hardware.faults import (  # noqa: PLC0415
        asic_faults,
        server_faults,
        switch_faults,
        switch_names_faults,
    )

    match thing:
        case SwitchModel():
            faults = tuple(switch_faults(thing, name, document, catalog.asics, _systems(catalog)))
            yield from faults or switch_names_faults(thing, document)
            yield from _connectors(thing, document, catalog)
        case Asic():
            yield from asic_faults(thing, name, document)
        case ServerModel():
            yield from server_faults(thing, name, document)
            yield from _connectors(thing, document, catalog)


def _connectors(thing: SwitchModel | ServerModel | Media, document: Document, catalog: Catalog) -> Iterator[Problem]:
    """Yield connectors of a file of the user that no other file has."""
    from fabricgen.hardware.word_faults import connector_faults, connectors_in, connectors_of  # noqa: PLC0415

    known = connectors_of(validate(Media, _document(OURS / MEDIA)))
    with suppress(FabricError):  # a media file of the user with problems of its own
        known |= frozenset() if isinstance(thing, Media) else connectors_of(catalog.media)
    if any(connector_faults(thing, document, known)):
        paths = [*catalog.switches.ours.values(), *catalog.servers.ours.values()]
        if isinstance(thing, Media):
            paths += [*catalog.switches.files.values(), *catalog.servers.files.values()]
        words = (word for path in paths for word in connectors_in(_readable(path)))
        yield from connector_faults(thing, document, known.union(words))


def _readable(path: Path) -> object:
    """The value of a hardware file; None where it cannot be read, which is a problem of its own."""
    try:
        return _document(path).value
    except FabricError:
        return None


def _systems(catalog: Catalog) -> frozenset[str]:
    """Operating systems that the library has ports for."""
    documents = (_document(path).value for path in catalog.switches.ours.values())
    return frozenset(system for value in documents for system in mapping(mapping(value).get("port_names")))


def _capacities(user: Path, catalog: Catalog) -> Iterator[Problem]:
    """Yield chips and panels that cannot belong together, where one is the user's; the chip's file is reported first.

    Each file of the user has already passed its own checks.
    """
    from fabricgen.hardware.chip_faults import capacity_fault  # noqa: PLC0415

    reported: set[Path] = set()
    for name, switch in catalog.switches.items():
        chip, panel = catalog.asics.files[switch.asic], catalog.switches.files[name]
        file, key = (chip, "terabits") if chip.is_relative_to(user) else (panel, "cages")
        if not file.is_relative_to(user) or file in reported:
            continue
        asic = catalog.asics[switch.asic]
        if reason := capacity_fault(switch, asic):
            reported.add(file)
            yield Problem(
                code="hardware-capacity",
                what=f"{switch.asic} forwards {asic.terabits:g} Tb/s",
                why=reason,
                fix="write terabits: as the chip's vendor publishes it, in Tb/s of one direction, and the cages of "
                "the panel",
                where=(key,),
                at=(catalog.asics.document(switch.asic) if file is chip else catalog.switches.document(name)).place(
                    (key,)
                ),
            )


def _media_problems(file: Path, catalog: Catalog) -> Iterable[Problem]:
    from fabricgen.hardware.faults import media_faults  # noqa: PLC0415

    try:
        document = read_document(file)
        media = validate(Media, document)
    except FabricError as error:
        return error.problems
    ours = validate(Media, _document(OURS / MEDIA)) if media.without else None
    return (
        *media_faults(media, document, ours),
        *_wide(media, document, catalog),
        *_connectors(media, document, catalog),
    )


def _wide(media: Media, document: Document, catalog: Catalog) -> Iterator[Problem]:
    """Yield each cable or transceiver of the user with more links than any cage can be split into."""
    with suppress(FabricError):  # another file with problems of its own
        most = max(mode.parts for switch in catalog.switches.values() for run in switch.cages for mode in run.modes)
        parts = [(("copper", position), row.name, row.links) for position, row in enumerate(media.copper)]
        parts += [(("transceivers", at), row.name, row.links) for at, row in enumerate(media.transceivers)]
        for where, name, links in parts:
            if links > most:
                yield Problem(
                    code="hardware-cable",
                    what=f"{name} carries {links} links",
                    why=f"no cage of a switch is split into more than {most}",
                    fix=f"write links: of 1 to {most}",
                    at=document.place((*where, "links")),
                )


def _stray_files(user: Path) -> Iterator[Problem]:
    """Yield each file that would never be read, e.g. in a misspelt folder."""
    for path in sorted(user.iterdir()):
        if path.name.startswith(".") or path.name == MEDIA:
            continue
        if path.name not in FOLDERS:
            yield _stray(path, did_you_mean(path.name, (*FOLDERS, MEDIA)))
            continue
        for file in sorted(path.iterdir()):
            if file.suffix != ".yaml" and not file.name.startswith("."):
                yield _stray(file, f"rename it to {file.stem}.yaml, or move it elsewhere")


def _stray(path: Path, fix: str) -> Problem:
    return Problem(
        code="hardware-stray-file",
        what=f"{path} is not read",
        why=f"hardware files are {', '.join(f'{folder}/*.yaml' for folder in FOLDERS)} and {MEDIA}",
        fix=fix,
        at=Source(file=str(path), line=1, column=1),
    )
