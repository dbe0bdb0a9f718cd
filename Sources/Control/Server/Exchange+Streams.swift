import NIOCore
import PhoneCore
import Platform

/// Streams of events, which can be resumed.
extension Exchange {
    /// How a stream begins: with `clientReady`, and what came behind the event that the reader names. When some of that
    /// is lost, `reset` comes before, and the reader asks for a snapshot.
    /// - Parameter identifier: Nil for a reader that has none.
    func opening(after identifier: String?, scope: AccessScope) -> [ByteBuffer] {
        guard let ring else { return [] }
        guard let identifier else { return [frame(clientReady, ring.position)] }
        guard let missed = ring.frames(after: identifier, scope: scope) else {
            let reset = ControlEvent(name: EventName.reset.rawValue, at: MonotonicClock.now(), fields: [:])
            return [frame(reset, ring.position), frame(clientReady, ring.position)]
        }
        return [frame(clientReady, identifier)] + missed
    }

    private func frame(_ event: ControlEvent, _ identifier: String) -> ByteBuffer {
        PublishedEvent(event, identifier: identifier).frame
    }
}
