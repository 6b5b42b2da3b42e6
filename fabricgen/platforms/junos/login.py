"""How operators log in to Junos: statements of `system login` and of `system services ssh`.

Sources: Juniper's YANG of 23.4R2 and 24.4R1, junos-qfx-conf-system: `message` (1 to 2048 characters), `idle-timeout`
(1 to 60 minutes), `no-passwords` (neither passwords nor challenge and response), `root-login`, and the words of
`ciphers`, `macs` and `key-exchange`. The words are OpenSSH's, but those of key exchange.
"""

from collections.abc import Iterator

from fabricgen.device.management import Login

ALGORITHMS = {
    "ciphers": ("aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "aes256-ctr", "aes192-ctr", "aes128-ctr"),
    "macs": ("hmac-sha2-512-etm@openssh.com", "hmac-sha2-256-etm@openssh.com", "hmac-sha2-512", "hmac-sha2-256"),
    "key-exchange": (
        "curve25519-sha256",
        "ecdh-sha2-nistp256",
        "ecdh-sha2-nistp384",
        "ecdh-sha2-nistp521",
        "group-exchange-sha2",
    ),
}
"""Strong algorithms, the preferred first: no CBC, MD5 or SHA-1."""
BY_KEYS = ("root-login deny", "no-passwords")


def login_lines(login: Login | None) -> tuple[str, ...]:
    """Statements of `system login` beside the users."""
    if login is None:
        return ()
    banner = (f'message "{login.banner}";',) if login.banner else ()
    return (*banner, f"idle-timeout {login.idle_minutes};") if login.idle_minutes else banner


def ssh_lines(login: Login | None) -> tuple[str, ...]:
    """Statements of `system services ssh`."""
    return tuple(_ssh_lines(login)) if login is not None else ()


def _ssh_lines(login: Login) -> Iterator[str]:
    if login.only_keys:
        yield from (f"{line};" for line in BY_KEYS)
    if login.strong:
        for name, words in ALGORITHMS.items():
            yield f"{name} [ {' '.join(_quoted(word) for word in words)} ];"


def _quoted(word: str) -> str:
    return f'"{word}"' if "@" in word else word
