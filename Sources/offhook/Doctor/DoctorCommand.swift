import Base
import Commands
import Control
import Glibc
import JSON
import Panel
import Platform
import YAML

enum DoctorCommand {
    static var command: Command {
        Command(
            "doctor", "Check configuration, vault, sound, panel, accounts and the machine.",
            discussion: """
                Changes nothing. Beside a running phone, it reports the phone's own states. Without one, it registers \
                and unregisters each account for real. Exits 1 if a check fails.
                """, example: "offhook doctor --offline", ConfigurationOption.input,
            Parameter.option("credential", "File of a key that is sealed to this machine.", .file())
                .usual(SealingOptions.usualCredential),
            Parameter.flag("offline", "Do not register accounts."), Parameter.flag("json", "Print JSON.")
        ) { phone, credential, isOffline, isJSON in
            _ = PrivateMemory.hide()
            var findings: [DoctorFinding] = []
            // Print each line at once, because some checks take seconds.
            try Doctor(path: phone.config, credential: credential, isOffline: isOffline).run { finding in
                findings.append(finding)
                guard !isJSON else { return }
                print(finding.line)
                try StandardOutput.flush()
            }
            if isJSON { print(JSONValue.array(findings.map(\.json)).text) }
            if findings.contains(where: { $0.state == .fail }) { throw ExitCode.failure }
        }
    }
}

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

/// The result of one check.
package struct DoctorFinding: Equatable, Sendable {
    package enum State: String, Sendable { case ok, warn, fail }

    /// The name of the check.
    package let check: String
    package let state: State
    package let text: String
    /// What a person can do; nil if nothing is wrong.
    package let advice: String?

    package static func ok(_ check: String, _ text: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .ok, text: text, advice: nil)
    }

    package static func warn(_ check: String, _ text: String, _ advice: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .warn, text: text, advice: advice)
    }

    package static func fail(_ check: String, _ text: String, _ advice: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .fail, text: text, advice: advice)
    }

    /// One line for a person.
    package var line: String {
        let state = state.rawValue + String(repeating: " ", count: 5 - state.rawValue.count)
        let name = check + String(repeating: " ", count: max(0, 14 - check.count))
        return (state + " " + name + " " + text + (advice.map { "; " + $0 } ?? "")).withoutCommands
    }

    package var json: JSONValue {
        [
            "check": .string(check), "state": .string(state.rawValue), "text": .string(text),
            "advice": advice.map { .string($0) } ?? .null,
        ]
    }
}

/// The running phone of this configuration, if any.
struct RunningState {
    private(set) var snapshot: JSONValue?
    private let socket: String
    /// Why a running phone does not answer.
    private var fault: String?

    init(_ settings: Settings) {
        socket = settings.socket
        do throws(ControlClientError) {
            snapshot = try ControlClient(path: socket).snapshot()
        } catch .unreachable {
            // No phone runs, which is no error.
            fault = nil
        } catch {
            fault = "\(error)"
        }
    }

    var isRunning: Bool { snapshot != nil || fault != nil }

    var finding: DoctorFinding {
        if let fault { return .fail("phone", fault, "systemctl restart offhook") }
        guard snapshot != nil else { return .ok("phone", "not running") }
        return .ok("phone", "running, and answers at \(socket)")
    }

    /// Faults that the running phone reports, although it can have calls.
    var faults: [DoctorFinding] {
        (snapshot?["faults"]?.array ?? []).map {
            .warn("phone", $0.string ?? "", "remove the cause; the phone retries every few seconds")
        }
    }

    /// The state of an account's line, and its message. Nil: no phone runs, or it does not have the line.
    func registration(of label: String) -> (state: String, message: String?)? {
        guard let line = snapshot?["registrations"]?.array?.first(where: { $0["label"]?.string == label }),
            let state = line["state"]?.string
        else { return nil }
        return (state, line["message"]?.string)
    }

    func hasLost(_ route: String) -> Bool {
        snapshot?["lostDevices"]?.array?.contains { $0.string == route } ?? false
    }
}
