"""A tenant comes to a lab whose kernel has no VRFs, and goes: its VRF is a namespace that zebra finds while it runs.

On a busy host zebra 8.4.4 dropped addresses of interfaces, and ended where a namespace went too early: see retelling
and waiting in bring.py. On a kernel with VRFs, as on a box, there are no namespaces.
"""

import json
from pathlib import Path

from fabricgen.lab.build.follow import prepare, rehost
from fabricgen.lab.host.inventory import render_files
from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.model.lab import Lab
from fabricgen.lab.operate.run import ping, run
from tests.frr.waiting import becomes
from tests.lab.driving import driver
from tests.lab.test_lab_ifreload import FAR, LEAF, Standing, _becomes, pytestmark, standing
from tests.lab.variants import Intent, lab_of, reload_all, variant

__all__ = ["pytestmark", "standing"]  # for this file, too


def _push(standing: Standing, lab: Lab) -> None:
    """Interfaces first, then FRR, as a commit does; then the servers."""
    files = render_files(lab.devices)
    prepare(standing.place, lab, files)
    reload_all(standing.place, lab)
    for name, texts in files.items():
        running = run(standing.place.folder, name, ["cat", "/run/frr/zebra.pid"]).stdout
        words = run(standing.place.folder, name, ["tail", "-n", "30", "/var/log/frr/zebra.log"]).stdout
        assert Path(f"/proc/{running.strip()}/root").exists(), f"zebra of {name} is gone, its last words: {words}"
        with driver(standing.place.folder, name) as frr:
            frr.load_replace_candidate(config=texts["frr.conf"])
            frr.commit_config()
            assert frr.compare_config() == ""
    rehost(standing.place, lab, files)


def _l3(place: LabPlace, switch: str) -> dict[str, str]:
    """VRFs of a switch with an L3 VNI, and how it is."""
    said = json.loads(run(place.folder, switch, ["vtysh", "-c", "show vrf vni json"]).stdout or "{}")
    return {row["vrf"]: row["state"] for row in said.get("vrfs", [])}


def _alone(intent: Intent) -> None:
    """A tenant that imports nothing, with a server behind each leaf."""
    networks = {
        "hosts": {"vlan": 120, "subnets": ["172.19.0.0/20"]},
        "public": {"vlan": 121, "subnets": ["172.19.16.0/20"]},
    }
    intent["tenants"]["serving"] = {"servers": ["train[3]", "store[1]"], "networks": networks}
    intent["tenants"]["storage"]["servers"] = ["store[0]"]


def _own(lab: Lab, name: str, vlan: int) -> str:
    """IPv4 address of a server in a VLAN."""
    (found,) = [
        nic.ipv4.partition("/")[0]
        for server in lab.servers
        for nic in server.nics
        if server.name == name and nic.vlan_id == vlan and nic.ipv4
    ]
    return found


def test_a_tenant_comes_and_goes_under_frr(standing: Standing, tmp_path: Path) -> None:
    """Its VRF is a namespace that zebra finds while it runs; its servers reach each other, bridged and routed."""
    place, old = standing.place, standing.lab
    new = lab_of(variant(tmp_path / "site", _alone))
    before = run(place.folder, FAR, ["vtysh", "-c", "show running-config"]).stdout
    for _ in range(2):
        _push(standing, new)
        for switch in (LEAF, FAR):
            becomes(dict.fromkeys(("research", "serving", "storage"), "Up"), _l3, place, switch)
        for vlan in (120, 121):
            becomes(2, ping, place.folder, "train-003", _own(new, "store-001", vlan))
        _push(standing, old)
        for switch in (LEAF, FAR):
            becomes(dict.fromkeys(("research", "storage"), "Up"), _l3, place, switch)
        assert run(place.folder, FAR, ["vtysh", "-c", "show running-config"]).stdout == before
        becomes(2, ping, place.folder, "train-000", _own(old, "store-001", 20))
    _becomes(place, old, standing.kernel)
