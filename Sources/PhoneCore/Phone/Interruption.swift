import Base

/// Something more important has the sound device.
enum Interruption: Equatable, Codable, Sendable {
    case none
    /// Calls wait for it; at this instant the one with the sound is held.
    case waiting(until: Instant)
    case lasting
}
