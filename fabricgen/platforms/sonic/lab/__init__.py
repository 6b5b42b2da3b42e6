"""SONiC in a lab: from frr.conf, or the tables that frrcfgd reads, to FRR's lines."""
