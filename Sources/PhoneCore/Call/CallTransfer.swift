/// A transfer that the far end was asked to make. Its outcome is not known yet.
struct CallTransfer: Equatable, Codable, Sendable {
    /// The party that the far end is to talk to, for people: a number, an address or a name.
    var target: String
    /// The other call of an attended transfer. Nil: a blind transfer.
    var partner: CallID?
}
