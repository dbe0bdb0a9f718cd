import Base
import PhoneCore
import RTPCore

/// The keys by which we send. A key keeps its session for as long as the call lasts, and with it the rollover counter: see
/// `CallKeys`.
///
/// `@unchecked Sendable`: only the network thread uses it after it is handed over.
final class SendKeys: @unchecked Sendable {
    let fingerprint: Int
    var session: SRTPSession

    init(_ protection: NegotiatedMedia.Protection, source: UInt32) throws(MediaError) {
        fingerprint = Self.fingerprint(protection)
        session = try SRTPSession(protection.suite, key: protection.sendKey, .outbound(source: source))
    }

    /// Tells keys apart without keeping them: a hash under a secret of this process.
    static func fingerprint(_ protection: NegotiatedMedia.Protection) -> Int {
        var hasher = Hasher()
        hasher.combine(protection.suite)
        hasher.combine(protection.sendKey)
        return hasher.finalize()
    }
}

/// The keys by which we receive. `@unchecked Sendable`: only the network thread uses it after it is handed over.
final class ReceiveKeys: @unchecked Sendable {
    /// A peer that changes its source keeps its key. Each new source takes memory, so there is an end to it.
    private static let sourceLimit = 8

    let fingerprint: Int
    var session: SRTPSession
    private var sources = InlineArray<8, UInt32>(repeating: 0)
    private var sourceCount = 0

    init(_ protection: NegotiatedMedia.Protection) throws(MediaError) {
        fingerprint = Self.fingerprint(protection)
        session = try SRTPSession(protection.suite, key: protection.receiveKey, .inbound)
    }

    static func fingerprint(_ protection: NegotiatedMedia.Protection) -> Int {
        var hasher = Hasher()
        hasher.combine(protection.suite)
        hasher.combine(protection.receiveKey)
        return hasher.finalize()
    }

    enum Kind {
        case voice
        case control

        /// Of the header, with the source at its end.
        fileprivate var headerSize: Int { self == .voice ? RTPHeader.size : 8 }
    }

    /// Checks and decrypts the first `count` bytes in place.
    /// - Returns: The length that is left; nil for what is refused, which is counted.
    func unprotect(
        _ count: Int, of kind: Kind, in bytes: inout MutableSpan<UInt8>, _ context: NetworkContext
    ) -> Int? {
        guard count >= kind.headerSize else {
            context.counters.malformed.count()
            return nil
        }
        // The source is in clear, and authenticated by what follows.
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

    /// Whether a packet of this source may be looked at. Nothing is remembered of sources without a good packet.
    private func admits(_ source: UInt32) -> Bool { isKnown(source) || sourceCount < Self.sourceLimit }

    /// A packet of this source was authenticated.
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
