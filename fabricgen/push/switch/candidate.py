"""The configuration for one switch: its Device rendered, secrets filled in, as a candidate for its driver."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from fabricgen.device.device import Device
from fabricgen.platforms.base.forms import WORDS, Form
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.push.switch.secrets import filled, spellings, uses
from fabricgen.push.switch.switch import Candidate
from fabricgen.render.render import RenderedFile

_LINES: Mapping[str, Form] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The target state of one switch.

    candidate  with secrets: must never be shown or kept
    digest     SHA-256, in hexadecimal, of the pushed files, before secrets are filled in
    left       names of rendered files that no push copies to the switch
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
    """Return a switch's goal from its rendered files. Raises FabricError for a secret that cannot be written there.

    main   name of the artifact that NAPALM replaces
    forms  file name → its syntax, for files that are more than lines of words
    """
    files = {rendered_file.name: rendered_file.marked for rendered_file in rendered}
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
    """Return the words that no text must show: the secrets of these texts, in each spelling."""
    names = sorted({use.name for text, form in texts for use in uses(text, form)})
    return tuple(shown for name in names for shown in spellings(secrets[name]))
