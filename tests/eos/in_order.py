"""Every line of a switch, and the order of its blocks, held against pyavd's."""

from fabricgen.device.device import Device
from tests.eos.fleet import render
from tests.eos.modes import entered, stripped
from tests.eos.oracle import compare, paths, repeated
from tests.eos.references import loose
from tests.eos.rules import broken
from tests.eos.test_eos_oracle import kinds, pyavds, unexplained


def assert_pyavds_in_its_order(device: Device) -> str:
    """Return the text of the switch."""
    ours, theirs = render(device), pyavds(device)
    assert unexplained(compare(ours, theirs)) == []
    assert repeated(ours) == []
    assert kinds(ours) == kinds(theirs)
    assert [*broken(ours), *loose(ours)] == []
    assert entered(stripped(ours)) == paths(ours)
    return ours
