"""What a lab has of the Linux host: folders, records, programs, namespaces, daemons and files."""
