"""The files of a folder of configurations."""

from pathlib import Path

import pytest

from fabricgen.audit.folder import ConfigFolder
from fabricgen.audit.switch import audited
from fabricgen.platforms.readbacks import READBACKS
from tests.audit.detected import site
from tests.audit.seeded.catalogue import SYSTEMS

MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8 (RFC 3629, section 6)."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_byte_order_mark_is_no_text(system: str, tmp_path: Path) -> None:
    whole = site(system, "")
    device, files = whole.devices["be-leaf-000"], whole.files["be-leaf-000"]
    for name, text in files.items():
        path = tmp_path / device.name / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(MARK + text.encode())
    read = ConfigFolder(tmp_path).files(device.name, READBACKS[system].main)
    assert read == files
    assert audited(device, read, filled=False).is_exact
