"""Input keys: what a switch's files are a function of, as one digest a switch. Equal keys mean equal files."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel

from fabricgen.plan.exceptions import DeviceSettings, Exceptions
from fabricgen.plan.fabric import FabricPlan, group_of, name_of
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import downlinks, uplinks
from fabricgen.render.render import templates_folder


def release_digest() -> str:
    """Digest of this release's own sources and hardware files."""
    return _folder_digest(Path(__file__).parent.parent, ("*.py", "*.yaml"))


def templates_digest(system: str, user_templates: Path | None) -> str:
    """Digest of one platform's templates, and of all of the user's: they may include one another."""
    folders = [templates_folder() / system]
    if user_templates is not None:
        folders.append(user_templates)
    return "".join(_folder_digest(folder, ("*.j2",)) for folder in folders)


def made_by(user_templates: Path | None) -> str:
    """What a tree was made by, for its manifest: digest of the release's sources, a colon, digest of all templates.

    The user's come behind ours. Equal ones mean that one Device has the same files in both trees.
    """
    folders = [templates_folder(), *([user_templates] if user_templates is not None else [])]
    digests = "".join(_folder_digest(folder, ("*.j2",)) for folder in folders)
    return f"{release_digest()}:{sha256(digests.encode()).hexdigest()}"


def _folder_digest(folder: Path, patterns: tuple[str, ...]) -> str:
    digest = sha256()
    for path in sorted(found for pattern in patterns for found in folder.rglob(pattern)):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def fabric_digest(plan: Plan, fabric: FabricPlan) -> str:
    """Digest of what the switches of a fabric share: the intent without exceptions, lock lines, hardware."""
    intent = plan.intent
    parts: list[str] = [intent.site, _json(intent.management), _json(intent.cables), _json(fabric.fabric)]
    parts += [f"{name} {_json(group)}" for name, group in sorted(intent.servers.items())]
    if plan.tenants.get(fabric.name) is not None:
        parts += [f"{name} {_json(tenant)}" for name, tenant in sorted(intent.tenants.items())]
    parts += [repr(segment) for segment in plan.lock.segments if segment.fabric == fabric.name]
    parts += [repr(found) for found in plan.lock.ids if found.fabric == fabric.name]
    parts += [_json(raw) for raw in intent.raw]
    # Its chassis hold the hardware files as they were read, the user's own too.
    parts.append(repr(fabric.shape))
    return sha256("\n".join(parts).encode()).hexdigest()


def _json(model: BaseModel) -> str:
    return model.model_dump_json()


def exceptions_of(fabric: FabricPlan, place: Place) -> Iterator[str]:
    """Exceptions that reach a switch: its own, those of link neighbors, of its servers, and of their other leaves."""
    found = fabric.exceptions
    if found == NONE:
        return
    name = name_of(fabric, place)
    names = {name}
    below = downlinks(fabric, place) if place.tier in UPPER else ()
    for link in (*below, *uplinks(fabric, place)):
        names |= {name_of(fabric, link.lower), name_of(fabric, link.upper)}
    if place.tier is Tier.LEAF:
        others = (place._replace(index=index) for index in range(group_of(fabric, place.group).indexes))
        names |= {name_of(fabric, other) for other in others}
    yield from (f"{device}={state}" for device, state in found.devices.items() if device in names)
    yield from (f"{key}={state}" for key, state in found.ports.items() if key.device in names)
    yield from (f"{key}=broken" for key in found.broken if key.device in names)
    yield from (f"{key}={own}" for key, own in found.port_settings.items() if key.device in names)
    yield from (f"{device} {_settings(own)}" for device, own in found.settings.items() if device in names)
    yield from (f"{key}={built}" for key, built in found.cables.items())
    if place.tier is Tier.LEAF:
        yield from (f"{key}={state}" for key, state in found.slots.items() if key.group == place.group)
        yield from (f"{key}={server}" for key, server in found.servers.items() if key.group == place.group)


NONE = Exceptions()


def _settings(own: DeviceSettings) -> str:
    """What a switch has of its own, as one text."""
    return f"{own.system} {_json(own.fabric)} {_json(own.management)}"


def input_key(shared: str, fabric: FabricPlan, place: Place) -> str:
    """Key of one switch. `shared` joins the digests of release, templates and fabric."""
    own = "\n".join(sorted(exceptions_of(fabric, place)))
    return sha256(f"{shared}\n{place}\n{own}".encode()).hexdigest()
