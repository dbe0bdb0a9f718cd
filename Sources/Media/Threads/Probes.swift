import Base
import Synchronization

/// Numbers that show that the threads are alive. Each goes control → audio → network → event forwarder, as call
/// commands do.
final class Probes: Sendable {
    /// Written by the control thread.
    let asked = Atomic<UInt32>(0)
    /// Written by the event forwarder.
    let answered = Atomic<UInt32>(0)
    /// When that was, in nanoseconds of the monotonic clock. Written by the event forwarder; 0: never.
    let answeredAt = Atomic<Int64>(0)
}

extension Media {
    /// Whether the threads of sound have answered the last probe. Sends them the next one. True while there are no
    /// threads. From the control thread.
    public func isAlive() -> Bool {
        withThreads { threads, _ in
            let number = probes.asked.load(ordering: .relaxed)
            let hasAnswered = probes.answered.load(ordering: .relaxed) == number
            if threads.commands.send(.call(.probe(number &+ 1))) {
                probes.asked.store(number &+ 1, ordering: .relaxed)
            }
            return hasAnswered
        } ?? true
    }

    /// When the threads of sound have last answered a probe; nil if they never have. From any thread.
    public var lastAnswer: Instant? {
        let nanoseconds = probes.answeredAt.load(ordering: .relaxed)
        return nanoseconds == 0 ? nil : Instant(nanoseconds: nanoseconds)
    }
}
