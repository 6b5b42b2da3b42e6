"""Build the fabric, or a part of it, on this Linux host: network namespaces, daemons and cables made from the plan."""
