import Base
import CALSA  // For poll.h.
import Cryptography
import Glibc
import PhoneCore
import Platform
import Synchronization

/// Finds the paths of calls (ICE, RFC 8445) and does their DTLS handshakes (RFC 5764). It has its own thread, because
/// both take milliseconds and allocate.
///
/// The resulting path and keys become terms of the call. Until then the call neither sends nor accepts voice packets.
final class Connector: Sendable {
    /// The result of a handshake. A handshake may also fail after it has brought keys.
    enum Outcome: Sendable {
        case secured(NegotiatedMedia.MasterKeys)
        /// The fingerprint of the far end's certificate, and the words that two people compare. Follows `secured`.
        case shown(ShownFingerprint)
        /// The handshake failed for this reason; there will be no keys.
        case failed(String)
        /// A further handshake failed for this reason. The keys in use stay.
        case kept(String)
        /// The call continues without RTCP: RTCP's own handshake failed for this reason.
        case withoutReports(String)
    }

    /// A report from the connector's thread.
    enum Report: Sendable {
        case handshake(handle: UInt32, Handshake, Outcome)
        case ice(Connectivity, ICEEndpoint.Result)
    }

    private enum Order: Sendable {
        case gather(Connectivity)
        /// The network thread reads the sockets from now on.
        case attach(Connectivity)
        case negotiate(Connectivity, NegotiatedMedia.ICESession, isOther: Bool)
        case release(Connectivity)
        case begin(
            Connections.HandshakeID, Handshake, NegotiatedMedia.DTLSAssociation, LocalEndpoint, TransportAddress,
            isOnPath: Bool)
        case end(Connections.HandshakeID)
    }

    private let context: DTLSContext?
    let servers: ICEServerResolver
    let wake: WakeSignal
    let probe: ThreadProbe
    private let networkWake: WakeSignal
    private let tell: @Sendable (Report) -> Void
    private let inbox = Mutex<[Order]>([])

    /// - Parameters:
    ///   - identity: The certificate that this phone shows in handshakes; nil: it takes part in no handshake.
    ///   - networkWake: Wakes the network thread.
    ///   - tell: Takes reports on the connector's thread.
    init(
        _ identity: DTLSIdentity?, servers: ICEServerResolver, networkWake: WakeSignal,
        tell: @escaping @Sendable (Report) -> Void
    ) throws(MediaError) {
        do throws(OpenSSLError) {
            context = if let identity { try DTLSContext(identity) } else { nil }
        } catch {
            throw .badPlan("cannot use the phone's certificate: \(error)")
        }
        self.servers = servers
        let wake = try WakeSignal.make()
        self.wake = wake
        probe = ThreadProbe(.mediaConnections) { wake.raise() }
        self.networkWake = networkWake
        self.tell = tell
    }

    /// The signals that wake its threads.
    var wakes: [WakeSignal] { [wake, servers.wake] }

    // MARK: From the control thread

    func handshake(_ fingerprints: [[UInt8]]) throws(MediaError) -> Handshake {
        guard context != nil else { throw .badPlan("this phone has no certificate for a handshake") }
        return Handshake(fingerprints, wake: wake)
    }

    /// Begins a call's handshake with a far end, which replaces any other handshake of the call. A handshake that is
    /// already under way gets the far end's new address and the agreed association.
    /// - Parameter isOnPath: Whether ICE finds the path for it.
    func begin(
        _ handshake: Handshake, _ association: NegotiatedMedia.DTLSAssociation, of call: CallMedia,
        _ port: DTLSEndpoint.Port, at peer: TransportAddress, isOnPath: Bool
    ) {
        let id = Connections.HandshakeID(call: call.handle, port: port)
        give(.begin(id, handshake, association, call.local, peer, isOnPath: isOnPath))
    }

    /// The call ended, or this port's keys come from elsewhere.
    func end(_ handle: UInt32, _ port: DTLSEndpoint.Port) { give(.end(.init(call: handle, port: port))) }

    func gather(_ connectivity: Connectivity) { give(.gather(connectivity)) }
    func attach(_ connectivity: Connectivity) { give(.attach(connectivity)) }
    func release(_ connectivity: Connectivity) { give(.release(connectivity)) }

    /// - Parameter isOther: Whether this far end differs from the previous one.
    func negotiate(_ connectivity: Connectivity, _ session: NegotiatedMedia.ICESession, isOther: Bool) {
        give(.negotiate(connectivity, session, isOther: isOther))
    }

    private func give(_ order: Order) {
        inbox.withLock { $0.append(order) }
        wake.raise()
    }

    private func takeOrders() -> [Order] {
        inbox.withLock { orders in
            defer { orders = [] }
            return orders
        }
    }

    // MARK: On the connector's thread

