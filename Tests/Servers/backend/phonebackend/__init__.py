"""The reference backend of the phone: a test server, not for production."""
