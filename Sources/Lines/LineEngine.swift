import Base
import Cryptography
import LineCore
import SIPCore

/// The machine behind an adapter: a SIP line or a Verto line.
struct LineEngine {
    // Exactly one of the two machines exists. They are not an enum, because an enum would copy its payload with each
    // input.
    private var sip: LineMachine?
    private var verto: VertoLine?

    init(_ configuration: LineConfiguration, offeredBefore: UInt32) {
        if configuration.account?.verto == nil {
            sip = LineMachine(
                configuration: configuration, makeGenerator: { SystemRandomNumberGenerator() }, hashes: .real,
                offeredBefore: offeredBefore)
        } else {
            verto = VertoLine(
                configuration: configuration, makeGenerator: { SystemRandomNumberGenerator() },
                offeredBefore: offeredBefore)
        }
    }

    var deadline: Instant? { sip?.deadline ?? verto?.deadline }
    /// Whether a Verto line is connected to its server. Then a failed search for the server loses nothing.
    var hasSessionFlow: Bool { verto?.hasFlow ?? false }

    func acquaintance(with source: Flow.Endpoint) -> SourceLimits.Acquaintance {
        sip?.acquaintance(with: source) ?? verto?.acquaintance(with: source) ?? .stranger
    }

    /// Whether the line may accept a connection's message.
    func mayBegin(_ bytes: [UInt8]) -> Bool { verto != nil || SIPMessage.mayBegin(bytes) }

    mutating func handle(_ input: LineInput, at now: Instant) -> [LineOutput] {
        sip?.handle(input, at: now) ?? verto?.handle(input, at: now) ?? []
    }
}

extension DigestHashes {
    package static let real = DigestHashes(
        md5: Digest.md5, sha256: Digest.sha256, sha512256: Digest.sha512256)
}
