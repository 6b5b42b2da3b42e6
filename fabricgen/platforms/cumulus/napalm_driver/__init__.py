"""A driver with NAPALM's interface for NVIDIA Cumulus Linux 5.11: SSH, and NVUE's own transactions by the command `nv`.

    from fabricgen.platforms.cumulus.napalm_driver import CumulusDriver

    with CumulusDriver("leaf1", "admin", "", optional_args={"key_file": "id_ed25519"}) as leaf:
        leaf.load_replace_candidate(filename="startup.yaml")
        print(leaf.compare_config())
        leaf.commit_config(message="second spine", revert_in=120)
        leaf.confirm_commit()

`optional_args`:

    transport    "ssh" (default), or "local": the switch is this host
    sudo         whether vtysh, iproute2 and lldpcli are run by `sudo -n timeout`; default true, except for root. The
                 login must be allowed to run any command that way without a password; `nv` runs without sudo
    commit_seconds  time limit of one `nv config apply`; default 4 * timeout + 60
    settle_seconds  time limit after an apply or a confirmation until NVUE has finished the revision; default timeout

    port, key_file, passphrase, known_hosts, ssh_strict, ssh_config_file  as in napalm_frr: a host whose key is not
                 known is refused unless `ssh_strict` is false

Commands: `nv config detach`, `nv config replace FILE` or `patch FILE` (mktemp creates the file for the account alone,
and it is removed at once), `nv config diff`, `nv config apply --assume-yes [--confirm MINUTES] -m MESSAGE`, `nv config
apply REVISION --confirm-yes` or `--confirm-no`, `nv config save`, `nv config revision -o json`, `nv config show`.
Sources, 2026-11-22: NVIDIA's 511 NVUE CLI (CumulusNetworks/docs 0bbf81aa) and NVUE reference, Config Commands
(0defdbf3); `--confirm-yes`, `--confirm-no`, the state `confirm` of a waiting revision and `parent-revision-id` from the
public driver david-pili/napalm-cumulus (4a22064e), and from a user's log of a switch: a waiting revision is `confirm`,
and stays so after `nv config apply REVISION` without `--confirm-yes`; other states: nvue.py. `Message` is a column of
`nv config revision` (reference); `message` for its JSON is the REST API's name. No switch was available: a push with
this driver is unproven.

Secrets: configurations and differences that `cli`, `compare_config` and a sanitized `get_config` return have none;
errors contain none of the candidate's.
"""

from fabricgen.platforms.cumulus.napalm_driver.driver import CumulusDriver

__all__ = ["CumulusDriver"]
