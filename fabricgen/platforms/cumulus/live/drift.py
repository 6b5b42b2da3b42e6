"""Where the applied configuration of a switch with NVUE is not the rendered file: leaves of both trees.

A leaf is told under the keys above it. Secrets equal each other, whatever their spelling: the switch shows hashes, and
keeps others enciphered (511 NVUE CLI 0bbf81aa, Encrypted Passwords). The order of keys says nothing.
"""

import re
from collections.abc import Iterable

from fabricgen.base.secret import shown
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.cumulus.live.tree import Path, TreeLeaf, leaves, tree
from fabricgen.platforms.linux.live.decode import Misread

UNTOLD: tuple[tuple[str, str], ...] = (
    (r"interface \S+ type: \S+", "NVUE says the type of an interface by its name"),
    (r"system aaa (class|role) (nvapply|nvshow|sudo|nvue-admin|nvue-monitor|system-admin)\b.*", "roles it comes with"),
    (r"system aaa user cumulus\b.*", "the account it comes with"),
    (r"system (api|ssh-server) state: enabled", "on when it comes"),
    (r"system config auto-save (state: enabled|enable: on)", "on when it comes, since 5.9"),
    (r"system control-plane acl acl-default-(dos|whitelist)\b.*", "the firewall it comes with"),
    (r"acl acl-default-(dos|whitelist)\b.*", "its rules"),
    (r"system reboot mode: cold", "as it comes"),
    (r"system wjh\b.*", "what it reports of dropped packets by itself"),
)
"""Leaf, with the keys above it, that is there on a switch as it comes, and why; where `replace` took it away, it is no
drift either.

Source: 511 NVUE CLI, Default Startup File (host name, firewall, account cumulus, API), and configurations of 5.x
switches that a public generator of fabrics begins with; NVUE reference, Config Commands, for types; 2026-11-22."""

_UNTOLD = re.compile("|".join(f"(?:{pattern})" for pattern, _ in UNTOLD))
UNREADABLE = "the configuration cannot be read"


def drift(wanted: str, running: str) -> tuple[Drift, ...]:
    """Leaves of the file that are not applied (present False), then those that are and are not in it."""
    try:
        ours = tuple(leaves(tree(shown(wanted))))
    except Misread as why:
        return (Drift((), f"{UNREADABLE}: {why}", present=False),)
    try:
        theirs = tuple(leaves(tree(running)))
    except Misread as why:
        return (Drift((), f"{UNREADABLE}: {why}", present=True), *(Drift(*leaf, present=False) for leaf in ours))
    have, want = _known(theirs), _known(ours)
    missing = [Drift(*leaf, present=False) for leaf in dict.fromkeys(ours) if leaf not in have]
    added = [Drift(*leaf, present=True) for leaf in dict.fromkeys(theirs) if leaf not in want and not _is_untold(leaf)]
    return (*missing, *added)


def _known(found: Iterable[TreeLeaf]) -> set[TreeLeaf]:
    """Leaves, and the keys above them, as which a leaf without a value stands where it has none here."""
    known: set[TreeLeaf] = set()
    for leaf in found:
        known.add(leaf)
        section: Path = leaf.section
        while section and TreeLeaf(section[:-1], section[-1]) not in known:
            known.add(TreeLeaf(section[:-1], section[-1]))
            section = section[:-1]
    return known


def _is_untold(leaf: TreeLeaf) -> bool:
    return _UNTOLD.fullmatch(" ".join((*leaf.section, leaf.line))) is not None
