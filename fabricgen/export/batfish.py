"""Write a snapshot for Batfish: configurations, servers, cables, and questions with the answers that the plan expects.

Sources: github.com/batfish/pybatfish 9ecc844 (2026-07-20), docs/source/formats.md: `configs`, `hosts`, `batfish` and
`sonic_configs` below the folder of the snapshot. github.com/batfish/batfish cba1873 (2026-08-21):
projects/common/src/main/java/org/batfish/common/topology/Layer1Node.java and Layer1Edge.java, the keys of a cable;
projects/batfish/src/main/java/org/batfish/representation/host/HostConfiguration.java and HostInterface.java, those of a
server: it has IPv4 addresses, one default route by the first interface with a gateway, and no routing tables.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fabricgen.base.addresses import NO_ADDRESS
from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.export.batfish_questions import QuestionWriter, SnapshotParts
from fabricgen.export.words import Text
from fabricgen.lab.model.lab import LabLink, LabNic, LabServer, Skipped
from fabricgen.lab.model.part import PlanSubset
from fabricgen.lab.model.servers import server_links
from fabricgen.lab.model.skipped import outside_peers, paired
from fabricgen.lab.model.subset import Subset
from fabricgen.plan.exceptions import DEAD
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.batfish import SnapshotFormat
from fabricgen.platforms.batfish_readings import READINGS
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices

SNAPSHOT = "snapshot"
"""Folder that Batfish is given."""
QUESTIONS = "questions.json"
SPEAKS_NOTHING = "a server of Batfish has no BGP, so its NICs have no addresses and no flows"
DEAD_SWITCH = "the intent declares it dead"


class LeftOut(NamedTuple):
    """Switches of one platform that the snapshot does not have, and the reason."""

    platform: str
    devices: tuple[str, ...]
    why: str


class BatfishWriter:
    """Writes a snapshot. The numbers of servers and cables are complete once all files are taken.

    Switches and servers are made one by one, each time that they are needed: only names are kept.
    """

    def __init__(self, plan: Plan, templates: Path | None = None) -> None:
        """Raises FabricError if Batfish can read no switch of the plan."""
        self._plan, self._renderer = plan, Renderer(templates)
        self._part = PlanSubset(plan, Subset())
        self._formats: dict[str, SnapshotFormat] = {}
        self._left: dict[tuple[str, str], list[str]] = {}
        self._roles: dict[tuple[str, int], dict[str, None]] = {}
        self._names = frozenset(device.name for device in devices(plan) if self._is_read(device))
        self.servers = self.cables = 0
        if not self._names:
            raise FabricError([_nothing_read(self.left_out)])

    @property
    def switches(self) -> int:
        """Number of switches in the snapshot."""
        return len(self._names)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Switches that are not in the snapshot, by platform and reason."""
        groups = self._left.items()
        return tuple(LeftOut(PLATFORMS[system].title, tuple(names), why) for (system, why), names in groups)

    @property
    def unmodelled(self) -> tuple[Skipped, ...]:
        """Parts of the plan that Batfish passes over, or that are not in the snapshot."""
        rows = []
        for (system, number), roles in sorted(self._roles.items()):
            part = self._formats[system].unmodelled[number]
            rows.append(Skipped(part.feature, f"{PLATFORMS[system].title}: {', '.join(roles)}", part.reason))
        return (
            *rows,
            *outside_peers(self._plan, "snapshot"),
            *_tagged(self._plan),
            *paired(self._plan, SPEAKS_NOTHING),
        )

    def files(self) -> Iterator[tuple[str, Text]]:
        """Path and text of every file, once."""
        for device in self._switches():
            rendered = {file.name: file.text for file in self._renderer.render(device)}
            form = self._formats[device.system]
            for path, text in zip(form.paths_of(device.name), form.texts(device.name, rendered), strict=True):
                yield f"{SNAPSHOT}/{path}", text
        for server in self._servers():
            self.servers += 1
            yield f"{SNAPSHOT}/hosts/{server.name}.json", json.dumps(host_document(server), indent=1) + "\n"
        yield f"{SNAPSHOT}/batfish/layer1_topology.json", self._topology()
        parts = SnapshotParts(self._switches, self._formats, self._servers, self._links)
        yield QUESTIONS, QuestionWriter(parts).text(self._plan.intent.site)

    def _servers(self) -> Iterator[LabServer]:
        """Servers, without the addresses that they announce themselves: a host of Batfish has no BGP."""
        for server in self._part.servers():
            nics = (nic if nic.gateway4 or not server.routing else nic._replace(ipv4=NO_ADDRESS) for nic in server.nics)
            yield server._replace(nics=tuple(nics))

    def _switches(self) -> Iterator[Device]:
        return (device for device in devices(self._plan) if device.name in self._names)

    def _is_read(self, device: Device) -> bool:
        """Whether Batfish reads a switch; if not, the reason is kept."""
        form, why = READINGS[device.system]
        if form is not None:
            why = next((f"{part.feature}: {part.reason}" for part in form.barriers if part.concerns(device)), "")
        why = DEAD_SWITCH if device.state == DEAD else why
        if form is None or why:
            self._left.setdefault((device.system, why), []).append(device.name)
            return False
        self._formats[device.system] = form
        for number, part in enumerate(form.unmodelled):
            if part.concerns(device):
                self._roles.setdefault((device.system, number), {})[f"{device.fabric} {device.role}"] = None
        return True

    def _links(self) -> Iterator[LabLink]:
        """Cables whose switches are in the snapshot: those of servers, then those between switches, each once."""
        for server in self._part.servers():
            yield from (link for link in server_links(server) if link.far.owner in self._names)
        for _, links in self._part.switches():
            yield from (link for link in links if {link.near.owner, link.far.owner} <= self._names)

    def _topology(self) -> Iterator[str]:
        """Pieces of the file of cables, one a line."""
        yield '{\n "edges": ['
        for link in self._links():
            yield f"{',' if self.cables else ''}\n  {json.dumps(_edge(link))}"
            self.cables += 1
        yield "\n ]\n}\n"


