"""What opens one switch: what the inventory says of it, the secrets behind references, and arguments that are safe.

What connects without checking whom it talks to must be told to: SAFE stands in front of what the inventory says.
NAPALM 5.2 with pyeapi 1.0 takes any certificate unless `enforce_verification` is set (pyeapi.eapilib,
HttpsEapiConnection); netmiko takes any host key unless `ssh_strict` is. With `ca_file` in `optional_args` a private
authority is trusted; else those of the system, or of SSL_CERT_FILE. The name or address in `hostname` must be in the
certificate.
"""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from nornir.core.inventory import Host

from fabricgen.base.secret import WRITTEN, secret
from fabricgen.base.secret_values import secret_value

NAPALM = "napalm"
SAFE: Mapping[str, object] = MappingProxyType({
    "enforce_verification": True,
    "ssl_verify": True,
    "ssh_strict": True,
    "system_host_keys": True,
})  # fmt: skip
"""Optional arguments of every driver; one that does not know a name leaves it."""

TIMEOUT_SECONDS = 30
"""Of one request, where the inventory's `extras` say nothing."""

SECRETS = frozenset({"password", "secret", "enable_password", "passphrase", "token"})
"""Keys whose value is a reference to a secret. One that stands elsewhere is not filled in."""


class Connection(NamedTuple):
    """What opens one switch: arguments of Nornir's `open_connection`, and the secrets among them, for no one to see."""

    hostname: str | None
    port: int | None
    username: str | None
    password: str | None
    platform: str | None
    extras: dict[str, object]
    secrets: tuple[str, ...]


@dataclass(slots=True)
class _Lookup:
    """References on their way to what they lead to, and what was found."""

    folder: Path
    secrets: list[str] = field(default_factory=list)

    def text(self, value: str | None) -> str | None:
        """Text, or what it refers to."""
        if value is None or WRITTEN.fullmatch(value) is None:
            return value
        found = secret_value(secret(value), self.folder)
        self.secrets.append(found)
        return found

    def plain(self, key: object, value: object) -> object:
        """The same for every text that stands under the key of a secret, in a value of YAML."""
        match value:
            case str():
                return self.text(value) if key in SECRETS else value
            case dict():
                return {name: self.plain(name, item) for name, item in value.items()}
            case list():
                return [self.plain(key, item) for item in value]
            case _:
                return value


def connection(folder: Path, host: Host) -> Connection:
    """Resolve what a host's references lead to. Raises SecretError where one leads nowhere any more."""
    found = host.get_connection_parameters(NAPALM)
    lookup = _Lookup(folder)
    extras = {key: lookup.plain(key, value) for key, value in (found.extras or {}).items()}
    given = extras.get("optional_args")
    optional = {**SAFE, **(given if isinstance(given, dict) else {})}
    if "ca_file" in optional and "context" not in optional:
        optional["context"] = ssl.create_default_context(cafile=str(folder / str(optional["ca_file"])))
    return Connection(
        hostname=found.hostname,
        port=found.port,
        username=found.username,
        password=lookup.text(found.password),
        platform=found.platform,
        extras={"timeout": TIMEOUT_SECONDS, **extras, "optional_args": optional},
        secrets=tuple(lookup.secrets),
    )
