"""Sound and WebRTC ends by aiortc, for test servers and peers."""
