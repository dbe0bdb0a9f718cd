import Base
import Control
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

/// The control interface over HTTP, and the front panel's page. Paths stay as written.
struct HTTPSection: YAMLReadable {
    let address: String
    let port: UInt16
    let certificate: String?
    let key: String?
    let hosts: [String]

    private static let usualPort: UInt16 = 8_088

    init(from section: inout YAMLSection) throws(YAMLError) {
        address = try section.optional("address", .numericAddress()) ?? "127.0.0.1"
        port = try section.optional("port", .integer(in: 1...65_535), usual: Self.usualPort)
        certificate = try section.optional("certificate", .text("a path"))
        key = try section.optional("key", .text("a path"))
        hosts = try section.optional("hosts", .list(of: .hostName(), count: 1...16)) ?? []
        if certificate != nil, key == nil { throw section.error("certificate", "a certificate needs control.http.key") }
        if key != nil, certificate == nil { throw section.error("key", "a key needs control.http.certificate") }
        if certificate == nil, IPAddress(address)?.isLoopback != true {
            throw section.error(
                "address",
                "without certificate and key only 127.0.0.1 or ::1 is allowed, "
                    + "because tokens and calls would be readable on the network"
            )
        }
    }
}

extension YAMLShape where Value == String {
    /// A host in a browser's address, without a port.
    fileprivate static func hostName() -> YAMLShape {
        .scalar("a host name such as phone.example", example: "phone.example") { text in
            let isName = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }
            return (1...253).contains(text.utf8.count) && isName ? text : nil
        }
    }
}

/// Whether to watch the machine's network, and how long calls survive without it.
struct NetworkSection: YAMLReadable {
    /// A phone whose servers are all on its own machine needs no network.
    var isWatched = true
    /// How long a call waits without any network before it ends.
    var timeout = PhonePolicy().networkTime
    /// How long a call may take to move to another path after its path broke.
    var reconnectTimeout = PhonePolicy().reconnectTime

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        let times = YAMLShape.duration(in: .seconds(5) ... .seconds(600))
        isWatched = try section.optional("watch", .bool(), usual: isWatched)
        timeout = try section.optional("timeout", times, usual: timeout)
        reconnectTimeout = try section.optional("reconnect_timeout", times, usual: reconnectTimeout)
    }
}

/// A program to run on events.
struct OnEventSection: YAMLReadable {
    let rule: ProgramRule

    init(from section: inout YAMLSection) throws(YAMLError) {
        let events = try section.required("events", .list(of: .eventName(), count: 1...EventName.allCases.count))
        // The example is a whole command, so that a reader that explores the keys finds the next one, too.
        let argument = YAMLShape<String>.scalar("an argument of 0 to 1024 characters", example: "/usr/bin/logger") {
            $0.count <= 1_024 ? $0 : nil
        }
        let command = try section.required("run", .list(of: argument, count: 1...32).secret)
        let limit = try section.optional(
            "timeout", .duration(in: .milliseconds(100) ... .seconds(60)), usual: .seconds(5))
        guard command[0].hasPrefix("/") else {
            throw section.error(
                "run", "\"\(command[0])\" must be an absolute path, because no shell searches PATH")
        }
        rule = ProgramRule(events: Set(events), command: command, timeLimit: limit)
    }
}

extension YAMLShape where Value == String {
    /// An event that programs can get. `clientReady` and `reset` belong to a subscription.
    fileprivate static func eventName() -> YAMLShape {
        let names = EventName.allCases.filter { ![.clientReady, .reset].contains($0) }.map(\.rawValue)
        return .scalar("the name of an event (see docs/control.md)", words: names) { names.contains($0) ? $0 : nil }
    }
}
