"""A system outside the fabric, by the name that tenants give it: tenants, ports, VLANs, AS numbers, addresses."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.cable import cable_facts
from fabricgen.explain.known import KnownSite, intent_origin
from fabricgen.explain.parse import Question
from fabricgen.explain.tenant import outside_facts, outside_port, tenants_of
from fabricgen.intent.tenants import External
from fabricgen.plan.fabric import FabricPlan, binding_of
from fabricgen.plan.links import external_link
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.tenants import PlannedTenant


class _Way(NamedTuple):
    """One session to the peer: number `at` among the tenant's."""

    tenant: PlannedTenant
    at: int

    @property
    def external(self) -> External:
        return self.tenant.external[self.at]


def peer_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """An external peer by its name, one answer per fabric."""
    if asked.kind not in ("", "peer"):
        return
    for fabric in known.plan.fabrics.values():
        ways = [
            _Way(tenant, index)
            for tenant_fabric, tenant in tenants_of(known)
            for index, external in enumerate(tenant.external)
            if tenant_fabric is fabric and external.peer == asked.text
        ]
        if ways:
            numbers = ", ".join(f"AS {asn}" for asn in sorted({way.external.asn for way in ways}))
            title = f"{asked.text}: external peer of {fabric.name}, {numbers}"
            yield Answer("peer", title, tuple(_facts(known, fabric, ways)))


def peer_names(known: KnownSite) -> Iterator[str]:
    """Every external peer, once per session."""
    for _, tenant in tenants_of(known):
        yield from (external.peer for external in tenant.external)


def _facts(known: KnownSite, fabric: FabricPlan, sessions: list[_Way]) -> Iterator[AnswerLine]:
    yield AnswerLine("tenants", ", ".join(dict.fromkeys(session.tenant.name for session in sessions)))
    for index, number in dict.fromkeys((session.external.border, session.external.port) for session in sessions):
        border = Place(fabric.name, Tier.BORDER, "", 0, 0, 0, 0, index)
        key, port = outside_port(fabric, border, number), binding_of(fabric, border).down[number]
        port_sessions = [
            session for session in sessions if (session.external.border, session.external.port) == (index, number)
        ]
        yield AnswerLine("port", f"{key.device} {key.port}, {port.speed_gbps}G", f"border {index}, port {number}")
        yield from cable_facts(known, fabric, external_link(fabric, border, port, port_sessions[0].external.peer))
        for session in port_sessions:
            yield from outside_facts(known, fabric, session.tenant, session.at, key.port)
            yield _accepted(known, session)


def _accepted(known: KnownSite, way: _Way) -> AnswerLine:
    origin = intent_origin(known, ("tenants", way.tenant.name, "external", way.at, "accept"))
    return AnswerLine(
        "accepted", f"{', '.join(map(str, way.external.accept))}; {way.external.max_prefixes} at most", "", origin
    )
