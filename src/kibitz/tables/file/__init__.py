"""The file of a table: what is in it, how it is packed, and to which game it belongs."""
