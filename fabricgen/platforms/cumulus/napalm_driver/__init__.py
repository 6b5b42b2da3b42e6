"""A NAPALM-shaped driver for NVIDIA Cumulus Linux 5.11: SSH, and NVUE's own transactions by the command `nv`.

    from fabricgen.platforms.cumulus.napalm_driver import CumulusDriver

    with CumulusDriver("leaf1", "admin", "", optional_args={"key_file": "id_ed25519"}) as leaf:
        leaf.load_replace_candidate(filename="startup.yaml")
        print(leaf.compare_config())
        leaf.commit_config(message="second spine", revert_in=120)
        leaf.confirm_commit()

`optional_args`:

    transport    "ssh" (default), or "local": the switch is this host
    sudo         whether vtysh, iproute2 and lldpcli are run by `sudo -n timeout`; default true but for root. The login
                 must be allowed to run any command so without a password; `nv` is run without
    commit_seconds  that one `nv config apply` may take; default 4 * timeout + 60
    settle_seconds  after an apply or a confirmation until NVUE has ended with the revision; default timeout

    port, key_file, passphrase, known_hosts, ssh_strict, ssh_config_file  as of napalm_frr: a host whose key is not
                 known is refused unless `ssh_strict` is false

What it does: `nv config detach`, `nv config replace FILE` or `patch FILE` (the file is made by mktemp for the account
alone and removed at once), `nv config diff`, `nv config apply --assume-yes [--confirm MINUTES] -m MESSAGE`, `nv config
apply REVISION --confirm-yes` or `--confirm-no`, `nv config save`, `nv config revision -o json`, `nv config show`.
Sources, 2026-11-22: NVIDIA's 511 NVUE CLI (CumulusNetworks/docs 0bbf81aa) and NVUE reference, Config Commands
(0defdbf3); `--confirm-yes`, `--confirm-no`, the state `confirm` of a revision that waits and `parent-revision-id` from
the public driver david-pili/napalm-cumulus (4a22064e), and from the log of a switch by one who used it: what waits is
`confirm`, and stays so after `nv config apply REVISION` without `--confirm-yes`; other states: nvue.py. `Message` is a
column of `nv config revision` (reference), that its JSON calls it `message` is the REST API's word. No switch was at
hand: push with it is unproven.

Secrets: configurations and differences that `cli`, `compare_config` and a sanitized `get_config` return have none;
errors have none of the candidate's.
"""

from fabricgen.platforms.cumulus.napalm_driver.driver import CumulusDriver

__all__ = ["CumulusDriver"]
