import Base
import PhoneCore

/// The keys by which we send. A key keeps its session for as long as the call lasts, and with it the rollover counter: see
/// `CallKeys`.
///
/// `@unchecked Sendable`: only the network thread uses it after it is handed over.
final class SendKeys: @unchecked Sendable {
    let fingerprint: Int
    var session: SRTPSession

    init(_ protection: MediaPlan.Protection, source: UInt32) throws(MediaError) {
        fingerprint = Self.fingerprint(protection)
        session = try SRTPSession(protection.suite, key: protection.sendKey.reveal(), .outbound(source: source))
    }

    /// Tells keys apart without keeping them: a hash under a secret of this process.
    static func fingerprint(_ protection: MediaPlan.Protection) -> Int {
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

    init(_ protection: MediaPlan.Protection) throws(MediaError) {
        fingerprint = Self.fingerprint(protection)
        session = try SRTPSession(protection.suite, key: protection.receiveKey.reveal(), .inbound)
    }

    static func fingerprint(_ protection: MediaPlan.Protection) -> Int {
        var hasher = Hasher()
        hasher.combine(protection.suite)
        hasher.combine(protection.receiveKey)
        return hasher.finalize()
    }

    /// Whether a packet of this source may be looked at. Nothing is remembered of sources without a good packet.
    func admits(_ source: UInt32) -> Bool { isKnown(source) || sourceCount < Self.sourceLimit }

    /// A packet of this source was authenticated.
    func confirm(_ source: UInt32) {
        guard !isKnown(source), sourceCount < Self.sourceLimit else { return }
        sources[sourceCount] = source
        sourceCount += 1
    }

    private func isKnown(_ source: UInt32) -> Bool {
        for index in 0..<sourceCount where sources[index] == source { return true }
        return false
    }
}
