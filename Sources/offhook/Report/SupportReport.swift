import Base
import Control
import Glibc
import JSON
import Media
import PhoneCore
import Platform
import Vault
import YAML

/// Collects what somebody needs who helps from far away. Bounded in size and time.
///
/// No source gives a secret: the configuration hides its own, `getSnapshot` has none, and no file with secrets is read.
/// The filter removes all known secrets again.
struct SupportReport {
    /// The limit of the archive, in bytes.
    static let limit = 16 << 20
    /// The limit of one file, in bytes. The end of a longer text is kept.
    private static let longest = 768 << 10
    private static let longestEventLog = 4 << 20
    /// A source that begins later is left out.
    private static let time = Duration.seconds(45)
    private static let folder = "report/"

    let phone: ConfigurationOption
    /// The file of a key that is sealed to this machine.
    let credential: String
    let eventLog: String?
    let hidesNumbers: Bool

    private(set) var archive = TarArchive(time: RealTimeClock.now() / 1_000_000_000)
    private(set) var names: [String] = []
    /// What is missing or limited, for people.
    private(set) var notes: [String] = []
    private let deadline = MonotonicClock.now() + time

    init(phone: ConfigurationOption, credential: String, eventLog: String?, hidesNumbers: Bool) {
        (self.phone, self.credential, self.eventLog) = (phone, credential, eventLog)
        self.hidesNumbers = hidesNumbers
    }

    mutating func collect() {
        let settings = try? phone.load()
        let accounts = settings.flatMap { try? VaultAccess(settings: $0, credential: credential).accounts() }
        let filter = ReportFilter(secrets: secrets(accounts ?? []), hidesNumbers: hidesNumbers)
        if accounts == nil { notes.append("the vault was not read, so its passwords were not searched for") }
        let (path, sealedKey) = (phone.config, credential)
        add("version.txt", filter) { "offhook \(ProgramVersion.text)\nconfiguration \(path)\n" }
        addConfiguration(settings, filter)
        add("doctor.txt", filter) { try Self.doctor(path, credential: sealedKey) }
        add("accounts.txt", filter) { Self.lines((accounts ?? []).map { AccountCommand.line($0.account) }) }
        addPhone(settings, filter)
        addMachine(filter)
        addService(filter)
        addEventLog(settings, filter)
        let readme = readme
        add("README.txt", filter) { readme }
    }

    private mutating func add(
        _ name: String, _ filter: ReportFilter, _ source: () throws -> String
    ) {
        guard MonotonicClock.now() < deadline else {
            notes.append("\(name) is missing: the other parts took too long")
            return
        }
        do {
            append(name, filter.clean(Self.cut(try source())))
        } catch {
            append(name, filter.clean("not available: \(error)\n"))
        }
    }

    private mutating func append(_ name: String, _ bytes: [UInt8]) {
        archive.append(Self.folder + name, bytes)
        names.append(name)
    }

    /// Keeps the end of a long text, which is the latest part of a log.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longest else { return text }
        return "… the beginning is left out\n" + String(decoding: text.utf8.suffix(longest), as: UTF8.self)
    }

    private static func lines(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private var readme: String {
        let numbers =
            hidesNumbers
            ? "Numbers of people are replaced: equal placeholders mean equal numbers."
            : "It has numbers and names of callers."
        let opening = "A report of a phone, written by `offhook report`. It has no passwords, keys, tokens and codes."
        return Self.lines([opening, numbers, ""] + names.sorted() + [""] + notes)
    }
}

/// The phone's own sources.
extension SupportReport {
    /// Everything that must not be in the report: the accounts' secrets, and those of the configuration.
    private func secrets(_ accounts: [StoredAccount]) -> [String] {
        let stored = accounts.flatMap { stored in
            let account = stored.account
            return [account.password, account.token] + account.ice.servers.map(\.password)
        }.compactMap { $0?.reveal() }
        guard let document = try? YAMLDocument(tolerating: phone.config) else { return stored }
        return stored + Self.secrets(in: document.root, isSecret: false)
    }

    /// The values of keys that sound secret, at any place. A person may have put a password where none belongs.
    private static func secrets(in node: YAMLNode, isSecret: Bool) -> [String] {
        switch node.content {
        case .scalar(let text, _): return isSecret ? [text] : []
        case .sequence(let nodes): return nodes.flatMap { secrets(in: $0, isSecret: isSecret) }
        case .mapping(let entries):
            return entries.flatMap { entry in
                // Most arguments of a program are ordinary words.
                let found = secrets(in: entry.value, isSecret: isSecret || soundsSecret(entry.key))
                return entry.key == "run" ? found.filter { $0.utf8.count >= longWord } : found
            }
        }
    }

    private static func soundsSecret(_ key: String) -> Bool {
        let key = key.lowercased()
        return ["password", "passphrase", "secret", "token"].contains { key.includes($0) }
            || ["code", "run"].contains(key)
    }

    private static let longWord = 12

    private mutating func addConfiguration(_ settings: Settings?, _ filter: ReportFilter) {
        let path = phone.config
        do {
            let text = try EffectiveConfiguration(YAMLDocument(path: path)).text(origin: true)
            append("configuration.yaml", filter.clean(configuration: Self.cut(text)))
        } catch {
            let check = ConfigurationCheck(path: path)
            append("configuration-errors.txt", filter.clean(Self.lines(check.errors.map { "\($0)" })))
            notes.append("the configuration has errors, so only these are included")
        }
        guard let settings else { return }
        add("board.yaml", filter) {
            String(decoding: try InputFile.read(settings.boardFile, limit: Self.longest), as: UTF8.self)
        }
    }

