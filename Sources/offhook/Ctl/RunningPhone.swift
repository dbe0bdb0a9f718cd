import ArgumentParser
import Control
import JSON

/// The running phone to ask, named by its configuration or its socket.
struct RunningPhone: ParsableArguments {
    @OptionGroup var phone: ConfigurationOption
    @Option(help: "Control socket of the phone, instead of its configuration.", completion: .file())
    var socket: String?

    var path: String { get throws { try socket ?? phone.load().socket } }

    func connect() throws -> ControlClient { try ControlClient(path: path) }
}

/// Shell completions from the running phone. A person at the Tab key waits for them, so the phone has half a second to
/// answer. Without an answer there are no completions and no error.
extension RunningPhone {
    private static let timeout = Duration.milliseconds(500)

    static let accounts = CompletionKind.custom { words, _, _ in
        answers(to: "getSnapshot", words) { $0["registrations"]?.array?.compactMap { $0["label"]?.string } }
    }

    static let calls = CompletionKind.custom { words, _, _ in
        answers(to: "getSnapshot", words) { $0["calls"]?.array?.compactMap { $0["call"]?.string } }
    }

    /// Completes the numbers of contacts.
    static let numbers = CompletionKind.custom { words, _, _ in
        answers(to: "getContacts", words) { $0["contacts"]?.array?.compactMap { $0["number"]?.string } }
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
struct AskedPhone: ParsableArguments {
    @OptionGroup var phone: RunningPhone
    @Flag(help: "Print the phone's answer as JSON.") var json = false

    var path: String { get throws { try phone.path } }

    func connect() throws -> ControlClient { try phone.connect() }

    func ask(_ method: String, _ params: [String: JSONValue] = [:]) throws {
        show(try connect().call(method, params)) { _ in [] }
    }

    /// Transfers or parks a call; fails if the call was not transferred.
    func transfer(_ method: String, _ params: [String: JSONValue]) throws {
        let client = try connect()
        let failure: (code: String, why: String)?
        do throws(ControlClientError) {
            failure = try client.transfer(method, params).map { ("transferFailed", $0) }
        } catch {
            guard case .refused(let code, let message, _) = error else { throw error }
            failure = (code, message)
        }
        guard let failure else { return show([:]) { _ in [] } }
        if json { show(["error": ["code": .string(failure.code), "message": .string(failure.why)]]) { _ in [] } }
        throw CommandError("\(failure.why) (\(failure.code))")
    }

    /// Sets something, or toggles it.
    func ask(_ state: OnOffToggle, set: String, toggle: String) throws {
        if let isOn = state.isOn {
            try ask(set, ["on": .bool(isOn)])
        } else {
            try ask(toggle)
        }
    }

    /// Prints an answer.
    /// - Parameter lines: Makes the text for a person, when JSON was not asked for.
    func show(_ answer: JSONValue, _ lines: (JSONValue) throws -> [String]) rethrows {
        for line in json ? [answer.text] : try lines(answer) { print(line) }
    }
}

struct WhichCall: ParsableArguments {
    @Option(
        help: "Identifier of the call, as in `offhook ctl status`, if there are several.",
        completion: RunningPhone.calls)
    var call: String?

    var params: [String: JSONValue] { call.map { ["call": .string($0)] } ?? [:] }

    func params(and more: [String: JSONValue]) -> [String: JSONValue] { params.merging(more) { own, _ in own } }
}

enum OnOff: String, ExpressibleByArgument, CaseIterable { case on, off }

enum OnOffToggle: String, ExpressibleByArgument, CaseIterable {
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
