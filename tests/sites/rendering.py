"""The command line in this process, and what is read out of the trees that it writes."""

import csv
import re
from collections.abc import Iterator
from ipaddress import ip_interface
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from fabricgen.cli import main

ROOT = Path(__file__).parents[2]
INVENTORIES = ROOT / "inventories"
SMALL = ("superpod-b300", "shared-backend-512", "inference-only", "time-sliced")
LARGE = "three-tier-16k"

Tree = dict[str, str]
Stanza = list[str]


def called(*words: object) -> tuple[int, str]:
    """Exit code and what the command said."""
    done = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    return done.exit_code, done.output


class Rendered(NamedTuple):
    """A site in a folder of its own, and what was written of it."""

    site: Path
    out: Path

    def tree(self) -> Tree:
        """File → text, without what is fabricgen's own."""
        found = (path for path in sorted(self.out.rglob("*")) if path.is_file())
        return {
            name: path.read_text()
            for path in found
            if not (name := path.relative_to(self.out).as_posix()).startswith(".fabricgen/")
        }

    def switches(self) -> Tree:
        """Switch → its configuration."""
        suffix = "/startup-config"
        return {name.removesuffix(suffix): text for name, text in self.tree().items() if name.endswith(suffix)}

    def cables(self) -> list[dict[str, str]]:
        """Rows of the cabling plan."""
        with (self.out / "cabling.csv").open(newline="") as file:
            return list(csv.DictReader(file))


ADDRESS = re.compile(r"^ +(?:ip|ipv6) address (\S+/\d+)$", re.MULTILINE)


def addresses(switches: Tree) -> Iterator[tuple[str, str]]:
    """Switch and address, of every interface; those that all leaves of a network share are `virtual`."""
    for switch, text in switches.items():
        yield from ((str(ip_interface(found).ip), switch) for found in ADDRESS.findall(text))


def stanzas(text: str) -> dict[str, Stanza]:
    """Interface → its lines."""
    found = re.findall(r"^interface (\S+)\n((?: .*\n)*)", text, re.MULTILINE)
    return {name: [line.strip() for line in body.splitlines()] for name, body in found}
