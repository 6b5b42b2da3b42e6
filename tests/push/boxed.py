"""An inventory with switches behind doubles, and fleets over it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from fabricgen.push.switch.fleet import Fleet
from fabricgen.push.switch.switch import Box, BoxError, Candidate
from fabricgen.verify.collect.inventory import read_inventory

T = TypeVar("T")

CANARY = "c4n4ry-5b1e7"
USER = "push"
LOGIN = f"{USER}:{CANARY}"


def inventory(folder: Path, ports: Mapping[str, int], platform: str, **options: object) -> Path:
    """Write an inventory; each switch is a port on loopback. options: of the driver."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [f"{name}: {{hostname: 127.0.0.1, port: {port}, platform: {platform}}}\n" for name, port in ports.items()]
    (folder / "hosts.yaml").write_text("".join(rows))
    (folder / "password").write_text(f"{CANARY}\n")
    words = ", ".join(f"{name}: {value}" for name, value in options.items())
    (folder / "defaults.yaml").write_text(
        f'username: {USER}\npassword: "${{file:password}}"\n'
        f"connection_options: {{napalm: {{extras: {{timeout: 5, optional_args: {{{words}}}}}}}}}\n"
    )
    return folder


def fleet(folder: Path, driver: str, workers: int = 2) -> Fleet:
    """A fleet of all switches of an inventory."""
    site = read_inventory(folder)
    return Fleet(site, dict.fromkeys(site.nornir.hosts, driver), workers)


def at(fleet: Fleet, act: Callable[[Box], T], name: str = "leaf") -> T:
    """What it gives at a switch; what the switch failed at is raised."""
    found = fleet.each([name], act)[name]
    if isinstance(found, BoxError):
        raise found
    return found


def refused(fleet: Fleet, act: Callable[[Box], object], name: str = "leaf") -> BoxError:
    """What a switch failed at. It says nothing of how one logs in."""
    found = fleet.each([name], act)[name]
    assert isinstance(found, BoxError), found
    assert CANARY not in found.reason
    return found


def committing(candidate: Candidate, message: str, seconds: int | None) -> Callable[[Box], str]:
    """Load and commit; the token."""

    def act(box: Box) -> str:
        token = box.load(candidate, message)
        box.commit(seconds)
        return token

    return act
