"""Known sequence: sessions send a TTL of 255 before anybody checks it."""

from pathlib import Path

import pytest

from tests.steps.conftest import Site, refused, rendered, steps

ASNS = "    asns: 4201000000-4201999999\n"


def guarded(way: str) -> str:
    return f"{ASNS}    bgp: {{ttl_security: {way}}}\n"


@pytest.mark.parametrize(("after", "overlays"), [("check", [True, False]), ("send", [False])])
def test_who_checks_does_so_last(demo: Site, after: str, overlays: list[bool]) -> None:
    """RFC 5082 section 3: an end that checks drops what another sends with TTL 1."""
    demo.change((ASNS, guarded(after)))
    found = steps()
    assert found["kind"] == "guards"
    assert [bool(step["overlay"]) for step in found["steps"]] == overlays
    assert all(step["risk"] == "session reset" for step in found["steps"])
    # All switches of the backend, leaves and spines, and none of the frontend.
    assert {step["switches_changed"] for step in found["steps"]} == {8}
    if overlays[0]:
        rendered(found["steps"][0]["command"])
        (file,) = Path("out/be-leaf-000").iterdir()
        text = file.read_text()
        assert "SPINES-IPV4 ebgp-multihop 255" in text
        assert "ttl maximum-hops" not in text


def test_a_password_has_no_state_in_between(demo: Site) -> None:
    demo.change((ASNS, f'{ASNS}    bgp: {{password: "${{env:BGP_PASSWORD}}"}}\n'))
    (problem,) = refused()
    assert (problem["code"], problem["path"]) == ("steps-unknown", "fabrics.backend.bgp.password")
    assert "maintenance window" in problem["fix"]
