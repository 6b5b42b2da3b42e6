"""What a NIC and the switch at its other end must agree on: the length of their cable, and packets in any order.

The NIC's side is read back from the script of a server, the switch's from its rendered files.
"""

import json
import re
from collections.abc import Mapping
from copy import deepcopy

import pytest
import yaml

from fabricgen.export.hosts import HostWriter
from fabricgen.hosts.compare import compare
from fabricgen.hosts.expected import expected_state
from fabricgen.hosts.missing import missing
from fabricgen.hosts.model import Host
from fabricgen.plan.plan import Plan
from fabricgen.policy.nics import NIC_VENDORS
from fabricgen.render.render import Renderer
from tests.accounts import without_accounts
from tests.hosts.making import Json, backend, hosts, planned, switches
from tests.some import some

SCRIPT = "usr/local/sbin/fabricgen-nic-settings"
SWITCHES = {
    "junos-24.4": "juniper-qfx5240-64od",
    "cumulus-5.11": "nvidia-sn5400",
    "sonic-master": "nvidia-sn5400",
}
"""Systems whose files say the length of a cable; others are told octets."""
MAKER = {  # the maker's profile for ConnectX-8 and BlueField-3, RA2.1, runtimeConfig.adaptiveRouting
    "roce_adp_retrans_en": 1,
    "roce_tx_window_en": 1,
    "roce_slow_restart_en": 0,
    "roce_slow_restart_idle_en": 0,
    "adaptive_routing_forced_en": 1,
}


def site(system: str, metres: float, **fabric: object) -> Json:
    """A backend with BlueField-3 on one system, its server cables so long."""
    switch = {"model": SWITCHES[system], "os": system}
    made = backend("hgx-h200", leaf=switch, spine=dict(switch), load_balancing="ecmp") | {
        "cables": {"default": {"server_leaf": metres, "leaf_spine": 40}}
    }
    made["fabrics"]["backend"] |= {"roce": made["fabrics"]["backend"]["roce"] | {"ecn": "published"}} | fabric
    made["management"] = {key: made["management"][key] for key in ("vrf", "oob", "gateway")}
    return without_accounts(made)


def files(plan: Plan, *texts: str) -> dict[str, str]:
    """Files of train[0], below its folder."""
    found = HostWriter("netplan").files(hosts(plan, *(texts or ("train[0]",))).values())
    return {path.partition("/")[2]: text for path, text in found}


def metres_of(script: str) -> dict[str, int]:
    """Interface → metres that its buffers are set for, as bash would read them."""
    (told,) = re.findall(r"^declare -A metres=\((.*)\)$", script, re.MULTILINE)
    assert '    run mlnx_qos -i "$nic" --cable_len="${metres[$nic]}"\n' in script
    return {name: int(value) for name, value in re.findall(r"\[(\S+?)\]=(\d+)", told)}


def junos(text: str, port: str) -> int:
    profile = re.findall(
        rf"^        {port} {{\n            congestion-notification-profile (\S+);", text, re.MULTILINE
    )[-1]
    (metres,) = re.findall(rf"^        {profile} {{\n(?:.*\n)*?                cable-length (\d+);", text, re.MULTILINE)
    return int(metres)


def cumulus(text: str, port: str) -> int:
    told = yaml.safe_load(text)[0]["set"]
    metres: int = told["qos"]["pfc"][told["interface"][port]["qos"]["pfc"]["profile"]]["cable-length"]
    return metres


def sonic(text: str, port: str) -> int:
    return int(json.loads(text)["CABLE_LENGTH"]["FABRIC"][port].removesuffix("m"))


READERS = {"junos": junos, "cumulus": cumulus, "sonic": sonic}


def at_switches(plan: Plan, host: Host, system: str) -> Mapping[str, int]:
    """Interface of a server → metres in the files of the switch at its other end."""
    devices = switches(plan)
    texts = {name: next(iter(Renderer().render(device))).text for name, device in devices.items()}
    read = READERS[system.partition("-")[0]]
    return {nic.name: read(texts[nic.switch], nic.port) for nic in host.nics}


@pytest.mark.parametrize("system", SWITCHES)
@pytest.mark.parametrize(("metres", "told"), some([(2.5, 3), (5, 5), (40, 40)]))
def test_the_nic_and_its_switch_are_told_one_length(system: str, metres: float, told: int) -> None:
    plan = planned(site(system, metres))
    host = hosts(plan, "train[0]")["train-000"]

    nics = metres_of(files(plan)[SCRIPT])

    assert nics == {nic.name: told for nic in host.nics}
    assert at_switches(plan, host, system) == nics


def test_one_cable_in_the_file_reaches_its_nic_alone() -> None:
    made = site("junos-24.4", 5) | {"cables": {"file": "cables.csv", "default": {"server_leaf": 5, "leaf_spine": 40}}}
    plain = hosts(planned(site("junos-24.4", 5)), "train[1]")["train-001"]
    rows = f"device,port,length_m\n{plain.nics[3].switch},{plain.nics[3].port},31\n"
    plan = planned(made, {"cables.csv": rows})

    (host,) = hosts(plan, "train[1]").values()

    assert metres_of(files(plan, "train[1]")[SCRIPT]) == {nic.name: 31 if nic.rail == 3 else 5 for nic in host.nics}
    assert [nic["roce"]["cable_length_m"] for nic in expected_state(host)["nics"]] == [5, 5, 5, 31, 5, 5, 5, 5]


