"""What tells a configuration from another that a hand has left: in no order, and each line below what it stands in."""

import pytest

from fabricgen.platforms.base.live.commit_operations import digest

FRR = """\
interface swp1
 shutdown
exit
!
interface swp2
 description to spine
exit
!
router bgp 65001
 neighbor 10.0.0.1 remote-as 65002
 !
 address-family ipv4 unicast
  maximum-paths 4
 exit-address-family
exit
"""
SONIC = """\
{
  "PORT": {
    "Ethernet0": {
      "admin_status": "up"
    },
    "Ethernet4": {
      "admin_status": "down"
    }
  }
}
"""
EOS = """\
--- system:/running-config
+++ session:/fabricgen-1-session-config
 interface Ethernet1
+   description to spine
 interface Ethernet2
-   shutdown
"""


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (FRR, "swp1\n shutdown\nexit\n!\ninterface swp2\n", "swp1\nexit\n!\ninterface swp2\n shutdown\n"),
        (FRR, " maximum-paths 4", " maximum-paths 8"),
        (SONIC, '"up"\n    },\n    "Ethernet4": {\n      "admin_status": "down"',
         '"down"\n    },\n    "Ethernet4": {\n      "admin_status": "up"'),
        (EOS, "+   description to spine\n interface Ethernet2\n", " interface Ethernet2\n+   description to spine\n"),
        (EOS, "-   shutdown", "+   shutdown"),
    ],
)  # fmt: skip
def test_a_line_that_a_hand_moved_from_one_port_to_another_is_another_configuration(
    text: str, old: str, new: str
) -> None:
    assert old in text
    assert digest(text.replace(old, new)) != digest(text)


def test_the_order_of_sections_and_empty_lines_are_no_matter() -> None:
    first, second, rest = FRR.split("!\n", 2)
    assert digest(f"{second}\n!\n{rest}!\n{first}") == digest(FRR)
