import Base
import SDPCore
import SIPCore
// The interface of the lines includes the terms that the phone and its lines share.
@_exported import Telephony

/// A line as its owner sees it: over SIP (`LineMachine`) or over Verto (`VertoLine`).
public protocol SignallingLine: Sendable {
    /// When the input `deadline` is due next.
    var deadline: Instant? { get }
    /// Whether the line is connected to its server, so that a failed search for the server loses nothing.
    var hasSessionFlow: Bool { get }
    /// How well the line knows a peer.
    func acquaintance(with source: Flow.Endpoint) -> SourceLimits.Acquaintance
    /// Whether the line may accept a connection's message. Other bytes need not be read.
    func mayBegin(_ bytes: [UInt8]) -> Bool
    mutating func handle(_ input: LineInput, at now: Instant) -> [LineOutput]
}

/// What a line receives from its owner.
public enum LineInput: Equatable, Sendable {
    /// Begin: register, if that is configured.
    case start
    /// A datagram, one message of a stream, or a CRLF between two messages of a stream.
    case received([UInt8], Flow)
    /// The answer to `lookUp`.
    case lookedUp(DNSQuestion, DNSResponse)
    /// The answer to `locate`: the flows to the hop, in the order of its targets. The list is empty if no flow exists,
    /// with the reason for people, if it is known.
    case located(NextHop, [Flow], because: String? = nil)
    /// This flow broke: what was sent over it may not have arrived, and nothing more will come from it. The reason, if
    /// it is known, is for people. For example, the far end could not prove its identity.
    case transportFailed(Flow, because: String? = nil)
    /// This machine could not send this datagram. Other datagrams over its flow are not affected.
    case unsent([UInt8], because: String)
    /// This machine has a route to the account's server again, or another one.
    case networkChanged
    case command(LineCommand)
    /// The machine's deadline may have passed; a stale one changes nothing.
    case deadline
}

extension MediaCapabilities {
    /// The capabilities of this phone in one call.
    func showing(_ media: MediaEndpoint) -> MediaCapabilities {
        var capabilities = self
        if let own = media.fingerprint, fingerprint != nil {
            capabilities.fingerprint = CertificateFingerprint(digest: own)
        }
        capabilities.source = media.source
        return capabilities
    }
}
