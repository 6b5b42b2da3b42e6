"""Value of a reference to a secret: from an environment variable, or from a file below a folder.

The path is opened component by component below the folder, and no component may be a link by then. So the kernel
refuses a link that was changed between the check and the open.
"""

import os
import stat
from contextlib import ExitStack
from pathlib import Path

from fabricgen.base.secret import Secret

MOST_OCTETS = 65536
"""Limit on a file that holds one word."""


class SecretError(Exception):
    """Why a reference has no readable value. `fix`: what to do. Neither text holds a secret."""

    def __init__(self, why: str, fix: str) -> None:
        super().__init__(why)
        self.why, self.fix = why, fix


def secret_value(reference: Secret, folder: Path) -> str:
    """Value of a reference, without surrounding whitespace. Raises SecretError.

    folder  of the intent, or of the inventory; the file must be in it after links are followed
    """
    if reference.kind == "env":
        value = os.environ.get(reference.name)
        if value is None:
            raise SecretError(f"the environment variable {reference.name} is not set", f"export {reference.name}=…")
        return value
    path = folder / reference.name
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
    """Contents of a file in a folder. Raises SecretError if it is outside, OSError if it cannot be opened."""
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
            raise OSError(0, "it is not a regular file")
        content = os.read(handle, MOST_OCTETS + 1)
        if len(content) > MOST_OCTETS:
            raise OSError(0, f"it has more than {MOST_OCTETS} octets")
        return content


def _opened(opened: ExitStack, part: str, flags: int, folder: int | None = None) -> int:
    """Open an entry of an open folder for reading; it is closed with `opened`."""
    handle = os.open(part, os.O_RDONLY | os.O_CLOEXEC | flags, dir_fd=folder)
    opened.callback(os.close, handle)
    return handle
