"""Sound and WebRTC ends by aiortc, for servers and peers that tests talk to."""
