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

/// Why the client got no answer from the phone.
public enum ControlClientError: Error, Equatable, Sendable {
    /// No program answers at this path, with the reason.
    case unreachable(path: String, why: String)
    /// This user may not use the phone's socket.
    case notPermitted(path: String)
    case timedOut
    /// The phone closed the connection.
    case closed
    /// The phone rejected the request: a stable word, a sentence, and further details.
    case refused(code: String, message: String, data: JSONValue)
    /// The answering program does not use this protocol.
    case malformed(String)
    /// The caller left so many events unread that some would have been lost.
    case tooManyEvents
    /// A system call failed.
    case system(call: String, errno: Int32)
}

extension ControlClientError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let path, let why): "no phone answers on \(path): \(why)"
        case .notPermitted(let path):
            "this user may not use the phone at \(path); run the command as root, or as user offhook "
                + "(runuser -u offhook -- …)"
        case .timedOut: "the phone did not answer in time"
        case .closed: "the phone closed the connection"
        case .refused(let code, let message, let data):
            if let reason = data["reason"]?.string { "\(message) (\(code): \(reason))" } else { "\(message) (\(code))" }
        case .malformed(let why): "the program that answers is no phone: \(why)"
        case .tooManyEvents: "too many events are unread"
        case .system(let call, let errno): "\(call): \(SystemError.text(errno))"
        }
    }
}

extension ControlClient {
    /// The phone's present state, with all missed calls that it lists, which the phone sends in pages.
    public func snapshot() throws(ControlClientError) -> JSONValue {
        guard case .object(var snapshot) = try call("getSnapshot") else {
            throw .malformed("the answer is no snapshot")
        }
        var missed = snapshot["missed"]?.array ?? []
        var hasMore = snapshot["missedMore"] == true
        while hasMore, let oldest = missed.first?["call"] {
            let page = try call("getMissedCalls", ["before": oldest])
            let calls = page["missed"]?.array ?? []
            missed = calls + missed
            hasMore = page["more"] == true && !calls.isEmpty
        }
        (snapshot["missed"], snapshot["missedMore"]) = (.array(missed), false)
        return .object(snapshot)
    }

    /// Transfers or parks a call, and waits for the outcome, because a far end that accepts may still fail.
    ///
    /// - Parameter timeout: From the acceptance of the far end, which may let the target ring.
    /// - Returns: Nil if the call was transferred; otherwise the reason, for people.
    public func transfer(
        _ method: String, _ params: [String: JSONValue], staying timeout: Duration = .seconds(180)
    ) throws(ControlClientError) -> String? {
        try subscribe()
        var params = params
        // Without `call` the phone would choose the same call, but would not report which.
        if params["call"] == nil { params["call"] = try onlyActiveCall() }
        _ = try call(method, params)
        let end = MonotonicClock.now() + timeout
        while let event = try nextEvent(timeout: max(.zero, end - MonotonicClock.now())) {
            if let call = params["call"], event.fields["call"] != call { continue }
            let message = event.fields["message"]?.string
            switch event.name {
            case "transferFailed": return message ?? "the transfer failed"
            case "callEnded" where event.fields["reason"] == "transferred": return nil
            case "callEnded" where params["call"] != nil, "callFailed" where params["call"] != nil:
                return "the call ended before it was transferred: \(message ?? "?")"
            default: continue
            }
        }
        return "the far end has not reported the outcome of the transfer yet"
    }

    private func onlyActiveCall() throws(ControlClientError) -> JSONValue? {
        let active = try call("getSnapshot")["calls"]?.array?.filter { $0["phase"] == "active" } ?? []
        return active.count == 1 ? active[0]["call"] : nil
    }

    /// Dials, and watches the call for a moment, because a call that fails at once is no success.
    ///
    /// - Returns: Nil if the call continues; otherwise the reason of its end, for people.
    public func dial(
        _ params: [String: JSONValue], staying timeout: Duration = .seconds(1)
    ) throws(ControlClientError) -> String? {
        try subscribe()
        _ = try call("dial", params)
        let end = MonotonicClock.now() + timeout
        var call: JSONValue?
        while let event = try nextEvent(timeout: max(.zero, end - MonotonicClock.now())) {
            if call == nil, event.name == "callStarted" { call = event.fields["call"] }
            guard let call, event.fields["call"] == call else { continue }
            switch event.name {
            case "callFailed", "callEnded": return event.fields["message"]?.string ?? "the call ended"
            case "callRinging", "callAnswered": return nil
            default: continue
            }
        }
        return nil
    }
}

