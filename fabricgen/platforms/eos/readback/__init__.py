"""EOS text read back: what a startup-config or a running-config configures.

Written from Arista's documents, apart from the templates of this platform: the EOS user manual (arista.com/en/um-eos:
Ethernet ports, port channels, QoS and priority flow control, BGP, route maps, VXLAN, EVPN, VARP), PyAVD 6.4.0's schema
of the language, and recorded configurations of EOS 4.23 to 4.36 (github.com/batfish/lab-validation dbe21f0).
"""