    private static func doctor(_ path: String, credential: String) throws -> String {
        var lines: [String] = []
        try Doctor(path: path, credential: credential, isOffline: true).run { lines.append($0.line) }
        return self.lines(lines)
    }

    /// The answers of a running phone.
    private mutating func addPhone(_ settings: Settings?, _ filter: ReportFilter) {
        guard let settings else { return }
        let client: ControlClient
        do throws(ControlClientError) {
            client = try ControlClient(path: settings.socket)
        } catch {
            notes.append("no answers of the phone: \(error)")
            return
        }
        add("status.json", filter) {
            // A code of a sign-in gives access while it is valid.
            let state = try client.snapshot()
            return JSONValue.object((state.object ?? [:]).filter { $0.key != "signIn" }).text + "\n"
        }
        add("status.txt", filter) { Self.lines(StatusText.lines(try client.snapshot())) }
        add("log.txt", filter) {
            Self.lines((try client.call("getLog")["lines"]?.array ?? []).map(LogCommand.text))
        }
        add("boot.txt", filter) { Self.lines(BootText.lines(try client.call("getBootTimeline"))) }
        add("metrics.txt", filter) { try client.call("getMetrics")["text"]?.string ?? "" }
        add("statistics.json", filter) { try client.call("getStatistics").text + "\n" }
    }

    /// The last megabytes of the event log, which has no secrets. Its numbers cannot be replaced, because the log is
    /// for `offhook replay`.
    private mutating func addEventLog(_ settings: Settings?, _ filter: ReportFilter) {
        let usual = settings.map { $0.vaultFile.folder + "events.jsonl" }
        guard let path = eventLog ?? usual, unsafe eventLog != nil || access(path, F_OK) == 0 else { return }
        guard !hidesNumbers else {
            notes.append("the event log is left out, because it has numbers")
            return
        }
        guard MonotonicClock.now() < deadline else { return }
        do {
            append("events.jsonl", filter.clean(try Self.end(of: path)))
        } catch {
            notes.append("no event log: \(error)")
        }
    }

    /// The last lines of a file.
    private static func end(of path: String) throws(CommandError) -> String {
        let file = try FileDescriptor(named: path, O_RDONLY | O_NONBLOCK)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError("\(path): not a regular file")
        }
        let start = max(0, Int(status.st_size) - longestEventLog)
        var bytes = [UInt8](repeating: 0, count: longestEventLog)
        let count = unsafe pread(file.number, &bytes, bytes.count, start)
        guard count >= 0 else { throw CommandError("\(path): \(SystemError.last)") }
        let end = bytes[..<count]
        return String(decoding: start > 0 ? end.drop { $0 != UInt8(ascii: "\n") }.dropFirst() : end, as: UTF8.self)
    }
}

/// The machine's sources.
extension SupportReport {
    private static let machineFiles = [
        "/proc/version", "/etc/os-release", "/proc/device-tree/model", "/proc/uptime", "/proc/loadavg",
        "/proc/meminfo",
    ]

    private mutating func addMachine(_ filter: ReportFilter) {
        add("sound.txt", filter) {
            let cards = SoundCardList.all().map { "\($0.device)  \($0.name), \($0.place)" }
            let files = ["/proc/asound/cards", "/proc/asound/pcm"].map(Self.text)
            return Self.lines(cards.isEmpty ? ["no sound card"] : cards) + files.joined()
        }
        add("machine.txt", filter) { Self.machineFiles.map(Self.text).joined() }
    }

    /// A small file of the system, below its name. One that is missing is left out.
    private static func text(of path: String) -> String {
        guard let bytes = try? InputFile.read(path, limit: 64 << 10) else { return "" }
        let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
        return "== \(path)\n\(text)\(text.hasSuffix("\n") ? "" : "\n")"
    }

    /// Properties of a unit. Its command lines are left out, because those of `on_event` may contain secrets.
    private static let properties = [
        "Id", "UnitFileState", "ActiveState", "SubState", "Result", "StatusText", "NRestarts", "ExecMainCode",
        "ExecMainStatus", "ActiveEnterTimestamp", "MemoryCurrent", "MemoryPeak", "TasksCurrent", "FragmentPath",
        "DropInPaths",
    ]

    /// What systemd knows of the phone's service.
    private mutating func addService(_ filter: ReportFilter) {
        guard let unit = JournalQuery.unit(ofConfiguration: phone.config),
            unsafe access("/run/systemd/system", F_OK) == 0
        else { return }
        add("service.txt", filter) {
            try Self.output(of: ["systemctl", "show", unit] + Self.properties.map { "--property=\($0)" })
        }
        add("journal.txt", filter) {
            try Self.output(of: JournalQuery(unit: unit, since: nil, lines: 300, follows: false).words)
        }
    }

    private static func output(of words: [String]) throws(CommandError) -> String {
        let output = try SystemCommand.run(words, within: .seconds(10), withErrors: true).output
        return String(decoding: output, as: UTF8.self)
    }
}
