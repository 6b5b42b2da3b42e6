"""The plan in the formats of other tools: containerlab topologies, Nornir and Ansible inventories."""
