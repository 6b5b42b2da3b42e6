"""From the Devices of a site to what each switch must show."""
