"""How people reach it: one module a verb, each parses, calls one function and prints."""
