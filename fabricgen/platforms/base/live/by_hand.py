"""What a person types on a switch for each command of a Reader, and what the text that it prints amounts to."""

import json
import re

from fabricgen.platforms.base.live.reader import JSON, TEXT, ByHand, ReadCommand


class RefusedError(Exception):
    """The switch did not take the command; the words are its own."""


_REFUSED = re.compile(r"\s*(%.*|\w+d is not running.*)")
"""First line of a refusal: EOS, NX-OS and vtysh begin it with %; or vtysh misses the daemon that knows the command."""


_SPACE = re.compile(r"(?:ip|bridge|tc) -n (\S+) .*")
NAMESPACES = "/var/run/netns"
"""Where each network namespace with a name is: ip-netns(8)."""


def _taken(text: str) -> str:
    """The text. Raises RefusedError where it is a refusal."""
    refusal = _REFUSED.match(text)
    if refusal is not None:
        raise RefusedError(refusal[1].strip())
    return text


def as_asked(read: ReadCommand) -> str:
    """What is asked is what is typed."""
    return read.command


def in_vtysh(read: ReadCommand) -> str:
    """FRR's own commands go to vtysh, all others to a shell.

    Where a VRF is a device there is no namespace of its name: that is said as a refusal is, and no command fails.
    """
    space = _SPACE.fullmatch(read.command)
    if space is not None:
        return f"test ! -e {NAMESPACES}/{space[1]} && echo '% no network namespace {space[1]}' || {read.command}"
    return f"vtysh -c '{read.command}'" if read.command.startswith("show ") else read.command


def as_json(read: ReadCommand) -> str:
    """JSON is asked for by a pipe."""
    return read.command if read.encoding == TEXT else f"{read.command} | json"


def as_xml(read: ReadCommand) -> str:
    """XML is asked for by a pipe, and no page ends the output."""
    return f"{read.command} | no-more" if read.encoding == TEXT else f"{read.command} | display xml | no-more"


def plain(read: ReadCommand, text: str) -> object:
    """Text as it is; JSON read."""
    return json.loads(_taken(text)) if read.encoding == JSON else _taken(text)


def of_shell(read: ReadCommand, text: str) -> object:
    """As napalm_frr's shell reads it: no JSON at all is nothing of its kind, and there may be several values."""
    if read.encoding != JSON:
        return _taken(text)
    found: list[object] = []
    decoder, rest = json.JSONDecoder(), _taken(text).strip()
    while rest:
        value, end = decoder.raw_decode(rest)
        found.append(value)
        rest = rest[end:].lstrip()
    if not found:
        return {} if read.command.startswith(("show ", "vtysh ")) else []
    return found[0] if len(found) == 1 else found


SHELL = ByHand(typed=as_asked, value=of_shell)
VTYSH = ByHand(typed=in_vtysh, value=of_shell)
PIPED_JSON = ByHand(typed=as_json, value=plain)
PIPED_XML = ByHand(typed=as_xml, value=plain)
AS_ASKED = ByHand(typed=as_asked, value=plain)
