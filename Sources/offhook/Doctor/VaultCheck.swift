import Base
import Glibc
import Vault

/// Checks whether the vault opens, and where its key is.
struct VaultCheck {
    private let vault: VaultAccess
    private let opened: Result<[StoredAccount], any Error>

    init(vault: VaultAccess) {
        self.vault = vault
        opened = Result { try vault.accounts() }
    }

    /// Nil: the vault does not open.
    var accounts: [StoredAccount]? { try? opened.get() }

    func findings() -> [DoctorFinding] {
        let file = vault.settings.vaultFile
        guard vault.exists else {
            return [.fail("vault", "there is no vault at \(file)", "run `offhook setup` or `offhook vault init`")]
        }
        switch opened {
        case .success(let accounts):
            return [.ok("vault", "\(file) opens; accounts: \(accounts.count)"), keyFinding] + modeFindings
        case .failure(let error): return [.fail("vault", "\(error)", Self.advice(error))] + modeFindings
        }
    }

    private static func advice(_ error: any Error) -> String {
        switch error {
        case VaultError.keyLocked: "run `offhook vault unlock`"
        case VaultError.keyNotFound, VaultError.keyLost:
            "run `offhook doctor` as root or as the phone's user, or restore the key"
        case VaultError.keyUnusable, VaultError.permissionsTooOpen:
            "give it to the phone's user (chown) and set its mode (chmod 600)"
        default: "run `offhook vault check` for details"
        }
    }

    private var keyFinding: DoctorFinding {
        guard isThere(vault.settings.keyFile), !vault.isSealed else {
            return .ok("key", "not on the disk unencrypted")
        }
        return .warn("key", "unencrypted at \(vault.settings.keyFile)", "`offhook vault seal` binds it to this machine")
    }

    /// Files that other users could read.
    private var modeFindings: [DoctorFinding] {
        [vault.settings.vaultFile, vault.settings.keyFile].compactMap { file in
            var status = stat()
            guard unsafe stat(file, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
            return .fail("mode", "other users may read or change \(file)", "chmod 600 \(file)")
        }
    }

    private func isThere(_ file: String) -> Bool {
        var status = stat()
        return unsafe stat(file, &status) == 0
    }
}

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
