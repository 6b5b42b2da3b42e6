"""Render a Device to artifacts: text through templates."""
