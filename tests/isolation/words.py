"""Configurations of indented lines → each line with the headings above it, and the words that several systems share."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tests.isolation.model import Frame, Interface

Path = tuple[str, ...]
"""A line, after the headings above it."""
BGP, BFD, VXLAN = 179, 3784, 4789
"""Ports: RFC 4271, RFC 5881, RFC 7348."""


def indented(text: str) -> list[Path]:
    """Every line but separators; blanks at the start of a line tell how deep it is."""
    found: list[Path] = []
    above: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith("!"):
            continue
        depth = len(raw) - len(raw.lstrip())
        while above and above[-1][0] >= depth:
            above.pop()
        found.append((*(heading for _, heading in above), line))
        above.append((depth, line))
    return found


def below(paths: Iterable[Path], *headings: str) -> list[Path]:
    """Lines below headings. A heading is given in full, or as its first words and a blank."""
    wanted = len(headings)
    return [
        path[wanted:]
        for path in paths
        if len(path) > wanted and all(_is(own, head) for own, head in zip(path, headings, strict=False))
    ]


def _is(line: str, heading: str) -> bool:
    return line.startswith(heading) if heading.endswith(" ") else line == heading


def names(paths: Iterable[Path], start: str) -> list[str]:
    """What follows the first words of the headings of the first level that begin with them, each once."""
    return list(dict.fromkeys(path[0].removeprefix(start) for path in paths if path[0].startswith(start)))


def values(paths: Iterable[Path], start: str) -> list[str]:
    """What follows the first words of lines of the first level."""
    return [path[0].removeprefix(start) for path in paths if len(path) == 1 and path[0].startswith(start)]


def vrf_name(name: str) -> str:
    """Name of a VRF in the model: empty for `default`."""
    return "" if name == "default" else name


def from_outside(body: Iterable[Path], paths: Iterable[Path]) -> Iterator[str]:
    """Prefixes that the inbound route maps of BGP sessions permit, by their prefix lists.

    body   lines of a BGP instance, with `route-map NAME in` at their end
    paths  the whole configuration; an entry of a list is below its heading, or one line with the list's name
    """
    inbound = {tuple(path[-1].split()[-3:]) for path in body}
    for _, name, _ in (words for words in inbound if words[0] == "route-map" and words[-1] == "in"):
        rules = below(paths, f"route-map {name} permit ")
        for family in ("ip", "ipv6"):
            for found in set(values(rules, f"match {family} address prefix-list ")):
                start = f"{family} prefix-list {found}"
                entries = (*values(below(paths, start), ""), *values(paths, f"{start} "))
                yield from (entry.split()[3] for entry in entries)


class Ports(NamedTuple):
    """Interfaces of a switch, as in `model.Switch`."""

    bridged: dict[Frame, str]
    routed: dict[Frame, str]
    interfaces: dict[str, Interface]


def ports(
    paths: list[Path],
    interface: Callable[[list[Path]], Interface],
    is_bridged: Callable[[list[Path]], bool],
    tag: str,
    management: str,
) -> Ports:
    """Ports from `interface NAME` blocks with `switchport` lines.

    interface   block → VRF and addresses
    is_bridged  whether the port of a block is bridged
    tag         first words of the line with the VLAN tag of a subinterface
    management  how names of management ports begin
    """
    blocks = {name: below(paths, f"interface {name}") for name in names(paths, "interface ")}
    found = Ports({}, {}, {})
    for name, body in blocks.items():
        row = interface(body)
        if row.addresses:
            found.interfaces[name] = row
        tags = values(body, tag)
        found.routed.update({(name.partition(".")[0], int(word)): name for word in tags})
        if not tags and (("no switchport",) in body or name.startswith(management)):
            found.routed[name, 0] = name
        if is_bridged(body):
            for vlan in values(body, "switchport access vlan "):
                found.bridged[name, 0] = vlan
            trunks = (vlan for word in values(body, "switchport trunk allowed vlan ") for vlan in word.split(","))
            found.bridged.update({(name, int(vlan)): vlan for vlan in trunks})
    return found
