import SIPCore

/// A provisional response of ours that has to arrive (RFC 3262 §3).
struct ReliableProgress: Sendable {
    var transaction: ServerTransactionID
    var response: SIPResponse
    var retransmission: ResponseRetransmission
    /// What its PRACK says.
    var acknowledgement: RAck
}
