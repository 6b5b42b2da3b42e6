"""An intent whose values come from the pools of its repository → the intent with these values.

A rendered tree keeps what its site took and nothing else: no byte of it changes when another site is added.
"""

import json
import os
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.intent.kept_inputs import KEPT_PARTS
from fabricgen.intent.pool_offers import shared_parts
from fabricgen.intent.pools import POOLS, Parts, PoolFile, Reference, a_noun, references, taken_parts, with_parts
from fabricgen.plan.lock import read_lock
from fabricgen.site.inputs import Reading
from fabricgen.site.workspace import LOCK
from fabricgen.source.document import Document, mapping, read_document
from fabricgen.source.validate import validate


def pooled(reading: Reading, document: Document) -> Document:
    """Return the intent with a value in place of each `pool:NAME`; unchanged where it has none.

    Values are those of the record beside the intent, where a render has kept one, else those of the pool file, which
    then is among the documents read. Raises FabricError for what the file does not have.
    """
    found = tuple(references(document))
    if not found:
        return document
    parts = _recorded(reading, found) or _of_file(reading, document, found)
    reading.keep(KEPT_PARTS, record(parts).encode())
    replaced = with_parts(document, found, parts)
    reading.documents[0] = replaced
    return replaced


def pool_path(folder: Path, document: Document) -> Path | None:
    """Return the file that an intent names as its pools; None where it names none. folder: the intent's."""
    name = mapping(document.value).get(POOLS)
    return straight(folder / name) if isinstance(name, str) else None


def straight(path: Path) -> Path:
    """Return the path without `..` where that is the same file, for messages: dc2/intent.yaml, not dc1/../dc2/..."""
    short = Path(os.path.normpath(path))
    return short if short.resolve() == path.resolve() else path


def record(parts: Parts) -> str:
    """Return the text of the record of what a site took from pools."""
    return f"# What this site had of the pools of its repository.\n{json.dumps(parts, indent=1, sort_keys=True)}\n"


def _recorded(reading: Reading, found: tuple[Reference, ...]) -> Parts | None:
    path = reading.folder / KEPT_PARTS
    if not path.is_file():
        return None
    kinds = mapping(read_document(path).value)
    parts = {
        kind: {name: part for name, part in mapping(values).items() if isinstance(part, str | int)}
        for kind, values in kinds.items()
    }
    for reference in found:
        if reference.name not in parts.get(reference.kind, {}):
            raise FabricError.of(
                code="pools-record",
                what=f"{path} has no {reference.text}",
                why="a render keeps there what the intent beside it takes from pools, and the intent was changed",
                fix="render again, or delete the file if the intent is no copy of a rendered tree",
                where=reference.where,
            )
    return parts


def _of_file(reading: Reading, document: Document, found: tuple[Reference, ...]) -> Parts:
    path = pool_path(reading.folder, document)
    if path is None:
        first = found[0]
        raise FabricError.of(
            code="pools-missing",
            what=f"{first.text} is of a pool, and the intent names no pool file",
            why="pools are in a file that several sites share",
            fix=f"write {POOLS}: ../pools.yaml at the top of the intent, or {a_noun(first.kind)}",
            where=first.where,
        )
    if path.parent.is_dir() and not path.exists():
        raise FabricError([_no_file(document, path)])
    pool_document = read_document(path)
    reading.documents.append(pool_document)
    file = validate(PoolFile, pool_document)
    site = str(mapping(document.value).get("site"))
    cause = listing_problem(site, Path(document.file), file, pool_document)
    try:
        parts = taken_parts(found, file, str(path), site)
    except FabricError:
        if cause is not None:
            raise FabricError([cause]) from None
        raise
    if cause is not None and cause.code == "pool-site-name":
        raise FabricError([cause])
    shared = tuple(shared_parts(found, file, str(path), site, partial(_rendered, reading)))
    if shared:
        raise FabricError(shared)
    return parts


def _rendered(reading: Reading) -> frozenset[str]:
    """Return the fabrics that have numbers in the lock, as far as it can be read."""
    path = reading.folder / LOCK
    with suppress(FabricError):
        return (
            frozenset(line.fabric for line in read_lock(read_document(path)).segments)
            if path.is_file()
            else frozenset()
        )
    return frozenset()


def listing_problem(site: str, intent: Path, file: PoolFile, document: Document) -> Problem | None:
    """Return why a site is not the one that its pool file has with this intent; None where it is.

    document  of the pool file
    """
    folder = Path(document.file).parent
    names = [name for name, path in file.sites.items() if (folder / path).resolve() == intent.resolve()]
    if site in names:
        return None
    if names:
        listed = names[0]
        return Problem(
            code="pool-site-name",
            what=f"{document.file} lists this intent as {listed}, and its site is {site}",
            why="a part is given to a site by its name",
            fix=f"write site: {listed}, or rename {listed} to {site} in sites and parts of {document.file}",
            where=("site",),
        )
    if site not in file.sites:
        return Problem(
            code="pool-site-missing",
            what=f"{document.file} does not list {site}",
            why="only sites that it lists are compared with each other",
            fix=f"add {site}: {os.path.relpath(intent, folder)} to sites of {document.file}",
            where=(POOLS,),
        )
    return Problem(
        code="pool-site-file",
        what=f"{document.file} has {site} with another intent: {file.sites[site]}",
        why=f"this one is {intent}",
        fix=f"correct {site}: below sites, or write another site: here",
        where=("site",),
    )


def _no_file(document: Document, path: Path) -> Problem:
    """The problem of a pool file that does not exist, at the line of the intent that names it."""
    written = str(mapping(document.value)[POOLS])
    near = get_close_matches(path.name, sorted(file.name for file in path.parent.glob("*.y*ml")), n=1)
    folder = written.removesuffix(Path(written).name)
    return Problem(
        code="pools-missing",
        what=f"{path} does not exist",
        why="its pools give values of this intent; the path starts at the folder of the intent",
        fix=f"write {POOLS}: {folder}{near[0]}"
        if near
        else "create it (docs/pools.md has an example), or correct the path",
        where=(POOLS,),
    )
