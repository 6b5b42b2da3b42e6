"""Names, addresses, AS numbers and tenants: enough of each, each once, and as the lock has them."""
