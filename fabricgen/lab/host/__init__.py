"""Parts of a lab on the Linux host: folders, records, programs, namespaces, daemons and files."""
