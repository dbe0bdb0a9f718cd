import JSON
import PhoneCore

/// A client, over the socket or HTTP. Confined to the control thread.
protocol Peer: AnyObject {
    /// The permitted scope.
    var scope: AccessScope { get }
    /// The owner of its requests. It may cancel only those.
    var owner: PeerOwner { get }
    /// Whether it gets events.
    var isSubscribed: Bool { get }
    var requestsInFlight: Int { get set }

    /// Sends the answer to a request or a batch. Called once for each.
    /// - Parameter message: Nil after notifications only, which get no answer.
    func answer(_ message: JSONValue?)
    /// Subscribes it to events.
    func subscribe() throws(RPCError)
    func tell(_ event: PublishedEvent)
    func close()
}

/// The owner of a request. Over HTTP each request may use another connection, so there the token identifies the owner.
enum PeerOwner: Equatable {
    case connection(ObjectIdentifier)
    case token(label: String)
}
