import Base
import CSRTP
import PhoneCore

/// Owns one libsrtp session: the keys of one direction. They are wiped when it is freed. It cannot be copied.
///
/// For one thread at a time. A packet takes no lock and allocates nothing, because `CSRTP` makes OpenSSL compute
/// libsrtp's ciphers. Only the first packet of a new SSRC makes libsrtp allocate.
@safe
package struct SRTPSession: ~Copyable {
    package enum Direction: Equatable, Sendable {
        /// We send with this SSRC only.
        case outbound(source: UInt32)
        case inbound
    }

    package enum Refusal: Error, Equatable, Sendable {
        /// A wrong key, a forged or a damaged packet.
        case unauthenticated
        /// The packet was seen before, or is older than the window of 128 packets (RFC 3711 §3.3.2).
        case replayed
        case other(UInt32)
    }

    /// The most bytes that protection adds to a packet.
    package static let overhead = Int(SRTP_MAX_TRAILER_LEN)
    /// libsrtp must be initialised once in a process, by the first use of this value. It then tests its ciphers, which
    /// takes about 30 ms. `EventForwarder` does it beside the first call.
    private static let libraryStatus = csrtp_start()

    /// Initialises libsrtp, or waits until another thread has done so. Does nothing afterwards. Not for real-time
    /// threads. A failure is reported by the first call that needs a session.
    static func prepareLibrary() { _ = libraryStatus }

    private let raw: srtp_t
    /// Whether each packet names its key (MKI, RFC 3711 §3.1).
    private let namesKey: Bool

    /// - Parameter keyIdentifier: The key's name (MKI) in each packet. Empty: packets name no key.
    package init(
        _ suite: CryptoSuite, key: SecretBytes, keyIdentifier: [UInt8] = [], _ direction: Direction
    ) throws(MediaError) {
        guard key.count == suite.keyLength else { throw .badPlan("a key of \(key.count) octets") }
        guard Self.libraryStatus == srtp_err_status_ok else {
            throw .library("libsrtp cannot start", Int32(Self.libraryStatus.rawValue))
        }
        let ssrc =
            switch direction {
            case .outbound(let source): srtp_ssrc_t(type: ssrc_specific, value: source)
            case .inbound: srtp_ssrc_t(type: ssrc_any_inbound, value: 0)
            }
        var made: srtp_t?
        let status = unsafe Self.withPolicy(suite, key, keyIdentifier, ssrc) { unsafe srtp_create(&made, $0) }
        guard status == srtp_err_status_ok, let made = unsafe made else {
            throw .library("no SRTP session", Int32(status.rawValue))
        }
        unsafe raw = made
        namesKey = !keyIdentifier.isEmpty
    }

    deinit { _ = unsafe srtp_dealloc(raw) }

    /// Allocates what the first packet of this SSRC needs, for a session that receives. The key is the session's own. If
    /// it fails, the first packet allocates.
    mutating func expect(_ source: UInt32, _ suite: CryptoSuite, key: SecretBytes, keyIdentifier: [UInt8]) {
        let ssrc = srtp_ssrc_t(type: ssrc_specific, value: source)
        _ = unsafe Self.withPolicy(suite, key, keyIdentifier, ssrc) { unsafe srtp_add_stream(raw, $0) }
    }

    private static func withPolicy(
        _ suite: CryptoSuite, _ key: SecretBytes, _ keyIdentifier: [UInt8], _ ssrc: srtp_ssrc_t,
        _ use: (UnsafeMutablePointer<srtp_policy_t>) -> srtp_err_status_t
    ) -> srtp_err_status_t {
        var policy = unsafe srtp_policy_t()
        unsafe suite.choose(&policy.rtp, &policy.rtcp)
        unsafe policy.ssrc = ssrc
        var identifier = keyIdentifier
        return unsafe key.withBytes { bytes in
            // libsrtp only reads the key. What it derives from the key is wiped when the session is freed.
            let octets = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
            return unsafe identifier.withUnsafeMutableBufferPointer { identifier in
                var master = unsafe srtp_master_key_t(
                    key: octets, mki_id: identifier.baseAddress, mki_size: UInt32(identifier.count))
                return unsafe withUnsafeMutablePointer(to: &master) { master in
                    var keys: UnsafeMutablePointer<srtp_master_key_t>? = unsafe master
                    return unsafe withUnsafeMutablePointer(to: &keys) { keys in
                        if identifier.isEmpty {
                            unsafe policy.key = octets
                        } else {
                            unsafe (policy.keys, policy.num_master_keys) = (keys, 1)
                        }
                        return unsafe use(&policy)
                    }
                }
            }
        }
    }

    /// Encrypts and authenticates the RTP packet in the first `count` bytes. `overhead` free bytes must follow it.
    /// - Returns: Its new length.
    package mutating func protect(_ packet: inout MutableSpan<UInt8>, count: Int) throws(Refusal) -> Int {
        precondition(packet.count >= count + Self.overhead, "room for the tag")
        return unsafe try transform(&packet, count: count) { bytes, length in unsafe srtp_protect(raw, bytes, length) }
    }

    package mutating func protectControl(_ packet: inout MutableSpan<UInt8>, count: Int) throws(Refusal) -> Int {
        precondition(packet.count >= count + Self.overhead, "room for the tag")
        return unsafe try transform(&packet, count: count) { bytes, length in
            unsafe srtp_protect_rtcp(raw, bytes, length)
        }
    }

    /// Checks and decrypts the first `count` bytes in place.
    /// - Returns: The remaining length.
    package mutating func unprotect(_ packet: inout MutableSpan<UInt8>, count: Int) throws(Refusal) -> Int {
        unsafe try transform(&packet, count: count) { bytes, length in
            unsafe srtp_unprotect_mki(raw, bytes, length, namesKey ? 1 : 0)
        }
    }

    package mutating func unprotectControl(_ packet: inout MutableSpan<UInt8>, count: Int) throws(Refusal) -> Int {
        unsafe try transform(&packet, count: count) { bytes, length in
            unsafe srtp_unprotect_rtcp_mki(raw, bytes, length, namesKey ? 1 : 0)
        }
    }

    private func transform(
        _ packet: inout MutableSpan<UInt8>, count: Int,
        with library: (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>) -> srtp_err_status_t
    ) throws(Refusal) -> Int {
        var length = Int32(count)
        let status = unsafe packet.withUnsafeMutableBytes { unsafe library($0.baseAddress, &length) }
        switch status {
        case srtp_err_status_ok: return Int(length)
        case srtp_err_status_auth_fail: throw .unauthenticated
        case srtp_err_status_replay_fail, srtp_err_status_replay_old: throw .replayed
        case let other: throw .other(UInt32(other.rawValue))
        }
    }
}

extension CryptoSuite {
    /// Sets libsrtp's policies for this suite. A short tag is for voice only: RTCP packets keep 80 bits (RFC 4568
    /// §6.2.2).
    func choose(_ voice: inout srtp_crypto_policy_t, _ control: inout srtp_crypto_policy_t) {
        switch self {
        case .aes128Tag80, .aes128Tag32: unsafe srtp_crypto_policy_set_rtp_default(&control)
        case .aes256Tag80, .aes256Tag32: unsafe srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80(&control)
        case .gcm128: unsafe srtp_crypto_policy_set_aes_gcm_128_16_auth(&control)
        case .gcm256: unsafe srtp_crypto_policy_set_aes_gcm_256_16_auth(&control)
        }
        switch self {
        case .aes128Tag80, .aes256Tag80, .gcm128, .gcm256: voice = control
        case .aes128Tag32: unsafe srtp_crypto_policy_set_aes_cm_128_hmac_sha1_32(&voice)
        case .aes256Tag32: unsafe srtp_crypto_policy_set_aes_cm_256_hmac_sha1_32(&voice)
        }
    }
}
