"""Questions for Batfish with the answers that the plan expects.

A row has a number, and then cells of the columns that are compared: the answer must have as many rows with these cells.
Names of questions, parameters and columns: github.com/batfish/batfish cba1873 (2026-08-21), questions/ and, below
projects/question/src/main/java/org/batfish/question, the answerers.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.lab.model.lab import LabLink, LabServer
from fabricgen.platforms.base.batfish import SnapshotFormat
from fabricgen.verify.expect.derive import expected_of
from fabricgen.verify.expect.ports import described, sessions
from fabricgen.verify.expect.site import digest, site_of

DEFAULT = "default"
"""Batfish's name of the default VRF (projects/common, org/batfish/datamodel/Configuration.java)."""
NO_ADDRESS = "None"
"""The far end of a session over an unnumbered link."""
OUTSIDE = ("None", "NOT_COMPATIBLE")
"""Far end and status of a session whose peer the snapshot does not have."""

Row = tuple[int | str, ...]
"""A number, and the cells."""


class Question(NamedTuple):
    """A question, the columns of its answer that are compared, and the rows that they must have."""

    name: str
    about: str
    columns: tuple[str, ...]
    rows: Iterable[Row]
    parameters: Mapping[str, str] = {}


class SnapshotParts(NamedTuple):
    """What is in a snapshot; each call makes it again.

    switches  whole
    formats   platform → its format
    """

    switches: Callable[[], Iterator[Device]]
    formats: Mapping[str, SnapshotFormat]
    servers: Callable[[], Iterator[LabServer]]
    cables: Callable[[], Iterator[LabLink]]


class QuestionWriter:
    """Writes the questions about a snapshot. What leads to switches that it does not have is not expected."""

    def __init__(self, parts: SnapshotParts) -> None:
        self._parts = parts
        self._site = site_of(digest([device]) for device in parts.switches())

    def text(self, site: str) -> Iterator[str]:
        """Pieces of the file, one row a line."""
        yield f'{{\n "site": {json.dumps(site)},\n "questions": ['
        for number, question in enumerate(self._questions()):
            head = {"question": question.name, "about": question.about, "parameters": dict(question.parameters)}
            yield f"{',' if number else ''}\n  {{\n"
            for key, value in (head | {"columns": list(question.columns)}).items():
                yield f"   {json.dumps(key)}: {json.dumps(value)},\n"
            yield '   "rows": ['
            for position, row in enumerate(question.rows):
                yield f"{',' if position else ''}\n    {json.dumps(row)}"
            yield "\n   ]\n  }"
        yield "\n ]\n}\n"

    def _questions(self) -> Iterator[Question]:
        read = "each file is read, as a file of its system"
        yield Question("fileParseStatus", read, ("File_Name", "File_Format", "Nodes"), self._files())
        missing = "no name is used that is not defined"
        yield Question("undefinedReferences", missing, ("File_Name", "Struct_Type", "Ref_Name"), ())
        ends = ("Interface", "Remote_Interface")
        yield Question("userProvidedLayer1Edges", "cables, each once", ends, self._layer1())
        ids = "router ids: each is of one switch"
        yield Question("bgpProcessConfiguration", ids, ("Node", "VRF", "Router_ID"), self._router_ids())
        columns = ("Node", "VRF", "Remote_IP", "Remote_Node", "Established_Status")
        yield Question("bgpSessionStatus", "IPv4 and EVPN sessions", columns, self._sessions())
        routes = "BGP routes of the underlay: a row for each of the equal paths"
        options = {"vrfs": DEFAULT, "protocols": "bgp", "rib": "main"}
        yield Question("routes", routes, ("Node", "Network"), self._routes(), options)
        yield Question("detectLoops", "no packet is forwarded in a loop", ("Flow",), ())

    def _files(self) -> Iterator[Row]:
        for device in self._parts.switches():
            form = self._parts.formats[device.system]
            yield from ((1, path, form.name, device.name.lower()) for path in form.paths_of(device.name))
        for server in self._parts.servers():
            yield 1, f"hosts/{server.name}.json", "HOST", server.name.lower()

    def _layer1(self) -> Iterator[Row]:
        for cable in self._parts.cables():
            near, far = (f"{end.owner.lower()}[{end.interface}]" for end in cable)
            yield 1, near, far

    def _router_ids(self) -> Iterator[Row]:
        for device in self._parts.switches():
            bgp = device.routing.bgp
            for vrf in (DEFAULT, *(vrf.name for vrf in bgp.vrfs)):
                yield 1, device.name.lower(), vrf, bgp.router_id

    def _sessions(self) -> Iterator[Row]:
        for device in self._parts.switches():
            for cells, count in Counter(self._sessions_of(device)).items():
                yield count, device.name.lower(), *cells

    def _sessions_of(self, device: Device) -> Iterator[tuple[str, ...]]:
        """VRF, address and name of the far end, and status, of each session that Batfish has."""
        ports = {row.name for row in device.interfaces.ethernet}
        for session in sessions(device, self._site.owners):
            if ":" in session.peer:
                continue
            peer, far = NO_ADDRESS if session.peer in ports else session.peer, session.far
            status = "NOT_ESTABLISHED" if session.dead and far.port else "ESTABLISHED"
            inside = (far.system.lower(), status)
            yield session.vrf or DEFAULT, peer, *(inside if far.system in self._site.speakers else OUTSIDE)

    def _routes(self) -> Iterator[Row]:
        for device in self._parts.switches():
            widths = Counter[str]()
            for route in expected_of(device, self._site, None, described(device)).routes:
                if route.origin and not route.discard and not route.vrf and ":" not in route.prefix:
                    widths[route.prefix] += route.width
            yield from ((width, device.name.lower(), prefix) for prefix, width in widths.items())
