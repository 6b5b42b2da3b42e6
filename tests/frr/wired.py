"""Switches of the site with cables between them, in real daemons."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.frr import reading
from tests.frr.site import site, switch
from tests.judges import frr
from tests.judges.frr import Daemons, Link, Loaded

Fabric = Mapping[str, Loaded]


@contextmanager
def wired(
    names: tuple[str, ...], each: int, daemons: Daemons = frr.HOST, texts: Mapping[str, str] | None = None
) -> Iterator[Fabric]:
    """Switches with the first cables between each pair of them; texts: in place of those of the release."""
    rendered = {name: switch(name, daemons.release) for name in names}
    addresses = {
        name: {port: lines.get("address", ()) for port, lines in reading.stanzas(row.files["interfaces"]).items()}
        for name, row in rendered.items()
    }
    own = {name: row.files["frr.conf"] for name, row in rendered.items()}
    with frr.wire(own | dict(texts or {}), addresses, tuple(_links(names, each)), daemons) as fabric:
        yield fabric


def _links(names: tuple[str, ...], each: int) -> Iterator[Link]:
    for name in names:
        found: dict[str, int] = {}
        for row in site()[name].device.interfaces.ethernet:
            if row.profile.role == "uplink" and row.peer in names and found.get(row.peer, 0) < each:
                found[row.peer] = found.get(row.peer, 0) + 1
                yield Link((name, row.name), (row.peer, row.peer_port))
