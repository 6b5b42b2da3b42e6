"""Intents of the benchmark's backend from 1,024 to 1,048,576 GPUs: the same switches, every port in use.

A pod is 8 scalable units of 64 DGX H100: 64 leaves of one rail each, 64 spines. Superspines of a core group are as many
as their ports ask for. A million GPUs are 8 fabrics of 131,072, as three tiers of these switches end at 524,288.
"""

from typing import NamedTuple


class Size(NamedTuple):
    """One size of the curve.

    fabrics  equal ones beside each other, each with its own servers
    servers  of each of them, 8 GPUs a server
    spines   of a pod; cores: superspines of a core group, 0 with two tiers
    """

    gpus: int
    fabrics: int
    servers: int
    spines: int
    cores: int

    @property
    def switches(self) -> int:
        """Switches by counting: a leaf has 64 NICs and 64 uplinks, a superspine 128 ports."""
        leaves = self.servers * 8 // 64
        pods = leaves // 64
        above = pods * self.spines + self.spines * self.cores if self.cores else self.spines
        return self.fabrics * (leaves + above)


SIZES = (
    Size(1_024, 1, 128, 8, 0),
    Size(8_192, 1, 1_024, 64, 0),
    Size(16_384, 1, 2_048, 64, 2),
    Size(102_400, 1, 12_800, 64, 16),
    Size(524_288, 1, 65_536, 64, 64),
    Size(1_048_576, 8, 16_384, 64, 16),
)
"""Of the core groups those with parallel links take the next power of two, as each pair has equally many."""


class System(NamedTuple):
    """What the switches of a site are, and what of the intent their system can do.

    management  lines of its own
    traps       of SNMP
    """

    title: str
    model: str
    os: str
    management: str
    traps: str
    load_balancing: str


EOS = System(
    title="EOS",
    model="arista-7060x6-64pe",
    os="eos-4.34",
    management="""  users: {admin: {role: network-admin, password: "${env:ADMIN_HASH}"}}
  eapi: {certificate: fabric}
""",
    traps=", traps: [172.16.0.9]",
    load_balancing="dlb-flowlet",
)
SONIC = System(
    title="SONiC",
    model="nvidia-sn5600",
    os="sonic-master",
    management="",
    traps="",
    load_balancing="ecmp",
)
"""The release whose files are JSON alone, on a box of 64 cages that two ports share."""

HEAD = """fabricgen: 1
site: bench
cables: {default: {server_leaf: 5, leaf_spine: 40}}
management:
  vrf: MGMT
  oob: 172.16.0.0/14
  gateway: 172.16.0.1
  domain: bench.example.net
  dns: [172.16.0.2]
  ntp: [172.16.0.5, 172.16.0.6]
  syslog: [172.16.0.8]
MANAGEMENT  aaa: {tacacs: [172.16.0.7], key: "${env:TACACS_KEY}"}
  snmp: {user: monitor, auth: "${env:SNMP_AUTH}", privacy: "${env:SNMP_PRIVACY}", location: benchTRAPS}
  gnmi: {port: 6030, certificate: fabric}
  sflow: {collectors: [172.16.0.10], sample: 65536}
"""


def intent(size: Size, system: System = EOS) -> str:
    """Text of the intent of a size."""
    groups = "".join(
        f"  train{at}: {{model: dgx-h100, slots: 0-{size.servers - 1}, planned: {size.servers}}}\n"
        for at in range(size.fabrics)
    )
    fabrics = "".join(_fabric(size, at, system) for at in range(size.fabrics))
    head = HEAD.replace("MANAGEMENT", system.management).replace("TRAPS", system.traps)
    return f"{head}servers:\n{groups}fabrics:\n{fabrics}"


def _fabric(size: Size, at: int, system: System) -> str:
    pods = (
        f"      units_per_pod: 8\n      superspines: {{now: {size.cores}, planned: {size.cores}}}\n"
        if size.cores
        else ""
    )
    switch = f"{{model: {system.model}, os: {system.os}}}"
    superspine = f"    superspine: {switch}\n" if size.cores else ""
    # 524,288 GPUs in one fabric need the whole of 10.0.0.0/8; eight fabrics have a /12 of it each.
    ipv4 = f"10.{16 * (at + 1)}.0.0/12" if size.fabrics > 1 else "10.0.0.0/8"
    ipv6 = f"fd5e:8c1f:2a{at}0::/44" if size.fabrics > 1 else "fd5e:8c1f:2a00::/40"
    return f"""  backend{at}:
    kind: backend
    prefix: be{at}
    connects: {{train{at}: compute}}
    topology:
      design: rail-optimized
      rails_per_leaf: 1
      spines: {{now: {size.spines}, planned: {size.spines}}}
{pods}    leaf: {switch}
    spine: {switch}
{superspine}    addressing: {{links: [ipv4, ipv6], hosts: ipv4, ipv4: {ipv4}, ipv6: "{ipv6}"}}
    asns: 42{10 + at}000000-42{10 + at}999999
    transport: roce-lossless
    roce: {{marking: nvidia, ecn: formula}}
    load_balancing: {system.load_balancing}
"""