extension ControlClient {
    /// How a sign-in ended.
    public enum SignInEnd: Equatable, Sendable {
        /// Who signed in, for people.
        case signedIn(String)
        /// Why not, for people.
        case failed(String)
    }

    /// The phone waits so long for its backend.
    private static let longestAsking = Duration.seconds(40)
    /// A code lasts so long at most.
    private static let longestWait = Duration.seconds(3_660)

    /// Begins a sign-in, or joins the one that waits, and waits for its end.
    /// - Parameters:
    ///   - show: Gets the code, and each later code that replaces it.
    ///   - wait: Gets the reason if the phone can ask for a code only later.
    public func signIn(show: (JSONValue) throws -> Void, wait: (String) throws -> Void) throws -> SignInEnd {
        try subscribe()
        var code: JSONValue?
        do throws(ControlClientError) {
            code = try call("signIn", timeout: Self.longestAsking)
        } catch {
            guard case .refused("signInFailed", let message, let data) = error, data["reason"] == Self.waitsForTime
            else { throw error }
            try wait(message)
        }
        if let code { try show(code) }
        var shown = code?["code"]
        let end = MonotonicClock.now() + Self.longestWait
        while let event = try nextEvent(timeout: max(.zero, end - MonotonicClock.now())) {
            switch event.name {
            case "signInCode" where event.fields["code"] != shown:
                shown = event.fields["code"]
                try show(.object(event.fields))
            case "signedIn": return .signedIn(Self.user(event.fields))
            case "signInFailed" where event.fields["reason"] == Self.waitsForTime: continue
            case "signInFailed": return .failed(event.fields["message"]?.string ?? "the sign-in failed")
            default: continue
            }
        }
        return .failed("the phone has not reported the end of the sign-in")
    }

    private static let waitsForTime: JSONValue = "clockNotSet"

    private static func user(_ fields: [String: JSONValue]) -> String {
        let (name, email) = (fields["userName"]?.string, fields["email"]?.string)
        guard let name, let email else { return name ?? email ?? fields["subject"]?.string ?? "?" }
        return "\(name) <\(email)>"
    }

    /// Signs out. The phone waits for its backend, but not for ever.
    public func signOut() throws(ControlClientError) { _ = try call("signOut", timeout: Self.longestAsking) }

    /// The user's organisations, as the backend lists them.
    public func organizations() throws(ControlClientError) -> JSONValue {
        try call("getOrganizations", timeout: Self.longestAsking)
    }
}

/// A page of the signalling messages that a phone remembers, in order.
public struct SignalPage: Sendable {
    public let signals: [ControlSignal]
    /// The label of each signal's account, if it has one.
    public let labels: [String?]
    /// The number for the next query, which gives the messages after this one.
    public let last: Int64
    /// The number of requested messages that the phone had already forgotten.
    public let lost: Int64

    init(_ page: JSONValue) throws(ControlClientError) {
        guard let last = page["last"]?.integer, let lost = page["lost"]?.integer, let all = page["signals"]?.array
        else { throw .malformed("the answer is no page of messages") }
        labels = all.map { $0["label"]?.string }
        signals = all.compactMap { ControlSignal($0) }
        guard signals.count == all.count else { throw .malformed("the answer contains no valid message") }
        (self.last, self.lost) = (last, lost)
    }
}

extension ControlClient {
    /// Fetches the messages after the number `seen`, as many as fit into a page. With 0 it fetches from the oldest one.
    /// - Parameter waits: Whether to wait if there is no new message.
    public func signals(
        after seen: Int64, waits: Bool = false, timeout: Duration = .seconds(10)
    ) throws(ControlClientError) -> SignalPage {
        try SignalPage(
            call("getSignals", ["after": .integer(seen), "wait": .bool(waits)], timeout: timeout))
    }
}
