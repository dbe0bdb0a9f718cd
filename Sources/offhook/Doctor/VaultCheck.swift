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
