#!/bin/sh
# Print the first Debian mirror of this machine's package sources; nothing if there is none. `make lab-deps` downloads
# from it what is unpacked without installation, and `bare.sh` its root file system. Run as root.
set -eu
mirror() {
    apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' |
        sed -n 's/^Debian //p' | head -n 1
}
found=$(mirror)
if [ -z "$found" ]; then  # only the index says that a source is Debian's
    apt-get -q update >/dev/null
    found=$(mirror)
fi
echo "$found"
