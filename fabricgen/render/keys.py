"""Input keys: what a switch's files are a function of, as one digest a switch. Equal keys mean equal files."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel

from fabricgen.plan.exceptions import DeviceSettings, Exceptions
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, place_of
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


class Reach:
    """Which exceptions reach which switch of a fabric, as texts; from what is exceptional alone.

    One of a switch or of one of its ports reaches the switch, its neighbors, and the other leaves of its pair. One of
    a slot or of what stands there reaches all leaves of its group, and what the cable file says reaches all switches:
    links that share cages hang together far.
    """

    def __init__(self, fabric: FabricPlan) -> None:
        self._fabric = fabric
        self._devices: dict[str, list[str]] = {}
        self._groups: dict[str, list[str]] = {}
        self._all: tuple[str, ...] = ()
        found = fabric.exceptions
        if found == NONE:
            return
        for device, text in _of_devices(found):
            for name in self._reached(device):
                self._devices.setdefault(name, []).append(text)
        for key, state in (*found.slots.items(), *found.servers.items()):
            self._groups.setdefault(key.group, []).append(f"{key}={state}")
        self._all = tuple(f"{key}={built}" for key, built in found.cables.items())

    def of(self, place: Place) -> Iterator[str]:
        """Exceptions that reach the switch at a place."""
        if self._devices:
            yield from self._devices.get(name_of(self._fabric, place), ())
        if place.tier is Tier.LEAF:
            yield from self._groups.get(place.group, ())
        yield from self._all

    def _reached(self, device: str) -> set[str]:
        fabric = self._fabric
        place = place_of(fabric, device)
        if place is None:
            return {device}
        reached = {place}
        for link in (*uplinks(fabric, place), *(downlinks(fabric, place) if place.tier in UPPER else ())):
            reached |= {link.lower, link.upper}
        if place.tier is Tier.LEAF:
            reached |= {place._replace(index=index) for index in range(group_of(fabric, place.group).indexes)}
        return {name_of(fabric, each) for each in reached}


def _of_devices(found: Exceptions) -> Iterator[tuple[str, str]]:
    """Exceptions of a switch or of its ports: its name, and what is exceptional."""
    yield from ((device, f"{device}={state}") for device, state in found.devices.items())
    yield from ((key.device, f"{key}={state}") for key, state in found.ports.items())
    yield from ((key.device, f"{key}=broken") for key in found.broken)
    yield from ((key.device, f"{key}={own}") for key, own in found.port_settings.items())
    yield from ((device, f"{device} {_settings(own)}") for device, own in found.settings.items())


NONE = Exceptions()


def _settings(own: DeviceSettings) -> str:
    """What a switch has of its own, as one text."""
    return f"{own.system} {_json(own.fabric)} {_json(own.management)}"


class Keys:
    """Input keys of the switches of a plan."""

    def __init__(self, plan: Plan, user_templates: Path | None = None) -> None:
        self._plan, self._user_templates = plan, user_templates
        self._release = release_digest()
        self._systems: dict[str, str] = {}
        self._fabrics: dict[str, tuple[str, Reach]] = {}

    def of(self, fabric: FabricPlan, place: Place, system: str) -> str:
        """Key of one switch. system: its operating system, without the release."""
        if system not in self._systems:
            self._systems[system] = templates_digest(system, self._user_templates)
        if fabric.name not in self._fabrics:
            self._fabrics[fabric.name] = (fabric_digest(self._plan, fabric), Reach(fabric))
        shared, reach = self._fabrics[fabric.name]
        return input_key(f"{self._release}\n{self._systems[system]}\n{shared}", place, reach.of(place))


def input_key(shared: str, place: Place, exceptions: Iterable[str]) -> str:
    """Key of one switch. `shared` joins the digests of release, templates and fabric; exceptions: what reaches it."""
    own = "\n".join(sorted(exceptions))
    return sha256(f"{shared}\n{place}\n{own}".encode()).hexdigest()
