/// The replacement of another call by this one. Until then both calls exist.
struct CallReplacement: Equatable, Codable, Sendable {
    enum Cause: Equatable, Codable, Sendable {
        /// The far end of the other call asked us to make this one. The other call is held until this one is up.
        case referral
        /// The far end of this call takes over from that of the other one. The person only hears another voice.
        case replacement
    }

    let cause: Cause
    let predecessor: CallID
    /// The identifier that the line uses for the predecessor. It is kept after the predecessor has ended.
    let leg: CallID
}
