"""Certificates and TLS profiles that a configuration names: what each system is asked, and what its answer says."""

import json

import pytest

from fabricgen.device.device import Device
from fabricgen.device.management import Gnmi
from fabricgen.platforms.base.live.needed import lacking
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.platforms.sonic.napalm_driver.switch import _refused
from tests.eos.fleet import samples


def device(gnmi: str = "fabric", eapi: str = "") -> Device:
    leaf = next(one for name, one in samples().items() if name.startswith("demo backend") and one.role == "leaf")
    management = leaf.management._replace(gnmi=Gnmi(9339, gnmi) if gnmi else None, eapi_certificate=eapi)
    return leaf._replace(management=management)


# EOS as ANTA's tests have it (tests/units/anta_tests/test_security.py, VerifyAPISSLCertificate); SR Linux by its YANG;
# SONiC's are find's lines. Those of Junos and Cumulus are of no source: the name anywhere counts.
ANSWERS = {
    "eos": {"certificates": {"ARISTA_ROOT_CA.crt": {"notAfter": 7127810715}, "NAME.crt": {"notAfter": 7127810715}}},
    "junos": "Certificate identifier: NAME\n  Issued to: leaf, Issued by: CN = leaf\n",
    "srlinux": {"server-profile": [{"name": "NAME", "authenticate-client": False}]},
    "cumulus": {"NAME": {"installed": {}}},
    "sonic": "/etc/sonic/telemetry/NAME.cer\n/etc/sonic/telemetry/NAME.key\n/etc/sonic/telemetry/NAME-ca.cer\n",
}
MAKES = {
    "eos": "security pki certificate generate self-signed fabric.crt key fabric.key",
    "junos": "request security pki local-certificate load certificate-id fabric ",
    "srlinux": "/ system tls server-profile fabric",
    "cumulus": "nv action import system security certificate fabric ",
    "sonic": "copy fabric.cer, fabric.key and fabric-ca.cer to /etc/sonic/telemetry",
}


def answer(system: str, name: str) -> Output:
    shown = ANSWERS[system]
    if isinstance(shown, str):
        return Output(shown.replace("NAME", name))
    return Output(json.loads(json.dumps(shown).replace("NAME", name)))


@pytest.mark.parametrize("system", ANSWERS)
def test_a_certificate_of_gnmi_is_looked_for_by_its_name(system: str) -> None:
    (item,) = COMMIT_PROFILES[system].needed(device())
    assert item.setting == "management.gnmi.certificate"
    assert MAKES[system] in item.make
    assert lacking(item, answer(system, "fabric")) is False
    for other in ("fabric2", "my-fabric", "fabric.old"):
        assert lacking(item, answer(system, other)) is True, other
    assert lacking(item, Output(None, "not known")) is None
    assert COMMIT_PROFILES[system].needed(device("")) == ()


def test_eos_needs_those_of_both_apis_and_each_once() -> None:
    needed = COMMIT_PROFILES["eos"].needed
    assert [(item.what, item.setting) for item in needed(device("telemetry", "rest"))] == [
        ("the certificate rest.crt", "management.eapi.certificate"),
        ("the certificate telemetry.crt", "management.gnmi.certificate"),
    ]
    assert len(needed(device("fabric", "fabric"))) == 1


@pytest.mark.parametrize("system", ["junos", "srlinux", "sonic"])
def test_eapi_is_of_eos_and_cumulus_alone(system: str) -> None:
    assert COMMIT_PROFILES[system].needed(device("", "rest")) == ()


def test_cumulus_needs_the_certificate_of_its_api() -> None:
    (item,) = COMMIT_PROFILES["cumulus"].needed(device("", "rest"))
    assert item.setting == "management.eapi.certificate"
    assert lacking(item, Output({"rest": {}})) is False
    assert lacking(item, Output({"another": {}})) is True


@pytest.mark.parametrize("system", ["frr", "nxos"])
def test_where_nobody_can_ask_nothing_is_asked(system: str) -> None:
    assert COMMIT_PROFILES[system].needed(device("fabric", "fabric")) == ()


def test_sonic_lacks_one_of_three_files() -> None:
    (item,) = COMMIT_PROFILES["sonic"].needed(device())
    whole = str(answer("sonic", "fabric").value)
    assert [lacking(item, Output(whole.replace(f"{line}\n", ""))) for line in whole.splitlines()] == [True] * 3
    assert lacking(item, Output("")) is True


def test_the_driver_of_sonic_runs_that_command_and_no_other_find() -> None:
    (item,) = COMMIT_PROFILES["sonic"].needed(device())
    assert _refused(item.read.command, item.read.command.split()) == ""
    assert _refused("find /etc -delete", ["find", "/etc", "-delete"]) != ""
