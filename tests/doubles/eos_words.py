"""What EOS takes beyond the lines that this project prints, as far as public sources say it. It is no grammar of EOS.

- words, modes and passwords of type 5 in NAPALM's own configurations for vEOS (github.com/napalm-automation/napalm,
  test/eos/eos/*.conf), which its tests commit to a switch
- `banner … EOF` with its text as `input` of the command: napalm/eos/eos.py, HEREDOC_COMMANDS and `_multiline_convert`;
  pyeapi pull requests 75 and 78
- `default interface`, `alias`, `enable password`, `service interface inactive expose`, and that a command which is cut
  short is an incomplete token unless `autoComplete` is asked for: system tests of pyeapi (github.com/arista-eosplus/
  pyeapi, test/system/test_client.py, test_api_vrfs.py, test/lib/systestlib.py)
- `no ip address` takes the line away: Arista Warrior, 2nd edition, chapter 9; EOS' manual says of most commands that
  `no` and `default` put back what stands without them. `int lo77` for Loopback77: ngworx.ag, "Arista EOS Config
  Sessions"; Et1 is what EOS itself prints in its prompt there. That eAPI takes the short name of a port while it
  refuses short keywords is believed, not cited.

What it cannot know: the rest of EOS' commands (it refuses them, so a line that EOS takes may be refused here); what a
chip or a release does not have; most defaults that `show running-config all` adds; the order in which EOS prints
sections and settings, its own and not that of typing; dependencies (`switchport` lines on a routed port, a VRF that is
not there); warnings; which word of a long line is in doubt, beyond the first two.
"""

import re
from functools import cache

from tests.eos.modes import ADDRESS, LINE, MODES, PREFIX, WORD, Forms

PORTS = ("Ethernet", "Port-Channel", "Loopback", "Management", "Vlan", "Vxlan")
_PORT = re.compile(r"(?P<kind>[A-Za-z-]{2,}) ?(?P<number>\d+(/\d+)*(\.\d+)?)")
HASHED = r"secret (5|sha512|0) \S+"

UNSET = ("banner login", "banner motd", "hostname", "ip routing")
"""Settings that `show running-config all` prints as `no …` where they are not set."""

MORE: dict[str, Forms] = {
    "": (
        (r"banner (login|motd)\n(?s:.*)\nEOF", ""),
        (r"no ip routing|transceiver qsfp default-mode 4x10G|spanning-tree mode (rstp|rapid-pvst|none)", ""),
        (
            rf"aaa root {HASHED}|username {WORD} privilege (\d|1[0-5]) role {WORD} {HASHED}|username {WORD} nopassword",
            "",
        ),
        (rf"alias {WORD} {LINE}|enable (password|secret) {LINE}|service interface inactive expose", ""),
        (rf"ip route {PREFIX} {WORD}( {WORD})*|ntp server {WORD}|ip name-server {ADDRESS}", ""),
    ),
    "vlan": ((rf"state (active|suspend)|trunk group {WORD}", ""),),
    "vrf instance": ((rf"rd {WORD}", ""),),
    "bgp vrf": ((rf"neighbor {ADDRESS} maximum-routes \d+( warning-only)?", ""),),
    "interface": ((r"load-interval \d+|speed (auto|forced \w+|\d+g\w*)|switchport trunk native vlan \d+", ""),),
}


@cache
def compiled(mode: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Forms that a mode takes."""
    return tuple((re.compile(pattern), opens) for pattern, opens in (*MODES[mode], *MORE.get(mode, ())))


@cache
def known(mode: str, line: str) -> str | None:
    """The mode that a line opens, empty if none; None where the mode does not know it."""
    return next((opens for pattern, opens in compiled(mode) if pattern.fullmatch(line)), None)


@cache
def words(mode: str) -> frozenset[str]:
    """First words of what a mode takes: those that `no` and `default` may stand before."""
    found: set[str] = set()
    for pattern, _ in (*MODES[mode], *MORE.get(mode, ())):
        for part in pattern.replace("(no )?", "").replace("(v6)?", "").split("|"):
            first = re.match(r"[( ]*([a-z][a-z0-9-]*)", part)
            if first is not None:
                found.add(first[1])
    return frozenset(found | {"ipv6"} if "ip" in found else found)


def whole(line: str) -> str:
    """A line with the whole name of its port: `interface et1` is `interface Ethernet1`. Others as they are."""
    heading, _, name = line.partition(" ")
    found = _PORT.fullmatch(name) if heading == "interface" else None
    if found is None:
        return line
    kinds = [kind for kind in PORTS if kind.lower().startswith(found["kind"].lower())]
    return f"interface {kinds[0]}{found['number']}" if len(kinds) == 1 else line
