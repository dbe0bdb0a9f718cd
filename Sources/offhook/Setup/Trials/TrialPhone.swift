import Base
import Control
import Logging
import NIOCore
import NIOPosix
import Panel
import Platform
import Vault

/// A whole phone inside this command, with a simulated panel and a temporary vault. It is controlled over its own
/// control interface.
final class TrialPhone {
    private static let endOfCalls = TimeAmount.milliseconds(1_700)

    let client: ControlClient
    private let folder: TrialFolder
    private let group: MultiThreadedEventLoopGroup
    private let phone: Phone

    /// - Parameters:
    ///   - settings: The phone's settings. Board, vault and socket are replaced.
    ///   - accounts: The accounts in its vault.
    ///   - keepsPort: Whether it uses the configured port.
    init(_ settings: Settings, accounts: [Account], keepsPort: Bool = false) throws {
        folder = try TrialFolder()
        try folder.write(SimulatorBoard.text, to: "board.yaml")
        let settings = settings.onTrial(in: folder.path, keepsPort: keepsPort)
        let key = try VaultKey.create(at: settings.keyFile)
        do {
            var vault = try VaultFile.create(at: settings.vaultFile, key: key)
            for account in accounts { _ = try vault.addAccount(account) }
        }
        let log = ProgramLog.make(level: .error)
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        do {
            let timeline = BootTimeline(started: MonotonicClock.now())
            phone = try loop.submit {
                let phone = try Phone(settings: settings, log: log, timeline: timeline, eventLoop: loop, eventLog: nil)
                try phone.startLater()
                return phone
            }.wait()
            client = try ControlClient(path: settings.socket)
        } catch {
            try group.syncShutdownGracefully()
            throw error
        }
        try client.subscribe()
    }

    /// Ends its calls and registrations. Called once.
    func stop() throws {
        try phone.stop(within: Self.endOfCalls).wait()
        try group.next().submit { [phone] in phone.closeLoopAdapters() }.wait()
        _ = phone.closeThreads(by: MonotonicClock.now() + .seconds(4))
        try group.syncShutdownGracefully()
    }
}
