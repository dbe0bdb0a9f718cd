import Base
import SIPCore

/// Who asks for something, and who was refused.
extension LineMachine {
    /// Who sent this request, by what it says and by the way it came.
    func caller(_ request: SIPRequest, over flow: Flow, at now: Instant) -> CallerIdentity {
        CallerIdentity(
            request, isTrusted: isOwnServer(flow), voucher: voucher(over: flow), callNames: configuration.callNames,
            at: now)
    }

    /// Who may say over this flow which number calls. Nil: nobody.
    private func voucher(over flow: Flow) -> CallerVoucher? {
        guard let account = configuration.account else { return .peer(flow.remote.host) }
        guard isOwnServer(flow) else { return nil }
        return .server(
            hosts: [account.domain, account.server.host, flow.remote.host], alsoByFrom: account.vouchesForFrom)
    }

    /// Tells that a call was not offered; of very many in a short time only the first.
    mutating func tellRefused(_ request: SIPRequest, because refusal: CallRefusal?, over flow: Flow, at now: Instant) {
        guard let refusal, limits.refusals.admit(at: now) else { return }
        outputs.append(.refused(caller(request, over: flow, at: now), from: flow.remote, because: refusal))
    }
}
