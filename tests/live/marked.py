"""EVPN routes by next hop: two of one leaf carry graceful shutdown, one of another does not.

Forms: FRR and what runs it, an answer of FRR 8.4.4 cut short; EOS, batfish/lab-validation's parser of `show bgp evpn`
(nextHop, localPreference) and routeDetail.communityList of hyperglass; NX-OS, genieparser's ShowBgpVrfAllAllDetail;
Junos, the detail of junos_evpn_type5 (batfish/lab-validation) with protocol-nh; SR Linux, its models' local RIB.
"""

from fabricgen.platforms.base.live.marks import Marks

OURS, OTHER = "10.128.192.1", "10.128.192.3"
WANTED = {OURS: Marks(2, 2), OTHER: Marks(1, 0)}
