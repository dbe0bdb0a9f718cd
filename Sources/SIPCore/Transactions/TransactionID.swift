/// Identifies a client transaction: its branch and its method (RFC 3261 §17.1.3).
public struct ClientTransactionID: Hashable, Sendable {
    public let branch: String
    public let method: SIPMethod

    package init(branch: String, method: SIPMethod) { (self.branch, self.method) = (branch, method) }

    /// The CANCEL of this transaction has its branch and its own method.
    var cancel: ClientTransactionID { ClientTransactionID(branch: branch, method: .cancel) }

    /// The transaction that a response belongs to; nil when its Via has no branch.
    init?(_ response: SIPResponse) throws(SIPParseError) {
        guard let branch = try response.headers.topVia.branch else { return nil }
        self.init(branch: branch, method: try response.headers.cSeq.method)
    }
}

/// Identifies a server transaction (RFC 3261 §17.2.3).
public struct ServerTransactionID: Hashable, Sendable {
    private enum Key: Hashable, Sendable {
        case branch(String, host: String, port: UInt16?)
        /// A sender of RFC 2543 gives no unique branch. The values that are the same in ACK and CANCEL identify its
        /// request.
        case legacy(uri: URI, callID: String, fromTag: String?, sequence: UInt32, via: String)
    }

    private let key: Key
    public let method: SIPMethod

    private init(_ key: Key, _ method: SIPMethod) { (self.key, self.method) = (key, method) }

    package init(_ request: SIPRequest) throws(SIPParseError) {
        let via = try request.headers.topVia
        if let branch = via.branch, branch.hasPrefix(Via.magicCookie), branch != Via.magicCookie {
            key = .branch(branch, host: via.host.asciiLowercased, port: via.port)
        } else {
            key = .legacy(
                uri: request.uri, callID: try request.headers.callID, fromTag: try request.headers.from.tag,
                sequence: try request.headers.cSeq.number, via: via.text)
        }
        method = request.method
    }

    /// The INVITE that an ACK or a CANCEL with this identifier belongs to.
    var invite: ServerTransactionID { ServerTransactionID(key, .invite) }
}

public enum TransactionID: Hashable, Sendable {
    case client(ClientTransactionID)
    case server(ServerTransactionID)
}

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
