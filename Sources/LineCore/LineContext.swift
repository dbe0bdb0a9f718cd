import Base
import SIPCore

/// What all parts of a line share: its configuration, its addresses, and its random generators.
package struct LineContext: Sendable {
    package var configuration: LineConfiguration
    /// The configuration with which the line began. Its own user may come back after another one.
    private let configured: LineConfiguration
    var identifiers: SIPIdentifiers
    var generator: any RandomNumberGenerator & Sendable
    package let timers: SIPTimers
    /// The host name that a line over a WebSocket uses for itself. It is invalid by design, so it reveals nothing about
    /// this machine (RFC 7118 appendix B.1). Nil: the line uses its own addresses.
    let unreachableHost: String?
    /// An address at which the server reaches this phone (RFC 5627). Nil: the server gave none.
    var gruu: URI?
    /// Whether the server handles each flow of this phone separately (RFC 5626 §6).
    var isOutbound = false

    package init(
        configuration: LineConfiguration, identifiers: SIPIdentifiers, generator: any RandomNumberGenerator & Sendable,
        timers: SIPTimers
    ) {
        (self.configuration, self.timers, self.generator) = (configuration, timers, generator)
        configured = configuration
        var identifiers = identifiers
        let isWebSocket = configuration.account?.server.transport.isWebSocket == true
        unreachableHost = isWebSocket ? identifiers.makeUnreachableHost() : nil
        self.identifiers = identifiers
    }

    /// The address at which the far end of a call reaches us. It leads through the server if the server gave us a GRUU
    /// (RFC 5627 §4.4).
    func contact(on flow: Flow) -> NameAddress {
        if let gruu { return NameAddress(gruu) }
        var contact = binding(on: flow)
        if isOutbound, case .sip(var uri) = contact.uri {
            uri.prefersItsFlow = true
            contact.uri = .sip(uri)
        }
        return contact
    }

    /// The address at which the server reaches us.
    func binding(on flow: Flow) -> NameAddress {
        let port = unreachableHost == nil ? flow.local.port : nil
        var uri = SIPURI(user: configuration.user, host: unreachableHost ?? flow.local.host, port: port)
        if flow.transport != .udp { uri.parameters["transport"] = flow.transport.uriName }
        return NameAddress(.sip(uri))
    }

    mutating func take(_ credentials: AccountCredentials) { configuration = configured.taking(credentials) }

    package mutating func makeRegistrant() -> Registrant {
        Registrant(callID: identifiers.makeCallID(), tag: identifiers.makeTag())
    }
}
