"""Kibitz in a browser: a local web application and the interface behind it."""
