"""What `verto_check.py` plays: a client that shares no line of signalling with the server."""
