import Base
import SIPCore

/// What all parts of a line share: who it is, where it is reached, and where its random names come from.
package struct LineContext: Sendable {
    package var configuration: LineConfiguration
    var identifiers: SIPIdentifiers
    var generator: any RandomNumberGenerator & Sendable
    package let timers: SIPTimers
    /// An address at which the server reaches this phone (RFC 5627); nil: it gave none.
    var gruu: URI?
    /// The server tells the flows of this phone apart (RFC 5626 §6).
    var isOutbound = false

    package init(
        configuration: LineConfiguration, identifiers: SIPIdentifiers, generator: any RandomNumberGenerator & Sendable,
        timers: SIPTimers
    ) {
        (self.configuration, self.identifiers, self.timers) = (configuration, identifiers, timers)
        self.generator = generator
    }

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

    package mutating func makeRegistrant() -> Registrant {
        Registrant(callID: identifiers.makeCallID(), tag: identifiers.makeTag())
    }
}
