"""What a comparison on a user's file shows: what each case cost with whom, the verdict, tables, figures, report."""
