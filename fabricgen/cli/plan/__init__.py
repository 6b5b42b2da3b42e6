"""`fabricgen plan`."""
