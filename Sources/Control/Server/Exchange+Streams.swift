import NIOCore
import PhoneCore
import Platform

/// Streams of events, which can be resumed.
extension Exchange {
    /// The beginning of a stream: `clientReady`, then the events after the one that the reader names. If some of those
    /// are lost, `reset` comes first, and the reader requests a snapshot.
    /// - Parameter identifier: Nil for a reader without an earlier event.
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
