"""NX-OS text read back: what a running-config of a Nexus 9000 configures.

Written from Cisco's documents, apart from the templates of this platform: Nexus 9000 NX-OS guides 10.5(x) (interfaces,
unicast routing, VXLAN, quality of service, security, system management) and command references; recorded configurations
of 9.2(3) and 10.3(9) (github.com/batfish/lab-validation dbe21f0); Batfish's grammar (github.com/batfish/batfish
cba1873, cisco_nxos).
"""
