import Base
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
        /// With the remaining length.
        case opened(Int)
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

        /// The SSRC that was opened last for the first time. Nil: none was opened yet.
        fileprivate var newestSource: UInt32? { sourceCount > 0 ? sources[sourceCount - 1] : nil }

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
                return .opened(length)
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
    private(set) var voice: Opener
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

    /// Opens a packet of voice. Whoever sends voice also sends RTCP with the same SSRC, some seconds later. So the first
    /// packet of an SSRC prepares for both, and the call allocates nothing afterwards.
    /// - Parameter mayAllocate: Only for the network thread.
    func openVoice(
        _ count: Int, in bytes: inout MutableSpan<UInt8>, mayAllocate: Bool, _ counters: MediaCounters
    ) -> Opening {
        let before = voice.newestSource
        let opening = voice.open(count, in: &bytes, mayAllocate: mayAllocate, counters)
        if mayAllocate, let source = voice.newestSource, source != before, !control.isKnown(source) {
            control.session.expect(
                source, master.suite, key: master.receiveKey, keyIdentifier: master.receiveKeyIdentifier ?? [])
        }
        return opening
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
