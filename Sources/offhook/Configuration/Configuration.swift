import Media
import Panel
import PhoneCore
import Programs
import YAML

/// The program's configuration file. Every key has a default except the board and the devices. Relative paths begin at
/// the file's folder.
package struct Configuration: YAMLReadable {
    let board: String
    let vault: VaultSection
    let control: ControlSection
    var sip: SIPSection
    let media: MediaSection
    let sound: SoundSection
    let calls: CallsSection
    let panel: PanelSection
    /// Nil: the phone neither receives nor sends pages.
    let paging: PagingSection?
    let network: NetworkSection
    /// Nil: the phone has no backend.
    let backend: BackendSection?
    /// Nil: the phone receives no caller info, except from a broker that its backend names.
    let callerInfo: CallerInfoSection?
    /// The relays, by their numbers on the board.
    let relays: [UInt8: RelaySection]
    /// The alarms, by the names of the board's inputs.
    let alarms: [(key: String, value: AlarmSection)]
    /// Programs to run on events.
    let onEvent: [ProgramRule]
    let log: LogLevel
    /// The text of the file, for errors that depend on another file.
    private let text: YAMLSection

    package init(from section: inout YAMLSection) throws(YAMLError) {
        board = try section.required("board", .text("a path"))
        vault = try section.section("vault")
        control = try section.section("control")
        sip = try section.section("sip")
        media = try section.section("media")
        sound = try section.required("sound", .section())
        calls = try section.section("calls")
        panel = try section.section("panel")
        paging = try section.optional("paging", .section())
        network = try section.section("network")
        backend = try section.optional("backend", .section())
        callerInfo = try section.optional("caller_info", .section())
        relays = try section.numbered("relays", 1...8, .section())
        let inputs = YAMLShape.table(of: .inputName, to: AlarmSection.shape, count: 0...16)
        alarms = try section.optional("alarms", inputs, usual: [])
        let rules = YAMLShape.list(of: YAMLShape.section(OnEventSection.self).map(\.rule), count: 0...16)
        onEvent = try section.optional("on_event", rules, usual: [])
        log = try section.optional("log", .choice(), usual: .info)
        text = section
        if let stranger = sound.ringer?.settings.files.keys.sorted().first(where: { calls.rings[$0] == nil }) {
            throw section.error("sound", "rings: there is no ring \"\(stranger)\" in calls.rings")
        }
        if let route = calls.autoAnswer?.route, sound.devices[route] == nil {
            throw section.error("calls", "auto_answer: sound.\(route.rawValue) is missing")
        }
        if let route = paging?.route, sound.devices[route] == nil {
            throw section.error("paging", "route: sound.\(route.rawValue) is missing")
        }
        if !alarms.isEmpty, sound.devices[.speaker] == nil {
            throw section.error("alarms", "alarms use the speaker, but sound.speaker is missing")
        }
    }

    /// The error for an entry of a mapping in the file.
    func fault(_ key: String, entry: String, _ reason: String) -> YAMLError? {
        text.error(key, entry: entry, reason)
    }

    static func load(path: String) throws(YAMLError) -> Configuration { try YAMLDocument(path: path).read() }
}

enum LogLevel: String, CaseIterable, Sendable { case debug, info, warning, error }

struct VaultSection: YAMLReadable {
    var file = "/var/lib/offhook/vault"
    /// The key's file, used if systemd provides no credential.
    var key = "/var/lib/offhook/vault.key"

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        file = try section.optional("file", .text("a path"), usual: file)
        key = try section.optional("key", .text("a path"), usual: key)
    }
}

struct ControlSection: YAMLReadable {
    var socket = "/run/offhook/control.sock"
    /// The same interface over HTTP; nil: disabled.
    var http: HTTPSection?

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        socket = try section.optional("socket", .text("a path", length: 1...107), usual: socket)
        http = try section.optional("http", .section())
    }
}
