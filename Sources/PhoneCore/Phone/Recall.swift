import Base

/// A person hung up and left this call on hold. The phone rings for it until `until`.
struct Recall: Equatable, Codable, Sendable {
    let call: CallID
    let until: Instant
}
