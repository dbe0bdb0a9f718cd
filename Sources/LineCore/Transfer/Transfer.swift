/// A far end that was asked to call somebody else (RFC 3515), until it is known what came of it.
struct Transfer: Equatable, Sendable {
    enum Stage: Equatable, Sendable {
        /// REFER is out.
        case asking
        /// The far end took it on; it tells how the call goes.
        case underWay
    }

    static let package = "refer"
    /// How long a far end may go on telling, whatever it says itself.
    static let longest: Duration = .seconds(300)
    /// When a far end does not say for how long it tells.
    static let usual: Duration = .seconds(60)

    var stage = Stage.asking
    /// The CSeq of each REFER, the challenged ones too: the id of the event names one (RFC 3515 §2.4.6).
    var sequences: [UInt32]

    /// Whether an event is about this one. The first REFER of a dialog may go without an id.
    func isMeant(by id: String?) -> Bool { id.map { id in sequences.contains { "\($0)" == id } } ?? true }
}
