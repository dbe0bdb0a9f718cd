import Base
import Control
import Glibc
import Logging
import NIOCore
import NIOPosix
import Panel
import Platform
import Synchronization
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

/// A folder for the files of a trial phone. It is in memory, because it contains a vault and its key, and a disk would
/// keep deleted data.
final class TrialFolder {
    /// The folder's path, with the closing slash.
    let path: String
    private static let names = [
        "board.yaml", "offhook.yaml", "vault", "vault.lock", "vault.key", "control.sock", "last-board.yaml",
    ]

    init() throws(CommandError) {
        let runtime = Environment["XDG_RUNTIME_DIR"].map { [$0] } ?? []
        for parent in runtime + ["/dev/shm", "/run"] where MemoryFolder.contains(parent + "/offhook") {
            var template = Array((parent + "/offhook-setup-XXXXXX").utf8CString)
            guard unsafe mkdtemp(&template) != nil else { continue }
            path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/"
            return
        }
        throw CommandError("there is no folder in memory (/dev/shm) for the files of a trial phone")
    }

    deinit {
        for name in Self.names { _ = unsafe unlink(path + name) }
        _ = unsafe rmdir(path)
    }

    func write(_ text: String, to name: String) throws(CommandError) {
        _ = try FileChange(path: path + name, before: nil, after: text).write()
    }
}

/// Ends a trial early. From any thread.
final class TrialStop: Sendable {
    private struct State: Sendable {
        var isStopped = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.action?()
            state.action = nil
        }
    }

    /// Sets an action that also wakes the trial's wait. It runs when the trial is stopped, or at once if it already is.
    /// It must neither block nor call `stop`. Nil removes it; afterwards no action is running.
    func set(_ action: (@Sendable () -> Void)?) {
        state.withLock { state in
            state.action = state.isStopped ? nil : action
            if state.isStopped { action?() }
        }
    }
}
