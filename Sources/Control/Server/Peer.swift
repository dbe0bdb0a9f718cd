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

/// The destination of an answer: its own line, or the answers of a batch (JSON-RPC 2.0 §6).
struct Asker {
    let peer: any Peer
    let identifier: RPCCall.Identifier
    /// Nil for a single request.
    let batch: BatchAnswer?

    func answer(_ result: Result<JSONValue, RPCError>) {
        let message = Self.message(to: identifier, result)
        guard let batch else { return peer.answer(message) }
        if let all = batch.add(message) { peer.answer(all.isEmpty ? nil : .array(all)) }
    }

    /// The answer in the wire's form; nil for a notification, which gets none.
    private static func message(
        to identifier: RPCCall.Identifier, _ result: Result<JSONValue, RPCError>
    ) -> JSONValue? {
        guard case .value(let value) = identifier else { return nil }
        let outcome: (String, JSONValue) =
            switch result {
            case .success(let result): ("result", result)
            case .failure(let error): ("error", error.json)
            }
        return .object(["jsonrpc": "2.0", "id": value, outcome.0: outcome.1])
    }
}

/// Collects the answers to a batch, which are sent together after the last one. Confined to the control thread.
final class BatchAnswer {
    private var answers: [JSONValue] = []
    private var missing: Int

    /// - Parameter count: The number of requests in the batch.
    init(count: Int) { missing = count }

    /// - Parameter answer: Nil for a notification.
    /// - Returns: All answers, if this was the last one.
    func add(_ answer: JSONValue?) -> [JSONValue]? {
        if let answer { answers.append(answer) }
        missing -= 1
        return missing == 0 ? answers : nil
    }
}
