"""Recordings of real EOS switches, and NAPALM's own driver that reads them over loopback.

The archive is looked for in ../shared/data beside the checkout, or where FABRICGEN_MODELS says; without it the tests
are skipped. Recorded with `show … | json` (batfish/lab-validation): a fabric of nine vEOS 4.23.0.1F with EVPN, and two
pairs of cEOS 4.36.0.1F, one with BGP over addresses and one over link-local ones.
"""

import json
import os
import re
import tarfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from napalm import get_network_driver
from napalm.base.exceptions import CommandErrorException

from fabricgen.platforms.base.live.reader import Output, Outputs, ReadCommand
from tests.doubles.eapi import eapi

ARCHIVE = "recorded-devices.tar.xz"
BESIDE = Path(__file__).resolve().parents[2].parent / "shared" / "data"
FABRIC, PAIR, UNNUMBERED = "eos_evpn_l3_design_guide", "eos_ceos_ebgp", "eos_ceos_bgp_unnumbered"
SITES = (FABRIC, PAIR, UNNUMBERED)

FILES = {
    "show_version": "show version",
    "show_interfaces": "show interfaces",
    "show_vrf": "show vrf",
    "show_ip_bgp_neighbors_vrf_all": "show ip bgp neighbors vrf all",
    "show_ip_route_vrf_all": "show ip route vrf all",
    "show_bgp_evpn": "show bgp evpn",
    "show_interface_vxlan1": "show interfaces vxlan 1",
}
"""File of the archive → the command that it is of. The last was refused where there is no such interface."""

NO_IPV6_PEERS: Mapping[str, object] = {"vrfs": {"default": {"peerList": []}}}
"""`show ipv6 bgp peers vrf all` of a switch without such a peer.

It was not recorded. The form is that of NAPALM's test data (test_get_bgp_neighbors/nopeers); that there are none, the
recorded configuration says, for it names no neighbor with an IPv6 address and none by its interface.
"""


class Recording(NamedTuple):
    """One switch: its running-config, and output by command. `given`: the configuration it was started with, or ""."""

    name: str
    running: str
    objects: Mapping[str, object]
    given: str


def archive() -> Path:
    """Return the archive; skip where there is none."""
    found = Path(os.environ.get("FABRICGEN_MODELS", BESIDE)) / ARCHIVE
    if not found.is_file():
        pytest.skip(f"no {ARCHIVE} in ../shared/data beside the checkout nor in FABRICGEN_MODELS")
    return found


@cache
def _files(path: Path) -> Mapping[str, str]:
    """Text by path inside the archive, of the EOS sites."""
    with tarfile.open(path) as packed:
        return {
            member.name.partition("/")[2]: found.read().decode()
            for member in packed
            if member.isfile() and member.name.split("/")[1] in SITES and not member.name.endswith(".png")
            if (found := packed.extractfile(member)) is not None
        }


def recordings(site: str) -> dict[str, Recording]:
    """Every switch of a site by name."""
    files = _files(archive())
    names = sorted({path.split("/")[2] for path in files if path.startswith(f"{site}/configs/")})
    return {
        name: Recording(
            name,
            files[f"{site}/configs/{name}/show_running-config.txt"],
            {
                command: json.loads(files[f"{site}/show/{name}/{file}_|_json.txt"])
                for file, command in FILES.items()
                if files.get(f"{site}/show/{name}/{file}_|_json.txt", "").startswith("{")
            },
            files.get(f"{site}/source/configs/{name}.cfg", ""),
        )
        for name in names
    }


def sanitized(running: str) -> str:
    """`show running-config sanitized`: secrets become `<removed>` (NAPALM's test data, test_get_config_sanitized)."""
    return re.sub(r"((?:secret sha512|password 7) )\S+", r"\1<removed>", running)


def answers(recording: Recording) -> dict[str, object]:
    """What the double says in JSON: the recording and, where the configuration has none, that no peer has IPv6."""
    has_ipv6_peers = re.search(r"^ +neighbor (interface |[0-9a-f]*:)", recording.running, re.MULTILINE)
    more = {} if has_ipv6_peers else {"show ipv6 bgp peers vrf all": NO_IPV6_PEERS}
    return {**recording.objects, **more}


def collected(
    recording: Recording, reads: Iterable[ReadCommand], changed: Mapping[str, object] | None = None
) -> Outputs:
    """Run the reads through NAPALM's driver against the double; `changed` outputs stand before the recorded ones."""
    texts = {"show running-config sanitized": sanitized(recording.running)}
    return asked({**answers(recording), **(changed or {})}, texts, reads)


def asked(objects: Mapping[str, object], texts: Mapping[str, str], reads: Iterable[ReadCommand]) -> Outputs:
    """Outputs of the reads, as NAPALM's unmodified driver gives them."""
    with eapi(objects, texts) as double:
        options = {"transport": "http", "port": double.port}
        driver = get_network_driver("eos")("127.0.0.1", "reader", "of-nothing", timeout=60, optional_args=options)
        driver.open()
        try:
            return {read.command: _output(driver, read) for read in reads}
        finally:
            driver.close()
            assert {version for version, _, _ in double.asked} == {1}, "NAPALM asks for the first revision of all"


def _output(driver: object, read: ReadCommand) -> Output:
    try:
        return Output(driver.cli([read.command], encoding=read.encoding)[read.command])  # type: ignore[attr-defined]
    except CommandErrorException as refused:
        return Output(None, str(refused))
