import Base

/// A page that the person at the phone speaks.
struct SentPage: Equatable, Codable, Sendable {
    var group: UInt8
    var since: Instant
    var until: Instant
    var isMuted = false
}
