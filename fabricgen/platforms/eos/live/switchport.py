"""VLANs of EOS's bridged ports, from `show interfaces switchport`.

Its form, by port: `enabled`, and in `switchportInfo` the `mode` (access, trunk), `accessVlanId`, `trunkingNativeVlanId`
and `trunkAllowedVlans` ("10,20-30", ALL, NONE). Source: internap/fake-switches, tests/arista (checked there against the
answers of a switch), and two public drivers that read it; not recorded here.
"""

from collections.abc import Iterator, Mapping

from fabricgen.platforms.base.live.values import NotUnderstoodError, number, table, whole, word

Vlans = tuple[tuple[int, int], ...]
"""(tag, VLAN), sorted, tag 0 for untagged frames."""
EVERY, NO = "ALL", "NONE"
VLANS = range(1, 4095)


def switchports(output: object) -> Mapping[str, Vlans]:
    """Port → its VLANs; none for a routed port. Raises NotUnderstoodError."""
    return {name: _vlans(row) for name, row in table(output, "switchports").items()}


def _vlans(row: object) -> Vlans:
    if not (isinstance(row, Mapping) and row.get("enabled")):
        return ()
    info = table(row, "switchportInfo")
    mode = word(info, "mode")
    if mode == "access":
        return ((0, number(info, "accessVlanId")),)
    if mode != "trunk":
        raise NotUnderstoodError(f"switchport mode {mode!r}")
    native = number(info, "trunkingNativeVlanId", 0)
    return tuple(sorted((0 if vlan == native else vlan, vlan) for vlan in _listed(word(info, "trunkAllowedVlans"))))


def _listed(text: str) -> Iterator[int]:
    """VLANs of a list such as 10,20-30."""
    if text.upper() == NO:
        return
    for part in (f"{VLANS.start}-{VLANS.stop - 1}" if text.upper() == EVERY else text).split(","):
        first, _, last = part.strip().partition("-")
        low, high = whole(first, "trunkAllowedVlans"), whole(last or first, "trunkAllowedVlans")
        if low not in VLANS or high not in VLANS:
            raise NotUnderstoodError(f"VLANs {part!r}")
        yield from range(low, high + 1)
