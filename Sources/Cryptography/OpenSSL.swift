import COpenSSL
import Glibc
import Platform

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

/// Why OpenSSL refused something, in its own words: "certificate verify failed: certificate has expired".
package struct OpenSSLError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
    /// The far end's certificate was refused because it has expired, or is not valid yet.
    package let isOutOfDate: Bool
    /// The far end supports only versions of TLS that are not supported here: those before 1.2 (RFC 8996).
    package let isOldVersion: Bool

    package init(_ description: String, isOutOfDate: Bool = false, isOldVersion: Bool = false) {
        (self.description, self.isOutOfDate, self.isOldVersion) = (description, isOutOfDate, isOldVersion)
    }

    /// The oldest error of this thread's error queue, which is empty afterwards.
    ///
    /// The oldest error is nearest to the cause; later ones name the functions that passed it on.
    static func queued() -> OpenSSLError {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return OpenSSLError("the connection was cut") }
        // The system's errors carry `errno` below the highest bit (openssl/err.h).
        if code & systemFlag != 0 {
            return OpenSSLError(SystemError.text(Int32(truncatingIfNeeded: code & ~systemFlag)))
        }
        guard let reason = unsafe ERR_reason_error_string(code) else {
            return OpenSSLError("error " + String(code, radix: 16))
        }
        return OpenSSLError(unsafe String(cString: reason), isOldVersion: isOldVersion(code))
    }

    /// Whether the far end refused our versions by its alert 70 (RFC 8446 §6.2), or chose one that is refused here.
    private static func isOldVersion(_ code: UInt) -> Bool {
        let (library, reason) = (code >> 23 & 0xFF, Int32(code & 0x7F_FFFF))
        return library == UInt(ERR_LIB_SSL)
            && [SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_WRONG_SSL_VERSION].contains(
                reason)
    }

    private static let systemFlag: UInt = 1 << 31
}
