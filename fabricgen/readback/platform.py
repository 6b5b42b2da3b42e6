"""What a platform says of reading its text back: its parser, what its text does not show, how it rounds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fabricgen.device.device import Device
from fabricgen.readback.intended import intended
from fabricgen.readback.rows import Key, Reading, Value
from fabricgen.readback.runs import Kind, Shortened, shortened

Files = Mapping[str, str]
"""Files of one switch by name."""
Rows = dict[Key, Value]


def as_intended(device: Device, rows: Rows) -> Rows:
    """The rows unchanged, for a system that takes every number of the plan."""
    return rows


def as_tenants(device: Device) -> Mapping[str, str]:
    """No name that differs, for a system on which a VRF is called as its tenant."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Readback:
    """How the text of one operating system is read back.

    main      the file that a folder of running configurations has of a switch, by its name in `render`
    read      files → rows, and the lines that were not understood. Total: a text that is cut off or no configuration
              at all is unread lines, never an exception
    not_shown `thing.setting` → why the text does not show it, with the source
    adjusted  the rows that a Device asks for, as this system has them: after its rounding, under its names, and with
              the `line` rows that it needs
    vrf_names tenant → its VRF's name on the system, where the two may differ
    added     text of the main file, raw lines of the intent → lines of the file that they add, where they are merged
              into a document (`readback.added`). Raises NotADocumentError. None: they stand in the file as they are
    filters_own  an import policy of a VRF also decides on routes of its own tenant, not on those of others alone
    kinds    blocks that can be runs (`readback.runs`)
    """

    main: str
    read: Callable[[Files], Reading]
    not_shown: Mapping[str, str] = field(default_factory=dict)
    adjusted: Callable[[Device, Rows], Rows] = as_intended
    vrf_names: Callable[[Device], Mapping[str, str]] = as_tenants
    added: Callable[[str, str], frozenset[int]] | None = None
    filters_own: bool = True
    kinds: tuple[Kind, ...] = ()

    def without_copies(self, device: Device, files: Files) -> Shortened | None:
        """The one file of a switch without the copies of runs; None where it has others, or no runs."""
        is_alone = self.kinds and files.keys() == {self.main}
        return shortened(device, files[self.main], self.kinds) if is_alone else None

    def planned(self, device: Device) -> Rows:
        """Every row of a Device, as this system has it."""
        return self.adjusted(device, intended(device))

    def tenants(self, device: Device) -> dict[str, str]:
        """Name of a VRF on the system → its tenant."""
        return {name: tenant for tenant, name in self.vrf_names(device).items()}

    def expected(self, device: Device) -> Rows:
        """The rows of a Device that this system's text shows."""
        return self.shown(self.planned(device))

    def shown(self, rows: Rows) -> Rows:
        """Those of some rows that this system's text shows."""
        return {key: value for key, value in rows.items() if f"{key.thing}.{key.setting}" not in self.not_shown}
