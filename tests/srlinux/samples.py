"""SR Linux: what the tests of all platforms take of its own."""

import json
from collections.abc import Iterator, Mapping
from itertools import chain

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.srlinux.live import drain, reader
from tests.live.marked import OTHER, OURS
from tests.platforms.rich import backend, few
from tests.srlinux import sites
from tests.srlinux.shown import healthy, plan
from tests.verify.hidden import Hidden

BARE = {"route-distinguisher": "1:1", "ip-prefix": "172.17.0.0/20", "neighbor": "10.128.192.0", "valid-route": True}
ROUTES = {
    reader.EVPN_ROUTES: Output({
        "network-instance": [
            {
                "name": "default",
                "bgp-rib": {
                    "afi-safi": [
                        {
                            "afi-safi-name": "evpn",
                            "evpn": {
                                "local-rib": {
                                    "ip-prefix-route": [
                                        BARE | {"attr-id": 7},
                                        BARE | {"attr-id": 9},
                                        BARE | {"attr-id": 7, "neighbor": "::"},
                                    ],
                                    "imet-route": [
                                        BARE | {"attr-id": 7},
                                        BARE | {"attr-id": 7, "valid-route": False},
                                    ],
                                }
                            },
                        }
                    ]
                },
            }
        ]
    }),
    reader.ATTRIBUTES: Output({
        "network-instance": [
            {
                "name": "default",
                "bgp-rib": {
                    "attr-sets": {
                        "attr-set": [
                            {"index": 7, "next-hop": OURS, "communities": {"community": ["65535:0"]}},
                            {"index": 9, "next-hop": OTHER, "communities": {"community": ["65000:1"]}},
                        ]
                    }
                },
            }
        ]
    }),
}  # fmt: skip
"""EVPN routes of two leaves, of which one marks all of its own: `tests/live/test_marks.py`."""
MARKED = drain


def rich_devices() -> Iterator[Device]:
    """Devices of every role that between them have all that the platform renders."""
    return chain(sites.samples().values(), few(backend("srlinux", tenancy="evpn-type5")))


def answers() -> tuple[Outputs, Mapping[str, str]]:
    """What a switch answers, by command; and its VRFs."""
    return {key: Output(value) for key, value in healthy("demo", "fe-leaf-000").items()}, {}


def configuration() -> str:
    """What a switch is to run, as rendered."""
    return plan("demo", "fe-leaf-000").configuration or ""


def hidden() -> Hidden:
    """A file with secrets, and what the switch shows in place of one."""
    border = next(device for device in sites.fleet("demo") if device.role == "border-leaf")
    return Hidden(sites.render(border), json.loads, "$aes1$ATiTBLNDl1hVrm8=$vQSbGbXyz==")
