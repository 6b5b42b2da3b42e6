"""Community SONiC, read back."""
