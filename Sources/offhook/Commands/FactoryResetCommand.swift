import Base
import Commands
import EventLog
import Glibc
import Media
import Platform

/// Removes everything that a phone has learned and stored.
enum FactoryResetCommand {
    static var command: Command {
        Command(
            "factory-reset", "Remove accounts, keys, tokens, contacts, history, recordings, logs and settings.",
            discussion: """
                Lists what it removes, and asks. Keeps no copy. A running phone must be stopped first. A configuration \
                below /etc/offhook becomes the one of a new installation; any other stays, and so does the board file. \
                A flash card may still contain removed data, but without the key nobody can read the vault.
                """, example: "systemctl stop offhook\noffhook factory-reset", ConfigurationOption.input,
            Parameter.flag("yes", "Remove without asking.")
        ) { phone, isSure in
            try Permission.check(phone)
            let settings = try phone.load()
            let lock = try lock(settings)
            let reset = try FactoryReset(settings)
            guard !reset.isEmpty else { return print("there is nothing to remove") }
            for line in reset.lines { print(line.withoutCommands) }
            if !isSure { try ask() }
            let failures = Uninterrupted.run { reset.perform() }
            // Until here no phone can start.
            _ = consume lock
            for failure in failures { print(failure.withoutCommands) }
            guard failures.isEmpty else { throw CommandError("\(failures.count) of these were not removed") }
            print("removed; `offhook setup` makes a new phone")
        }
    }

