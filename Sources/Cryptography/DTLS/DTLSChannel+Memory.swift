import COpenSSL
import Glibc

/// The data that OpenSSL's callbacks need about their association.
extension DTLSChannel {
    struct Memory {
        let fingerprints: [[UInt8]]
        let firstWait: UInt32
        let cookie: [UInt8]
        /// The certificate is not one of the expected.
        var isOther = false

        init(_ settings: Settings) {
            fingerprints = settings.fingerprints
            firstWait = UInt32(clamping: Int64(settings.firstWait / .microseconds(1)))
            cookie = settings.cookie
        }
    }

    /// OpenSSL reserves this index for the program ("app data").
    static let memoryPlace: Int32 = 0
    /// The longest time between two repetitions, in microseconds.
    private static let longestWait: UInt32 = 3_200_000

    private static func memory(of ssl: OpaquePointer?) -> UnsafeMutablePointer<Memory>? {
        unsafe SSL_get_ex_data(ssl, memoryPlace)?.assumingMemoryBound(to: Memory.self)
    }

    /// Whether the certificate is one of the expected. This replaces OpenSSL's whole verification.
    static func accepts(_ verification: OpaquePointer?) -> Bool {
        let place = SSL_get_ex_data_X509_STORE_CTX_idx()
        let ssl = unsafe X509_STORE_CTX_get_ex_data(verification, place).map { OpaquePointer($0) }
        let shown = unsafe X509_STORE_CTX_get0_cert(verification).flatMap { unsafe Certificate($0) }
        guard let memory = unsafe memory(of: ssl), let fingerprint = shown?.fingerprint,
            unsafe memory.pointee.fingerprints.contains(where: { OpenSSL.isSame($0, fingerprint) })
        else {
            unsafe memory(of: ssl)?.pointee.isOther = true
            unsafe X509_STORE_CTX_set_error(verification, X509_V_ERR_APPLICATION_VERIFICATION)
            return false
        }
        return true
    }

    static func makeCookie(
        _ ssl: OpaquePointer?, _ cookie: UnsafeMutablePointer<UInt8>?, _ count: UnsafeMutablePointer<UInt32>?
    ) -> Int32 {
        guard let memory = unsafe memory(of: ssl), let cookie = unsafe cookie, let count = unsafe count else {
            return 0
        }
        let own = unsafe memory.pointee.cookie
        unsafe cookie.update(from: own, count: own.count)
        unsafe count.pointee = UInt32(own.count)
        return 1
    }

    static func isOwnCookie(_ ssl: OpaquePointer?, _ cookie: UnsafePointer<UInt8>?, _ count: UInt32) -> Int32 {
        guard let memory = unsafe memory(of: ssl), let cookie = unsafe cookie else { return 0 }
        let sent = unsafe Array(UnsafeBufferPointer(start: cookie, count: Int(count)))
        return unsafe OpenSSL.isSame(memory.pointee.cookie, sent) ? 1 : 0
    }

    /// Microseconds until the next repetition, given the last wait.
    static func wait(_ ssl: OpaquePointer?, after last: UInt32) -> UInt32 {
        guard last > 0 else { return unsafe memory(of: ssl)?.pointee.firstWait ?? longestWait }
        return min(last * 2, longestWait)
    }
}
