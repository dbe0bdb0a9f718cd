import Base

/// Whether something more important has the sound device.
enum Interruption: Equatable, Codable, Sendable {
    case none
    /// The calls wait until it ends. At this instant the calls that are not held are put on hold.
    case waiting(until: Instant)
    case lasting
}
