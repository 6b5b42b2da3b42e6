"""What the Linux systems share in reading back: frr.conf, the file of ifupdown2, and BGP as FRR takes it."""
