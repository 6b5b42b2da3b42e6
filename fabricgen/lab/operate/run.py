"""Run commands in the namespaces of a switch or server of a running lab."""

import subprocess
from pathlib import Path

from fabricgen.errors import FabricError, did_you_mean
from fabricgen.lab.host.place import LabPlace, Space, place_of
from fabricgen.lab.host.shell import LabShell

HEADERS_IPV4, HEADERS_IPV6 = 28, 48
"""Octets of IP and ICMP headers (RFC 791, RFC 8200, RFC 792, RFC 4443): ping(8) counts what follows them."""


def require_lab(place: LabPlace) -> None:
    """Raise FabricError where no lab is up in a folder."""
    if not list(place.netns()):
        raise FabricError.of(
            code="no-lab",
            what=f"no lab is running in {place.folder}",
            why="this host has no network namespaces of it",
            fix=f"run fabricgen lab up INTENT --dir {place.folder}",
        )


def space_of(place: LabPlace, name: str) -> Space:
    """Namespaces of a switch or server of a running lab. Raises FabricError for an unknown name."""
    require_lab(place)
    space = place.space(name)
    if not space.net.exists() or not space.mount.exists():
        names = [netns.removeprefix(place.prefix) for netns in place.netns()]
        raise FabricError.of(
            code="unknown-name",
            what=f"{name} is not a switch or server of the lab in {place.folder}",
            why=f"it has {len(names)} switches and servers",
            fix=did_you_mean(name, names),
        )
    return space


def run(folder: Path, name: str, command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in a switch or server of the lab in a folder; the caller must check its exit status."""
    place = place_of(folder)
    return LabShell(place.id).run(space_of(place, name).enter(*command), text)


def ping(folder: Path, name: str, address: str, *, count: int = 2, source: str = "", seconds: int = 2) -> int:
    """Number of answers to `count` echo requests of a server. source: the address it sends from.

    seconds  to wait for the last answer (ping(8), -W)
    """
    return _answered(folder, name, [*_words(count, source, seconds), address])


def ping_full(folder: Path, name: str, address: str, size: int, *, count: int = 2, source: str = "") -> int:
    """The same with IP packets of `size` octets that must not be fragmented (ping(8), -M do and -s)."""
    data = size - (HEADERS_IPV6 if ":" in address else HEADERS_IPV4)
    return _answered(folder, name, [*_words(count, source, 2), "-M", "do", "-s", str(data), address])


def _words(count: int, source: str, seconds: int) -> list[str]:
    argv = ["ping", "-n", "-q", "-i", "0.2", "-c", str(count), "-W", str(seconds)]
    return [*argv, *(["-I", source] if source else [])]


def _answered(folder: Path, name: str, argv: list[str]) -> int:
    result = run(folder, name, argv)
    statistics = [line for line in result.stdout.splitlines() if " packets transmitted" in line]
    return int(statistics[0].split(",")[1].split()[0]) if statistics else 0
