import Base
import CSRTP
import PhoneCore
import RTPCore

/// The keys for sending. A key keeps its sessions for as long as the call lasts, and with them the rollover counter and
/// the index of RTCP: see `CallKeys`.
///
/// RTP and RTCP have indices of their own (RFC 3711 §3.2.1), so each has a libsrtp session, for one thread.
/// `@unchecked Sendable`: after the keys are passed on, each thread uses only its own session.
final class SendKeys: @unchecked Sendable {
    let fingerprint: Int
    /// Audio thread only.
    var voice: SRTPSession
    /// Network thread only.
    var control: SRTPSession

    init(_ master: NegotiatedMedia.MasterKeys, source: UInt32) throws(MediaError) {
        let voice = try SRTPSession(master.suite, key: master.sendKey, .outbound(source: source))
        let control = try SRTPSession(master.suite, key: master.sendKey, .outbound(source: source))
        fingerprint = Self.fingerprint(master)
        self.voice = voice
        self.control = control
    }

    /// A hash under a secret of this process, to compare keys without storing them.
    static func fingerprint(_ master: NegotiatedMedia.MasterKeys) -> Int {
        var hasher = Hasher()
        hasher.combine(master.suite)
        hasher.combine(master.sendKey)
        return hasher.finalize()
    }
}

/// The keys for receiving, with a libsrtp session for RTP and one for RTCP, like `SendKeys`.
///
/// `@unchecked Sendable`: after the keys are passed on, each thread uses only its own session.
final class ReceiveKeys: @unchecked Sendable {
    enum Opening {
        /// With the remaining length, and the SSRC if this was its first packet.
        case opened(Int, newSource: UInt32?)
        /// The packet was rejected and counted.
        case rejected
        /// The packet is unchanged: to open it, libsrtp may have to allocate.
        case unprepared
    }

    /// Opens packets of one kind, from a limited number of SSRCs.
    struct Opener: ~Copyable {
        enum Kind {
            case voice
            case control

            /// Size of the header, which ends with the SSRC.
            fileprivate var headerSize: Int { self == .voice ? RTPHeader.size : 8 }
        }

        /// Limit of SSRCs for one key. A peer may change its SSRC and keep its key, and each new SSRC takes memory.
        private static let sourceLimit = 8

        private let kind: Kind
        fileprivate var session: SRTPSession
        private var sources = InlineArray<8, UInt32>(repeating: 0)
        private var sourceCount = 0

        fileprivate init(_ kind: Kind, _ session: consuming SRTPSession) {
            self.kind = kind
            self.session = session
        }

        /// Whether any packet was opened yet.
        var hasOpened: Bool { sourceCount > 0 }

        /// Checks and decrypts the first `count` bytes in place.
        /// - Parameter mayAllocate: libsrtp allocates for the first packet of an SSRC.
        mutating func open(
            _ count: Int, in bytes: inout MutableSpan<UInt8>, mayAllocate: Bool = true, _ counters: MediaCounters
        ) -> Opening {
            guard let source = source(count, in: bytes.span) else {
                counters.malformed.count()
                return .rejected
            }
            let isKnown = isKnown(source)
            guard isKnown || sourceCount < Self.sourceLimit else {
                counters.strangers.count()
                return .rejected
            }
            guard isKnown || mayAllocate else { return .unprepared }
            do throws(SRTPSession.Refusal) {
                let length =
                    switch kind {
                    case .voice: try session.unprotect(&bytes, count: count)
                    case .control: try session.unprotectControl(&bytes, count: count)
                    }
                if !isKnown { remember(source) }
                return .opened(length, newSource: isKnown ? nil : source)
            } catch {
                counters.count(error)
                return .rejected
            }
        }

        /// The SSRC of a packet. It is not encrypted, and the check of the packet authenticates it. Nil: too short.
        private func source(_ count: Int, in packet: Span<UInt8>) -> UInt32? {
            count < kind.headerSize ? nil : packet.bigEndian(at: kind.headerSize - 4)
        }

        /// Remembers the new SSRC of an authenticated packet.
        private mutating func remember(_ source: UInt32) {
            sources[sourceCount] = source
            sourceCount += 1
        }

        fileprivate func isKnown(_ source: UInt32) -> Bool {
            for index in 0..<sourceCount where sources[index] == source { return true }
            return false
        }
    }

