import Base
import Commands
import Control
import JSON

/// `offhook ctl`: the commands for a running phone. A row of this table names the method that it calls, and the
/// method's reference gives the kinds of its parameters.
enum CtlCommand {
    static var command: Command {
        .group(
            "ctl", "Control and query a running phone.",
            sections: [
                .init("Calls", calls), .init("Sound", sound), .init("The phone", phone),
                .init("Past calls and contacts", [history, missed, contacts]),
                .init("Accounts, tokens and backend", [accounts, tokens, signIn, signOut, organization]),
                .init("Questions", questions), .init("A simulated panel", panel), .init("Any method", [call]),
            ])
    }

    /// A command that calls one method.
    /// - Parameter show: Makes the text for a person.
    static func row(
        _ name: String, _ method: MethodName, _ purpose: String, discussion: String = "", example: String = "",
        _ inputs: [MethodInput] = [], show: @escaping (JSONValue) -> [String] = { _ in [] }
    ) -> Command {
        Command(
            name, purpose, discussion: discussion, example: example, AskedPhone.input, MethodInput.all(inputs, method)
        ) { phone, params in
            phone.show(try phone.connect().call(method.rawValue, params), show)
        }
    }
}

/// A parameter of a method, as a parameter of a command.
struct MethodInput {
    private let isArgument: Bool
    /// The name for the method, such as `callerName`.
    private let name: String
    /// The name for a person, such as `caller-name`.
    private let spelling: String
    private let help: String
    private let text: ValueKind<String>

    /// - Parameters:
    ///   - spelling: The name for a person, if it is not the method's.
    ///   - text: How a shell completes a text.
    static func argument(
        _ name: String, as spelling: String? = nil, _ help: String, _ text: ValueKind<String> = .text
    ) -> MethodInput {
        MethodInput(isArgument: true, name: name, spelling: spelling ?? kebab(name), help: help, text: text)
    }

    static func option(_ name: String, _ help: String, _ text: ValueKind<String> = .text) -> MethodInput {
        MethodInput(isArgument: false, name: name, spelling: kebab(name), help: help, text: text)
    }

    /// The parameters of a request.
    static func all(_ inputs: [MethodInput], _ method: MethodName) -> Input<[String: JSONValue]> {
        let parameters = method.reference.parameters
        let parts = inputs.map { input in
            guard let parameter = parameters.first(where: { $0.name == input.name }) else {
                preconditionFailure("\(method) has no parameter \(input.name)")
            }
            return input.part(parameter)
        }
        return Input.list(parts).map { values in
            var params: [String: JSONValue] = [:]
            for (input, value) in zip(inputs, values) { params[input.name] = value }
            return params
        }
    }

    private func part(_ parameter: MethodParameter) -> Input<JSONValue?> {
        switch parameter.kind {
        case .flag where isArgument: part(parameter, .choice(OnOff.self)) { .bool($0 == .on) }
        case .flag: Parameter.switching(spelling, help).map { $0.map { .bool($0) } }
        case .integer(let range): part(parameter, .number(range)) { .integer($0) }
        case .word(let words): part(parameter, .word(words)) { .string($0) }
        case .text, .call, .account, .identifier, .headers: part(parameter, text) { .string($0) }
        }
    }

    private func part<Value>(
        _ parameter: MethodParameter, _ value: ValueKind<Value>, _ json: @escaping (Value) -> JSONValue
    ) -> Input<JSONValue?> {
        guard isArgument else { return Parameter.option(spelling, help, value).map { $0.map(json) } }
        guard parameter.isRequired else {
            return Parameter.optionalArgument(spelling, help, value).map { $0.map(json) }
        }
        return Parameter.argument(spelling, help, value).map { json($0) }
    }

    private static func kebab(_ name: String) -> String {
        name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }
}

