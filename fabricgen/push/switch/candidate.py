"""What one switch is to run: its Device rendered, secrets in place, as a candidate for its driver."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType

from fabricgen.device.device import Device
from fabricgen.platforms.base.forms import WORDS, Form
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.push.switch.secrets import filled, spellings, uses
from fabricgen.push.switch.switch import Candidate
from fabricgen.render.render import RenderedFile

_LINES: Mapping[str, Form] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """One switch, as it is to be.

    candidate  with secrets: never to be shown or kept
    digest     SHA-256, in hexadecimal, of what is pushed, before secrets are put in
    left       names of rendered files that no push brings to the switch
    """

    device: Device
    candidate: Candidate
    digest: str
    left: tuple[str, ...]


def goal_of(
    device: Device,
    rendered: Iterable[RenderedFile],
    main: str,
    profile: CommitProfile,
    secrets: Mapping[str, str],
    forms: Mapping[str, Form] = _LINES,
) -> Goal:
    """Sort a switch's rendered files. Raises FabricError for a secret that cannot be spelled in what is pushed.

    main   name of the artifact that NAPALM replaces
    forms  name of a file → how it is written, of those that are more than lines of words
    """
    files = {found.path.rpartition("/")[2]: found.marked for found in rendered}
    pushed = {path: (name, files[name]) for name, path in sorted(profile.files.items()) if name in files}
    digest = sha256()
    for text in (files[main], *(part for path, (_, file) in pushed.items() for part in (path, file))):
        digest.update(text.encode() + b"\0")
    parts = {path: (text, forms.get(name, WORDS)) for path, (name, text) in {"": (main, files[main]), **pushed}.items()}
    ready = {path: filled(text, secrets, form) for path, (text, form) in parts.items()}
    return Goal(
        device=device,
        candidate=Candidate(
            text=ready.pop(""), files=ready, merge=not profile.replaces, hidden=_hidden(parts.values(), secrets)
        ),
        digest=digest.hexdigest(),
        left=tuple(sorted(files.keys() - profile.files.keys() - {main})),
    )


def _hidden(texts: Iterable[tuple[str, Form]], secrets: Mapping[str, str]) -> tuple[str, ...]:
    """What no text may show: the secrets of these texts, however they are spelled."""
    names = sorted({use.name for text, form in texts for use in uses(text, form)})
    return tuple(shown for name in names for shown in spellings(secrets[name]))
