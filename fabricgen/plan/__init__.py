"""From an intent and its lock to numbers: places, cables, addresses, AS numbers, tenants."""
