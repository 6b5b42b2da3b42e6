"""Names, addresses, AS numbers and tenants: enough of each, each unique, and as in the lock."""
