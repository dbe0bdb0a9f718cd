import Base
import Cryptography
import LineCore
import SIPCore

/// The line that thinks behind an adapter: one that speaks SIP, or one that speaks Verto.
struct LineEngine {
    // One of the two is there. An enumeration would copy what it has with each input.
    private var sip: LineMachine?
    private var verto: VertoLine?

    init(_ configuration: LineConfiguration) {
        if configuration.account?.verto == nil {
            sip = LineMachine(
                configuration: configuration, makeGenerator: { SystemRandomNumberGenerator() }, hashes: .real)
        } else {
            verto = VertoLine(configuration: configuration, makeGenerator: { SystemRandomNumberGenerator() })
        }
    }

    var deadline: Instant? { sip?.deadline ?? verto?.deadline }
    /// Whether it has a session's connection to its server, so that nothing is lost where the server is not found again.
    var hasSessionFlow: Bool { verto?.hasFlow ?? false }

    func acquaintance(with source: Flow.Endpoint) -> SourceLimits.Acquaintance {
        sip?.acquaintance(with: source) ?? verto?.acquaintance(with: source) ?? .stranger
    }

    /// Whether a message of a connection may be one that the line reads.
    func mayBegin(_ bytes: [UInt8]) -> Bool { verto != nil || SIPMessage.mayBegin(bytes) }

    mutating func handle(_ input: LineInput, at now: Instant) -> [LineOutput] {
        sip?.handle(input, at: now) ?? verto?.handle(input, at: now) ?? []
    }
}
