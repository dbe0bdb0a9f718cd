/// The values of a request outside any dialog that a forking proxy sends unchanged on every path (RFC 3261 §8.2.2.2).
///
/// While one copy of the request has a transaction, any other copy is a merged request and is answered with 482.
struct MergedRequestKey: Equatable, Sendable {
    private let callID: String
    private let fromTag: String
    private let sequence: CSeq

    /// Nil inside a dialog, for a CANCEL, and for a sender of RFC 2543, whose From has no tag to compare.
    init?(_ request: SIPRequest) throws(SIPParseError) {
        guard request.method != .cancel, try request.headers.to.tag == nil, let tag = try request.headers.from.tag
        else { return nil }
        (callID, fromTag, sequence) = (try request.headers.callID, tag, try request.headers.cSeq)
    }

    /// The INVITE that a CANCEL means. Nil without a tag to compare.
    init?(inviteOf cancel: SIPRequest) throws(SIPParseError) {
        guard let tag = try cancel.headers.from.tag else { return nil }
        let number = try cancel.headers.cSeq.number
        (callID, fromTag, sequence) = (try cancel.headers.callID, tag, CSeq(number, .invite))
    }
}
