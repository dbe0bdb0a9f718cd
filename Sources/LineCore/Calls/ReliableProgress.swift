import SIPCore

/// A reliable provisional response of ours (RFC 3262 §3).
struct ReliableProgress: Sendable {
    var transaction: ServerTransactionID
    var response: SIPResponse
    var retransmission: ResponseRetransmission
    /// The RAck that its PRACK carries.
    var acknowledgement: RAck
}
