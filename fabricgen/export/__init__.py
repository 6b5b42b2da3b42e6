"""The plan as text of other tools: containerlab topologies, Nornir and Ansible inventories."""
