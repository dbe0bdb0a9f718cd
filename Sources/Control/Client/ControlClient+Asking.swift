import Base
import JSON
import Platform

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
