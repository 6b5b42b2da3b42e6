"""Two states of a site to a difference: classes of similar changes, their risk, and their blast radius."""
