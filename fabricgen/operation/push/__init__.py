"""Options, site, preview and resume of a push: values for `cli/push`."""
