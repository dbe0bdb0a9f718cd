import COpenSSL

/// The start of the library, once in a process.
enum OpenSSL {
    /// Reads the machine's configuration, and leaves no work for the process's exit, when other threads may still
    /// encrypt. `csrtp_start` starts it the same way; the first of the two decides.
    static let start: Void = {
        let options = UInt64(OPENSSL_INIT_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT)
        precondition(OPENSSL_init_ssl(options, nil) == 1, "OpenSSL starts")
    }()

    /// Takes all bytes out of a memory BIO.
    static func takeBytes(of memory: OpaquePointer) -> [UInt8] {
        let count = unsafe BIO_ctrl_pending(memory)
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = Int(max(0, unsafe BIO_read(memory, buffer.baseAddress, Int32(clamping: count))))
        }
    }

    /// Compares bytes in a time that does not reveal where they differ.
    static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        unsafe one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }
}
