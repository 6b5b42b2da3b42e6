"""Nornir's connection plugin for a switch: NAPALM's driver, or one of this project where NAPALM has none."""

from importlib import import_module
from typing import Any

from nornir.core.configuration import Config
from nornir_napalm.plugins.connections import Napalm

from fabricgen.platforms import PLATFORMS


class Opened(Napalm):
    """The plugin registered as `napalm` in `ConnectionPluginRegister`. `connection` is the open driver."""

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
        known_platform = PLATFORMS.get(platform or "")
        if known_platform is None or not known_platform.own_driver:
            super().open(hostname, username, password, port, platform, extras, configuration)
            return
        arguments = dict(extras or {})
        optional = dict(arguments.pop("optional_args", None) or {})
        if port:
            optional.setdefault("port", port)
        module, _, name = known_platform.own_driver.partition(":")
        driver = getattr(import_module(module), name)
        self.connection = driver(hostname, username, password, optional_args=optional, **arguments)
        self.connection.open()
