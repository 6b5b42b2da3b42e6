"""NAPALM's own driver for Juniper Junos, with a check of the switch's host key before login.

    from fabricgen.platforms.junos.napalm_driver import CheckedJunOSDriver

    with CheckedJunOSDriver("leaf1", "admin", "", optional_args={"key_file": "id_ed25519"}) as leaf:
        print(leaf.get_facts())

`optional_args` are NAPALM's, and

    ssh_strict  false accepts any host key, as NAPALM's own driver always does: it opens PyEZ's Device without
                `hostkey_verify` (since PyEZ 2.7.2, github.com/Juniper/py-junos-eznc pull request 1321; NAPALM's issue
                901), and has no option for it

A key is looked up in the file that `UserKnownHostsFile` names for the host in `ssh_config_file` (default:
~/.ssh/config), else in ~/.ssh/known_hosts (ncclient 0.7.0, transport/ssh.py).
"""

from typing import Any

from jnpr.junos import Device  # type: ignore[import-untyped]
from jnpr.junos.exception import ConnectError  # type: ignore[import-untyped]
from napalm.base.exceptions import ConnectionException
from napalm.junos import JunOSDriver
from ncclient.transport.errors import SSHUnknownHostError  # type: ignore[import-untyped]

__all__ = ["CheckedJunOSDriver"]


class CheckedJunOSDriver(JunOSDriver):  # type: ignore[misc]  # NAPALM has no types
    """NAPALM's driver over a Device that checks the host key."""

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(hostname, username, password, timeout=timeout, optional_args=optional_args)
        if (optional_args or {}).get("ssh_strict", True):
            self.device = Device(
                hostname,
                user=username,
                password=password,
                ssh_private_key_file=self.key_file,
                ssh_config=self.ssh_config_file,
                port=self.port,
                huge_tree=self.huge_tree,
                hostkey_verify=True,
            )

    def open(self) -> None:
        """Connect. Raises ConnectionException for an unknown host key, and what NAPALM's driver raises."""
        try:
            super().open()
        except ConnectError as error:
            # PyEZ reports an unknown host key as a refused connection (jnpr/junos/device.py of 2.8.2, open).
            if isinstance(error.__context__, SSHUnknownHostError):
                reason = "its host key is not the one in known_hosts, or none is there"
                raise ConnectionException(f"{self.hostname}: {reason}") from None
            raise
