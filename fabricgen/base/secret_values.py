"""What a reference to a secret leads to: a variable of the environment, or a file that lies in a folder.

A file is opened part by part below the folder, and no part may be a link by then: whoever changes a link between the
look and the opening is refused by the kernel, not trusted.
"""

import os
import stat
from contextlib import ExitStack
from pathlib import Path

from fabricgen.base.secret import Secret

MOST_OCTETS = 65536
"""Of a file that holds one word."""


class SecretError(Exception):
    """Why a reference leads to nothing that may be read. `fix`: what to do. Neither holds a secret."""

    def __init__(self, why: str, fix: str) -> None:
        super().__init__(why)
        self.why, self.fix = why, fix


def secret_value(found: Secret, folder: Path) -> str:
    """Read what a reference leads to, without blanks around it. Raises SecretError.

    folder  of the intent, or of the inventory: a file lies in it after links are followed
    """
    if found.kind == "env":
        value = os.environ.get(found.name)
        if value is None:
            raise SecretError(f"the environment variable {found.name} is not set", f"export {found.name}=…")
        return value
    path = folder / found.name
    try:
        return _read(path, folder).decode().strip()
    except FileNotFoundError:
        raise SecretError(f"{path} does not exist", f"write the secret into {path}") from None
    except UnicodeDecodeError:
        raise SecretError(f"{path} is not text", f"write the secret into {path}") from None
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: a circle of links, up to Python 3.12
        why = getattr(error, "strerror", None) or str(error)
        raise SecretError(f"{path} cannot be read: {why}", f"make {path} a file that you can read") from None


def _read(path: Path, folder: Path) -> bytes:
    """Octets of a file in a folder. Raises SecretError for one outside, OSError for what cannot be opened."""
    base, real = folder.resolve(strict=True), path.resolve(strict=True)
    if not real.is_relative_to(base) or real == base:
        raise SecretError(
            f"{path} is a link to {real}, outside {base}",
            f"put the secret into a file below {base}, or into a variable: ${{env:NAME}}",
        )
    *folders, name = real.relative_to(base).parts
    with ExitStack() as opened:
        handle = _opened(opened, str(base), os.O_DIRECTORY)
        for part in folders:
            handle = _opened(opened, part, os.O_DIRECTORY | os.O_NOFOLLOW, handle)
        handle = _opened(opened, name, os.O_NONBLOCK | os.O_NOFOLLOW, handle)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(0, "it is no plain file")
        content = os.read(handle, MOST_OCTETS + 1)
        if len(content) > MOST_OCTETS:
            raise OSError(0, f"it has more than {MOST_OCTETS} octets")
        return content


def _opened(opened: ExitStack, part: str, more: int, folder: int | None = None) -> int:
    """Open for reading what stands in an open folder; closed with `opened`."""
    handle = os.open(part, os.O_RDONLY | os.O_CLOEXEC | more, dir_fd=folder)
    opened.callback(os.close, handle)
    return handle
