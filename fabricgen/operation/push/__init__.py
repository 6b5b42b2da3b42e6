"""What a push is asked, what it needs, what it would do, and whether a killed run may go on: values for `cli/push`."""
