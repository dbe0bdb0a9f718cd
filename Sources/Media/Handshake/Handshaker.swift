import Base
import Cryptography
import PhoneCore
import Platform
import Synchronization

/// Shakes hands with the far ends of calls (RFC 5764), on a thread of its own, because a handshake takes milliseconds and
/// allocates.
///
/// What it agrees on becomes terms of the call like keys from the signalling. Until then the call neither sends nor takes
/// a packet of voice.
final class Handshaker: Sendable {
    enum Result: Sendable {
        case secured(NegotiatedMedia.MasterKeys)
        /// Whom the keys are shared with. It follows them.
        case shown(ShownKey)
        /// There will be no keys, for this reason.
        case failed(String)
    }

    private enum Order: Sendable {
        case begin(handle: UInt32, Handshake, MediaSockets, PeerAddress)
        case end(handle: UInt32)
    }

    private let context: DTLSContext
    let wake: WakeSignal
    private let tell: @Sendable (_ handle: UInt32, Handshake, Result) -> Void
    private let inbox = Mutex<[Order]>([])

    /// - Parameter tell: takes results on the handshaker's thread. A handshake may fail also after it has brought keys.
    init(
        _ identity: DTLSIdentity, tell: @escaping @Sendable (_ handle: UInt32, Handshake, Result) -> Void
    ) throws(MediaError) {
        do throws(OpenSSLError) {
            context = try DTLSContext(identity)
        } catch {
            throw .badPlan("the phone's certificate cannot be used: \(error)")
        }
        wake = try WakeSignal.make()
        self.tell = tell
    }

    func handshake(_ association: NegotiatedMedia.DTLSAssociation) -> Handshake { Handshake(association, wake: wake) }

    /// From the control thread: begins a call's handshake, in place of any other of the call. One that goes on is told
    /// where the far end is now.
    func begin(_ handshake: Handshake, of call: CallMedia, at peer: PeerAddress) {
        give(.begin(handle: call.handle, handshake, call.sockets, peer))
    }

    /// From the control thread: the call is over, or its keys come from elsewhere.
    func end(_ handle: UInt32) { give(.end(handle: handle)) }

    private func give(_ order: Order) {
        inbox.withLock { $0.append(order) }
        wake.raise()
    }

    /// Runs until the phone stops.
    func run(until stop: StopFlag) {
        var ends: [UInt32: HandshakeEnd] = [:]
        while !stop.isRaised {
            let now = MonotonicClock.now()
            wake.wait(until: ends.values.compactMap { $0.due(at: now) }.min())
            for order in takeOrders() { follow(order, &ends) }
            for (handle, end) in ends { tell(end.serve(), handle, end, &ends) }
        }
    }

    private func takeOrders() -> [Order] {
        inbox.withLock { orders in
            defer { orders = [] }
            return orders
        }
    }

    private func follow(_ order: Order, _ ends: inout [UInt32: HandshakeEnd]) {
        switch order {
        case .begin(let handle, let handshake, let sockets, let peer):
            if let end = ends[handle], end.handshake === handshake { return end.move(to: peer) }
            ends[handle]?.close()
            let end = HandshakeEnd(handshake, context, sockets: sockets, peer: peer)
            ends[handle] = end
            tell(end.start(), handle, end, &ends)
        case .end(let handle): ends.removeValue(forKey: handle)?.close()
        }
    }

    private func tell(
        _ events: [DTLSChannel.Event], _ handle: UInt32, _ end: HandshakeEnd, _ ends: inout [UInt32: HandshakeEnd]
    ) {
        for event in events {
            switch event {
            case .established(let session):
                tell(handle, end.handshake, .secured(.init(session.keys)))
                // The voice does not wait for the words.
                let words = ShortAuthenticationString.words(
                    binding: session.binding, fingerprints: [context.fingerprint, session.fingerprint])
                tell(handle, end.handshake, .shown(ShownKey(fingerprint: session.fingerprint, words: words)))
            // The call ends by its signalling, and its packets are protected until then.
            case .closed: break
            case .failed(let error):
                ends[handle] = nil
                tell(handle, end.handshake, .failed(error.description))
            }
        }
    }
}
