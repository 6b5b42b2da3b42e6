"""Layer 2 of one switch: the VLANs of its bridged ports, and the ports that its aggregates bundle."""

from collections.abc import Iterable, Sequence

from fabricgen.state.state import Interface
from fabricgen.verify.expect.model import ExpectedInterface
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.ledger import Ledger, counted, interface_port, interface_subject, listed

Pairs = Sequence[tuple[ExpectedInterface, Interface]]
"""What must be shown, and what is."""


def judge_bridging(book: Ledger, pairs: Pairs) -> None:
    """Of every interface that must be there and is."""
    for one, found in pairs:
        if one.members and found.members is not None and found.oper_up:
            _members(book, one, found.members)
        if one.vlans is not None and found.vlans is not None:
            _vlans(book, one, found.vlans)
    _unsaid(book, "their VLANs", [one.name for one, found in pairs if one.vlans is not None and found.vlans is None])
    bundles = [one.name for one, found in pairs if one.members and found.members is None]
    _unsaid(book, "which ports they bundle", bundles)


def _unsaid(book: Ledger, what: str, names: Sequence[str]) -> None:
    if names:
        which = f"{counted(len(names), 'bridged port')}: {listed(names)}"
        book.skip("interfaces", f"{what} cannot be read, and are not verified, of {which}")


def _members(book: Ledger, one: ExpectedInterface, found: Iterable[str]) -> None:
    """A port that is down is told as such; one that is up and carries nothing of the aggregate is told here."""
    missing = [name for name in one.members if name not in {*found, *book.causes}]
    if not missing:
        book.right("interfaces")
        return
    book.wrong(
        Finding(
            device=book.device,
            check="interfaces",
            code="lag-member-missing",
            subject=one.name,
            problem=f"does not bundle {listed(missing)}, which is up",
            expected=listed(one.members),
            actual=listed(found),
        )
    )


def _vlans(book: Ledger, one: ExpectedInterface, found: tuple[tuple[int, int], ...]) -> None:
    if found == one.vlans:
        book.right("interfaces")
        return
    book.blame(one.name, f"the VLANs of {one.name} are others")
    book.wrong(
        Finding(
            device=book.device,
            check="interfaces",
            code="port-wrong-vlan",
            subject=interface_subject(one),
            problem="is not in the VLANs of the plan",
            expected=_words(one.vlans or ()),
            actual=_words(found),
            port=interface_port(one),
        )
    )


def _words(pairs: Iterable[tuple[int, int]]) -> str:
    return listed((_pair(tag, vlan) for tag, vlan in pairs), "no VLAN")


def _pair(tag: int, vlan: int) -> str:
    if not tag:
        return f"VLAN {vlan} untagged"
    return f"VLAN {vlan} tagged" if tag == vlan else f"VLAN {vlan} by tag {tag}"
