"""What others wrote and plays for us: engines in processes of their own, course modules and Python files."""
