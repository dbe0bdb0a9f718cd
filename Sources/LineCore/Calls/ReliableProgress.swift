import SIPCore

/// Our reliable provisional response (RFC 3262 §3).
struct ReliableProgress: Sendable {
    var transaction: ServerTransactionID
    var response: SIPResponse
    var retransmission: ResponseRetransmission
    /// The RAck that its PRACK carries.
    var acknowledgement: RAck
}
