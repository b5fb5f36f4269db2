"""Other programs that Kibitz serves, each in the words it knows."""