    /// Runs until the phone stops.
    func run(until stop: StopFlag) {
        var connections = Connections(context: context)
        while !stop.isRaised {
            connections.sleep(wake)
            probe.answer()
            connections.read()
            let now = MonotonicClock.now()
            for order in takeOrders() { follow(order, &connections, at: now) }
            serve(&connections, at: now)
        }
        connections.close(at: MonotonicClock.now())
    }

    private func follow(_ order: Order, _ connections: inout Connections, at now: Instant) {
        switch order {
        case .gather(let connectivity):
            if connections.ice[connectivity.call] == nil { connections.add(iceEndpoint(connectivity)) }
            connections.ice[connectivity.call]?.gather(at: now)
        case .attach(let connectivity): connections.ice[connectivity.call]?.isAttached = true
        case .negotiate(let connectivity, let session, let isOther):
            connections.ice[connectivity.call]?.negotiate(session, isOther: isOther, at: now)
        case .release(let connectivity): connections.release(connectivity.call, at: now)
        case .begin(let id, let handshake, let association, let local, let peer, let isOnPath):
            connections.begin(id, handshake, association, local, peer, isOnPath: isOnPath)
        case .end(let id): connections.end(id)
        }
    }

    private func iceEndpoint(_ connectivity: Connectivity) -> ICEEndpoint {
        // For an outgoing call the offer is usually ours.
        ICEEndpoint(
            connectivity, isControlling: connectivity.call.origin == .phone,
            servers: servers.addresses(of: connectivity.settings)
        ) { [networkWake] in networkWake.raise() }
    }

    private func serve(_ connections: inout Connections, at now: Instant) {
        for end in connections.ice.values {
            for result in end.serve(at: now) { tell(.ice(end.connectivity, result)) }
        }
        for (id, end) in connections.handshakes {
            for event in end.serve(at: now) { tell(event, id, end, &connections) }
        }
    }

    private func tell(
        _ event: DTLSAssociations.Event, _ id: Connections.HandshakeID, _ end: DTLSEndpoint,
        _ connections: inout Connections
    ) {
        let handle = id.call
        switch event {
        case .established(let session):
            tell(.handshake(handle: handle, end.handshake, .secured(.init(session.keys))))
            guard id.port == .voice else { return }
            // The voice does not wait for the comparison words.
            let words = ShortAuthenticationString.words(
                binding: session.binding, fingerprints: [end.fingerprint, session.fingerprint])
            let shown = ShownFingerprint(fingerprint: session.fingerprint, words: words)
            tell(.handshake(handle: handle, end.handshake, .shown(shown)))
        // The signalling ends the call; its packets stay protected until then.
        case .closed: break
        case .kept(let error): tell(.handshake(handle: handle, end.handshake, .kept(error.description)))
        case .failed(let error):
            connections.fail(id)
            let reason = error.description
            let outcome: Outcome = id.port == .voice ? .failed(reason) : .withoutReports(reason)
            tell(.handshake(handle: handle, end.handshake, outcome))
        }
    }
}

/// The calls for which the connector works. Only its thread uses them.
struct Connections: ~Copyable {
    /// A call may have two handshakes: see `Handshake.Pair`.
    struct HandshakeID: Hashable {
        let call: UInt32
        let port: DTLSEndpoint.Port
    }

    /// Limit of endpoints that still release their TURN allocations after their calls ended.
    private static let closingLimit = 16

    private let context: DTLSContext?
    private(set) var ice: [CallID: ICEEndpoint] = [:]
    private(set) var handshakes: [HandshakeID: DTLSEndpoint] = [:]
    private var closing: [ICEEndpoint] = []
    private var descriptors: [pollfd] = []
    private let buffer = Workspace<UInt8>(count: 2_048, filler: 0)

    init(context: DTLSContext?) { self.context = context }

    /// The endpoints whose sockets only the connector reads: before the call's media are negotiated, and after the
    /// call.
    private var unattached: [ICEEndpoint] { ice.values.filter { !$0.isAttached } + closing }

