"""A server of the Verto dialects of Telnyx and FreeSWITCH, for tests. `verto.py` beside this folder starts it."""
