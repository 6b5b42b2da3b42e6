"""Differences of the applied NVUE configuration from the rendered file: leaves of both trees.

A leaf is reported with the keys above it. Secrets equal each other in any spelling: the switch shows hashes, and keeps
others encrypted (511 NVUE CLI 0bbf81aa, Encrypted Passwords). The order of keys does not matter.
"""

import re
from collections.abc import Iterable

from fabricgen.base.secret import shown
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.cumulus.live.tree import Path, TreeLeaf, leaves, tree
from fabricgen.platforms.linux.live.decode import Misread

FACTORY_LEAVES: tuple[tuple[str, str], ...] = (
    (r"interface \S+ type: \S+", "NVUE says the type of an interface by its name"),
    (r"system aaa user cumulus\b.*", "the account it comes with"),
    (r"system reboot mode: cold", "as it comes"),
    (r"system wjh\b.*", "what it reports of dropped packets by itself"),
)
"""Leaf, with the keys above it, that a factory-default switch has and no rendered file, and why; if `replace` removed
it, that is no drift either.

Source: 511 NVUE CLI, Default Startup File (host name, firewall, account cumulus, API), and configurations of 5.x
switches that a public generator of fabrics begins with; NVUE reference, Config Commands, for types; 2026-11-22."""

_FACTORY = re.compile("|".join(f"(?:{pattern})" for pattern, _ in FACTORY_LEAVES))
UNREADABLE = "the configuration cannot be read"


def drift(wanted: str, running: str) -> tuple[Drift, ...]:
    """Leaves of the file that are not applied (present False), then applied leaves that are not in it."""
    try:
        ours = tuple(leaves(tree(shown(wanted))))
    except Misread as error:
        return (Drift((), f"{UNREADABLE}: {error}", present=False),)
    try:
        theirs = tuple(leaves(tree(running)))
    except Misread as error:
        return (Drift((), f"{UNREADABLE}: {error}", present=True), *(Drift(*leaf, present=False) for leaf in ours))
    have, want = _known(theirs), _known(ours)
    missing = [Drift(*leaf, present=False) for leaf in dict.fromkeys(ours) if leaf not in have]
    added = [Drift(*leaf, present=True) for leaf in dict.fromkeys(theirs) if leaf not in want and not _is_factory(leaf)]
    return (*missing, *added)


def _known(side: Iterable[TreeLeaf]) -> set[TreeLeaf]:
    """Leaves, and the keys above them: a key with leaves on one side matches the key without a value on the other."""
    leaves_and_keys: set[TreeLeaf] = set()
    for leaf in side:
        leaves_and_keys.add(leaf)
        section: Path = leaf.section
        while section and TreeLeaf(section[:-1], section[-1]) not in leaves_and_keys:
            leaves_and_keys.add(TreeLeaf(section[:-1], section[-1]))
            section = section[:-1]
    return leaves_and_keys


def _is_factory(leaf: TreeLeaf) -> bool:
    return _FACTORY.fullmatch(" ".join((*leaf.section, leaf.line))) is not None
