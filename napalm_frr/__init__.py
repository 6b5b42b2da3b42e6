"""A NAPALM driver for FRRouting, found by `napalm.get_network_driver("frr")`.

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
    lldp_socket  socket of lldpd, where it is not its own default
    commit_seconds  after which the switch reverts a commit whose client is gone (default 4 * timeout + 30)
    sudo         true: commands run by `sudo -n timeout`, for a login that is not root and may run any command so
    cli_any      true: `cli` passes every command to vtysh, `clear bgp *` and `configure` among them. Else it takes
                 `show …`, of the programs `ip`, `bridge`, `tc`, `nft`, `sysctl`, `lldpcli` and `ping` what only reads,
                 and `cat` of the files of programs.py
    probe        false: opening asks FRR nothing; `answers` tells where it is away

    namespace    local: name of a network namespace (`ip netns`), or path of its file
    uts, mount   local: paths of files of a UTS and of a mount namespace

    port         ssh: 22
    key_file     ssh: private key; `passphrase` opens it. Without key and password, agent and default keys serve
    known_hosts  ssh: file of host keys (default: the user's own, then /etc/ssh/ssh_known_hosts). A host that it does
                 not name is refused
    ssh_strict   ssh: false accepts any host key
    ssh_config_file  ssh: HostName, Port, User, IdentityFile and ProxyCommand are taken from it

What it does on the switch: getters only read. Loading a candidate has its syntax checked there by `vtysh -C`; nothing
changes. A commit runs under a guard, a process of the switch itself that puts back what was when the client goes away,
when a line is refused, or when a timed commit is not confirmed; the startup file is written only when a commit is kept.
A guard that was killed leaves a commit that nobody ends: no other begins until `rollback()` has put back what was.
A full disk refuses a commit, or undoes it.
Written for FRR 8.4: integrated configuration (`service integrated-vtysh-config`), frr-reload.py, flock and setsid.

Beyond NAPALM's methods, a candidate that replaces may carry `/etc/network/interfaces` of ifupdown2 and
`/etc/sysctl.d/90-fabric.conf`, which go the same way as frr.conf:

    leaf.load_replace_candidate(filename="frr.conf")
    leaf.load_files({"/etc/network/interfaces": interfaces, "/etc/sysctl.d/90-fabric.conf": settings})
    leaf.commit_config(message="a tenant", revert_in=300)
    leaf.pending_message()                                      # "a tenant"; None once it is confirmed or reverted
    leaf.confirm_commit()
    leaf.read_files(["/etc/network/interfaces"])

Applied are settings, interfaces, frr.conf, and what differs alone. Until the commit is kept the files stand as they
stood: ifreload sees the new one through a mount of its own, so a switch that starts again meanwhile starts with the
old ones, and so does an `ifup` or `ifreload` that somebody else runs. What ifupdown2 or sysctl says to a new file and
not to the old one undoes the commit; so does what `ifquery --check` then finds and did not find before.
That needs ifupdown2 3.0 without its daemon (`use_daemon=no`, as Debian ships it), a file at /etc/network/interfaces,
procps' sysctl, iproute2, and a root that may mount (unshare).
"""

from napalm_frr.driver import FRRDriver

__all__ = ["FRRDriver"]
