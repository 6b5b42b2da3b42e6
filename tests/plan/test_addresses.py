"""Address text against `ipaddress`, and which addresses can occur at all."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fabricgen.base.addresses import (
    AddressTexts,
    block_length,
    interface_ipv4,
    interface_ipv6,
    ipv4,
    ipv6,
    prefix_ipv4,
    prefix_ipv6,
)
from fabricgen.errors import FabricError
from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import (
    Span,
    parse_address,
    parse_asns,
    parse_interface,
    parse_ipv6_prefix,
    parse_prefix,
    parse_ratio,
    parse_slots,
    parse_spans,
)
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from tests.plan.shapes import INTENT

FOUR = st.integers(0, 2**32 - 1)
SIX = st.integers(2**120, 2**128 - 1)
"""Outside ::/8, which the intent refuses."""

GROUPS = st.lists(st.sampled_from([0, 0, 0, 1, 0xA, 0xFD00, 0xFFFF]), min_size=8, max_size=8)


@given(FOUR, st.integers(0, 32))
@example(0, 32)
@example(2**32 - 1, 0)
def test_ipv4_text_is_that_of_ipaddress(value: int, length: int) -> None:
    assert ipv4(value) == str(IPv4Address(value))
    assert interface_ipv4(value, length) == f"{IPv4Address(value)}/{length}"
    assert prefix_ipv4(value, length) == str(IPv4Network((value, length), strict=False))


@given(SIX, st.integers(0, 128))
@example(int(IPv6Address("fd00::1")), 127)
@example(2**128 - 1, 0)
def test_ipv6_text_is_that_of_ipaddress(value: int, length: int) -> None:
    assert ipv6(value) == str(IPv6Address(value))
    assert interface_ipv6(value, length) == f"{IPv6Address(value)}/{length}"
    if length >= 8:
        assert prefix_ipv6(value, length) == str(IPv6Network((value, length), strict=False))


@given(GROUPS)
def test_ipv6_runs_of_zeros_are_written_as_rfc_5952_says(groups: list[int]) -> None:
    value = 0
    for piece in [0xFD5E, *groups[1:]]:
        value = value << 16 | piece
    assert ipv6(value) == str(IPv6Address(value))


TEXTS = AddressTexts()
"""One for all cases: what it has kept of one changes nothing of the next."""


@given(st.lists(FOUR))
@example([0, 2**32 - 1])
def test_many_ipv4_texts_are_those_of_each(values: list[int]) -> None:
    assert TEXTS.ipv4(values, "/31") == [f"{ipv4(value)}/31" for value in values]
    evens = [value & ~1 for value in values]
    assert TEXTS.ipv4_ends(evens, ("", "/31")) == ([ipv4(v) for v in evens], [interface_ipv4(v + 1, 31) for v in evens])


@given(
    st.lists(
        SIX | GROUPS.map(lambda groups: int.from_bytes(b"".join(g.to_bytes(2, "big") for g in (0xFD5E, *groups[1:]))))
    )
)
@example([int(IPv6Address("fd5e::")), int(IPv6Address("fd5e::1:0")), int(IPv6Address("fd5e:0:0:1::"))])
def test_many_ipv6_texts_are_those_of_each(values: list[int]) -> None:
    assert TEXTS.ipv6(values, "/127") == [f"{ipv6(value)}/127" for value in values]
    evens = [value & ~1 for value in values]
    assert TEXTS.ipv6_ends(evens, ("/127", "")) == (
        [interface_ipv6(value, 127) for value in evens],
        [ipv6(value + 1) for value in evens],
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # RFC 5952 section 4.2.2: one 16-bit 0 field is not shortened; 4.2.3: the longest, then the first run is.
        ("2001:db8:0:1:1:1:1:1", "2001:0db8:0000:0001:0001:0001:0001:0001"),
        ("2001:0:0:1::1", "2001:0:0:1:0:0:0:1"),
        ("2001:db8::1:0:0:1", "2001:db8:0:0:1:0:0:1"),
    ],
)
def test_ipv6_text_of_rfc_5952(text: str, value: str) -> None:
    assert ipv6(int(IPv6Address(value))) == text


@given(st.integers(1, 1 << 20), st.sampled_from([32, 128]))
def test_a_block_is_the_smallest_that_holds_so_many(addresses: int, bits: int) -> None:
    length = block_length(addresses, bits)
    assert 1 << (bits - length) >= addresses
    assert length == bits or 1 << (bits - length - 1) < addresses


@pytest.mark.parametrize("prefix", ["::/96", "::ffff:0:0/96", "::/0", "::/8", "00ab::/16", "::ffff:10.0.0.0/104"])
def test_prefixes_that_reach_dotted_quads_are_refused(prefix: str) -> None:
    """inet_ntop writes ::10.0.0.1 and ::ffff:10.0.0.1 where `ipaddress` of Python 3.11 writes groups."""
    with pytest.raises(ValueError, match="RFC 4291"):
        parse_ipv6_prefix(prefix)


def test_such_a_prefix_is_a_problem_with_its_place() -> None:
    text = INTENT.format(ipv4="10.0.0.0/8", oob="172.16.0.0/12", links="[ipv4]", hosts="ipv4")
    text = text.replace("fd5e:8c1f:2a00::/48", "::ffff:0:0/96")
    with pytest.raises(FabricError) as raised:
        validate(Intent, load_document(text, "intent.yaml"))
    (problem,) = raised.value.problems
    assert problem.where == ("fabrics", "backend", "addressing", "ipv6")
    assert "reserves" in problem.why


@pytest.mark.parametrize(
    "text",
    ["fe80::1%eth0", "fe80::1%a\nreload now", "fd00::%\nno router bgp 1/64", "fe80::1%x/127", "fe80::1%\u2028/64"],
)
def test_a_zone_is_no_part_of_an_address(text: str) -> None:
    """`ipaddress` takes any text behind %, line ends too: it would start a configuration line."""
    for parse in (parse_address, parse_prefix, parse_interface):
        with pytest.raises(ValueError, match="write "):
            parse(text)


def test_an_address_is_offered_without_its_prefix_length() -> None:
    for text, address in (("10.0.0.1/20", "10.0.0.1"), ("fd00::5/64", "fd00::5")):
        with pytest.raises(ValueError, match=f"^it has a prefix length: write {address}$"):
            parse_address(text)


@pytest.mark.parametrize("text", ["٣-٥", "0-3,\n5", "5-3", "1,1", "0-2,2-3", "1048576", "-1", "", "0-", "1--2"])
def test_spans_that_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"write|beyond|twice"):
        parse_spans(text)


@pytest.mark.parametrize("text", ["٤٢٠٠٠٠٠٠٠٠-٤٢٠٠٠٠٠٠٠١", "4200000001-4200000000", "64511-64512", "65534-4200000000"])
def test_as_ranges_that_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"write|private"):
        parse_asns(text)


def test_a_ratio_has_ascii_digits() -> None:
    with pytest.raises(ValueError, match="downlink to uplink capacity"):
        parse_ratio("3٠:1")


@pytest.mark.parametrize(
    ("given", "fix"),
    [
        (32, 'write 0-31 for 32 servers, or "32" for slot 32 alone'),
        (1, 'write 0 for 1 server, or "1" for slot 1 alone'),
    ],
)
def test_a_number_of_slots_is_asked_what_it_means(given: int, fix: str) -> None:
    """32 was the one slot 32, and all but one of the servers were not there."""
    with pytest.raises(ValueError, match="not a count") as caught:
        parse_slots(given)
    assert str(caught.value).endswith(fix)
    assert parse_slots(str(given)) == (Span(given, given),)


def test_slot_0_alone_is_no_question() -> None:
    assert parse_slots(0) == (Span(0, 0),)
