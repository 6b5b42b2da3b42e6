"""Connection parameters of one switch: the inventory's values, secrets in place of references, and safe defaults.

Libraries that connect without verifying their peer must be configured to verify: SAFE has defaults for that, which the
inventory may replace. NAPALM 5.2 with pyeapi 1.0 accepts any certificate unless `enforce_verification` is set
(pyeapi.eapilib, HttpsEapiConnection); netmiko accepts any host key unless `ssh_strict` is set. With `ca_file` in
`optional_args` a private authority is trusted; else those of the system, or of SSL_CERT_FILE. The name or address in
`hostname` must be in the certificate.
"""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from nornir.core.inventory import Host

from fabricgen.base.secret import WRITTEN, secret
from fabricgen.base.secret_values import secret_value

NAPALM = "napalm"
SAFE: Mapping[str, object] = {
    "enforce_verification": True,
    "ssl_verify": True,
    "ssh_strict": True,
    "system_host_keys": True,
}  # fmt: skip
"""Optional arguments of every driver; a driver ignores names that it does not know."""

TIMEOUT_SECONDS = 30
"""Default timeout of one request, unless the inventory's `extras` set one."""

SECRETS = frozenset({"password", "secret", "enable_password", "passphrase", "token"})
"""Keys whose value may be a reference to a secret. References under other keys are not resolved."""


class Connection(NamedTuple):
    """Arguments of Nornir's `open_connection` for one switch, and the secrets in them, which must not be shown."""

    hostname: str | None
    port: int | None
    username: str | None
    password: str | None
    platform: str | None
    extras: dict[str, object]
    secrets: tuple[str, ...]


@dataclass(slots=True)
class _Lookup:
    """Resolves references and keeps the secrets that it read."""

    folder: Path
    secrets: list[str] = field(default_factory=list)

    def text(self, value: str | None) -> str | None:
        """The text, or the secret that it refers to."""
        if value is None or WRITTEN.fullmatch(value) is None:
            return value
        secret_text = secret_value(secret(value), self.folder)
        self.secrets.append(secret_text)
        return secret_text

    def plain(self, key: object, value: object) -> object:
        """A YAML value with all references under a secret's key resolved."""
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
    """Resolve the references of a host. Raises SecretError where one no longer leads to a secret."""
    parameters = host.get_connection_parameters(NAPALM)
    lookup = _Lookup(folder)
    extras = {key: lookup.plain(key, value) for key, value in (parameters.extras or {}).items()}
    configured = extras.get("optional_args")
    optional = {**SAFE, **(configured if isinstance(configured, dict) else {})}
    if "ca_file" in optional and "context" not in optional:
        optional["context"] = ssl.create_default_context(cafile=str(folder / str(optional["ca_file"])))
    return Connection(
        hostname=parameters.hostname,
        port=parameters.port,
        username=parameters.username,
        password=lookup.text(parameters.password),
        platform=parameters.platform,
        extras={"timeout": TIMEOUT_SECONDS, **extras, "optional_args": optional},
        secrets=tuple(lookup.secrets),
    )
