"""One switch's commands, and where its rows are written to."""

from collections.abc import Iterable, Mapping, Sequence

from fabricgen.platforms.cumulus.readback.tree import Tree
from fabricgen.platforms.linux.readback.frr_conf import FrrConf
from fabricgen.platforms.linux.readback.words import interface, is_ipv6, is_link_local, members_row, number
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Reading, Row, Value


class Nvue:
    """Commands of `set`, rows, and what of BGP and policies all parts share.

    tenants  VLAN of an L3 VNI → its VRF
    bfd_profiles  those with the intervals that the fabric has
    guards   lists that deny router advertisements and nothing else
    switch   the key that turns things on and off, which every file has for BGP: `enable` until 5.14, `state` from 5.15
    """

    def __init__(self, root: Tree, file: str, reading: Reading) -> None:
        self.root, self.file, self.reading = root, file, reading
        self.conf = FrrConf(file)
        self.tenants: dict[str, str] = {}
        self.bfd_profiles: set[str] = set()
        self.guards: frozenset[str] = frozenset()
        self.switch = "state" if root.take("router", "bgp", "state") else "enable"

    @property
    def is_renamed(self) -> bool:
        """Whether the file has the words of 5.15 (515 New and Changed NVUE Commands)."""
        return self.switch == "state"

    def on(self, tree: Tree, *keys: str) -> Tree:
        """The line that turns something on or off."""
        return tree.take(*keys, self.switch)

    def of_interface(self, row: Tree, key: str) -> Tree:
        """Addresses or gateways of an interface, of both families."""
        if not self.is_renamed:
            return row.take("ip", key)
        return Tree((*row.take("ipv4", key).fields, *row.take("ipv6", key).fields))

    def vrf_of(self, row: Tree) -> Tree:
        """The VRF of an interface."""
        return row.take("vrf") if self.is_renamed else row.take("ip", "vrf")

    def put(self, thing: str, name: str, setting: str, value: Value, line: int) -> None:
        """Write a row."""
        self.reading.put(thing, name, setting, value, self.file, line)

    def put_all(self, thing: str, name: str, rows: Iterable[tuple[str, Value, int]]) -> None:
        """Write rows of one thing: settings, values, lines."""
        self.reading.put_all(thing, name, rows, self.file)

    def put_parts(
        self, thing: str, name: str, setting: str, value: tuple[int, ...], lines: Sequence[Lines], line: int
    ) -> None:
        """Write a row of numbers, each with its line; `line` is that of the row itself."""
        self.reading.add_all(thing, name, [(setting, Row(value, self.file, line, dict(enumerate(lines))))])

    def put_members(self, thing: str, name: str, setting: str, members: Mapping[str, int], line: int) -> None:
        """Write a row of members, each with its line; `line` is that of nothing."""
        self.reading.add_all(thing, name, [(setting, members_row(members, self.file, line))])

    def say(self, text: str, line: int) -> None:
        """A line that the fabric needs."""
        self.reading.put("line", text, "present", True, self.file, line)

    def leaf(self, tree: Tree, start: str, *keys: str) -> None:
        """A setting without a row of its own that the fabric needs as it is."""
        found = tree.take(*keys)
        if found:
            self.say(" ".join((start, *keys, found.value)).strip(), found.line)

    def put_addresses(self, thing: str, name: str, tree: Tree, line: int) -> None:
        """Addresses with their lengths; those of the link alone do not count."""
        rows: list[tuple[str, int]] = []
        for text, row in tree.each():
            whole = interface(text)
            if not whole:
                row.refuse()
            elif not is_link_local(whole):
                rows.append((whole, row.line))
        for setting, of_ipv6 in (("ipv4", False), ("ipv6", True)):
            own = [row for row in rows if is_ipv6(row[0]) is of_ipv6]
            self.put_members(thing, name, setting, dict(own), line)

    def number(self, tree: Tree, default: int = 0) -> int:
        """A scalar as a number; one that is none is not understood."""
        if not tree:
            return default
        found = number(tree.value)
        if found is None:
            tree.refuse()
            return default
        return found
