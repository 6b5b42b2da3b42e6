"""What the fabric carries, whole and with links or switches missing, and how traffic is spread."""
