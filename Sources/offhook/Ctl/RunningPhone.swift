import Commands
import Control
import JSON

/// The running phone to ask, named by its configuration or its socket.
struct RunningPhone {
    private let phone: ConfigurationOption
    private let socket: String?

    static var input: Input<RunningPhone> {
        .all(
            ConfigurationOption.input,
            Parameter.option("socket", "Control socket of the phone, instead of its configuration.", .file())
        ) { RunningPhone(phone: $0, socket: $1) }
    }

    var config: String { phone.config }
    /// Whether the command line names the socket.
    var hasSocket: Bool { socket != nil }

    var path: String { get throws { try socket ?? phone.load().socket } }

    func connect() throws -> ControlClient { try ControlClient(path: path) }
}

/// Shell completions from the running phone. A person at the Tab key waits for them, so the phone has half a second to
/// answer. Without an answer there are no completions and no error.
extension RunningPhone {
    private static let timeout = Duration.milliseconds(500)

    /// An account's label.
    static var account: ValueKind<String> {
        .asked { words in
            answers(to: "getSnapshot", words) { $0["registrations"]?.array?.compactMap { $0["label"]?.string } }
        }
    }

    /// A call's identifier.
    static var call: ValueKind<String> {
        .asked { words in
            answers(to: "getSnapshot", words) { $0["calls"]?.array?.compactMap { $0["call"]?.string } }
        }
    }

    /// A number, for which a shell offers those of contacts.
    static var number: ValueKind<String> {
        .asked { words in
            answers(to: "getContacts", words) { $0["contacts"]?.array?.compactMap { $0["number"]?.string } }
        }
    }

    /// Omits texts with spaces or commands, because a shell would split them.
    private static func answers(
        to method: String, _ words: [String], _ texts: (JSONValue) -> [String]?
    ) -> [String] {
        do {
            let path = try value(of: ["--socket"], in: words) ?? settings(in: words).socket
            let answer = try ControlClient(path: path).call(method, timeout: timeout)
            return (texts(answer) ?? []).filter { $0.allSatisfy(isPlain) }
        } catch {
            return []
        }
    }

    private static func settings(in words: [String]) throws -> Settings {
        try Settings(path: value(of: ["--config", "-c"], in: words) ?? ConfigurationOption.usual)
    }

    private static func value(of names: [String], in words: [String]) -> String? {
        words.lastIndex { names.contains($0) }.flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "+-_.*#@:".contains(character)
    }
}

/// The phone that a `ctl` command asks, and the printing of its answer.
struct AskedPhone {
    private let phone: RunningPhone
    let json: Bool

    static var input: Input<AskedPhone> {
        .all(RunningPhone.input, Parameter.flag("json", "Print the phone's answer as JSON.")) {
            AskedPhone(phone: $0, json: $1)
        }
    }

    var path: String { get throws { try phone.path } }

    func connect() throws -> ControlClient { try phone.connect() }

    func ask(_ method: MethodName, _ params: [String: JSONValue] = [:]) throws {
        show(try connect().call(method.rawValue, params)) { _ in [] }
    }

    /// Transfers or parks a call; fails if the call was not transferred.
    func transfer(_ method: MethodName, _ params: [String: JSONValue]) throws {
        let client = try connect()
        let failure: (code: String, why: String)?
        do throws(ControlClientError) {
            failure = try client.transfer(method.rawValue, params).map { ("transferFailed", $0) }
        } catch {
            guard case .refused(let code, let message, _) = error else { throw error }
            failure = (code, message)
        }
        guard let failure else { return show([:]) { _ in [] } }
        if json { show(["error": ["code": .string(failure.code), "message": .string(failure.why)]]) { _ in [] } }
        throw CommandError("\(failure.why) (\(failure.code))")
    }

    /// Prints an answer.
    /// - Parameter lines: Makes the text for a person, when JSON was not asked for.
    func show(_ answer: JSONValue, _ lines: (JSONValue) throws -> [String]) rethrows {
        for line in json ? [answer.text] : try lines(answer) { print(line) }
    }
}

enum OnOff: String, CaseIterable { case on, off }

enum OnOffToggle: String, CaseIterable {
    case on, off, toggle

    /// Nil: switch to the opposite of the present state.
    var isOn: Bool? {
        switch self {
        case .on: true
        case .off: false
        case .toggle: nil
        }
    }
}