/// Commands that query the phone.
extension CtlCommand {
    private static var questions: [Command] {
        [
            status, events, watch,
            row("display", .getDisplay, "Print the rows that the display shows.") { answer in
                (answer["rows"]?.array?.compactMap(\.string) ?? []).map(\.withoutCommands)
            },
            connection, row("statistics", .getStatistics, "Print the phone's counters as JSON.") { [$0.text] }, metrics,
            row("ping", .ping, "Print the version of the running phone.") { [$0["version"]?.string ?? "?"] },
        ]
    }

    private static var status: Command {
        Command("status", "Show the phone's present state.", AskedPhone.input) { phone in
            phone.show(try phone.connect().snapshot(), StatusText.lines)
        }
    }

    private static var events: Command {
        Command("events", "Show events as they happen, until interrupted.", AskedPhone.input) { phone in
            let client = try phone.connect()
            try client.subscribe()
            var origin: Instant?
            while true {
                guard let event = try client.nextEvent(timeout: .seconds(3_600)) else { continue }
                origin = origin ?? event.at
                phone.show(event.json) { _ in [EventText.line(event, since: origin ?? event.at)] }
                try StandardOutput.flush()
            }
        }
    }

    private static var metrics: Command {
        Command("metrics", "Print all metrics in Prometheus format.", AskedPhone.input) { phone in
            let answer = try phone.connect().call("getMetrics")
            print(phone.json ? answer.text + "\n" : answer["text"]?.string ?? "", terminator: "")
        }
    }

    private static var connection: Command {
        Command(
            "connection", "Print whether the phone can call and be called.",
            discussion: "Prints connected, connecting or disconnected; exits 1 unless it is connected.",
            AskedPhone.input
        ) { phone in
            let answer = try phone.connect().call("getConnectionState")
            let state = answer["state"]?.string ?? "?"
            phone.show(answer) { _ in [state] }
            if state != "connected" { throw ExitCode.failure }
        }
    }
}

/// `call`, which reaches every method.
extension CtlCommand {
    private static var call: Command {
        Command(
            "call", "Call any method of the interface, and print its result as JSON.",
            discussion: "`offhook ctl call rpc.discover` prints all methods and their parameters.",
            example: "offhook ctl call setHold on=true call=out-3", AskedPhone.input, anyMethod
        ) { phone, request in
            phone.show(try phone.connect().call(request.method.rawValue, request.params)) { $0 == [:] ? [] : [$0.text] }
        }
    }

    private static var anyMethod: Input<(method: MethodName, params: [String: JSONValue])> {
        .all(
            Parameter.argument("method", "Name of the method.", .likely(MethodName.allCases.map(\.rawValue))),
            Parameter.arguments("parameters", "Parameters of the method, each as name=value.")
        ) { name, words throws(UsageError) in
            guard let method = MethodName(rawValue: name) else {
                throw UsageError("there is no method \(name); `offhook ctl call rpc.discover` lists all")
            }
            return (method, try params(words, of: method))
        }
    }

    private static func params(_ words: [String], of method: MethodName) throws(UsageError) -> [String: JSONValue] {
        let known = method.reference.parameters
        var params: [String: JSONValue] = [:]
        for text in words {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw UsageError("\(text): expected name=value") }
            guard let parameter = known.first(where: { $0.name == parts[0] }) else {
                let names = known.isEmpty ? "none" : known.map(\.name).joined(separator: ", ")
                throw UsageError("\(method.rawValue) takes \(names), found \(parts[0])")
            }
            guard let value = parameter.kind.value(of: parts[1]) else {
                throw UsageError("\(parts[0]): expected \(parameter.kind.words), found \(parts[1])")
            }
            params[parts[0]] = value
        }
        return params
    }
}

extension MethodParameter.Kind {
    /// The JSON of a text that a person typed; nil if the text does not fit the parameter.
    fileprivate func value(of text: String) -> JSONValue? {
        switch self {
        case .text, .word, .call: .string(text)
        case .flag:
            switch text {
            case "true", "on": true
            case "false", "off": false
            default: nil
            }
        case .integer: Int64(text).map { .integer($0) }
        case .account, .identifier: Int64(text).map { .integer($0) } ?? .string(text)
        case .headers: try? JSONValue(parsing: Array(text.utf8))
        }
    }
}
