/// A call that is about to take the place of another one, which lives until it does.
struct CallReplacement: Equatable, Codable, Sendable {
    enum Cause: Equatable, Codable, Sendable {
        /// The other call's far end asked us to make this one: that call is put aside meanwhile.
        case referral
        /// This call's far end takes over from the other one's: a person hears nothing of it but another voice.
        case replacement
    }

    let cause: Cause
    let predecessor: CallID
    /// The name under which its line knows the predecessor, also when that is over.
    let leg: CallID
}
