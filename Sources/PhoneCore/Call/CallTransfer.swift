/// A transfer that the far end was asked to make. Its outcome is not known yet.
struct CallTransfer: Equatable, Codable, Sendable {
    /// Whom the far end is to talk to, for people: a number, an address or a name.
    var target: String
    /// The call whose far end it is to be connected with. Nil: a blind transfer.
    var partner: CallID?
}
