import COpenSSL

/// The start of the library, once in a process.
enum OpenSSL {
    /// Reads the machine's configuration, and leaves nothing to be done at the process's exit, where other threads may
    /// still encrypt. `csrtp_start` starts it the same way; whichever comes first decides.
    static let start: Void = {
        let options = UInt64(OPENSSL_INIT_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT)
        precondition(OPENSSL_init_ssl(options, nil) == 1, "OpenSSL starts")
    }()
}
