"""Sources of the numbers of this package: one name per source, so that each row can cite it briefly.

A source marked "not re-read" is expert knowledge; values that depend on it are marked `unsure` or say so.
"""

CUMULUS_ROCE = (
    "CumulusNetworks/docs, Quality-of-Service/RDMA-over-Converged-Ethernet-RoCE.md (defaults of `roce lossless`)"
)
COMMUNITY_QOS = "sonic-net/sonic-buildimage 086b03b (2026-08-23), files/build_templates/qos_config.j2"
Z9864F_BUFFERS = (
    "sonic-net/sonic-buildimage 086b03b (2026-08-23), device/dell/x86_64-dell_z9864f-r0/Dell-Z9864f-O64/"
    "buffers_defaults_t0.j2 and pg_profile_lookup.ini"
)
BUFFERS_7060X6 = (
    "sonic-net/sonic-buildimage 086b03b (2026-08-23), device/arista/x86_64-arista_7060x6_64pe/"
    "Arista-7060X6-64PE-O128S2, qos.json.j2, buffers_defaults_t0.j2 and pg_profile_lookup.ini"
)
DYNAMIC_HEADROOM = "sonic-net/sonic-swss 18913fa, cfgmgr/buffer_headroom_mellanox.lua"
AMD_GUIDE = "AMD ROCm, GPU cluster networking guide (public mirror of its text, 2026)"
AMD_SCRIPTS = "public Pollara NIC set-up scripts that cite AMD UG1813 (2026)"
CISCO_ND = "Cisco Nexus Dashboard AI QoS templates and public lab scripts (2026)"
ARISTA_GUIDE = (
    "community guide `Arista EOS RoCEv2 lossless` (2026-07), which cites Arista's AI network deployment guide"
)
JUNIPER_JVD = "Juniper/jvd, data_center/aidc, multitenancy backend, QFX5240-64OD (2026-08)"
JUNIPER_APSTRA = "Juniper/terraform-apstra-examples, ai-cluster-jvd/resource_configlet_dcqcn.tf (QFX5220 to 5230)"
ALPHA_PAPER = "after Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016 (not re-read)"
IEEE_PAUSE = "IEEE 802.3 clause 31B.3.7, as encoded in " + DYNAMIC_HEADROOM
FLOW_SETS = (
    "CLI of `ip hardware fib load-balance distribution dynamic flow-set-size`, as aristanetworks/avd 6.4 documents it"
)
CLUSTER = (
    "CLI of `load-balance cluster`, as aristanetworks/avd 6.4 documents it, and its issues 4925 and 5004 "
    "(TOI 20434, EOS 4.32.2F; TOI 21077, EOS 4.33.1F)"
)
GLOBAL = (
    "juniper.net/documentation, global load balancing (considerations of 24.4): three stages, at most 64 leaves, one "
    "link per pair, no overlay, no multihomed servers"
)
FRR_DSCP = "FRRouting/frr fbfc8222, doc/user/bgp.rst (`bgp session-dscp`, CS6 by default), bfdd/bfd.h (TOS 0xC0)"
MLNX_QOS = "Mellanox/mlnx-tools 8fbfd9c (2026-08-18), python/mlnx_qos"
DOROCE = "NVIDIA/doroce-linux 1a5edb8, doRoCE.sh 0.98 (read 2026-11-21)"
BNXT_SETUPCC = "Broadcom's bnxt_setupcc.sh 236.1.155.0, in a public repository (read 2026-11-21)"
MLNX_CABLE = (
    "`mlnx_qos --cable_len`: Mellanox/mlnx-tools 8fbfd9c; Mellanox/nic-configuration-operator 8bfbeb3, "
    "pkg/configuration/utils.go; Linux, mlx5 en_dcbnl.c (fewer than 1000 metres) and en/port_buffer.h (7 by default)"
)
MLX_REGISTER = (
    "fields of register ROCE_ACCL and the form of mlxreg: docs.nvidia.com, Adaptive Retransmission Parameters Control; "
    "Mellanox/nic-configuration-operator 8bfbeb3, pkg/spectrumx/spectrumx_test.go"
)
ADAPTIVE_NICS = (
    "a techpost of Juniper on spraying, which quotes forums.developer.nvidia.com 330488: a NIC is said to use adaptive "
    "routing where it is attached to a switch of NVIDIA alone (read 2026-11-23)"
)
NCCL_GUIDE = "NVIDIA/nccl 5067397c (2026-06-11), docs/userguide: env.rst, troubleshooting/performance_and_tuning.rst"
SPECTRUM_X_LAUNCH = "public launch scripts of Spectrum-X sites with NCCL_IB_ADAPTIVE_ROUTING=1 (read 2026-11-22)"
SPECTRUM_X = "Mellanox/nic-configuration-operator 3faed91 (2026-05-06), bindata/spectrum-x/RA2.1.yaml, removed after it"
