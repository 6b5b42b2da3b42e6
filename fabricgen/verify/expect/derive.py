"""From the Devices of a site to what each switch must show. Nothing here reads a switch."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.resolve.policy import maps_of
from fabricgen.verify.expect import overlay, ports, qos, routes
from fabricgen.verify.expect.isolation import closed
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.expect.ports import About
from fabricgen.verify.expect.site import ExpectedSite, make_site

Artifacts = Callable[[Device], str]
"""Device → its main artifact as rendered."""


class RenderedTexts(NamedTuple):
    """Rendered artifacts of one switch: the main one, and by name the others that can be read back."""

    main: str
    others: Mapping[str, str]


def expectations(
    devices: Sequence[Device],
    artifacts: Artifacts | None = None,
    about: About | None = None,
    wanted: Container[str] | None = None,
    site: ExpectedSite | None = None,
) -> Iterator[Expected]:
    """What each switch must show, in the order of `devices`.

    devices    all switches that are cabled to each other; those of a lab are restricted to its part
    artifacts  needed to judge drift
    about      (switch, port) → name of its cable, from the plan (`about_of`); without it, or if it is empty, from the
               Device
    wanted     names of the switches to return; None: all
    site       result of `make_site` for these devices, if the caller has it already
    """
    site = site or make_site(devices)
    for device in devices:
        if wanted is not None and device.name not in wanted:
            continue
        texts = RenderedTexts(artifacts(device), {}) if artifacts else None
        yield expected_of(device, site, texts, either(about, ports.described(device)))


def either(first: About | None, second: About) -> About:
    """A function that returns the first result, or the second if the first is empty."""
    return (lambda device, port: first(device, port) or second(device, port)) if first else second


class Derivation:
    """`expectations` of some switches, for repeated calls.

    The ExpectedSite is made once for the same devices: for a thousand that takes seconds, and one wave of a push asks
    six times.
    """

    def __init__(self) -> None:
        self._devices: Sequence[Device] = ()
        self._site: ExpectedSite | None = None

    def __call__(self, devices: Sequence[Device], wanted: Container[str]) -> Iterator[Expected]:
        """What the named switches must show."""
        if self._devices is not devices:
            self._devices, self._site = devices, make_site(devices)
        return expectations(devices, wanted=wanted, site=self._site)


def expected_of(device: Device, site: ExpectedSite, texts: RenderedTexts | None, about: About) -> Expected:
    """What one switch must show; `site`: of all switches that are cabled to each other."""
    bgp = device.routing.bgp
    peers = overlay.fars(device, site)
    vrfs = ("", *(vrf.name for vrf in bgp.vrfs))
    forbidden = tuple(route for vrf in vrfs for route in site.forbidden.get((device.fabric, vrf), ()))
    # Route maps of drained sessions; a switch in service has them configured too.
    maps = (maps_of(group.name, drained=True) for group in device.routing.bgp.groups)
    return Expected(
        device=device.name,
        system=device.system,
        asn=bgp.asn,
        router_id=bgp.router_id,
        interfaces=tuple(ports.interfaces(device)),
        adjacencies=tuple(ports.adjacencies(device, site.ports, about)),
        sessions=tuple(ports.sessions(device, site.owners)),
        bfd=tuple(ports.bfd(device)),
        routes=(*routes.underlay(device, site), *overlay.tenant_routes(device, peers)),
        forbidden=forbidden,
        vnis=tuple(overlay.vnis(device, peers)),
        evpn=tuple(overlay.evpn_routes(device, site, peers)),
        segments=overlay.segments(device, site, peers),
        qos=tuple(qos.settings(device)),
        queues=tuple(qos.queues(device)),
        drained=device.state != "active",
        drains=frozenset(name for both in maps for name in both),
        configuration=texts.main if texts else None,
        files=texts.others if texts else {},
        management=device.management.port,
        closed=closed(forbidden),
        unchecked=_unchecked(device),
    )


def _unchecked(device: Device) -> Mapping[str, str]:
    """Check → what the plan does not know of this switch."""
    reasons = {}
    if not device.management.lldp:
        reasons["lldp"] = "the intent turns LLDP off"
    outside = [neighbor for vrf in device.routing.bgp.vrfs for neighbor in vrf.neighbors]
    if outside:
        names = ", ".join(sorted({neighbor.description for neighbor in outside}))
        reasons["routes"] = f"routes from {names} are not in the plan"
    if device.evpn and device.evpn.vlans:
        reasons["evpn"] = (
            "EVPN type-2 routes and Ethernet segments of other leaves are not in the plan, so they are not checked"
        )
    return reasons
