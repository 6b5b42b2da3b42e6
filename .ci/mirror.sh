#!/bin/sh
# The mirror of Debian that this machine's own package sources name first, or nothing. `make lab-deps` takes from it
# what it unpacks beside the system, and a bare root is made of it. Run as root.
set -eu
mirror() {
    apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' |
        sed -n 's/^Debian //p' | head -n 1
}
found=$(mirror)
if [ -z "$found" ]; then  # whose a source is, is in its index
    apt-get -q update >/dev/null
    found=$(mirror)
fi
echo "$found"
