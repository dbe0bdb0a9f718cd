import Base
import PhoneCore
import RTPCore

/// The keys for sending. A key keeps its session for as long as the call lasts, and with it the rollover counter: see
/// `CallKeys`.
///
/// `@unchecked Sendable`: only the network thread uses them after they are passed to it.
final class SendKeys: @unchecked Sendable {
    let fingerprint: Int
    var session: SRTPSession

    init(_ master: NegotiatedMedia.MasterKeys, source: UInt32) throws(MediaError) {
        fingerprint = Self.fingerprint(master)
        session = try SRTPSession(master.suite, key: master.sendKey, .outbound(source: source))
    }

    /// A hash under a secret of this process, to compare keys without storing them.
    static func fingerprint(_ master: NegotiatedMedia.MasterKeys) -> Int {
        var hasher = Hasher()
        hasher.combine(master.suite)
        hasher.combine(master.sendKey)
        return hasher.finalize()
    }
}

/// The keys for receiving. `@unchecked Sendable`: only the network thread uses them after they are passed to it.
final class ReceiveKeys: @unchecked Sendable {
    /// Limit of SSRCs for one key. A peer may change its SSRC and keep its key, and each new SSRC takes memory.
    private static let sourceLimit = 8

    let fingerprint: Int
    var session: SRTPSession
    private var sources = InlineArray<8, UInt32>(repeating: 0)
    private var sourceCount = 0

    init(_ master: NegotiatedMedia.MasterKeys) throws(MediaError) {
        fingerprint = Self.fingerprint(master)
        session = try SRTPSession(
            master.suite, key: master.receiveKey, keyIdentifier: master.receiveKeyIdentifier ?? [], .inbound)
    }

    static func fingerprint(_ master: NegotiatedMedia.MasterKeys) -> Int {
        var hasher = Hasher()
        hasher.combine(master.suite)
        hasher.combine(master.receiveKey)
        hasher.combine(master.receiveKeyIdentifier)
        return hasher.finalize()
    }

    enum Kind {
        case voice
        case control

        /// Size of the header, which ends with the SSRC.
        fileprivate var headerSize: Int { self == .voice ? RTPHeader.size : 8 }
    }

    /// Checks and decrypts the first `count` bytes in place.
    /// - Returns: The remaining length; nil for a rejected packet. Rejected packets are counted.
    func unprotect(
        _ count: Int, of kind: Kind, in bytes: inout MutableSpan<UInt8>, _ context: NetworkContext
    ) -> Int? {
        guard count >= kind.headerSize else {
            context.counters.malformed.count()
            return nil
        }
        // The SSRC is not encrypted. It is authenticated by the check below.
        let source: UInt32 = bytes.span.bigEndian(at: kind.headerSize - 4)
        guard admits(source) else {
            context.counters.strangers.count()
            return nil
        }
        do {
            let length =
                switch kind {
                case .voice: try session.unprotect(&bytes, count: count)
                case .control: try session.unprotectControl(&bytes, count: count)
                }
            confirm(source)
            return length
        } catch {
            context.count(error)
            return nil
        }
    }

    /// Whether a packet with this SSRC may be processed. An SSRC is remembered only after an authenticated packet.
    private func admits(_ source: UInt32) -> Bool { isKnown(source) || sourceCount < Self.sourceLimit }

    /// Remembers the SSRC of an authenticated packet.
    private func confirm(_ source: UInt32) {
        guard !isKnown(source), sourceCount < Self.sourceLimit else { return }
        sources[sourceCount] = source
        sourceCount += 1
    }

    private func isKnown(_ source: UInt32) -> Bool {
        for index in 0..<sourceCount where sources[index] == source { return true }
        return false
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
