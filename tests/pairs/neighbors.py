"""BGP as EOS and FRR write it: flat lines `neighbor X …`, of a session or of a group that sessions are in.

Arista EOS user manual, BGP configuration commands; docs.frrouting.org, BGP: `neighbor PEER peer-group PGNAME` (EOS:
`peer group`), `timers`, `update-source`, `ebgp-multihop`, `bfd`; `activate` below an address family; both activate IPv4
for everybody unless `no bgp default ipv4-unicast` stands.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tests.pairs.lines import Line
from tests.pairs.view import EVPN, IPV4, IPV6, Session, address

Words = tuple[str, ...]
ADDRESS = re.compile(r"\d+(\.\d+){3}|[0-9a-fA-F]*:[0-9a-fA-F:]*")
"""What is no address is a group, or an interface."""
HOPS = (("capability", "extended-nexthop"), ("next-hop", "address-family", "ipv6"))
"""IPv4 prefixes with next hops of IPv6, in FRR's words and in those of EOS."""


class Flat(NamedTuple):
    """Words of all `neighbor X` lines by X, and who is active in which family."""

    said: Mapping[str, tuple[Words, ...]]
    active: Mapping[str, Mapping[str, bool]]
    always_ipv4: bool
    timers: tuple[int, int]
    extended: bool
    kept: bool


def flat(bgp: Line, timers: tuple[int, int], *, extended: bool, kept: bool) -> Flat:
    """Read the block of a speaker; timers, extended communities and next hops are the platform's unless it is told."""
    said: dict[str, list[Words]] = {}
    for rest in bgp.rests("neighbor"):
        said.setdefault(rest[0], []).append(rest[1:])
    active: dict[str, dict[str, bool]] = {}
    for line in bgp.all("address-family"):
        name = family(line.words[1:])
        switched = active.setdefault(name, {})
        for rest in line.rests("neighbor"):
            if name == EVPN or rest[1:3] == ("next-hop", "address-family"):
                said.setdefault(rest[0], []).append(rest[1:])
        switched.update((rest[0], True) for rest in line.rests("neighbor") if rest[1:] == ("activate",))
        switched.update((rest[0], False) for rest in line.rests("no", "neighbor") if rest[1:] == ("activate",))
        for rest in line.rests("no", "neighbor"):
            said.setdefault(rest[0], []).append(("no", *rest[1:]))
    own = next(bgp.rests("timers", "bgp"), None)
    return Flat(
        {peer: tuple(rows) for peer, rows in said.items()},
        active,
        not bgp.has("no", "bgp", "default", "ipv4-unicast"),
        (int(own[0]), int(own[1])) if own else timers,
        extended,
        kept,
    )


def family(words: Iterable[str]) -> str:
    """Name of a family: `ipv4`, `ipv4 unicast`, `l2vpn evpn`, `evpn`."""
    found = tuple(words)
    return EVPN if EVPN in found else IPV6 if IPV6 in found else IPV4


def sessions(speaker: Flat, loopbacks: Mapping[str, str]) -> dict[str, Session]:
    """Sessions by peer. Loopbacks: name of an interface → its IPv4 address, for `update-source`."""
    found = [_session(speaker, peer, loopbacks) for peer in speaker.said if ADDRESS.fullmatch(peer)]
    found += _unnumbered(speaker, loopbacks)
    return {session.peer: session for session in found}


def _unnumbered(speaker: Flat, loopbacks: Mapping[str, str]) -> Iterator[Session]:
    """Sessions over ports: `neighbor interface PORT peer-group X remote-as N` (EOS), or `neighbor PORT interface …`."""
    for row in speaker.said.get("interface", ()):
        words = dict(zip(row[1::2], row[2::2], strict=False))
        own = (("peer-group", words.get("peer-group", "")), ("remote-as", words.get("remote-as", "0")))
        alone = speaker._replace(said={**speaker.said, row[0]: own})
        yield _session(alone, row[0], loopbacks)
    for peer, rows in speaker.said.items():
        if peer != "interface" and any(row[0] == "interface" for row in rows):
            yield _session(speaker, peer, loopbacks)


def _session(speaker: Flat, peer: str, loopbacks: Mapping[str, str]) -> Session:
    group = _group(speaker, peer)
    rows = (*speaker.said[peer], *speaker.said.get(group, ()))
    hops = _after(rows, "ebgp-multihop")
    timers = [row[1:] for row in rows if row[0] == "timers" and row[1].isdigit()]
    keepalive, hold = (int(timers[0][0]), int(timers[0][1])) if timers else speaker.timers
    source = _after(rows, "update-source")
    return Session(
        peer=address(peer) if ADDRESS.fullmatch(peer) else peer,
        remote_as=int(_after(rows, "remote-as") or 0),
        families=frozenset(name for name in (IPV4, IPV6, EVPN) if _is_active(speaker, name, peer, group)),
        keepalive=keepalive,
        hold=hold,
        bfd=any(row[0] == "bfd" for row in rows),
        multihop=int(hops) if hops else 255 if ("ebgp-multihop",) in rows else 1,
        source=loopbacks.get(source, source),
        extended=_is_extended(rows, speaker.extended),
        kept=_is_kept(rows, speaker.kept),
        ipv6_hops=any(row[:2] in HOPS or row[:3] in HOPS for row in rows),
    )


def _is_extended(rows: Iterable[Words], usual: bool) -> bool:
    """`send-community` alone means all kinds (EOS) or is followed by which."""
    for row in rows:
        if row[0] == "send-community":
            return len(row) == 1 or bool({"extended", "both", "all"} & set(row))
        if row[:2] == ("no", "send-community"):
            return len(row) > 2 and not {"extended", "both", "all"} & set(row)
    return usual


def _is_kept(rows: Iterable[Words], usual: bool) -> bool:
    """EOS says that next hops are kept, FRR that they are not."""
    for row in rows:
        if row == ("next-hop-unchanged",) or row[:2] == ("attribute-unchanged", "next-hop"):
            return True
        if row[:1] == ("next-hop-self",) and (not usual or "force" in row):
            return False
    return usual


def _group(speaker: Flat, peer: str) -> str:
    """The group that a session is in; EOS writes two words where FRR writes one."""
    for row in speaker.said[peer]:
        if row[:2] == ("peer", "group") and len(row) == 3:
            return row[2]
        if row[0] == "peer-group" and len(row) == 2:
            return row[1]
        if row[:2] == ("interface", "peer-group"):
            return row[2]
    return ""


def _after(rows: Iterable[Words], word: str) -> str:
    return next((row[1] for row in rows if row[0] == word and len(row) > 1), "")


def _is_active(speaker: Flat, name: str, peer: str, group: str) -> bool:
    switched = speaker.active.get(name, {})
    return switched.get(peer, switched.get(group, name == IPV4 and speaker.always_ipv4))
