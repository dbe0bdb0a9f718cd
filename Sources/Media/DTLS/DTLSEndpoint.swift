import Base
import Cryptography
import PhoneCore

/// Our end of a call's handshakes with one far end. Only the connector's thread uses it.
final class DTLSEndpoint {
    /// How datagrams get to the far end.
    enum Route {
        /// Datagrams go from this port's socket to where the far end was heard last; until then to the agreed address.
        case direct(MediaSockets, Port, PeerAddress)
        /// Datagrams go on the path that ICE finds, once there is one.
        case ice(ICEEndpoint)
    }

    /// Which of a call's two sockets.
    enum Port { case voice, control }

    struct Datagram {
        let sender: PeerAddress
        let bytes: [UInt8]
    }

    let handshake: Handshake
    /// SHA-256 of the certificate that we show.
    let fingerprint: [UInt8]
    private var route: Route
    private var association: NegotiatedMedia.DTLSAssociation
    private var associations: DTLSAssociations
    private var hasStarted = false
    private var isRenewed = false
    /// What came before it began. It is answered first.
    private var early: [Datagram]

    init(
        _ handshake: Handshake, _ association: NegotiatedMedia.DTLSAssociation, _ context: DTLSContext, _ route: Route
    ) {
        self.handshake = handshake
        // On a path that ICE has found the far end has shown already that it receives there.
        let (early, isProven) = if case .ice(let end) = route { (end.takeEarly(), true) } else { ([Datagram](), false) }
        self.early = early
        self.route = route
        fingerprint = context.fingerprint
        self.association = association
        let settings = DTLSChannel.Settings(fingerprints: handshake.fingerprints, asksForCookie: !isProven)
        associations = DTLSAssociations(context, association.role, settings)
    }

    /// When what was not answered has to be repeated. Nil: nothing was, or there is no path for it.
    func due(at now: Instant) -> Instant? { isReachable ? associations.timeLeft(at: now).map { now + $0 } : nil }

    /// The far end is at another address, by the signalling.
    func move(to route: Route) {
        self.route = route
        if case .ice(let end) = route { early += end.takeEarly() }
    }

    /// The signalling agreed on this association. If it is another one, it takes the place of the one in use when its
    /// handshake is done.
    func agree(on association: NegotiatedMedia.DTLSAssociation) {
        isRenewed = isRenewed || association != self.association
        self.association = association
    }

    /// Begins, answers what has come, and repeats what is due. Datagrams that came before there is a path wait for it.
    func serve(at now: Instant) -> [DTLSAssociations.Event] {
        guard isReachable else { return [] }
        var events: [DTLSAssociations.Event] = []
        if !hasStarted {
            hasStarted = true
            events += sending(at: now) { $0.start() }
        }
        if isRenewed {
            isRenewed = false
            events += sending(at: now) { $0.renew(as: association.role, at: now) }
        }
        for datagram in early { events += take(datagram.bytes.span, from: datagram.sender, at: now) }
        early = []
        while let event = next(at: now) { events += event }
        if let left = associations.timeLeft(at: now), left <= .zero {
            events += sending(at: now) { $0.timedOut(at: now) }
        }
        return events
    }

    /// Tells the far end that this is the end.
    func close(at now: Instant) {
        _ = sending(at: now) { associations in
            associations.close()
            return []
        }
    }

    private var isReachable: Bool {
        switch route {
        case .direct: true
        case .ice(let end): end.hasPath
        }
    }

    /// Nil: nothing more has come.
    private func next(at now: Instant) -> [DTLSAssociations.Event]? {
        var events: [DTLSAssociations.Event] = []
        let hasCome = handshake.datagrams.pop { sender, datagram in
            events = take(datagram, from: sender, at: now)
        }
        return hasCome ? events : nil
    }

    private func take(_ datagram: Span<UInt8>, from sender: PeerAddress, at now: Instant) -> [DTLSAssociations.Event] {
        let (before, unproven) = (route, associations.unproven)
        switch route {
        case .direct(let sockets, let port, _): route = .direct(sockets, port, sender)
        // The first flights are in clear: a stranger's alert would end the handshake.
        case .ice(let end): guard end.knows(sender) else { return [] }
        }
        let events = unsafe datagram.withUnsafeBytes { bytes in
            sending(at: now) { unsafe $0.receive(bytes, at: now) }
        }
        // Who asks gets a cookie, and what was not read may come from anybody: neither shows where the far end is.
        if associations.unproven != unproven { route = before }
        return events
    }

    /// Sends what the channel has to say. What the kernel does not take is repeated as if it had been lost.
    private func sending(
        at now: Instant, _ work: (inout DTLSAssociations) -> [DTLSAssociations.Event]
    ) -> [DTLSAssociations.Event] {
        let events = work(&associations)
        for datagram in associations.takeDatagrams() {
            switch route {
            case .direct(let sockets, let port, let peer):
                _ = sockets.send(datagram.span, on: port == .voice ? sockets.voice : sockets.control, to: peer)
            case .ice(let end): end.send(datagram, at: now)
            }
        }
        return events
    }
}

extension NegotiatedMedia.DTLSAssociation {
    fileprivate var role: DTLSChannel.Role { isActive ? .active : .passive }
}
