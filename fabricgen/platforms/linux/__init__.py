"""What the Linux systems share: FRR's configuration, and names of the kernel."""
