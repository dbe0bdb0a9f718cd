import JSON
import PhoneCore

/// A program at the other end, whichever way it came. Confined to the control thread.
protocol Peer: AnyObject {
    /// What it may do.
    var scope: AccessScope { get }
    /// The owner whose requests it may cancel: its own.
    var owner: PeerOwner { get }
    /// Whether it is told events.
    var isSubscribed: Bool { get }
    var requestsInFlight: Int { get set }

    /// Sends the answer to a request or a batch. Called once for each.
    /// - Parameter message: Nil where only notifications were asked, which get no answer.
    func answer(_ message: JSONValue?)
    /// From now on it is told events.
    func subscribe() throws(RPCError)
    func tell(_ event: PublishedEvent)
    func close()
}

/// Who asks. Over HTTP each request may come by another connection, so that there the token says it.
enum PeerOwner: Equatable {
    case connection(ObjectIdentifier)
    case token(label: String)
}
