import Base
import CALSA  // For poll.h.
import Cryptography
import Glibc
import PhoneCore
import Platform

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
        _ local: LocalEndpoint, _ peer: PeerAddress, isOnPath: Bool
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
