import Vault

/// Checks whether an account is registered, or can be.
package struct AccountCheck {
    let accounts: [StoredAccount]
    let settings: Settings
    let phone: RunningState
    let isOffline: Bool

    func finding(_ stored: StoredAccount) -> DoctorFinding {
        let account = stored.account
        let name = "account \(account.label)"
        guard account.sendsPasswordInClear else { return reachability(stored, name) }
        guard account.allowsClearPassword else {
            return .fail(name, "its password is not sent, because ws does not encrypt it", Self.secureAdvice)
        }
        let finding = reachability(stored, name)
        guard finding.state == .ok else { return finding }
        return .warn(name, "everybody on the path to \(account.host) can read its password", Self.secureAdvice)
    }

    private func reachability(_ stored: StoredAccount, _ name: String) -> DoctorFinding {
        let account = stored.account
        guard !phone.isRunning else { return running(name, account) }
        guard !isOffline else { return .ok(name, "not tried (--offline)") }
        do {
            let verdict = try AccountTrial(stored, among: accounts, settings: settings).run()
            let sentence = verdict.sentence(account.server)
            return verdict.isGood ? .ok(name, sentence) : .fail(name, sentence, Self.advice(verdict))
        } catch {
            return .fail(name, "\(error)", Self.change)
        }
    }

    private func running(_ name: String, _ account: Account) -> DoctorFinding {
        switch phone.registration(of: account.label) {
        case (let state, _)? where state == "registered" || state == "notNeeded": .ok(name, state)
        case ("registering", _)?: .warn(name, "registering", "run `offhook doctor` again in a minute")
        case (let state, let message)?: .fail(name, message ?? state, "`offhook trace` shows the server's messages")
        case nil: .warn(name, "the running phone does not have it", "run `offhook ctl restart`")
        }
    }

    private static let secureAdvice = "`offhook account remove`, and `offhook account add --transport wss`"

    /// Advises to change an account only if the server has rejected it.
    package static func advice(_ verdict: RegistrationVerdict) -> String {
        switch verdict {
        case .refused(let status, _) where (500..<600).contains(status): "ask the server's operator, or try again later"
        case .silent(takesConnections: false), .connectionRefused:
            "check that the server is up, then run `offhook doctor` again"
        case .nameServiceSilent, .unreachable: "check this machine's network (`ip route`, /etc/resolv.conf)"
        case .unknownAuthority, .otherName, .outOfDate, .otherPin:
            "set a trusted certificate in sip.tls.authorities or sip.tls.pins (docs/user/configuration/sip.md)"
        default: change
        }
    }

    /// An account that is added again with the same label keeps its place.
    private static let change = "`offhook account remove`, and add it again (`offhook setup`)"
}
