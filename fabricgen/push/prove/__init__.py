"""What a change must answer for: values before and after it, and the verdict. Nothing here acts."""