def test_a_nic_that_is_set_for_another_cable_is_found() -> None:
    """Seven metres is what the driver starts with."""
    expected = expected_state(hosts(planned(site("junos-24.4", 40)), "train[0]")["train-000"])
    seen = json.loads(json.dumps(expected))
    seen["nics"][2]["roce"]["cable_length_m"] = 7

    (finding,) = compare(expected, seen)

    assert (finding.interface, finding.code, finding.wanted, finding.actual) == ("rail2", "host-cable-length", 40, 7)


@pytest.mark.parametrize(
    ("model", "marking", "metres", "codes"),
    [
        ("dgx-h200", "nvidia", 40, []),
        ("dgx-h200", "nvidia", 1200, ["no-nic-cable"]),
        ("mi300x-thor2", "nvidia", 5, ["no-nic-cable"]),
        ("mi300x-pollara", "amd-pollara", 5, ["no-nic-cable"]),
    ],
)
def test_nics_that_cannot_be_set_for_their_cable_are_named(
    model: str, marking: str, metres: int, codes: list[str]
) -> None:
    made = backend(model, roce={"marking": marking}) | {"cables": {"default": {"server_leaf": metres}}}
    host = hosts(planned(made), "train[0]")["train-000"]

    found = [problem for problem in missing(host) if problem.code == "no-nic-cable"]

    assert [problem.code for problem in found] == codes
    assert all(f"{metres} m" in problem.what for problem in found)
    assert ("cable_length_m" in expected_state(host)["nics"][0]["roce"]) == (model == "dgx-h200")


def environment(made: Json) -> dict[str, str]:
    """The collective library's, what is set alone."""
    host = hosts(planned(made), "train[0]")["train-000"]
    return {row.name: row.value for row in host.library if row.value}


def test_spraying_switches_take_their_nics_and_library_with_them() -> None:
    plain, sprayed = site("junos-24.4", 5), site("junos-24.4", 5, load_balancing="dlb-per-packet")
    before, after = files(planned(plain))[SCRIPT], files(planned(sprayed))[SCRIPT]

    assert "mlxreg" not in before
    (told,) = re.findall(r'run mlxreg -d "\$\(pci_of "\$nic"\)" --yes --reg_name ROCE_ACCL --set (\S+)\n', after)
    assert {name: int(value, 16) for name, value in (row.split("=") for row in told.split(","))} == MAKER
    assert "NCCL_IB_ADAPTIVE_ROUTING" not in environment(plain)
    assert environment(sprayed)["NCCL_IB_ADAPTIVE_ROUTING"] == "1"
    assert environment(sprayed)["NCCL_IB_QPS_PER_CONNECTION"] == environment(plain)["NCCL_IB_QPS_PER_CONNECTION"] == "4"


def test_one_switch_that_sprays_is_enough() -> None:
    """A spine by override: what it sends reaches every NIC of the fabric in any order."""
    made = site("junos-24.4", 5) | {"overrides": {"be-spine-00": {"load_balancing": "dlb-per-packet"}}}
    assert "ROCE_ACCL" in files(planned(made))[SCRIPT]
    assert environment(made)["NCCL_IB_ADAPTIVE_ROUTING"] == "1"


def test_a_fabric_whose_switches_all_do_another_mode_does_not_spray() -> None:
    """The fabric's key is then nobody's."""
    made = site("junos-24.4", 5, load_balancing="dlb-per-packet")
    made |= {"overrides": {f"backend/{role}": {"load_balancing": "ecmp"} for role in ("leaf", "spine")}}
    assert "ROCE_ACCL" not in files(planned(made))[SCRIPT]
    assert "NCCL_IB_ADAPTIVE_ROUTING" not in environment(made)


@pytest.mark.parametrize("field", MAKER)
def test_a_nic_without_adaptive_routing_is_found(field: str) -> None:
    plan = planned(site("junos-24.4", 5, load_balancing="dlb-per-packet"))
    expected = expected_state(hosts(plan, "train[0]")["train-000"])
    seen = json.loads(json.dumps(expected))
    seen["nics"][6]["roce"]["adaptive_routing"][field] ^= 1

    (finding,) = compare(expected, seen)

    assert (finding.interface, finding.code) == ("rail6", "host-adaptive-routing")
    assert finding.key == f"roce.adaptive_routing.{field}"


def test_what_is_sprayed_is_read_of_the_whole_fabric_once() -> None:
    """Servers of a fabric that does not spray are left alone, though another of the site does."""
    made = site("junos-24.4", 5)
    made["fabrics"]["other"] = {
        **deepcopy(made["fabrics"]["backend"]),
        "prefix": "ot",
        "load_balancing": "dlb-per-packet",
    }
    made["fabrics"]["other"] |= {"connects": {"more": "compute"}, "asns": "4203000000-4203999999"}
    made["fabrics"]["other"]["addressing"] = {"links": ["ipv4"], "ipv4": "10.96.0.0/12"}
    made["servers"]["more"] = {"model": "hgx-h200", "slots": "0-1"}
    plan = planned(made)
    texts = {key: dict(HostWriter("netplan").files(hosts(plan, f"{key}[0]").values())) for key in ("train", "more")}

    assert "ROCE_ACCL" not in texts["train"][f"train-000/{SCRIPT}"]
    assert "ROCE_ACCL" in texts["more"][f"more-000/{SCRIPT}"]


def test_makers_fields_are_those_of_the_table() -> None:
    (vendor,) = [vendor for vendor in NIC_VENDORS if vendor.reordering]
    assert vendor.name == "nvidia"
    assert {field.name: field.value for field in vendor.reordering} == MAKER
