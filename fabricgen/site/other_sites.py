"""One site against the others of its repository: numbers that only one of them may have.

Compared are prefixes of fabrics and out-of-band prefixes, AS numbers, names of devices with their DNS domain, route
targets, and subnets that a tenant of one name has on two sites, if both lead outside. What a pool of the file calls
reused is not compared. Other sites are read, not planned: their intents and their locks say what they have.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.intent.kept_inputs import KEPT_PARTS
from fabricgen.intent.model import Intent
from fabricgen.intent.pools import POOLS, PoolFile, pool_faults, references, taken_parts, with_parts
from fabricgen.output.finish import INPUTS
from fabricgen.output.manifest import FOLDER
from fabricgen.plan.lock import Lock, read_lock
from fabricgen.site.claims import SiteClaims, claims_of
from fabricgen.site.pools import listing_problem, pool_path, straight
from fabricgen.site.site_clashes import clashes, outside_parts
from fabricgen.site.workspace import LOCK, Workspace
from fabricgen.source.document import Document, read_document
from fabricgen.source.validate import validate

COPY = (FOLDER, INPUTS)
"""Last folders of an intent that a render has kept."""


def problems_of_sites(workspace: Workspace) -> tuple[Problem, ...]:
    """Return the problems of a site with its pool file and with the other sites in it; none without a pool file.

    Problems of the first kind end it: the file itself, then sites that cannot be read, then what clashes.
    """
    path = pool_path(workspace.path.parent, workspace.document)
    if path is None or _is_copy(workspace.path, path):
        return ()
    try:
        document = read_document(path)
        file = validate(PoolFile, document)
        listing = listing_problem(workspace.intent.site, workspace.path, file, document)
        faults = (listing,) if listing is not None else (*pool_faults(file, document), *_record(workspace))
        if faults:
            return faults
        others = tuple(
            _read_site(name, straight(path.parent / intent), file, document)
            for name, intent in file.sites.items()
            if name != workspace.intent.site
        )
    except FabricError as error:
        return error.problems
    own = claims_of(workspace.intent, workspace.document, workspace.plan.lock)
    foreign = tuple(outside_parts(own, file, str(path)))
    return (*foreign, *clashes(own, others, file, frozenset(problem.where for problem in foreign)))


def _is_copy(intent: Path, pools: Path) -> bool:
    """Return whether an intent is a copy: in a rendered tree, or of its steps. It was compared when it was rendered."""
    is_apart = (intent.parent / KEPT_PARTS).is_file() and not pools.exists()
    return is_apart or intent.resolve().parent.parts[-2:] == COPY


def _record(workspace: Workspace) -> Iterator[Problem]:
    """Yield the problem of a record of a rendered tree that lies beside an intent at work: it would hide the pools."""
    record = workspace.path.parent / KEPT_PARTS
    if record.is_file():
        yield Problem(
            code="pools-record",
            what=f"{record} would count before the pool file",
            why="it is the record that a render keeps with the inputs of a rendered tree",
            fix=f"delete {record}",
            where=(POOLS,),
        )


def _read_site(name: str, path: Path, file: PoolFile, pools: Document) -> SiteClaims:
    """Read another site. Raises FabricError, whose problem says that it is of another one."""
    at = pools.place(("sites", name))
    if not path.is_file():
        folder = Path(pools.file).parent
        others = {each.relative_to(folder).as_posix() for each in folder.glob("*/*.y*ml")} - {*file.sites.values()}
        near = did_you_mean(file.sites[name], others) if others else ""
        raise FabricError.of(
            code="pool-site-unreadable",
            what=f"the intent of {name}, {path}, does not exist",
            why="a site that is listed is compared with the others",
            fix=near if near.startswith("did") else f"correct the path, or remove {name} and its parts",
            at=at,
        )
    try:
        document = read_document(path)
        found = tuple(references(document))
        intent = validate(Intent, with_parts(document, found, taken_parts(found, file, pools.file, name)))
        lock = path.parent / LOCK
        recorded = read_lock(read_document(lock)) if lock.is_file() else Lock()
    except FabricError as error:
        first = error.problems[0]
        raise FabricError.of(
            code="pool-site-unreadable",
            what=f"the site {name} cannot be compared: {first.what}",
            why=first.why,
            fix=f"fabricgen validate {path} shows its problems",
            at=first.at or document.place(first.where),
        ) from None
    if intent.site != name:
        raise FabricError.of(
            code="pool-site-file",
            what=f"{path} is the site {intent.site}, and {pools.file} lists it as {name}",
            why="a part is given to a site by its name",
            fix=f"write {intent.site} in place of {name}, or site: {name} in {path}",
            at=at,
        )
    if not _names(path, document, Path(pools.file)):
        raise FabricError.of(
            code="pool-site-apart",
            what=f"{path} does not name {pools.file}",
            why="its own renders would not be compared with the other sites",
            fix=f"write {POOLS}: {os.path.relpath(pools.file, path.parent)} at the top of {path}",
            at=document.place(("site",)),
        )
    return claims_of(intent, document, recorded)


def _names(path: Path, document: Document, pools: Path) -> bool:
    """Return whether an intent names a pool file."""
    named = pool_path(path.parent, document)
    return named is not None and named.resolve() == pools.resolve()
