"""Routes of two VLANs of a bundle have one RD and one key, and are two routes (RFC 7432, section 6.3)."""

import pytest

from fabricgen.platforms.linux.live import overlay as frr_overlay
from fabricgen.platforms.nxos.live import overlay as nxos_overlay


@pytest.mark.parametrize("tag", [0, 10100])
def test_frr_names_the_tag_first(tag: int) -> None:
    assert frr_overlay._key(f"[2]:[{tag}]:[48]:[0c:8e:9b:19:2d:01]")[2] == tag
    assert frr_overlay._key(f"[3]:[{tag}]:[32]:[10.0.0.4]")[2] == tag
    assert frr_overlay._key(f"[5]:[{tag}]:[24]:[172.17.0.0]")[2] == tag


@pytest.mark.parametrize("tag", [0, 10100])
def test_nxos_names_it_behind_the_segment(tag: int) -> None:
    assert [
        row.tag
        for row in nxos_overlay._route("10.0.0.1:3", f"[2]:[0]:[{tag}]:[48]:[0c8e.9b19.2d01]:[0]:[0.0.0.0]/216", "")
    ] == [tag]
    assert [row.tag for row in nxos_overlay._route("10.0.0.1:3", f"[3]:[{tag}]:[32]:[10.0.0.1]/88", "")] == [tag]