    /// Prevents the start of a phone.
    private static func lock(_ settings: Settings) throws(CommandError) -> FileDescriptor? {
        guard !RunningState(settings).isRunning else { throw running }
        let path = settings.vaultFile + ".lock"
        guard unsafe access(path, F_OK) == 0 else { return nil }
        let file = try FileDescriptor(named: path, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { throw running }
        return file
    }

    private static var running: CommandError {
        CommandError("the phone is running; stop it first: systemctl stop offhook")
    }

    private static func ask() throws {
        guard isatty(STDIN_FILENO) == 1 else { throw CommandError("nothing was removed; --yes removes without asking") }
        print("This cannot be undone. Type \"reset\" to remove all of it: ", terminator: "")
        try StandardOutput.flush()
        guard (readLine() ?? "").trimmed == "reset" else { throw CommandError("nothing was removed") }
    }
}

/// What a factory reset removes, in the order of removal.
package struct FactoryReset {
    /// The configuration of a new installation, as the package installs it.
    package static let newConfiguration = """
        # The phone's configuration. `offhook setup` asks questions and writes it, after showing the changes.
        # All keys: /usr/share/doc/offhook/docs/user/configuration
        board: /usr/share/offhook/board/simulator.yaml
        sound:
          handset: {capture: default, playback: default}

        """

    private struct Group {
        let name: String
        let files: [String]
        /// Whether the file itself is a secret, so that its bytes are overwritten first.
        var isOverwritten = false
    }

    private let groups: [Group]
    /// Nil: the configuration stays.
    private let configuration: FileChange?

    /// The keys go first: whatever an interruption leaves cannot be read.
    init(_ settings: Settings) throws(CommandError) {
        let vault = settings.vaultFile
        var keys = [settings.keyFile, settings.unlockedKeyFile]
        // Other phones of this machine have their own.
        let isUsual = settings.file == ConfigurationOption.usual
        if isUsual { keys.append(SealingOptions.usualCredential) }
        let folder = settings.recording?.folder
        let recordings = folder.map { folder in
            Self.names(in: folder).filter(Self.isRecording).map { folder + "/" + $0 }
        }
        let beside = Self.names(in: vault.openedFolder).map { vault.folder + $0 }
        var old = [BoardMemory(vaultFile: vault).path, settings.file + ".bak"]
        if isUsual { old.append(SealingOptions.usualDropIn) }
        let groups = [
            Group(name: "key of the vault", files: keys, isOverwritten: true),
            Group(name: "accounts, tokens, contacts and history", files: [vault, vault + ".new"]),
            Group(name: "recordings", files: recordings ?? []),
            Group(name: "event logs", files: beside.filter(Self.isEventLog)),
            Group(name: "settings", files: old),
        ]
        self.groups = groups.map { group in
            Group(name: group.name, files: group.files.filter(Self.isThere), isOverwritten: group.isOverwritten)
        }
        let isInstalled = settings.file.hasPrefix("/etc/offhook/")
        let change = FileChange(
            path: settings.file, before: try FileChange.text(of: settings.file), after: Self.newConfiguration)
        configuration = isInstalled && change.isNeeded ? change : nil
    }

    var isEmpty: Bool { groups.allSatisfy(\.files.isEmpty) && configuration == nil }

    /// What is removed, for people.
    var lines: [String] {
        groups.flatMap { group -> [String] in
            guard group.files.count > 20 else { return group.files.map { "\(group.name): \($0)" } }
            return ["\(group.name): \(group.files.count) files in \(group.files[0].folder)"]
        } + (configuration.map { ["settings: \($0.path) becomes that of a new installation"] } ?? [])
    }

    /// Removes all that it can.
    /// - Returns: The failures, for people.
    func perform() -> [String] {
        var failures: [String] = []
        func attempt(_ work: () throws(CommandError) -> Void) {
            do throws(CommandError) { try work() } catch { failures.append("\(error)") }
        }
        for group in groups {
            for file in group.files {
                if group.isOverwritten { attempt { () throws(CommandError) in try Self.overwrite(file) } }
                attempt { () throws(CommandError) in try Self.remove(file) }
            }
        }
        if let configuration {
            attempt { () throws(CommandError) in
                _ = try configuration.write()
                try Self.remove(configuration.path + ".bak")
            }
        }
        return failures
    }

    /// Removes a name, not the target of a link.
    private static func remove(_ file: String) throws(CommandError) {
        guard unsafe unlink(file) == 0 || errno == ENOENT else { throw CommandError("\(file): \(SystemError.last)") }
        let folder = try FileDescriptor(named: file.openedFolder, O_RDONLY | O_DIRECTORY)
        guard fsync(folder.number) == 0 else { throw CommandError("\(file): \(SystemError.last)") }
    }

    /// Another name of the file would be overwritten, too, so only a file with one name is.
    private static func overwrite(_ path: String) throws(CommandError) {
        let file = try FileDescriptor(named: path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            status.st_size <= 65_536
        else { return }
        let zeros = [UInt8](repeating: 0, count: Int(status.st_size))
        guard unsafe pwrite(file.number, zeros, zeros.count, 0) == zeros.count, fsync(file.number) == 0 else {
            throw CommandError("\(path): \(SystemError.last)")
        }
    }

    private static func isThere(_ file: String) -> Bool {
        var status = stat()
        return unsafe lstat(file, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    /// `20261122-010203-in-1.7.opus.sealed`. Other files of the folder are not the phone's.
    private static func isRecording(_ name: String) -> Bool {
        let parts = name.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        let isTime = parts.count == 3 && parts[0].count == 8 && parts[1].count == 6
        return isTime && parts[0].isDecimal && parts[1].isDecimal
            && [".opus", ".wav", ".sealed"].contains { name.hasSuffix($0) }
    }

    private static func isEventLog(_ path: String) -> Bool {
        let opened = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { return false }
        let file = FileDescriptor(owning: opened)
        var start = [UInt8](repeating: 0, count: EventLogFormat.opening.count)
        return unsafe read(file.number, &start, start.count) == start.count && start == EventLogFormat.opening
    }

    /// The names of a folder; empty if it cannot be read or is a link.
    private static func names(in folder: String) -> [String] {
        let opened = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { return [] }
        guard let directory = unsafe fdopendir(opened) else {
            close(opened)
            return []
        }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
                    unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                })
        }
        return names.sorted()
    }
}
