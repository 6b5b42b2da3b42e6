"""From Device to artifacts: text through templates."""