def host_document(server: LabServer) -> dict[str, object]:
    """A server as Batfish reads it, without networks that its port carries tagged: a host has no subinterface."""
    nics = [nic for nic in server.nics if not nic.parent]
    default = next((nic for nic in nics if nic.vlan_id and nic.gateway4), None)
    default = default or next((nic for nic in nics if nic.gateway4), None)
    return {"hostname": server.name, "hostInterfaces": {nic.name: _interface(nic, default is nic) for nic in nics}}


def _interface(nic: LabNic, is_default: bool) -> dict[str, object]:
    addressed = {"prefix": nic.ipv4} if nic.ipv4 else {}
    return {"name": nic.name, **addressed, **({"gateway": nic.gateway4} if is_default else {})}


def _edge(link: LabLink) -> dict[str, object]:
    ends = (("node1", link.near), ("node2", link.far))
    return {key: {"hostname": end.owner, "interfaceName": end.interface} for key, end in ends}


def _tagged(plan: Plan) -> Iterator[Skipped]:
    """Networks of tenants that have several: their servers' ports carry them tagged."""
    tenants = (tenant for tenants in plan.tenants.values() for tenant in tenants if len(tenant.networks) > 1)
    names = ", ".join(dict.fromkeys(tenant.name for tenant in tenants))
    if names:
        yield Skipped("tagged networks of servers", names, "a server of Batfish has no subinterface")


def _nothing_read(left: tuple[LeftOut, ...]) -> Problem:
    return Problem(
        code="batfish-nothing",
        what="Batfish can read no switch of the site",
        why="; ".join(f"{group.platform}: {group.why}" for group in left),
        fix="export a site with a switch that docs/batfish.md does not name under What is left out",
    )