    let fingerprint: Int
    /// For the thread that has the call's voice.
    var voice: Opener
    /// Network thread only.
    var control: Opener
    private let master: NegotiatedMedia.MasterKeys

    init(_ master: NegotiatedMedia.MasterKeys) throws(MediaError) {
        let voice = try Self.session(master)
        let control = try Self.session(master)
        fingerprint = Self.fingerprint(master)
        self.master = master
        self.voice = Opener(.voice, voice)
        self.control = Opener(.control, control)
    }

    /// Whoever sends voice also sends RTCP with the same SSRC, some seconds later. So the first packet of an SSRC
    /// prepares for both, and the call allocates nothing afterwards. Network thread only.
    func expectControl(from source: UInt32) {
        guard !control.isKnown(source) else { return }
        control.session.expect(
            source, master.suite, key: master.receiveKey, keyIdentifier: master.receiveKeyIdentifier ?? [])
    }

    private static func session(_ master: NegotiatedMedia.MasterKeys) throws(MediaError) -> SRTPSession {
        try SRTPSession(
            master.suite, key: master.receiveKey, keyIdentifier: master.receiveKeyIdentifier ?? [], .inbound)
    }

    static func fingerprint(_ master: NegotiatedMedia.MasterKeys) -> Int {
        var hasher = Hasher()
        hasher.combine(master.suite)
        hasher.combine(master.receiveKey)
        hasher.combine(master.receiveKeyIdentifier)
        return hasher.finalize()
    }
}

/// The keys that a call has used. A key that comes back, after other keys or after none, continues where it stopped. If
/// it started again, its key stream would repeat (RFC 3711 §9.1), and packets that arrived before would be accepted
/// again (§3.3.2).
struct CallKeys: Sendable {
    /// Limit of keys that a call remembers in each direction. The oldest are forgotten first.
    private static let limit = 8

    private var send: [SendKeys] = []
    private var receive: [ReceiveKeys] = []

    /// - Parameter source: our SSRC.
    mutating func sending(_ master: NegotiatedMedia.MasterKeys, source: UInt32) throws(MediaError) -> SendKeys {
        let fingerprint = SendKeys.fingerprint(master)
        if let known = send.first(where: { $0.fingerprint == fingerprint }) { return known }
        let keys = try SendKeys(master, source: source)
        send = send.suffix(Self.limit - 1) + [keys]
        return keys
    }

    mutating func receiving(_ master: NegotiatedMedia.MasterKeys) throws(MediaError) -> ReceiveKeys {
        let fingerprint = ReceiveKeys.fingerprint(master)
        if let known = receive.first(where: { $0.fingerprint == fingerprint }) { return known }
        let keys = try ReceiveKeys(master)
        receive = receive.suffix(Self.limit - 1) + [keys]
        return keys
    }
}

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

    /// Allocates what the first packet of this SSRC needs, for a session that receives. The key is the session's own.
    /// If it fails, the first packet allocates.
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
        var length = Int32(count)
        try check(unsafe packet.withUnsafeMutableBytes { unsafe srtp_protect(raw, $0.baseAddress, &length) })
        return Int(length)
    }

    package mutating func protectControl(_ packet: inout MutableSpan<UInt8>, count: Int) throws(Refusal) -> Int {
        precondition(packet.count >= count + Self.overhead, "room for the tag")
        var length = Int32(count)
        try check(unsafe packet.withUnsafeMutableBytes { unsafe srtp_protect_rtcp(raw, $0.baseAddress, &length) })
        return Int(length)
    }

    /// Checks and decrypts the first `count` bytes in place.
    /// - Returns: The remaining length.
    package mutating func unprotect(_ packet: inout MutableSpan<UInt8>, count: Int) throws(Refusal) -> Int {
        var length = Int32(count)
        try check(
            unsafe packet.withUnsafeMutableBytes {
                unsafe srtp_unprotect_mki(raw, $0.baseAddress, &length, namesKey ? 1 : 0)
            })
        return Int(length)
    }

    package mutating func unprotectControl(_ packet: inout MutableSpan<UInt8>, count: Int) throws(Refusal) -> Int {
        var length = Int32(count)
        try check(
            unsafe packet.withUnsafeMutableBytes {
                unsafe srtp_unprotect_rtcp_mki(raw, $0.baseAddress, &length, namesKey ? 1 : 0)
            })
        return Int(length)
    }

    private func check(_ status: srtp_err_status_t) throws(Refusal) {
        switch status {
        case srtp_err_status_ok: return
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
