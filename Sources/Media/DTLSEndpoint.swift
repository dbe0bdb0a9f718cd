import Base
import Cryptography
import PhoneCore
import Platform

/// Our end of a call's handshakes with one far end. Only the connector's thread uses it.
final class DTLSEndpoint {
    /// How datagrams get to the far end.
    enum Route {
        /// Datagrams go from this port's socket to the address of the far end's last datagram, or at first to the
        /// negotiated one.
        case direct(MediaSockets, Port, TransportAddress)
        /// Datagrams go on the path that ICE selects, once there is one.
        case ice(ICEEndpoint)
    }

    /// One of the call's two sockets.
    enum Port { case voice, control }

    struct Datagram {
        let sender: TransportAddress
        let bytes: [UInt8]
    }

    let handshake: Handshake
    /// SHA-256 of our certificate.
    let fingerprint: [UInt8]
    private var route: Route
    private var association: NegotiatedMedia.DTLSAssociation
    private var associations: DTLSAssociations
    private var hasStarted = false
    private var isRenewed = false
    /// Datagrams that came before the handshake began. They are answered first.
    private var early: [Datagram]

    init(
        _ handshake: Handshake, _ association: NegotiatedMedia.DTLSAssociation, _ context: DTLSContext, _ route: Route
    ) {
        self.handshake = handshake
        // On a path that ICE selected, the far end has already shown that it receives there.
        let (early, isProven) = if case .ice(let end) = route { (end.takeEarly(), true) } else { ([Datagram](), false) }
        self.early = early
        self.route = route
        fingerprint = context.fingerprint
        self.association = association
        let settings = DTLSChannel.Settings(fingerprints: handshake.fingerprints, asksForCookie: !isProven)
        associations = DTLSAssociations(context, association.role, settings)
    }

    /// When to retransmit. Nil: nothing is unanswered, or there is no path.
    func due(at now: Instant) -> Instant? { isReachable ? associations.timeLeft(at: now).map { now + $0 } : nil }

    /// The signalling gave another address of the far end.
    func move(to route: Route) {
        self.route = route
        if case .ice(let end) = route { early += end.takeEarly() }
    }

    /// The signalling agreed on this association. A new association replaces the one in use when its handshake is done.
    func agree(on association: NegotiatedMedia.DTLSAssociation) {
        isRenewed = isRenewed || association != self.association
        self.association = association
    }

    /// Begins, answers what has come, and retransmits what is due. Datagrams that came before there is a path wait for
    /// it.
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

    /// Sends the far end a close_notify.
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

    /// Nil: no more datagrams.
    private func next(at now: Instant) -> [DTLSAssociations.Event]? {
        var events: [DTLSAssociations.Event] = []
        let hasCome = handshake.datagrams.pop { sender, datagram in
            events = take(datagram, from: sender, at: now)
        }
        return hasCome ? events : nil
    }

    private func take(_ datagram: Span<UInt8>, from sender: TransportAddress, at now: Instant) -> [DTLSAssociations
        .Event]
    {
        let (before, unproven) = (route, associations.unproven)
        switch route {
        case .direct(let sockets, let port, _): route = .direct(sockets, port, sender)
        // The first flights are in clear: a forged alert from another address would end the handshake.
        case .ice(let end): guard end.knows(sender) else { return [] }
        }
        let events = unsafe datagram.withUnsafeBytes { bytes in
            sending(at: now) { unsafe $0.receive(bytes, at: now) }
        }
        // A cookie request proves nothing, and an unread datagram may come from anybody. Neither shows the far end's
        // address.
        if associations.unproven != unproven { route = before }
        return events
    }

    /// Sends what the channel has queued. A datagram that the kernel does not accept counts as lost and is repeated.
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

/// A call's handshakes with one far end (RFC 5764), as its threads share them: the network thread queues datagrams, the
/// connector answers them.
///
/// It lives as long as the call's terms name these certificates, over all associations with them. A far end may repeat
/// its last flight, or begin another handshake.
final class Handshake: Sendable {
    /// The handshakes of one call. RTCP on its own port has its own handshake there (RFC 5764 §4.1).
    struct Pair: Sendable {
        let voice: Handshake
        var control: Handshake?
    }

    /// SHA-256 of the certificates that the far end may use.
    let fingerprints: [[UInt8]]
    /// DTLS datagrams with their senders.
    let datagrams = PacketRing<TransportAddress>(isResident: false)
    private let wake: WakeSignal

    /// - Parameter wake: wakes the connector.
    init(_ fingerprints: [[UInt8]], wake: WakeSignal) {
        self.fingerprints = fingerprints
        self.wake = wake
    }

    /// Network thread only. False when the connector's queue is full, or the datagram too long.
    func push(_ datagram: Span<UInt8>, from sender: TransportAddress) -> Bool {
        guard datagrams.push(sender, copying: datagram) else { return false }
        wake.raise()
        return true
    }
}

extension NegotiatedMedia.MasterKeys {
    /// The keys that a handshake agreed on.
    init(_ keys: SRTPKeys) {
        self.init(suite: .init(keys.profile), sendKey: keys.local, receiveKey: keys.remote)
    }
}

extension CryptoSuite {
    /// SDES and DTLS have different names for the same protection.
    init(_ profile: SRTPProfile) {
        switch profile {
        case .aes128CMHMACSHA1With80BitTag: self = .aes128Tag80
        case .aes128GCM: self = .gcm128
        case .aes256GCM: self = .gcm256
        }
    }
}
