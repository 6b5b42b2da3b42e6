"""Kinds of value that a word of a line may be: the name of each stands in the forms of forms.py."""

import re
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network


def _is(kind: Callable[[str], object]) -> Callable[[str], bool]:
    def judge(word: str) -> bool:
        try:
            kind(word)
        except ValueError:
            return False
        return True

    return judge


def _matches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda word: compiled.fullmatch(word) is not None


def _interface(kind: type[IPv4Interface] | type[IPv6Interface]) -> Callable[[str], bool]:
    return lambda word: "/" in word and _is(kind)(word)


def _community(word: str) -> bool:
    return _matches(r"\d{1,5}:\d{1,5}")(word) and all(int(half) < 65536 for half in word.split(":"))


def _list_of(lowest: int, highest: int) -> Callable[[str], bool]:
    """Numbers, or runs of them, joined by commas."""

    def judge(word: str) -> bool:
        parts = re.split("[,-]", word)
        return all(part.isdecimal() and lowest <= int(part) <= highest for part in parts)

    return judge


VALUES: dict[str, Callable[[str], bool]] = {
    "NAME": _matches(r"[A-Za-z0-9_][A-Za-z0-9_.:-]{0,62}"),
    "SECRET": _matches(r"\$\{(env|file):[A-Za-z0-9_./-]+\}|\$5\$\S+|[0-9A-F]{16,}|0x[0-9a-f]+"),
    "KEYTYPE": _matches(r"ssh-rsa|ssh-ed25519|ecdsa-sha2-nistp(256|384|521)"),
    "KEY": _matches(r"AAAA[A-Za-z0-9+/]+=*"),
    "IPV4": _is(IPv4Address),
    "IPV6": _is(IPv6Address),
    "IP": lambda word: _is(IPv4Address)(word) or _is(IPv6Address)(word),
    "IPV4/LEN": _interface(IPv4Interface),
    "IPV6/LEN": _interface(IPv6Interface),
    "NET4": lambda word: "/" in word and _is(IPv4Network)(word),
    "NET6": lambda word: "/" in word and _is(IPv6Network)(word),
    "SEQ": _matches(r"[1-9]\d{0,9}"),
    "SOURCE": lambda word: word == "any" or ("/" in word and _is(IPv4Network)(word)),
    "HOP4": lambda word: word.lower() == "null0" or _is(IPv4Address)(word),
    "HOP6": lambda word: word.lower() == "null0" or _is(IPv6Address)(word),
    "COMMUNITY": _community,
    "RT": _matches(r"(\d{1,10}|\d{1,3}(\.\d{1,3}){3}):\d{1,10}|auto"),
    "MAC": _matches(r"[0-9a-f]{4}(\.[0-9a-f]{4}){2}"),
    "VLANS": _list_of(1, 3967),
    "DSCPS": _list_of(0, 63),
    "PERCENT": _matches(r"(100|\d{1,2})(\.\d{1,2})?"),
    "PORT": _matches(r"Ethernet1/[1-9]\d{0,2}(/[1-8])?"),
    "SUB": _matches(r"Ethernet1/[1-9]\d{0,2}(/[1-8])?\.[1-9]\d{0,3}"),
    "PORTS": _matches(r"Eth1/[1-9]\d{0,2}(/[1-8])?(,Eth1/[1-9]\d{0,2}(/[1-8])?)*"),
    "LOOPBACK": _matches(r"loopback(\d{1,3}|10[01]\d|102[0-3])"),
    "VLANIF": _matches(r"Vlan[1-9]\d{0,3}"),
    "QCLASS": _matches(r"c-out-8q-q([1-7]|-default)"),
    "NQCLASS": _matches(r"c-8q-nq([1-7]|-default)"),
    "MAP": _matches(r"(10|25)g-4x|50g-(2|8)x|100g-(2|4|8)x|200g-2x|400g-2x"),
}
