/// The far end was asked to call somebody else; what came of it is not known yet.
struct CallTransfer: Equatable, Codable, Sendable {
    /// The call whose far end it is to be connected with. Nil: a blind transfer.
    var partner: CallID?
}
