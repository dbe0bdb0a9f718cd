import Base
import SIPCore

/// Identifies callers, and reports refused calls.
extension LineMachine {
    /// The sender of this request, by its headers and by the flow over which it came.
    func caller(_ request: SIPRequest, over flow: Flow, at now: Instant) -> CallerIdentity {
        CallerIdentity(
            request, isTrusted: isOwnServer(flow), asserter: asserter(over: flow), callNames: configuration.callNames,
            at: now)
    }

    /// The party that may vouch for a caller's number over this flow. Nil: no party may.
    func asserter(over flow: Flow) -> IdentityAsserter? {
        guard let account = configuration.account else { return .peer(flow.remote.host) }
        guard isOwnServer(flow) else { return nil }
        return .server(
            hosts: [account.domain, account.server.host, flow.remote.host], alsoByFrom: account.vouchesForFrom)
    }

    /// Reports that a call was not offered. When many such calls come in a short time, only the first are reported.
    mutating func tellRefused(_ request: SIPRequest, because refusal: CallRefusal?, over flow: Flow, at now: Instant) {
        guard let refusal else { return }
        let isTold = isOwnServer(flow) ? limits.ownRefusals.admit(at: now) : limits.refusals.admit(at: now)
        guard isTold else { return }
        outputs.append(.refused(caller(request, over: flow, at: now), from: flow.remote, because: refusal))
    }
}
