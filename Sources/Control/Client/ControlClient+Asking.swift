import Base
import JSON
import Platform

extension ControlClient {
    /// The phone as it is now, with all missed calls of its run, which the phone sends in pages.
    public func snapshot() throws(ControlClientError) -> JSONValue {
        guard case .object(var snapshot) = try call("getSnapshot") else { throw .malformed("no snapshot") }
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

    /// Dials, and watches the call for a moment, because a call that fails at once is no success.
    ///
    /// - Returns: Why the call ended, for people. Nil: it goes on.
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
