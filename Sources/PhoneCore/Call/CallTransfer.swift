/// A transfer that the far end was asked to make. Its outcome is not known yet.
struct CallTransfer: Equatable, Codable, Sendable {
    /// The call whose far end it is to be connected with. Nil: a blind transfer.
    var partner: CallID?
}
