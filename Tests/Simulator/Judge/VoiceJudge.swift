import PhoneCore
import PhoneJudges

/// Voice goes only to the far end's address from the account's server, and never in clear.
struct VoiceJudge: Sendable {
    func check(_ effects: [PhoneEffect], _ witness: Witness) throws(Violation) {
        for effect in effects {
            switch effect {
            case .media(.connect(let call, let plan)), .media(.update(let call, let plan)):
                try check(plan, of: call, witness)
            case .media, .line, .panel, .vault, .control, .callerInfo, .backend, .display, .stopped: break
            }
        }
    }

    private func check(_ plan: NegotiatedMedia, of call: CallID, _ witness: Witness) throws(Violation) {
        guard plan.protection != nil else { throw Violation("voice is never in clear: \(call)") }
        try check(plan.remote, of: call, witness)
    }

    func check(_ address: MediaAddress, of call: CallID, _ witness: Witness) throws(Violation) {
        guard let leg = witness.leg(of: call) else { return }
        guard witness.call(ofLeg: leg)?.media.contains(address) == true else {
            throw Violation("voice goes to the server's address: \(call) sends to \(address.host):\(address.port)")
        }
    }
}
