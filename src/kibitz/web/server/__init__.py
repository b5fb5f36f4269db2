"""The server: its address, pages and socket, who may speak to it, and what all sessions share."""
