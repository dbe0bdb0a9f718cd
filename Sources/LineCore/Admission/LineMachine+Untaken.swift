import Base
import SIPCore

/// Reports calls that are refused before the line looks at them, in the same way as all refused calls.
///
/// A merged request (482, RFC 3261 §8.2.2.2) is not reported. It is a copy of an INVITE that came over another path,
/// and that INVITE was offered or reported itself.
extension LineMachine {
    /// An INVITE that cannot be read gets 400 without a transaction.
    /// - Parameter refusal: The response, which has the request's names. Nil: the bytes do not show where to send one.
    mutating func tellUnread(_ refusal: SIPResponse?, over flow: Flow, at now: Instant) {
        guard let refusal, refusal.headers[.cSeq]?.split(separator: " ").last == "INVITE" else { return }
        let request = SIPRequest(.invite, .other(scheme: "unread", rest: "uri"), headers: refusal.headers)
        if let dialog = try? Dialog.ID(request), leg(of: dialog) != nil { return }
        let why: CallRefusal =
            if !uses(flow.transport) { .otherTransport } else if accepts(flow) { .malformed } else { .notAccepted }
        tellRefused(request, because: why, over: flow, at: now)
    }

    /// An INVITE for which the transaction layer has no room gets 503 without a transaction.
    mutating func tellUntaken(
        _ message: SIPMessage, _ effects: [TransactionLayer.Effect], over flow: Flow, at now: Instant
    ) {
        guard case .request(let request) = message, request.method == .invite, (try? request.headers.to)?.tag == nil,
            effects.contains(.dropped(.tooManyTransactions))
        else { return }
        tellRefused(request, because: .noRoom, over: flow, at: now)
    }
}
