"""Whatever text the intent allows, it stays inside its line: nothing can start a line of its own."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.device.device import Device
from fabricgen.intent.scalars import PRINTABLE
from fabricgen.source.yaml_events import REFUSED_TEXT
from tests.eos.fleet import render, samples

TEXT = st.from_regex(PRINTABLE, fullmatch=True).filter(
    lambda text: 0 < len(text) <= 120 and not re.search(REFUSED_TEXT, text)
)
"""Without what nobody sees, which no file of a person's can hold."""
WORD = st.from_regex(r"^[A-Za-z0-9][A-Za-z0-9._-]*$", fullmatch=True).filter(lambda text: len(text) <= 63)
SAMPLE = "demo frontend border-leaf"


def relabelled(device: Device, text: str, word: str) -> Device:
    """The device with every free text and every word of the intent replaced."""
    snmp = device.management.snmp
    assert snmp is not None
    management = device.management._replace(
        snmp=snmp._replace(location=text, contact=text, user=word),
        domain=word,
        eapi_certificate=word,
    )
    interfaces = device.interfaces._replace(
        ethernet=tuple(row._replace(description=text) for row in device.interfaces.ethernet),
        subinterfaces=tuple(row._replace(description=text) for row in device.interfaces.subinterfaces),
        loopbacks=tuple(row._replace(description=text) for row in device.interfaces.loopbacks),
    )
    bgp = device.routing.bgp
    neighbors = tuple(row._replace(description=text) for row in bgp.neighbors)
    routing = device.routing._replace(bgp=bgp._replace(neighbors=neighbors))
    return device._replace(management=management, interfaces=interfaces, routing=routing)


def starts(text: str) -> list[str]:
    """Indentation and first word of every line, by every line end that Python knows."""
    return [line[: len(line) - len(line.lstrip(" "))] + line.split(" ")[0] for line in text.splitlines()]


PLAIN = starts(render(relabelled(samples()[SAMPLE], "text", "word")))


@given(text=TEXT, word=WORD)
@settings(max_examples=60, deadline=None)
def test_no_text_starts_a_line(text: str, word: str) -> None:
    found = render(relabelled(samples()[SAMPLE], text, word))
    assert starts(found) == PLAIN


def test_a_line_end_would_be_seen() -> None:
    """What the schema keeps out: the judge tells it apart."""
    for end in ("\n", "\r", "\x0b", "\x85", "\u2028"):
        found = render(relabelled(samples()[SAMPLE], f"a{end}no ip routing", "word"))
        assert starts(found) != PLAIN
