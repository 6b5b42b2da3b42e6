"""Each platform is read, by a driver of which a push knows the manner."""

from fabricgen.drivers.manners import HANDLINGS, MANNERS
from fabricgen.drivers.modules import DRIVERS
from fabricgen.drivers.readers import READERS
from fabricgen.platforms import PLATFORMS


def test_every_platform_has_a_reader_of_its_own() -> None:
    assert list(READERS) == list(PLATFORMS)
    assert {name: reader.system for name, reader in READERS.items()} == {name: name for name in PLATFORMS}


def test_every_reader_asks_by_the_driver_of_its_platform() -> None:
    assert {name: reader.driver for name, reader in READERS.items()} == {
        name: platform.driver for name, platform in PLATFORMS.items()
    }


def test_every_driver_has_a_manner_and_a_handling() -> None:
    drivers = {reader.driver for reader in READERS.values()}
    assert set(MANNERS) == set(HANDLINGS) == drivers
    assert {name: manner.driver for name, manner in MANNERS.items()} == {name: name for name in drivers}


def test_drivers_of_this_project_are_of_platforms() -> None:
    assert set(DRIVERS) < {reader.driver for reader in READERS.values()}
