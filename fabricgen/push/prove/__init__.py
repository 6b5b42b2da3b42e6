"""What a change is responsible for: values before and after it, and the verdict. Nothing here acts."""
