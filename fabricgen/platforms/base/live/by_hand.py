"""What a person types on a switch for each command of a Reader, and how the printed text is parsed."""

import json
import re

from fabricgen.platforms.base.live.reader import JSON, TEXT, ByHand, ReadCommand


class RefusedError(Exception):
    """The switch refused the command; the message is the switch's own."""


_REFUSED = re.compile(r"\s*(%.*|\w+d is not running.*)")
"""First line of a refusal: EOS, NX-OS and vtysh begin it with %; or vtysh reports that the command's daemon is down."""


_SPACE = re.compile(r"(?:ip|bridge|tc) -n (\S+) .*")
NAMESPACES = "/var/run/netns"
"""Folder with an entry for each named network namespace: ip-netns(8)."""


def _accepted(text: str) -> str:
    """The text. Raises RefusedError if it is a refusal."""
    refusal = _REFUSED.match(text)
    if refusal is not None:
        raise RefusedError(refusal[1].strip())
    return text


def as_asked(read: ReadCommand) -> str:
    """The command itself."""
    return read.command


def in_vtysh(read: ReadCommand) -> str:
    """The command for vtysh if it is FRR's own, otherwise for a shell.

    Where a VRF is a device, no namespace has its name. The shell then prints a refusal in FRR's style instead of
    failing.
    """
    space = _SPACE.fullmatch(read.command)
    if space is not None:
        return f"test ! -e {NAMESPACES}/{space[1]} && echo '% no network namespace {space[1]}' || {read.command}"
    return f"vtysh -c '{read.command}'" if read.command.startswith("show ") else read.command


def as_json(read: ReadCommand) -> str:
    """The command with a pipe to JSON."""
    return read.command if read.encoding == TEXT else f"{read.command} | json"


def as_xml(read: ReadCommand) -> str:
    """The command with a pipe to XML and without paging."""
    return f"{read.command} | no-more" if read.encoding == TEXT else f"{read.command} | display xml | no-more"


def plain(read: ReadCommand, text: str) -> object:
    """Text as it is; JSON parsed."""
    return json.loads(_accepted(text)) if read.encoding == JSON else _accepted(text)


def of_shell(read: ReadCommand, text: str) -> object:
    """The output as napalm_frr's shell parses it: no JSON at all means an empty value; several values are possible."""
    if read.encoding != JSON:
        return _accepted(text)
    values: list[object] = []
    decoder, rest = json.JSONDecoder(), _accepted(text).strip()
    while rest:
        value, end = decoder.raw_decode(rest)
        values.append(value)
        rest = rest[end:].lstrip()
    # No output at all: empty JSON of the kind that the command prints otherwise.
    if not values:
        return {} if read.command.startswith(("show ", "vtysh ")) else []
    return values[0] if len(values) == 1 else values


SHELL = ByHand(typed=as_asked, value=of_shell)
VTYSH = ByHand(typed=in_vtysh, value=of_shell)
PIPED_JSON = ByHand(typed=as_json, value=plain)
PIPED_XML = ByHand(typed=as_xml, value=plain)
AS_ASKED = ByHand(typed=as_asked, value=plain)
