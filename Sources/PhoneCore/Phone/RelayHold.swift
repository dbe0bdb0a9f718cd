import Base

/// Why a relay is on.
enum RelayHold: Equatable, Codable, Sendable {
    case lasting
    case pulse(until: Instant)
}
