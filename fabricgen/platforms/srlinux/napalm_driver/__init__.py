"""A NAPALM driver for Nokia SR Linux 25.3, over its JSON-RPC server (`/jsonrpc`, HTTPS).

    from fabricgen.platforms.srlinux.napalm_driver import SRLinuxDriver

    with SRLinuxDriver("leaf1", "admin", "", optional_args={"ca_file": "authority.pem"}) as leaf:
        leaf.load_replace_candidate(filename="config.json")
        print(leaf.compare_config())
        leaf.commit_config(message="second spine", revert_in=60)
        leaf.confirm_commit()

`optional_args`:

    ca_file     file with the certificates of trusted authorities; by default those of the system
    context     an ssl.SSLContext instead, with all TLS settings
    ssl_verify  false accepts any certificate
    transport   "https" (default), or "http" for a switch in a container of this host: the password is not protected
    port        443, or 80 for http

`cli` takes YANG paths, not commands of SR Linux's CLI, and only reads:

    /system/lldp               the datastore `state`: configuration and state
    running /interface[name=*] the datastore `running`: configuration only

With "json" the answers are parsed, with "text" they are JSON with an indentation of two. Secrets are masked in both.
The paths of one call are one request, which fails if the switch does not know one of them.

On the switch: getters only read. A candidate is kept in the driver, nothing of it on the switch, which validates it
when it is loaded. A replacing configuration keeps `/system/json-rpc-server` and `/system/tls` as they run unless it
contains them: without them a commit could not be confirmed. A commit is one transaction. Before each commit, a
checkpoint of what runs is made, whose name identifies the commit later; a switch keeps its ten newest checkpoints by
default. The startup configuration is written only when a commit is kept.

A candidate is JSON: an object as `save file` writes it; or, to merge, {"replaces": [{"path": …, "value": …}]} to
replace what is under a path. Annotations (`_annotate`) are lost when an earlier configuration is restored.

Beyond NAPALM's methods: `pending_checkpoint`, `reject_commit`.
"""

from fabricgen.platforms.srlinux.napalm_driver.driver import SRLinuxDriver

__all__ = ["SRLinuxDriver"]
