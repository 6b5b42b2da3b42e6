"""Tests that others wrote for real switches, run against the double of EOS. Nothing of theirs is kept here.

    python -m tests.doubles.outside PYEAPI NAPALM

PYEAPI, NAPALM  checkouts of github.com/arista-eosplus/pyeapi and github.com/napalm-automation/napalm, which whoever
runs this has fetched; nothing is fetched here. With 1d35927 of the one and ee70e634 of the other 57 of 61 pass, and
the others are in KNOWN.
"""

import contextlib
import importlib.util
import io
import os
import sys
import tempfile
import unittest
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pyeapi.client
from napalm import get_network_driver

from tests.doubles.eapi_sessions import switch

SUITES = ("test_client", "test_api_system", "test_api_ipinterfaces", "test_api_staticroute")
"""Of pyeapi's test/system; the others are of commands that the double does not know: access lists, MLAG, OSPF, VRRP."""

KNOWN = {
    "test_enable_single_extended_command": "show cvx is not known here",
    "test_execute_socket_timeout_error": "the double answers within the millisecond that it gives a switch",
    "test_replacing_config_and_diff_and_discard": "its EOS printed a blank behind maximum-routes",
    "test_load_template": "NAPALM 5.2 has no such template",
}
"""Test that does not pass → why that says nothing of the double, or what the double does not know."""

START = """\
hostname veos01
interface Ethernet1
interface Ethernet2
interface Ethernet3
interface Management1
   ip address 10.0.2.15/24
no ip routing
management api http-commands
   no shutdown
"""
LOGIN = "eapi:password"


def of_pyeapi(checkout: Path, folder: Path, port: int) -> unittest.TestSuite:
    """System tests of pyeapi; the switch that they are to ask stands in a file."""
    sys.path[:0] = [str(checkout / "test/lib"), str(checkout / "test/system")]
    user, _, password = LOGIN.partition(":")
    words = {"host": "127.0.0.1", "port": port, "username": user, "password": password, "transport": "http"}
    config = folder / "dut.conf"
    config.write_text("\n".join(["[connection:veos01]", *(f"{key}: {value}" for key, value in words.items()), ""]))
    load: Callable[..., object] = pyeapi.client.load_config
    pyeapi.client.load_config = lambda filename: load(filename=str(config))
    return unittest.defaultTestLoader.loadTestsFromNames(SUITES)


def of_napalm(checkout: Path, port: int) -> unittest.TestSuite:
    """NAPALM's tests of configuration for any driver, with its own files for EOS."""
    base: Any = _module(checkout / "napalm/base/test/base.py").TestConfigNetworkDriver
    initial = "eos/initial.conf"

    class OfEos(unittest.TestCase, base):  # type: ignore[misc]  # a class of whatever the checkout has
        @classmethod
        def setUpClass(cls) -> None:
            cls.vendor = "eos"
            user, _, password = LOGIN.partition(":")
            options = {"transport": "http", "port": port}
            cls.device = get_network_driver("eos")("127.0.0.1", user, password, optional_args=options)
            cls.device.open()
            cls.device.load_replace_candidate(filename=initial)
            cls.device.commit_config()

    os.chdir(checkout / "test/eos")
    return unittest.defaultTestLoader.loadTestsFromTestCase(OfEos)


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("outside_base", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def _result(suites: Iterable[Callable[[int], unittest.TestSuite]]) -> unittest.TestResult:
    """Run each against a switch of its own. What the tests print is theirs, and not shown."""
    result = unittest.TestResult()
    for make in suites:
        with switch(START, login=LOGIN) as box, contextlib.redirect_stdout(io.StringIO()):
            make(box.port).run(result)
    return result


@click.command()
@click.argument("of_pyeapi_at", metavar="PYEAPI", type=click.Path(path_type=Path, exists=True, resolve_path=True))
@click.argument("of_napalm_at", metavar="NAPALM", type=click.Path(path_type=Path, exists=True, resolve_path=True))
def main(of_pyeapi_at: Path, of_napalm_at: Path) -> None:
    """Run them, and say which do not pass."""
    with tempfile.TemporaryDirectory() as folder:
        result = _result((partial(of_pyeapi, of_pyeapi_at, Path(folder)), partial(of_napalm, of_napalm_at)))
    wrong = {test.id().rpartition(".")[2]: told for test, told in (*result.errors, *result.failures)}
    for name, told in wrong.items():
        last = told.strip().splitlines()[-1]
        click.echo(f"{name}: {f'known: {KNOWN[name]}' if name in KNOWN else last}")
    click.echo(f"{result.testsRun} tests, {len(wrong)} not passed, {len(set(wrong) - set(KNOWN))} of them not known")
    sys.exit(1 if set(wrong) - set(KNOWN) else 0)


if __name__ == "__main__":
    main()
