"""A NAPALM driver for FRRouting, returned by `napalm.get_network_driver("frr")`.

    from napalm import get_network_driver

    driver = get_network_driver("frr")
    with driver("leaf1", "admin", "", optional_args={"key_file": "id_ed25519"}) as leaf:
        leaf.load_replace_candidate(filename="frr.conf")
        print(leaf.compare_config())
        leaf.commit_config(message="second spine", revert_in=60)
        leaf.confirm_commit()

`optional_args`:

    transport    "ssh" (default), or "local": the switch is this host, or namespaces of it
    state_dir    folder on the switch for rollback and log; default /var/lib/napalm-frr/<pathspace or "default">
    pathspace    name given to FRR's daemons by -N
    lldp_socket  socket of lldpd, if it is not lldpd's default
    commit_seconds  after which the switch reverts a commit whose client is gone (default 4 * timeout + 30)
    sudo         true: commands run by `sudo -n timeout`, for a login that is not root and may run any command this way
    cli_any      true: `cli` passes every command to vtysh, including `clear bgp *` and `configure`. Otherwise it
                 accepts `show …`, read-only commands of the programs `ip`, `bridge`, `tc`, `nft`, `sysctl`, `lldpcli`
                 and `ping`, and `cat` of the files in programs.py
    probe        false: opening does not check that FRR answers; `answers` reports it

    namespace    local: name of a network namespace (`ip netns`), or path of its file
    uts, mount   local: paths of files of a UTS and of a mount namespace

    port         ssh: 22
    key_file     ssh: private key; `passphrase` opens it. Without key and password, agent and default keys are used
    known_hosts  ssh: file of host keys (default: the user's own, then /etc/ssh/ssh_known_hosts). A host that is not in
                 it is refused
    ssh_strict   ssh: false accepts any host key
    ssh_config_file  ssh: HostName, Port, User, IdentityFile and ProxyCommand are taken from it

Effects on the switch: getters only read. Loading a candidate checks its syntax there by `vtysh -C`; nothing changes.
A commit runs under a guard, a process on the switch itself that restores the previous configuration when the client
disconnects, when a line is refused, or when a timed commit is not confirmed; the startup file is written only when a
commit is kept. If the guard is killed, its commit remains unfinished: no other can begin until `rollback()` has
restored the previous configuration. A full disk makes the driver refuse a commit, or undo it.
Written for FRR 8.4: integrated configuration (`service integrated-vtysh-config`), frr-reload.py, flock and setsid.

Beyond NAPALM's methods, a replace candidate may include `/etc/network/interfaces` of ifupdown2 and
`/etc/sysctl.d/90-fabric.conf`, which are committed in the same way as frr.conf:

    leaf.load_replace_candidate(filename="frr.conf")
    leaf.load_files({"/etc/network/interfaces": interfaces, "/etc/sysctl.d/90-fabric.conf": settings})
    leaf.commit_config(message="a tenant", revert_in=300)
    leaf.pending_message()                                      # "a tenant"; None once it is confirmed or reverted
    leaf.confirm_commit()
    leaf.read_files(["/etc/network/interfaces"])

Settings, interfaces and frr.conf are applied in this order, each only if it differs. Until the commit is kept the files
themselves do not change: ifreload sees the new one through a mount of its own, so a switch that reboots meanwhile
starts with the old files, and an `ifup` or `ifreload` that somebody else runs uses them too. Errors that ifupdown2 or
sysctl reports for a new file and not for the old one undo the commit; so do differences that `ifquery --check` reports
after it and did not report before.
This needs ifupdown2 3.0 without its daemon (`use_daemon=no`, as Debian ships it), a file at /etc/network/interfaces,
procps' sysctl, iproute2, and root with permission to mount (unshare).
"""

from napalm_frr.driver import FRRDriver

__all__ = ["FRRDriver"]
