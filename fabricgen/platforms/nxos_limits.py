"""What NX-OS can not be told, found in one Device: named with the numbers, before anything is written."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.errors import FabricError, IntentPath, Problem

LAST_VLAN = 3967
"""The last that tenants may have: NX-OS keeps 3968 to 4094 for itself."""
LOSSLESS_METRES = 100
"""Up to here NX-OS sets aside by itself what a paused class still receives."""
ALPHA, WATCHDOG_MS = "1", (200, 400)
"""What stands in an intent that says nothing of them: then NX-OS's own stay."""
COLLECTORS = 1
"""sFlow collectors that a switch has."""
SAMPLES = range(4096, 1_000_000_001)


def check_limits(device: Device) -> None:
    """Raises FabricError with every Problem of this switch."""
    problems = [*_vlans(device), *_cables(device), *_marks(device), *_numbers(device), *_names(device), *_sflow(device)]
    if problems:
        raise FabricError(problems)


def _problem(what: str, why: str, fix: str, where: IntentPath) -> Problem:
    return Problem(code="platform-cannot", what=what, where=where, why=why, fix=fix)


def _vlans(device: Device) -> Iterator[Problem]:
    for vlan in device.evpn.vlans if device.evpn else ():
        if vlan.vlan_id > LAST_VLAN:
            yield _problem(
                f"VLAN {vlan.vlan_id} ({vlan.name}) can not be made on {device.name}",
                f"NX-OS keeps VLANs {LAST_VLAN + 1} to 4094 for itself (NX-OS Layer 2 guide, reserved VLANs)",
                f"write a VLAN from 2 to {LAST_VLAN}",
                ("tenants", vlan.vrf, "networks"),
            )


def _cables(device: Device) -> Iterator[Problem]:
    lossless = {profile.name for profile in device.qos.profiles if profile.lossless_priorities} if device.qos else set()
    for row in device.interfaces.ethernet:
        if row.profile.qos in lossless and row.length_m > LOSSLESS_METRES:
            yield _problem(
                f"{device.name} {row.name} is not lossless over {row.length_m:g} m",
                f"NX-OS sets buffer aside by itself up to {LOSSLESS_METRES} m; beyond, `pause buffer-size` needs "
                "numbers that Cisco publishes for no chip of the library (NX-OS QoS guide 10.5, priority flow control)",
                f"cable it with at most {LOSSLESS_METRES} m, or write transport: best-effort",
                ("fabrics", device.fabric, "transport"),
            )


def _marks(device: Device) -> Iterator[Problem]:
    """The formula needs the size of the buffer, which Cisco publishes for no Cloud Scale chip."""
    for profile in device.qos.profiles if device.qos else ():
        for queue in profile.queues:
            if queue.ecn and queue.ecn.maximum_octets <= queue.ecn.minimum_octets:
                yield _problem(
                    f"{device.name} has no depth at which all packets of queue {queue.queue} are marked",
                    f"marking would end at {queue.ecn.maximum_octets} octets and start at {queue.ecn.minimum_octets}: "
                    "the size of this chip's buffer is not known",
                    "write ecn: {minimum_octets: ..., maximum_octets: ..., probability_percent: ...}",
                    ("fabrics", device.fabric, "roce", "ecn"),
                )


def _numbers(device: Device) -> Iterator[Problem]:
    """Numbers of the intent's own for what NX-OS has no words that we know of."""
    qos = device.qos
    if qos is None:
        return
    roce: IntentPath = ("fabrics", device.fabric, "roce")
    own = "that NX-OS has words for it was found in no configuration: its own value stays (NX-OS QoS guide 10.5)"
    if qos.alpha != ALPHA:
        what = f"{device.name} can not be told that a queue may take {qos.alpha} of the free buffer"
        yield _problem(what, own, "leave alpha out", (*roce, "alpha"))
    watchdog = qos.watchdog
    if (watchdog.detect_ms, watchdog.restore_ms) != WATCHDOG_MS:
        what = f"the PFC watchdog of {device.name} can not be told {watchdog.detect_ms} and {watchdog.restore_ms} ms"
        yield _problem(what, own, "leave detect_ms and restore_ms out", (*roce, "watchdog"))
    if any(row.basis == "override" for row in qos.headroom):
        what = f"{device.name} can not be told the headroom of a port"
        yield _problem(what, "`pause buffer-size` needs thresholds, too", "leave headroom_octets out", ("overrides",))


def _names(device: Device) -> Iterator[Problem]:
    for vrf in device.routing.bgp.vrfs:
        if vrf.name in ("management", "default"):
            yield _problem(
                f"tenant {vrf.name} can not have a VRF of its name on {device.name}",
                "NX-OS has a VRF of that name already",
                "give the tenant another name",
                ("tenants", vrf.name),
            )


def _sflow(device: Device) -> Iterator[Problem]:
    sflow = device.management.sflow
    if sflow is None:
        return
    if len(sflow.collectors) > COLLECTORS:
        yield _problem(
            f"{device.name} can not send samples to {len(sflow.collectors)} collectors",
            "NX-OS has one `sflow collector-ip` (NX-OS system management guide, sFlow)",
            "name one collector",
            ("management", "sflow", "collectors"),
        )
    if sflow.sample not in SAMPLES:
        yield _problem(
            f"{device.name} can not sample one packet in {sflow.sample}",
            f"`sflow sampling-rate` takes {SAMPLES[0]} to {SAMPLES[-1]} (NX-OS system management guide, sFlow)",
            f"write a number from {SAMPLES[0]} to {SAMPLES[-1]}",
            ("management", "sflow", "sample"),
        )
