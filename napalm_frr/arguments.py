"""What the arguments of a driver's methods name: the way to a switch, the text of a candidate."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from napalm.base.exceptions import ConnectionException

from napalm_frr.ssh import SSH, Login
from napalm_frr.transport import Local, Transport


def transport_of(login: Login, arguments: Mapping[str, Any]) -> Transport:
    """The way to a switch that `optional_args` asks for. Raises ConnectionException for an unknown one."""
    kind = arguments.get("transport", "ssh")
    if kind == "local":
        return Local(login.host, arguments)
    if kind == "ssh":
        return SSH(login, arguments)
    raise ConnectionException(f"{login.host}: transport is ssh or local, not {kind!r}")


def candidate_text(filename: str | None, config: str | None, fault: type[Exception]) -> str:
    """The text of a candidate; as in NAPALM, the file wins over the text. Raises `fault` if it cannot be read."""
    try:
        return Path(filename).read_text(encoding="utf-8") if filename else (config or "")
    except (OSError, UnicodeDecodeError) as error:
        raise fault(f"{filename}: cannot be read: {error}") from None
