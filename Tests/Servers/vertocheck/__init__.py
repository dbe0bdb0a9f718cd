"""The client of `verto_check.py`, which shares no line of signalling with the server."""
