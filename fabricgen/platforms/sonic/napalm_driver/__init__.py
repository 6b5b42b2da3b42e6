"""A NAPALM-shaped driver for community SONiC (202505 and master) over SSH, by its generic config updater.

    driver = SonicDriver("leaf1", "admin", "", optional_args={"key_file": "id_ed25519"})
    with driver as leaf:
        leaf.load_replace_candidate(filename="config_db.json")
        leaf.load_files({"/etc/sonic/frr/frr.conf": text})
        print(leaf.compare_config())
        leaf.commit_config(message="second spine", revert_in=240)
        leaf.confirm_commit()

`optional_args`:

    port, key_file, passphrase, known_hosts, ssh_strict, ssh_config_file
                    of the connection, as napalm_frr has them: a host that known_hosts does not name is refused
    sudo            false: the login is root. Else commands run by `sudo -n`
    commit_seconds  that a commit may take; after them and a minute the switch reverts one whose client is gone (600)
    cli_any         true: `cli` runs every command. Else those that only read
    transport       "ssh" (default), or "local": the switch is this host
    root            local: folder that stands for / of the switch, for files

What it does on the switch. Loading checks the form of a candidate, and frr.conf's lines by `vtysh -C`. A commit starts
a transient timer of systemd that would end it, takes a checkpoint (`config checkpoint`) and sees that the updater would
go back to it, and gives the whole database to `config replace`; what is SONiC's own stays (live/target.py). frr.conf is
read by the bgp container when it starts, so another one restarts that container, which ends its sessions; but for
that while it stands on the disk only once the commit is kept. Unconfirmed, the timer calls `config rollback` and
restarts the container with the old file. Confirming writes frr.conf and what `config save` gives, each whole or not at
all, and stops the timer. A switch that starts again meanwhile starts with what was saved before.

No real switch has been asked: commands and the forms of their answers are those of the sources in
templates/sonic/NOTES.md, "Read and pushed".
"""

from fabricgen.platforms.sonic.napalm_driver.driver import SonicDriver

__all__ = ["SonicDriver"]
