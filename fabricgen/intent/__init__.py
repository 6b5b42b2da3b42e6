"""What a person may say: schema, loader, rules across keys."""
