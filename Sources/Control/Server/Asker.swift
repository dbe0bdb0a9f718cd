import JSON

/// Where the answer to a request goes: to a line of its own, or beside the other answers of its batch (JSON-RPC 2.0 §6).
struct Asker {
    let peer: any Peer
    let identifier: RPCCall.Identifier
    /// Nil for a request that came alone.
    let batch: BatchAnswer?

    func answer(_ result: Result<JSONValue, RPCError>) {
        let message = Self.message(to: identifier, result)
        guard let batch else { return peer.answer(message) }
        if let all = batch.add(message) { peer.answer(all.isEmpty ? nil : .array(all)) }
    }

    /// The answer as it goes over the wire; nil for a notification, which gets none.
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

/// The answers to a batch, which go out together when the last one is there. Confined to the control thread.
final class BatchAnswer {
    private var answers: [JSONValue] = []
    private var missing: Int

    /// - Parameter count: The number of requests in the batch.
    init(count: Int) { missing = count }

    /// - Parameter answer: Nil for a notification.
    /// - Returns: All answers, when this was the last one.
    func add(_ answer: JSONValue?) -> [JSONValue]? {
        if let answer { answers.append(answer) }
        missing -= 1
        return missing == 0 ? answers : nil
    }
}
