"""A small Junos configuration of a QFX, right as far as its models go: a leaf of an EVPN fabric with a lossless class.

The statements are of the forms that Juniper's validated designs have (Juniper/jvd at
005ab344aea79475ef81c1880430a2f99808c28b, data_center/aidc and data_center/adc, read 2026-11-22); the values are of no
real switch. LINES is the form of `set`; BRACES is one of braces, with what only that form has.
"""

LINES = """\
# written for the test
set system host-name leaf-1
set system ntp server 192.0.2.20
set system syslog host 192.0.2.21 any notice
set system syslog file messages authorization info
set chassis aggregated-devices ethernet device-count 48
set chassis fpc 0 pic 0 port 0 speed 400g
set interfaces et-0/0/0 description "spine-1 et-0/0/0"
set interfaces et-0/0/0 mtu 9216
set interfaces et-0/0/0 unit 0 family inet address 10.1.0.1/31
set interfaces et-0/0/0 unit 0 family inet6 address fd00:1::1/127
set interfaces et-0/0/1 ether-options 802.3ad ae1
set interfaces ae1 esi 00:02:fe:00:00:00:00:00:00:01
set interfaces ae1 esi all-active
set interfaces ae1 aggregated-ether-options lacp active
set interfaces ae1 unit 0 family ethernet-switching interface-mode trunk
set interfaces ae1 unit 0 family ethernet-switching vlan members [ v20 v30 ]
set interfaces irb unit 20 family inet address 10.20.0.1/24
set interfaces lo0 unit 0 family inet address 10.255.0.1/32
set routing-options router-id 10.255.0.1
set routing-options autonomous-system 4200000001
set routing-options forwarding-table export BALANCE
set routing-options static route 0.0.0.0/0 discard
set protocols bgp group SPINES type external
set protocols bgp group SPINES export TO-FABRIC
set protocols bgp group SPINES family inet unicast
set protocols bgp group SPINES family evpn signaling
set protocols bgp group SPINES peer-as 4200000100
set protocols bgp group SPINES multipath multiple-as
set protocols bgp group SPINES bfd-liveness-detection minimum-interval 300
set protocols bgp group SPINES neighbor 10.1.0.0 description spine-1
set protocols bgp group SPINES neighbor 10.1.0.0 local-as 4200000001 no-prepend-global-as
set protocols evpn encapsulation vxlan
set protocols lldp interface all
set policy-options policy-statement BALANCE then load-balance per-packet
set policy-options policy-statement TO-FABRIC term 10 from protocol [ direct static ]
set policy-options policy-statement TO-FABRIC term 10 from route-filter 10.255.0.0/24 prefix-length-range /32-/32
set policy-options policy-statement TO-FABRIC term 10 then community add GSHUT
set policy-options policy-statement TO-FABRIC term 10 then accept
set policy-options policy-statement TO-FABRIC term 20 from prefix-list-filter LOCAL orlonger
set policy-options policy-statement TO-FABRIC term 20 then local-preference 0
set policy-options policy-statement TO-FABRIC term 99 then reject
set policy-options prefix-list LOCAL 10.255.0.0/24
set policy-options community GSHUT members 65535:0
set routing-instances storage instance-type mac-vrf
set routing-instances storage service-type vlan-aware
set routing-instances storage vtep-source-interface lo0.0
set routing-instances storage route-distinguisher 10.255.0.1:20
set routing-instances storage vrf-target target:65000:20
set routing-instances storage protocols evpn encapsulation vxlan
set routing-instances storage vlans v20 vlan-id 20
set routing-instances storage vlans v20 vxlan vni 20
set routing-instances red instance-type vrf
set routing-instances red interface irb.20
set routing-instances red route-distinguisher 10.255.0.1:10001
set routing-instances red vrf-target target:65000:10001
set routing-instances red protocols evpn ip-prefix-routes advertise direct-nexthop
set routing-instances red protocols evpn ip-prefix-routes encapsulation vxlan
set routing-instances red protocols evpn ip-prefix-routes vni 10001
set routing-instances red forwarding-options dhcp-relay server-group DHCP 192.0.2.30
set class-of-service classifiers dscp ROCE forwarding-class LOSSLESS loss-priority low code-points 011010
set class-of-service forwarding-classes class LOSSLESS queue-num 3 no-loss pfc-priority 3
set class-of-service drop-profiles ECN interpolate fill-level [ 10 50 ] drop-probability [ 0 100 ]
set class-of-service schedulers ROCE drop-profile-map loss-priority any protocol any drop-profile ECN
set class-of-service schedulers ROCE transmit-rate percent 50
set class-of-service schedulers ROCE explicit-congestion-notification
set class-of-service scheduler-maps ROCE forwarding-class LOSSLESS scheduler ROCE
set class-of-service congestion-notification-profile ROCE input dscp code-point 011010 pfc
set class-of-service shared-buffer ingress percent 100
set class-of-service shared-buffer ingress buffer-partition lossless percent 60
set class-of-service interfaces et-0/0/0 congestion-notification-profile ROCE
set class-of-service interfaces et-0/0/0 scheduler-map ROCE
deactivate interfaces et-0/0/9
"""

BRACES = """\
/* written for the test */
system {
    host-name "leaf-1";
    services { netconf { ssh; } }
}
interfaces {
    et-0/0/0 { unit 0 { family inet { address 10.1.0.1/31; } family inet6; } }
    inactive: et-0/0/9 { disable; }
    et-0/0/8 { }
}
protocols {
    bgp {
        group SPINES { # two of them
            type external;
            export ( TO-FABRIC && !DRAINED );
            neighbor 10.1.0.0 { peer-as 4200000100; }
            neighbor 10.1.0.2 { peer-as 4200000100; }
        }
    }
}
class-of-service {
    forwarding-classes { class LOSSLESS queue-num 3 no-loss pfc-priority 3; }
    classifiers {
        dscp ROCE { forwarding-class LOSSLESS { loss-priority low code-points [ 011010 011011 ]; } }
    }
}
"""
