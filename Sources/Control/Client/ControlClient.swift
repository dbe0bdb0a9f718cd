import Base
import JSON
import Platform

/// A client's connection to a running phone. Blocking, for command lines and measurements; used by one thread at a
/// time.
public final class ControlClient {
    /// The largest number of events that are queued for the caller.
    public static let maximumQueuedEvents = 4_096
    /// The longest accepted message, in bytes.
    public static let maximumLineLength = 1_048_576

    private let socket: ClientSocket
    private var splitter = LineSplitter(limit: maximumLineLength)
    private var messages: [JSONValue] = []
    private var events: [ControlEvent] = []
    private var lastIdentifier: Int64 = 0

    /// Connects at once or not at all.
    public init(path: String) throws(ControlClientError) { socket = try ClientSocket(path: path) }

    /// Sends a request and waits for the answer.
    /// - Parameter timeout: Longer than the phone's own deadlines (5 s), so that the phone's reason arrives.
    public func call(
        _ method: String, _ params: [String: JSONValue] = [:], timeout: Duration = .seconds(10)
    ) throws(ControlClientError) -> JSONValue {
        lastIdentifier += 1
        let identifier = JSONValue.integer(lastIdentifier)
        let request: JSONValue = [
            "jsonrpc": "2.0", "id": identifier, "method": .string(method), "params": .object(params),
        ]
        let deadline = MonotonicClock.now() + timeout
        try socket.send(request.utf8 + [UInt8(ascii: "\n")], until: deadline)
        while true {
            guard let message = try nextMessage(until: deadline) else { throw .timedOut }
            if let event = ControlEvent(notification: message) {
                try keep(event)
            } else if message["id"] == identifier, let result = message["result"] {
                return result
            } else if message["id"] == identifier || message["id"] == .null {
                throw Self.refusal(message)
            }
            // Otherwise it is the answer to an earlier request that has timed out.
        }
    }

    /// Subscribes to events. `nextEvent` returns them from then on.
    public func subscribe() throws(ControlClientError) { _ = try call("subscribe") }

    /// The next event in order; nil if none came in time. With a timeout of zero it does not wait.
    public func nextEvent(timeout: Duration) throws(ControlClientError) -> ControlEvent? {
        if !events.isEmpty { return events.removeFirst() }
        let deadline = MonotonicClock.now() + timeout
        while let message = try nextMessage(until: deadline) {
            if let event = ControlEvent(notification: message) { return event }
            if message["id"] == .null { throw Self.refusal(message) }
        }
        return nil
    }

    /// Waits for an event and drops those before it.
    public func waitForEvent(
        timeout: Duration, where matches: (ControlEvent) -> Bool
    ) throws(ControlClientError) -> ControlEvent {
        let deadline = MonotonicClock.now() + timeout
        while let event = try nextEvent(timeout: deadline - MonotonicClock.now()) {
            if matches(event) { return event }
        }
        throw .timedOut
    }

    private func keep(_ event: ControlEvent) throws(ControlClientError) {
        guard events.count < Self.maximumQueuedEvents else { throw .tooManyEvents }
        events.append(event)
    }

    private func nextMessage(until deadline: Instant) throws(ControlClientError) -> JSONValue? {
        while messages.isEmpty {
            guard let bytes = try socket.receive(until: deadline) else { return nil }
            let output = splitter.push(bytes)
            guard !output.isOverlong else { throw .malformed("its line is too long") }
            for line in output.lines {
                do {
                    messages.append(try JSONValue(parsing: line))
                } catch {
                    throw .malformed("its line is not JSON: \(error)")
                }
            }
        }
        return messages.removeFirst()
    }

    private static func refusal(_ message: JSONValue) -> ControlClientError {
        guard let error = message["error"], let text = error["message"]?.string else {
            return .malformed("its answer has neither result nor error")
        }
        let data = error["data"] ?? .null
        return .refused(code: data["code"]?.string ?? "unknown", message: text, data: data)
    }
}
