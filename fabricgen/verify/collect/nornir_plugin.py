"""Nornir's connection to a switch: NAPALM's own, or a driver of this project where NAPALM brings none."""

from importlib import import_module
from typing import Any

from nornir.core.configuration import Config
from nornir_napalm.plugins.connections import Napalm

from fabricgen.platforms import PLATFORMS


class Opened(Napalm):
    """What `ConnectionPluginRegister` takes under the name `napalm`. `connection` is the open driver."""

    def open(  # noqa: PLR0913, PLR0917 - Nornir calls it so
        self,
        hostname: str | None,
        username: str | None,
        password: str | None,
        port: int | None,
        platform: str | None,
        extras: dict[str, Any] | None = None,
        configuration: Config | None = None,
    ) -> None:
        """Open a driver by its name. Raises what the driver raises."""
        found = PLATFORMS.get(platform or "")
        if found is None or not found.own_driver:
            super().open(hostname, username, password, port, platform, extras, configuration)
            return
        given = dict(extras or {})
        optional = dict(given.pop("optional_args", None) or {})
        if port:
            optional.setdefault("port", port)
        module, _, name = found.own_driver.partition(":")
        driver = getattr(import_module(module), name)
        self.connection = driver(hostname, username, password, optional_args=optional, **given)
        self.connection.open()
