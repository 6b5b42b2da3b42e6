"""How operators log in to SR Linux: parts of `system`.

Sources: Nokia's YANG of 24.10.3 and 25.3.1: srl_nokia-system-banner (`login-banner`), srl_nokia-aaa (`idle-timeout`, of
all sessions of the CLI, in seconds), srl_nokia-ssh (`allowed-authentication-types`).
"""

import json
from collections.abc import Iterator

from fabricgen.device.management import Login

MINUTE = 60
"""Seconds."""


def login_parts(login: Login | None, vrf: str) -> Iterator[str]:
    """Objects of `system`, each as JSON text. vrf: the instance, and the name, of the SSH server."""
    if login is None:
        return
    if login.banner:
        yield json.dumps({"srl_nokia-system-banner:banner": {"login-banner": login.banner}})
    if login.idle_minutes:
        seconds = login.idle_minutes * MINUTE
        yield json.dumps({"srl_nokia-aaa:aaa": {"authentication": {"idle-timeout": seconds}}})
    if login.only_keys:
        server = {"name": vrf, "allowed-authentication-types": ["publickey"]}
        yield json.dumps({"srl_nokia-ssh:ssh-server": [server]})
