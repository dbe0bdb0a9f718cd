import PhoneCore
import YAML

/// The program's configuration file. Every key has a default but the board and the devices; relative paths start at
/// the file's own folder.
struct Configuration: YAMLReadable {
    let board: String
    let vault: VaultSection
    let control: ControlSection
    let sip: SIPSection
    let media: MediaSection
    let sound: SoundSection
    let calls: CallsSection
    let log: LogLevel

    init(from section: inout YAMLSection) throws(YAMLError) {
        board = try section.required("board", .text("a path"))
        vault = try section.optional("vault", .section()) ?? VaultSection()
        control = try section.optional("control", .section()) ?? ControlSection()
        sip = try section.optional("sip", .section()) ?? SIPSection()
        media = try section.optional("media", .section()) ?? MediaSection()
        sound = try section.required("sound", .section())
        calls = try section.optional("calls", .section()) ?? CallsSection()
        log = try section.optional("log", .choice()) ?? .info
    }

    static func load(path: String) throws(YAMLError) -> Configuration { try YAMLDocument(path: path).read() }
}

enum LogLevel: String, CaseIterable, Sendable { case debug, info, warning, error }

struct VaultSection: YAMLReadable {
    var file = "/var/lib/offhook/vault"
    /// The key's file, used when systemd hands over no credential.
    var key = "/var/lib/offhook/vault.key"

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        file = try section.optional("file", .text("a path")) ?? file
        key = try section.optional("key", .text("a path")) ?? key
    }
}

struct ControlSection: YAMLReadable {
    var socket = "/run/offhook/control.sock"

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        socket = try section.optional("socket", .text("a path", length: 1...107)) ?? socket
    }
}

struct CallsSection: YAMLReadable {
    var maximum = 2
    var ringTimeout = Duration.seconds(30)
    /// The label of the account that digits are dialled with; the first account when not given.
    var account: String?
    /// Numbers shorter than three digits that may be dialled.
    var shortNumbers: [String] = []

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        maximum = try section.optional("maximum", .integer(in: 1...8)) ?? maximum
        ringTimeout = try section.optional("ring_timeout", .duration(in: .seconds(5) ... .seconds(300))) ?? ringTimeout
        account = try section.optional("account", .text("an account's label", length: 1...256))
        shortNumbers =
            try section.optional("short_numbers", .list(of: .digits(count: 1...6), count: 0...32)) ?? []
    }
}
