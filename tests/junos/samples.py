"""Junos: what the tests of all platforms take of its own."""

from collections.abc import Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.junos.live import drain, reader
from fabricgen.platforms.readers import READERS
from tests.judges import junos_text
from tests.junos import sites
from tests.junos.planned import switches
from tests.live.marked import OTHER, OURS
from tests.verify.hidden import Hidden

ENTRY = (
    "<rt><rt-destination>5:1:{at}::0::172.17.0.0::20</rt-destination><rt-entry><active-tag>*</active-tag>"
    "<protocol-name>{protocol}</protocol-name><local-preference>{preference}</local-preference>"
    "<protocol-nh><to>{hop}</to></protocol-nh>{more}</rt-entry></rt>"
)
MARK = "<communities><community>65535:0</community><community>target:65000:1</community></communities>"
ROUTES = {
    reader.EVPN_ROUTES: Output(
        "<rpc-reply><route-information><route-table><table-name>bgp.evpn.0</table-name>"
        + ENTRY.format(at=1, protocol="BGP", preference=0, hop=OURS, more="")
        + ENTRY.format(at=2, protocol="BGP", preference=0, hop=OURS, more=MARK)
        + ENTRY.format(at=3, protocol="BGP", preference=100, hop=OTHER, more="")
        + ENTRY.format(at=4, protocol="EVPN", preference=0, hop="10.0.0.9", more="")
        + "</route-table></route-information></rpc-reply>"
    )
}
"""EVPN routes of two leaves, of which one marks all of its own: `tests/live/test_marks.py`."""
MARKED = drain


def rich_devices() -> Iterator[Device]:
    """Devices of every role that between them have all that the platform renders."""
    return (sites.sample(name).device for name in sites.NAMES)


def answers() -> tuple[Outputs, Mapping[str, str]]:
    """What a switch answers, by command; and its VRFs."""
    leaf = switches("front")["fe-leaf-000"]
    return leaf.outputs, READERS["junos"].vrf_names(leaf.device)


def configuration() -> str:
    """What a switch is to run, as rendered."""
    return switches("front")["fe-leaf-000"].expected.configuration or ""


def _statements(text: str) -> object:
    return [statement.words for statement in junos_text.statements(text)]


def hidden() -> Hidden:
    """A file with secrets, and what the switch shows in place of one."""
    return Hidden(sites.sample("front border-leaf").text, _statements, "$9$abcDEF12/x")
