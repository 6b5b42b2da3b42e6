"""A NAPALM driver for community SONiC (202505 to master) over SSH, based on its generic config updater.

    driver = SonicDriver("leaf1", "admin", "", optional_args={"key_file": "id_ed25519"})
    with driver as leaf:
        leaf.load_replace_candidate(filename="config_db.json")
        leaf.load_files({"/etc/sonic/frr/frr.conf": text})
        print(leaf.compare_config())
        leaf.commit_config(message="second spine", revert_in=240)
        leaf.confirm_commit()

`optional_args`:

    port, key_file, passphrase, known_hosts, ssh_strict, ssh_config_file
                    of the connection, as in napalm_frr: a host that known_hosts does not list is refused
    sudo            false: the login is root. Otherwise commands run with `sudo -n`
    commit_seconds  time that a commit may take; a minute later the switch reverts it if the client is gone (600)
    cli_any         true: `cli` runs every command. Otherwise only commands that read
    transport       "ssh" (default), or "local": the switch is this host
    root            local: folder used as / of the switch, for files

On the switch: loading checks the form of a candidate, and the lines of frr.conf with `vtysh -C`. A commit starts a
transient systemd timer that reverts it, takes a checkpoint (`config checkpoint`), checks that the updater could roll
back to it, and passes the whole database to `config replace`; SONiC's own tables are kept (live/target.py). The bgp
container reads frr.conf when it starts, so a changed file restarts the container, which ends its sessions. Except for
that time, the new file is on disk only after the commit is confirmed. If it is not confirmed, the timer runs `config
rollback` and restarts the container with the old file. Confirming writes frr.conf and the output of `config save`, each
atomically, and stops the timer. A switch that restarts in between starts with what was saved before.

Not yet tested on a real switch: commands and the forms of their outputs are those of the sources in
templates/sonic/NOTES.md, "Read and pushed".
"""

from fabricgen.platforms.sonic.napalm_driver.driver import SonicDriver

__all__ = ["SonicDriver"]
