import Base

/// A binding request to the far end that has no answer yet.
struct CheckTransaction: Sendable {
    enum Purpose: Equatable, Sendable { case check, nomination, consent }

    let id: STUNMessage.TransactionID
    let pair: Int
    let purpose: Purpose
    /// The role in which it was sent (RFC 8445 §7.2.5.1).
    let role: ICERole
    let bytes: [UInt8]
    var retransmission: STUNRetransmission
    /// Not repeated, and its timeout has no effect; an answer still counts (RFC 8445 §7.3.1.4).
    var isCancelled = false
}
