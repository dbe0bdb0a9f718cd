import Vault

/// Whether an account is registered, or can be.
struct AccountCheck {
    let accounts: [StoredAccount]
    let settings: Settings
    let phone: RunningState
    let isOffline: Bool

    func finding(_ stored: StoredAccount) -> DoctorFinding {
        let account = stored.account
        let name = "account \(account.label)"
        guard account.sendsPasswordInClear else { return reachability(stored, name) }
        guard account.allowsClearPassword else {
            return .fail(name, "its password is not sent: over ws it would be in clear", Self.secureAdvice)
        }
        let finding = reachability(stored, name)
        guard finding.state == .ok else { return finding }
        return .warn(name, "everybody on the path to \(account.host) can read its password", Self.secureAdvice)
    }

    private func reachability(_ stored: StoredAccount, _ name: String) -> DoctorFinding {
        let account = stored.account
        guard !phone.isRunning else { return running(name, account) }
        guard !isOffline else { return .ok(name, "not tried") }
        do {
            let verdict = try AccountTrial(stored, among: accounts, settings: settings).run()
            let sentence = verdict.sentence(account.server)
            return verdict.isGood ? .ok(name, sentence) : .fail(name, sentence, Self.advice)
        } catch {
            return .fail(name, "\(error)", Self.advice)
        }
    }

    private func running(_ name: String, _ account: Account) -> DoctorFinding {
        switch phone.registration(of: account.label) {
        case (let state, _)? where state == "registered" || state == "notNeeded": .ok(name, state)
        case ("registering", _)?: .warn(name, "registering", "ask again in a minute")
        case (let state, let message)?: .fail(name, message ?? state, "`offhook trace` shows what the server says")
        case nil: .warn(name, "the running phone does not know it", "systemctl restart offhook")
        }
    }

    private static let secureAdvice = "`offhook account remove`, and `offhook account add --transport wss`"
    private static let advice = "`offhook account remove`, and `offhook setup`"
}