    /// Sleeps until a datagram comes or something is due.
    mutating func sleep(_ wake: WakeSignal) {
        let now = MonotonicClock.now()
        let due = (Array(ice.values) + closing).compactMap(\.due).min()
        let deadline = Instant.earliest(due, handshakes.values.compactMap { $0.due(at: now) }.min())
        descriptors = [pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)]
        for end in Array(ice.values) + closing { descriptors += end.waiting }
        let count = descriptors.count
        unsafe descriptors.withUnsafeMutableBufferPointer {
            guard let start = $0.baseAddress else { return }
            unsafe Poll.wait(start, count: count, until: deadline)
        }
        wake.clear()
    }

    /// Reads the sockets that only the connector reads.
    mutating func read() {
        for end in unattached { buffer.write(buffer.all) { end.read(&$0, at: MonotonicClock.now()) } }
        let now = MonotonicClock.now()
        for end in closing { _ = end.serve(at: now) }
        closing.removeAll(where: \.isClosed)
    }

    // MARK: ICE

    mutating func add(_ end: ICEEndpoint) { ice[end.connectivity.call] = end }

    mutating func release(_ call: CallID, at now: Instant) {
        guard let end = ice.removeValue(forKey: call) else { return }
        end.isAttached = false
        end.close(at: now)
        if !end.isClosed, closing.count < Self.closingLimit { closing.append(end) }
    }

    /// The phone stops. One datagram to each server releases what it holds for the phone.
    mutating func close(at now: Instant) {
        for call in Array(ice.keys) { release(call, at: now) }
    }

    // MARK: Handshakes

    mutating func begin(
        _ id: HandshakeID, _ handshake: Handshake, _ association: NegotiatedMedia.DTLSAssociation,
        _ local: LocalEndpoint, _ peer: TransportAddress, isOnPath: Bool
    ) {
        guard let context = local.certificate ?? context else { return }
        let call = isOnPath ? local.connectivity?.call : nil
        let route: DTLSEndpoint.Route =
            if let end = call.flatMap({ ice[$0] }) { .ice(end) } else { .direct(local.sockets, id.port, peer) }
        if let end = handshakes[id], end.handshake === handshake {
            end.move(to: route)
            return end.agree(on: association)
        }
        handshakes[id]?.close(at: MonotonicClock.now())
        handshakes[id] = DTLSEndpoint(handshake, association, context, route)
    }

    mutating func end(_ id: HandshakeID) { handshakes.removeValue(forKey: id)?.close(at: MonotonicClock.now()) }

    /// The handshake failed and will bring no keys.
    mutating func fail(_ id: HandshakeID) { handshakes[id] = nil }
}

/// One call's ICE, as its threads share it. The thread that has the voice queues STUN and TURN datagrams; the audio and
/// network threads queue voice and reports for a relay. The connector answers the datagrams, sends the packets, and
/// queues packets that the relay delivers.
///
/// It lives from the binding of the sockets to the end of the call.
final class Connectivity: Sendable {
    /// A datagram's sender, and the local address and port that received it.
    struct Arrival: BitwiseCopyable, Sendable {
        let sender: TransportAddress
        let local: TransportAddress
    }

    let call: CallID
    let settings: ICESettings
    let sockets: MediaSockets
    let arrivals = PacketRing<Arrival>(isResident: false)
    /// Packets for the far end: voice from the audio thread, and reports from the network thread.
    let outgoing = PacketRing<UInt8>(isResident: false)
    let outgoingReports = PacketRing<UInt8>(isResident: false)
    /// Packets from the far end, from the connector, with their arrival in nanoseconds of the monotonic clock.
    let incoming = PacketRing<Int64>(isResident: false)
    private let connectorWake: WakeSignal

    init(_ call: CallID, _ settings: ICESettings, _ sockets: MediaSockets, connectorWake: WakeSignal) {
        self.call = call
        self.settings = settings
        self.sockets = sockets
        self.connectorWake = connectorWake
    }

    /// Called by the thread that has the voice. False when the connector's queue is full, or the datagram too long.
    func push(_ datagram: Span<UInt8>, _ arrival: Arrival) -> Bool {
        guard arrivals.push(arrival, copying: datagram) else { return false }
        connectorWake.raise()
        return true
    }

    /// Sends a packet through the server: voice from the audio thread, a report from the network thread.
    func relay(_ packet: Span<UInt8>, isReport: Bool) -> Bool {
        guard isReport ? outgoingReports.push(0, copying: packet) : outgoing.push(0, copying: packet) else {
            return false
        }
        connectorWake.raise()
        return true
    }

    /// Called by the thread that has the voice: takes a packet that our TURN server relayed from this far end.
    func takeRelayed(from sender: TransportAddress, into bytes: inout MutableSpan<UInt8>) -> MediaSockets.Arrival? {
        var (count, arrival) = (0, Instant.zero)
        let isTaken = incoming.pop { nanoseconds, packet in
            (count, arrival) = (packet.count, Instant(nanoseconds: nanoseconds))
            for index in packet.indices { bytes[index] = packet[index] }
        }
        return isTaken ? .init(count: count, sender: sender, local: nil, at: arrival) : nil
    }
}

/// The flow of a call's packets over the candidate pair that ICE selected.
struct MediaFlow: Equatable, Sendable {
    /// The far end's address. For a relayed call, its address as the server sees it.
    let remote: TransportAddress
    /// Our address from which packets leave. The far end sends to it.
    let local: TransportAddress
    /// Whether packets go through our TURN server. The connector wraps and unwraps them.
    let isRelayed: Bool
}
