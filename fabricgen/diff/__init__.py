"""Two states of a site to what a reviewer must know: classes of like changes, their risk, and whom they reach."""
