"""Who is better, and how sure are we: matches, tournaments, ratings, records."""
