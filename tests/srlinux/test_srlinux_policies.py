"""What the policies make of routes: SR Linux exports the whole route table, so each must say what may leave."""

import pytest

from tests.srlinux.policies import Outcome, Route, told
from tests.srlinux.sites import text_of

ABOVE, SHUTDOWN, OUTSIDE = "65000:1", "65535:0", "65000:2"
LEAF, SPINE, BORDER = "demo backend leaf", "demo backend spine", "demo frontend border-leaf"
FIREWALL = "RM-RESEARCH-FW1-0-900-IPV4"
PLAIN = Outcome(frozenset(), None)


def only(*communities: str) -> Outcome:
    return Outcome(frozenset(communities), None)


CASES = {
    "subnet of the leaf's servers": (LEAF, "RM-SPINES-IPV4-OUT", Route("10.64.0.0/25", "aggregate"), PLAIN),
    "loopback": (LEAF, "RM-SPINES-IPV4-OUT", Route("10.76.0.0/32", "host"), PLAIN),
    "link of the switch": (LEAF, "RM-SPINES-IPV4-OUT", Route("10.64.0.128/31", "local"), None),
    "address of a server's link": (LEAF, "RM-SPINES-IPV4-OUT", Route("10.64.0.0/31", "local"), None),
    "subnet of another leaf": (LEAF, "RM-SPINES-IPV4-OUT", Route("10.64.1.0/25"), None),
    "what came from above": (LEAF, "RM-SPINES-IPV4-OUT", Route("10.76.0.0/32", "bgp", frozenset({ABOVE})), None),
    "default": (LEAF, "RM-SPINES-IPV4-IN", Route("0.0.0.0/0"), None),
    "of the fabric": (LEAF, "RM-SPINES-IPV4-IN", Route("10.64.1.0/25"), PLAIN),
    "drained neighbor": (
        LEAF,
        "RM-SPINES-IPV4-IN",
        Route("10.64.1.0/25", communities=frozenset({SHUTDOWN})),
        Outcome(frozenset({SHUTDOWN}), 0),
    ),
    "drained outwards": (
        "drained backend leaf",
        "RM-SPINES-IPV4-DRAINED-OUT",
        Route("10.64.0.0/25", "aggregate"),
        only(SHUTDOWN),
    ),
    "drained inwards": (
        "drained backend leaf",
        "RM-SPINES-IPV4-DRAINED-IN",
        Route("10.64.1.0/25"),
        Outcome(frozenset(), 0),
    ),
    "a default from a firewall": (BORDER, f"{FIREWALL}-IN", Route("0.0.0.0/0"), only(OUTSIDE)),
    "a firewall's own targets": (
        BORDER,
        f"{FIREWALL}-IN",
        Route("0.0.0.0/0", communities=frozenset({"target:65000:10003"})),
        only(OUTSIDE),
    ),
    "more than was agreed": (BORDER, f"{FIREWALL}-IN", Route("8.8.8.0/24"), None),
    "a firewall that is drained": (
        BORDER,
        f"{FIREWALL}-IN",
        Route("0.0.0.0/0", communities=frozenset({SHUTDOWN})),
        Outcome(frozenset({OUTSIDE, SHUTDOWN}), 0),
    ),
    "subnet of the tenant, from EVPN": (BORDER, f"{FIREWALL}-OUT", Route("172.18.0.0/20", "bgp-evpn"), PLAIN),
    "host of the tenant": (BORDER, f"{FIREWALL}-OUT", Route("172.18.0.7/32", "bgp-evpn"), None),
    "another tenant's subnet": (BORDER, f"{FIREWALL}-OUT", Route("172.19.0.0/20", "bgp-evpn"), None),
    "link to a firewall": (BORDER, f"{FIREWALL}-OUT", Route("172.31.0.0/31", "local"), None),
    "own tenant into its VRF": (
        BORDER,
        "RM-RESEARCH-IMPORT",
        Route("0.0.0.0/0", communities=frozenset({"target:65000:10001"})),
        only("target:65000:10001"),
    ),
    "subnet of an imported tenant": (
        BORDER,
        "RM-RESEARCH-IMPORT",
        Route("172.17.0.0/20", communities=frozenset({"target:65000:10006"})),
        only("target:65000:10006"),
    ),
    "what an imported tenant does not own": (
        BORDER,
        "RM-RESEARCH-IMPORT",
        Route("0.0.0.0/0", communities=frozenset({"target:65000:10006"})),
        None,
    ),
    "a tenant that is not imported": (
        BORDER,
        "RM-RESEARCH-IMPORT",
        Route("172.19.0.0/20", communities=frozenset({"target:65000:10003"})),
        None,
    ),
    "outside route as type 5": (
        BORDER,
        "EVPN-RESEARCH-OUT",
        Route("0.0.0.0/0", "bgp", frozenset({OUTSIDE})),
        only(OUTSIDE, "target:65000:10001"),
    ),
    "link to a firewall as type 5": (BORDER, "EVPN-RESEARCH-OUT", Route("172.31.0.0/31", "local"), None),
    "a VRF with nothing outside": (BORDER, "EVPN-STORAGE-OUT", Route("172.17.0.0/20", "bgp-evpn"), None),
}


@pytest.mark.parametrize("case", CASES)
def test_what_becomes_of_a_route(case: str) -> None:
    name, policy, route, wanted = CASES[case]
    assert told(text_of(name), policy, route) == wanted


def test_a_spine_marks_what_it_hands_down_and_keeps_its_links() -> None:
    text = text_of(SPINE)
    down = told(text, "RM-LEAVES-IPV4-OUT", Route("10.64.1.0/25"))
    assert down == only(ABOVE)
    assert told(text, "RM-LEAVES-IPV4-OUT", Route("10.64.0.128/31", "local")) is None
