import COpenSSL
import Glibc
import Platform

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
