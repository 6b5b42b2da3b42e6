"""A driver in NAPALM's shape for Nokia SR Linux 25.3, over its JSON-RPC server (`/jsonrpc`, HTTPS).

    from fabricgen.platforms.srlinux.napalm_driver import SRLinuxDriver

    with SRLinuxDriver("leaf1", "admin", "", optional_args={"ca_file": "authority.pem"}) as leaf:
        leaf.load_replace_candidate(filename="config.json")
        print(leaf.compare_config())
        leaf.commit_config(message="second spine", revert_in=60)
        leaf.confirm_commit()

`optional_args`:

    ca_file     certificates of the authorities that are trusted, in a file; without, those of the system
    context     an ssl.SSLContext instead, which decides all of TLS
    ssl_verify  false takes any certificate
    transport   "https" (default), or "http" for a switch in a container of this host: the password is not protected
    port        443, or 80 for http

`cli` takes paths of YANG, not commands of SR Linux's CLI, and only reads:

    /system/lldp               the datastore `state`: configuration and state
    running /interface[name=*] the datastore `running`: configuration alone

As "json" the answers are parsed, as "text" they are JSON with an indentation of two. Secrets are masked in both. Paths
of one call are one request, and one that the switch does not know fails it.

What it does on the switch: getters only read. A candidate is held here, and nothing of it on the switch, which
validates it when it is loaded. A configuration that replaces keeps `/system/json-rpc-server` and `/system/tls` as they
run where it does not say them: it could not be confirmed without. A commit is one transaction. Before each, a
checkpoint of what runs is made, by whose name the commit is known again; a switch keeps its ten newest, by default.
The startup configuration is written only when a commit is kept.

A candidate is JSON: an object as `save file` writes it; or, to merge, {"replaces": [{"path": …, "value": …}]} for what
stands under a path to be replaced. Remarks (`_annotate`) are lost where a configuration that ran is put back.

Beyond NAPALM's methods: `pending_checkpoint`, `reject_commit`.
"""

from fabricgen.platforms.srlinux.napalm_driver.driver import SRLinuxDriver

__all__ = ["SRLinuxDriver"]
