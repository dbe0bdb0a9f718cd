/// A transfer: we asked a far end to call another party (RFC 3515), and do not know the result yet.
struct Transfer: Equatable, Sendable {
    enum Stage: Equatable, Sendable {
        /// REFER was sent.
        case asking
        /// The far end accepted it, and reports on the call.
        case underWay
    }

    static let package = "refer"
    /// The longest time between two NOTIFYs, even if the far end names a longer one.
    static let longest: Duration = .seconds(300)
    /// The time until the next NOTIFY, if the far end does not name one.
    static let usual: Duration = .seconds(60)

    var stage = Stage.asking
    /// The CSeq of each REFER, including challenged ones. The event's id names one of them (RFC 3515 §2.4.6).
    var sequences: [UInt32]

    /// Whether an event belongs to this transfer. The event of the first REFER of a dialog may have no id.
    func isMeant(by id: String?) -> Bool { id.map { id in sequences.contains { "\($0)" == id } } ?? true }
}
