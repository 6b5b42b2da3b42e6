"""Where a lab lives on this host: its folder, its run folder, and the namespaces of each switch and server.

Everything is found again from the lab's folder alone: the id is a digest of its path.
"""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

RUN = Path("/run/fabricgen")
NETNS = Path("/run/netns")
DEFAULT = ".fabricgen-lab"
"""Folder of a lab beside the intent, where nothing else is said."""
MARK = "FABRICGEN_LAB"
"""Variable in the environment of every process that a lab starts, so that each is found again."""
CONFIGURATION, LOGS = "etc-frr", "log"
"""Folders of a switch that stand where its daemons look: /etc/frr and /var/log/frr."""
NETWORK, SETTINGS, PROGRAMS = "network", "sysctl.d", "sbin"
"""The same for its interfaces, settings, and programs that apply them: /etc/network, /etc/sysctl.d, /usr/local/sbin.

What the host itself has in /usr/local/sbin is not seen in a switch.
"""


class Space(NamedTuple):
    """Namespaces of one switch or server, held by files: network (an `ip netns` name), host name and mounts."""

    name: str
    netns: str
    net: Path
    uts: Path
    mount: Path

    def enter(self, *words: str) -> list[str]:
        """Command line that runs a command inside."""
        return ["nsenter", f"--net={self.net}", f"--uts={self.uts}", f"--mount={self.mount}", "--", *words]

    def enter_vrf(self, vrf: str, *words: str) -> list[str]:
        """Command line that runs a command in a tenant's network namespace of a switch."""
        return self.enter("nsenter", f"--net={NETNS / vrf}", "--", *words)


class LabPlace(NamedTuple):
    """One lab on this host."""

    folder: Path
    id: str

    @property
    def run(self) -> Path:
        """What the running lab needs: record, lock and held namespaces."""
        return RUN / self.id

    @property
    def record(self) -> Path:
        """What is made, written before it is."""
        return self.run / "record.json"

    @property
    def lock(self) -> Path:
        """Held while the lab is built or taken down."""
        return self.run / "lock"

    @property
    def held(self) -> Path:
        """Files that hold namespaces; a mount of its own, as the kernel asks for it."""
        return self.run / "ns"

    @property
    def prefix(self) -> str:
        """Start of the names of this lab's network namespaces, of no other lab's."""
        return f"fg{self.id}-"

    def space(self, name: str) -> Space:
        """Namespaces of a switch or server."""
        netns = f"{self.prefix}{name}"
        return Space(name, netns, NETNS / netns, self.held / f"{name}.uts", self.held / f"{name}.mnt")

    def files(self, name: str) -> Path:
        """Folder of a switch's rendered files, or of a server's."""
        return self.folder / "nodes" / name

    def netns(self) -> Iterator[str]:
        """Names of network namespaces that are there now."""
        if NETNS.is_dir():
            yield from sorted(path.name for path in NETNS.iterdir() if path.name.startswith(self.prefix))


def place_of(folder: Path) -> LabPlace:
    """The lab of a folder, whether it stands or not."""
    resolved = folder.resolve()
    return LabPlace(resolved, sha256(os.fsencode(resolved)).hexdigest()[:6])
