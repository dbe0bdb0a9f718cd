import Base
import Cryptography
import LineCore
import Lines
import Logging
import Media
import NIOCore
import Network
import Panel
import PhoneCore
import Programs
import Vault

extension Phone {
    /// Writes the lines' fault reports to the log.
    static func reports(to log: Logger, _ names: AccountNames) -> @Sendable (AccountID, String) -> Void {
        { log.warning("\(names.name(of: $0)): \($1)") }
    }

    /// Warns about each account whose password others can read.
    static func warnOfClearPasswords(_ accounts: [StoredAccount], _ log: Logger) {
        for stored in accounts where stored.account.sendsPasswordInClear && stored.account.allowsClearPassword {
            log.warning("\(stored.account.label): its password is sent unencrypted; --transport wss would encrypt it")
        }
    }

    /// Stores what a line learns about its server's security. Logs when the line rejects something weaker.
    static func trustNews(
        to vault: Vault, _ log: Logger, _ names: AccountNames
    ) -> @Sendable (AccountID, TrustNews) -> Void {
        { account, news in
            let label = names.name(of: account)
            switch news {
            case .learned(let trust):
                // The vault's record is about the account's own server.
                if !names.all.elsewhere.contains(account) { vault.keep(trust, of: account) }
                log.info("\(label): from now on the account \(trust.words)")
            case .refused(let breach):
                log.warning("\(label): \(breach.sentence). \(AccountCommand.forgetTrustAdvice(label))")
            }
        }
    }

    /// Writes reports about programs to the log, which neutralises control characters in their texts.
    static func programReports(to log: Logger) -> @Sendable (ProgramReport) -> Void {
        { log.log(level: $0.isWarning ? .warning : .info, "on_event: \($0.sentence)") }
    }

    /// The panel's backend: the board's chips, or a simulation, which reports its outputs to the control interface.
    static func backend(
        for board: Board, _ control: ControlHolder, _ loop: any EventLoop
    ) -> (any PanelBackend, simulation: SimulatedBackend?) {
        switch board.panel.backend {
        case .simulated:
            let simulated = SimulatedBackend(board: board) { output in loop.execute { control.publish(output) } }
            return (simulated, simulated)
        case .gpiod: return (GPIODBackend(), nil)
        }
    }

    static func display(of board: Board, showing policy: PhonePolicy, _ log: Logger) -> Display? {
        guard let spec = board.panel.display, let content = PhoneMachine(policy: policy).snapshot.display else {
            return nil
        }
        return Display(spec, showing: content) { log.warning("\($0)") }
    }

    /// The watch of the machine's network, unless the configuration disables it. The phone gets its path. The lines get
    /// every change, because the route to a server may differ from the default route.
    static func network(
        _ settings: Settings, _ loop: PhoneLoop, _ lines: Lines, _ callerInfo: CallerInfoSlot, _ backend: BackendLink,
        _ eventLoop: any EventLoop, _ log: Logger
    ) -> Network? {
        guard settings.configuration.network.isWatched else { return nil }
        return Network(
            listening: settings.configuration.sip.addresses, post: { loop.post(.network($0)) },
            stirred: {
                eventLoop.execute {
                    lines.networkStirred()
                    backend.networkStirred()
                }
                callerInfo.networkStirred()
            }, report: { log.warning("network: \($0)") })
    }

    /// What the phone reads from its vault before anything else.
    struct Stored {
        let accounts: [StoredAccount]
        let identity: DTLSIdentity
        /// The organisation that the phone works for. Nil: nobody has signed it in.
        let context: OrganisationContext?
        let deviceID: String?
        let signIn: BackendLink.Memory
    }

    static func read(_ file: inout VaultFile, _ log: Logger) throws -> Stored {
        let accounts = try file.accounts()
        return Stored(
            accounts: accounts, identity: try identity(in: &file, log), context: context(in: file, log),
            deviceID: DeviceInstance.urn(try file.device()), signIn: BackendLink.Memory(file, log))
    }

    /// The organisation that the phone works for. The phone starts without it if it cannot be read, because other
    /// accounts can still be called.
    private static func context(in file: borrowing VaultFile, _ log: Logger) -> OrganisationContext? {
        do throws(VaultError) {
            return try file.context()
        } catch {
            log.error("the vault's organization cannot be read, so its account registers as configured: \(error)")
            return nil
        }
    }
}

extension Phone {
    /// The phone's certificate for handshakes, created at the first start. If the vault cannot store it, calls still
    /// work.
    static func identity(in file: inout VaultFile, _ log: Logger) throws -> DTLSIdentity {
        do throws(VaultError) {
            if let known = try file.identity() { return known }
        } catch {
            log.error("cannot read the phone's certificate, so this run uses a new one: \(error)")
            return try DTLSIdentity.make()
        }
        let fresh = try DTLSIdentity.make()
        do throws(VaultError) {
            try file.keep(fresh)
        } catch {
            log.error("cannot store the phone's certificate, so the next start uses a new one: \(error)")
        }
        return fresh
    }
}

extension RecordingSeal {
    /// Seals recordings so that only the vault's key opens them.
    init(_ key: VaultKey) {
        self.init(suffix: SealedRecording.suffix) {
            let recording = SealedRecording(with: key)
            return Stream(opening: recording.opening) { recording.seal($0, number: $1, isLast: $2) }
        }
    }
}
