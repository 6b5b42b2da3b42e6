"""An inventory with switches behind doubles, and fleets over it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate, SwitchError
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


def fleet(folder: Path, driver: str, workers: int = 2) -> NapalmFleet:
    """A fleet of all switches of an inventory."""
    site = read_inventory(folder)
    return NapalmFleet(site, dict.fromkeys(site.nornir.hosts, driver), workers)


def at(fleet: NapalmFleet, act: Callable[[SwitchConnection], T], name: str = "leaf") -> T:
    """What it gives at a switch; what the switch failed at is raised."""
    found = fleet.each([name], act)[name]
    if isinstance(found, SwitchError):
        raise found
    return found


def refused(fleet: NapalmFleet, act: Callable[[SwitchConnection], object], name: str = "leaf") -> SwitchError:
    """What a switch failed at. It says nothing of how one logs in."""
    found = fleet.each([name], act)[name]
    assert isinstance(found, SwitchError), found
    assert CANARY not in found.reason
    return found


def committing(candidate: Candidate, message: str, seconds: int | None) -> Callable[[SwitchConnection], str]:
    """Load and commit; the token."""

    def act(box: SwitchConnection) -> str:
        token = box.load(candidate, message)
        box.commit(seconds)
        return token

    return act
