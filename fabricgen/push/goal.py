"""What one switch is to run: its Device rendered, secrets in place, as a candidate for its driver."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from fabricgen.device.device import Device
from fabricgen.drivers.manner import Manner
from fabricgen.push.box import Candidate
from fabricgen.push.secrets import filled, references
from fabricgen.render.render import Rendered


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
    device: Device, rendered: Iterable[Rendered], main: str, manner: Manner, secrets: Mapping[str, str]
) -> Goal:
    """Sort a switch's rendered files. `main`: name of the artifact that NAPALM replaces."""
    files = {found.path.rpartition("/")[2]: found.text for found in rendered}
    pushed = {path: files[name] for name, path in sorted(manner.files.items()) if name in files}
    digest = sha256()
    for text in (files[main], *(part for pair in pushed.items() for part in pair)):
        digest.update(text.encode() + b"\0")
    return Goal(
        device=device,
        candidate=Candidate(
            text=filled(files[main], secrets),
            files={path: filled(text, secrets) for path, text in pushed.items()},
            hidden=tuple(secrets[name] for name in references((files[main], *pushed.values()))),
        ),
        digest=digest.hexdigest(),
        left=tuple(sorted(files.keys() - manner.files.keys() - {main})),
    )
