import Base
import SIPCore

/// What all parts of a line share: who it is, where it is reached, and where its random names come from.
struct LineContext: Sendable {
    /// The longest pause between two attempts, in seconds (RFC 5626 §4.5).
    private static let longestBackoff: Int64 = 1_800

    var configuration: LineConfiguration
    var identifiers: SIPIdentifiers
    var generator: any RandomNumberGenerator & Sendable
    let timers: SIPTimers
    /// An address at which the server reaches this phone (RFC 5627); nil: it gave none.
    var gruu: URI?
    /// The server tells the flows of this phone apart (RFC 5626 §6).
    var isOutbound = false

    /// Where the far end of a call reaches us: through the server, if it gave us an address for that (RFC 5627 §4.4).
    func contact(on flow: Flow) -> NameAddress {
        if let gruu { return NameAddress(gruu) }
        var contact = binding(on: flow)
        if isOutbound, case .sip(var uri) = contact.uri {
            uri.prefersItsFlow = true
            contact.uri = .sip(uri)
        }
        return contact
    }

    /// Where the server reaches us.
    func binding(on flow: Flow) -> NameAddress {
        var uri = SIPURI(user: configuration.user, host: flow.local.host, port: flow.local.port)
        if flow.transport != .udp { uri.parameters["transport"] = flow.transport.rawValue }
        return NameAddress(.sip(uri))
    }

    /// A pause that doubles with each attempt that failed, and that is not the same for two phones: between half of it
    /// and all of it (RFC 5626 §4.5).
    /// - Parameter first: Seconds of the first one at most.
    mutating func backoff(from first: Int64, after failures: Int) -> Duration {
        let longest = min(Self.longestBackoff, first << min(failures, 12)) * 1_000
        return .milliseconds(Int64.random(in: longest / 2...longest, using: &generator))
    }

    mutating func makeRegistrant() -> Registrant {
        Registrant(callID: identifiers.makeCallID(), tag: identifiers.makeTag())
    }
}
