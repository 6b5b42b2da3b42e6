"""VLANs, VRFs, tunnels, gateways.

Sources: src/sonic-yang-models: sonic-vxlan (VXLAN_TUNNEL, VXLAN_EVPN_NVO, VXLAN_TUNNEL_MAP), sonic-vrf, sonic-vlan,
sonic-static-anycast-gateway (SAG has the one MAC address of gateways). A VNI of a VRF is on the VLAN that its tunnel
map names (sonic-net/SONiC, doc/vxlan/EVPN/EVPN_VXLAN_HLD.md, L3 VNI). What route distinguishers and targets a VLAN has
is in frr.conf.
"""

from fabricgen.platforms.linux.readback.frr_conf import FrrConf
from fabricgen.platforms.linux.readback.frr_rows import put_vni
from fabricgen.platforms.linux.readback.words import number, rare_row
from fabricgen.platforms.sonic.readback.database import Database, count, text_at
from fabricgen.platforms.sonic.readback.ports import DEFAULT_MTU, addresses, put_gateway
from fabricgen.readback.intended import octets
from fabricgen.readback.rows import Key, Value


def put_overlay(db: Database, conf: FrrConf) -> None:
    """Rows of all tables of the overlay."""
    vrfs: dict[int, str] = {}
    for name, row in db.rows("VRF").items():
        vni, line = count(row, "vni")
        vrfs[vni] = name
        db.put("vrf", name, "vni", vni, line)
        in_frr, line = conf.vrfs.get(name, (0, 0))
        if vni:
            text = f"VRF {name} in frr.conf: the same VNI"
            file, at = (conf.file, line) if line else (db.file, row.number)
            db.reading.put("line", text, "present", in_frr == vni, file, at)
    _put_tunnel(db)
    own = addresses(db, "VLAN_INTERFACE")
    mapped = _mapped(db)
    tenants: dict[str, str] = {}
    for vlan, (vni, line) in mapped.items():
        if vni in vrfs and vni:
            tenants[vlan] = vrfs[vni]
        else:
            db.put("vlan", vlan, "vni", vni, line)
            put_vni(conf, vlan, vni, conf.vnis[vni].line if vni in conf.vnis else 0, db.reading)
    _put_vlans(db, mapped, tenants)
    _put_gateways(db, tenants, own)


def _put_tunnel(db: Database) -> None:
    for row in db.rows("VXLAN_EVPN_NVO").values():
        source, _ = text_at(row, "source_vtep")
        address, line = text_at(db.row("VXLAN_TUNNEL", source), "src_ip")
        db.put("vtep", "", "address", address, line or row.number)
    db.rows("VXLAN_TUNNEL")


def _mapped(db: Database) -> dict[str, tuple[int, int]]:
    """VLAN → its VNI."""
    found: dict[str, tuple[int, int]] = {}
    for row in db.rows("VXLAN_TUNNEL_MAP").values():
        vni, line = count(row, "vni")
        found[text_at(row, "vlan")[0].removeprefix("Vlan")] = (vni, line)
    return found


def _put_vlans(db: Database, mapped: dict[str, tuple[int, int]], tenants: dict[str, str]) -> None:
    mtus: list[tuple[Value, int]] = []
    for name, row in db.rows("VLAN").items():
        vlan, line = count(row, "vlanid", number(name.removeprefix("Vlan")) or 0)
        if name != f"Vlan{vlan}":
            row.used = False
        status, _ = text_at(row, "admin_status")
        mtu, mtu_line = count(row, "mtu", DEFAULT_MTU)
        tenant = tenants.get(str(vlan))
        if tenant is None:
            db.say(f"VLAN {vlan}: {status or 'up'}", row)
            if str(vlan) not in mapped:
                db.put("vlan", str(vlan), "vni", 0, line)
            continue
        vrf, _ = text_at(db.row("VLAN_INTERFACE", name), "vrf_name")
        db.say(f"L3 VNI of VRF {tenant}: {status or 'up'}, in VRF {vrf}", row)
        mtus.append((mtu, mtu_line))
    found = rare_row(mtus, db.file)
    if found is not None:
        db.reading.add(Key("vtep", "", "mtu"), found)


def _put_gateways(db: Database, tenants: dict[str, str], own: dict[str, list[tuple[str, int]]]) -> None:
    shared = db.row("SAG", "GLOBAL")
    mac, line = text_at(shared, "gateway_mac")
    for key, row in db.rows("VLAN_INTERFACE").items():
        vlan = key.removeprefix("Vlan")
        if "|" in key or vlan in tenants:
            continue
        put_gateway(db, vlan, own)
        anycast, at = text_at(row, "static_anycast_gateway")
        db.put("gateway", vlan, "mac", octets(mac) if anycast == "true" else "", line if anycast == "true" else at)
