"""Write a gnmic configuration: one target per switch, with the paths that its platform and role have.

Format: github.com/openconfig/gnmic 59775038 (2026-08-17), docs/user_guide/targets/targets.md, subscriptions.md and
configuration_file.md. A target has only its own settings; user, password and authority are written once. gnmic expands
`${NAME}` in the password of a target, also where it is the file's (pkg/config/targets.go, expandTargetEnv), so that no
secret is written. `skip-verify: false` is written although it is the default: certificates are checked. JSON is the
encoding that every gNMI server must support (gNMI specification 2.3.1). A path with an origin is `origin:/path`
(docs/cmd/subscribe.md). `auth-scheme` is documented as a global option only; a target has it, too
(pkg/api/types/target.go).
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.management import Gnmi
from fabricgen.errors import FabricError
from fabricgen.export.inventory import PASSWORD
from fabricgen.export.words import Text, commented, indented, yaml_pieces, yaml_text
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.stream import Stream

FILE = "gnmic.yaml"
VARIABLE = f"${{{PASSWORD}}}"
"""The password's variable, which gnmic fills in from its environment."""
NO_SERVER = "it has no gNMI server: see management.gnmi"
"""Why a switch is not monitored."""


class GnmicSettings(NamedTuple):
    """Settings that the plan does not have: user name, file of the authority, seconds between two samples."""

    username: str
    authority: str
    seconds: int


class Unmonitored(NamedTuple):
    """Switches of one platform that are not monitored, and the reason."""

    platform: str
    devices: tuple[str, ...]
    why: str


class GnmicWriter:
    """Writes the configuration. `left`: switches without a target; complete after all switches have been taken."""

    def __init__(self, collector: GnmicSettings) -> None:
        self._collector = collector
        self._left: dict[str, list[str]] = {}
        self._subscriptions: dict[str, object] = {}
        self._is_empty = True

    @property
    def left(self) -> tuple[Unmonitored, ...]:
        """Switches that are not monitored, by platform."""
        return tuple(
            Unmonitored(PLATFORMS[system].title, tuple(names), NO_SERVER) for system, names in self._left.items()
        )

    def files(self, site: str, devices: Iterable[Device]) -> Iterator[tuple[str, Text]]:
        """File name and text; switches are taken one by one. Its pieces raise FabricError if no switch is left."""
        head = [
            f"Switches of {site} for gnmic: gnmic --config {FILE} subscribe",
            f"{VARIABLE} is read from the environment of who runs it; tls-ca names the authority of the switches.",
        ]
        yield FILE, chain((commented(head),), self._document(devices))

    def _document(self, devices: Iterable[Device]) -> Iterator[str]:
        entry = {"username": self._collector.username, "password": VARIABLE, "tls-ca": self._collector.authority}
        yield yaml_text(entry | {"skip-verify": False})
        yield "targets:\n"
        yield from indented(yaml_pieces(self._targets(devices)))
        if self._is_empty:
            raise FabricError.of(
                code="no-gnmi",
                what="no switch of the site has gNMI",
                where=("management",),
                why="; ".join(f"{group.platform}: {group.why}" for group in self.left),
                fix="write management.gnmi: {certificate: NAME}, for switches whose operating system has a gNMI server",
            )
        yield yaml_text({"subscriptions": self._subscriptions})

    def _targets(self, devices: Iterable[Device]) -> Iterator[tuple[str, object]]:
        for device in devices:
            if device.management.gnmi is None:
                self._left.setdefault(device.system, []).append(device.name)
                continue
            self._is_empty = False
            for stream in streams_of(device):
                self._subscriptions.setdefault(
                    f"{device.system}-{stream.name}", _subscription(stream, self._collector.seconds)
                )
            yield device.name, _target(device, device.management.gnmi)


def streams_of(device: Device) -> tuple[Stream, ...]:
    """Paths that a switch streams in its release; those of a lossless class only where it has one."""
    return tuple(
        stream
        for stream in PLATFORMS[device.system].streams
        if stream.is_in(device.version) and (device.qos is not None or not stream.lossless)
    )


def _target(device: Device, gnmi: Gnmi) -> dict[str, object]:
    scheme = PLATFORMS[device.system].gnmi_auth_scheme
    return {
        "address": f"{device.management.address.partition('/')[0]}:{gnmi.port}",
        **({"auth-scheme": scheme} if scheme else {}),
        "subscriptions": [f"{device.system}-{stream.name}" for stream in streams_of(device)],
        "event-tags": {"site": device.site, "fabric": device.fabric, "role": device.role},
    }


def _subscription(stream: Stream, seconds: int) -> dict[str, object]:
    sampling: dict[str, object] = {"stream-mode": "on-change"}
    if not stream.on_change:
        sampling = {"stream-mode": "sample", "sample-interval": f"{seconds}s"}
    target = {"target": stream.target} if stream.target else {}
    path = f"{stream.origin}:{stream.path}" if stream.origin else stream.path
    return {**target, "paths": [path], "mode": "stream", **sampling, "encoding": "json"}
