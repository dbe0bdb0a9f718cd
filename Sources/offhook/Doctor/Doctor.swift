import Base
import Control
import Glibc
import Panel
import Platform
import YAML

/// All checks, in the order in which a person would repair the faults.
struct Doctor {
    let path: String
    /// The file of a key that is sealed to this machine.
    let credential: String
    let isOffline: Bool

    func run(_ tell: (DoctorFinding) throws -> Void) throws {
        for finding in MachineCheck.findings() { try tell(finding) }
        let settings: Settings
        do throws(YAMLError) {
            settings = try Settings(path: path)
        } catch {
            return try tell(.fail("configuration", "\(error)", "correct it, or run `offhook setup`"))
        }
        try tell(.ok("configuration", path))
        for finding in accessFindings(settings) { try tell(finding) }
        let phone = RunningState(settings)
        try tell(phone.finding)
        for finding in phone.faults { try tell(finding) }
        for finding in PortCheck(settings: settings, phone: phone).findings() { try tell(finding) }
        for finding in BackendCheck(settings: settings, isOffline: isOffline).findings() { try tell(finding) }
        for finding in BrokerCheck(settings: settings).findings() { try tell(finding) }
        try tell(boardFinding(settings, phone))
        for finding in SoundCheck(settings: settings, phone: phone).findings() { try tell(finding) }
        let vault = VaultCheck(vault: VaultAccess(settings: settings, credential: credential))
        for finding in vault.findings() { try tell(finding) }
        for finding in MachineCheck.disk(of: settings.vaultFile) { try tell(finding) }
        guard let accounts = vault.accounts else { return }
        let check = AccountCheck(accounts: accounts, settings: settings, phone: phone, isOffline: isOffline)
        for account in accounts { try tell(check.finding(account)) }
        if accounts.isEmpty {
            try tell(.warn("accounts", "the vault has no account", "`offhook setup` or `offhook account add`"))
        }
    }

    /// Checks whether the service's user can read its files. Only a phone below /etc has such a user.
    private func accessFindings(_ settings: Settings) -> [DoctorFinding] {
        guard path.hasPrefix("/etc/") else { return [] }
        guard let user = UserEntry(SetupPlan.serviceUser) else {
            return [
                .fail(
                    "service user", "there is no user \(SetupPlan.serviceUser)", "run systemd-sysusers (see README.md)")
            ]
        }
        let files = [path, settings.boardFile, settings.vaultFile, settings.keyFile]
        return files.compactMap { file in
            var status = stat()
            guard unsafe stat(file, &status) == 0, !user.mayRead(status) else { return nil }
            return .fail(
                "access", "user \(SetupPlan.serviceUser) may not read \(file)",
                file == path || file == settings.boardFile ? "chmod 644" : "chown \(SetupPlan.serviceUser)")
        } + [.ok("service user", SetupPlan.serviceUser)]
    }

    private func boardFinding(_ settings: Settings, _ phone: RunningState) -> DoctorFinding {
        let board: Board
        do throws(YAMLError) {
            board = try Board.load(path: settings.boardFile)
        } catch {
            return .fail("board", "\(error)", "correct it, or choose a board with `offhook setup`")
        }
        do {
            try settings.check(board.panel)
        } catch {
            return .fail("board", "\(error)", "correct the configuration, or choose another board with `offhook setup`")
        }
        guard board.panel.backend == .gpiod else { return .ok("board", "\(board.name), a simulated panel") }
        // A running phone has opened the lines, so nobody else can.
        guard !phone.isRunning else { return .ok("board", "\(board.name); the running phone uses its lines") }
        do throws(PanelError) {
            try board.tryLines()
        } catch {
            return .fail(
                "board", "\(error)", "compare it with `gpioinfo`, or choose another board with `offhook setup`")
        }
        return .ok("board", "\(board.name): all lines exist and are free")
    }
}
