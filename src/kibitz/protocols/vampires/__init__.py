"""Vampires against werewolves over TCP, in the course's protocol: the server and the client."""
