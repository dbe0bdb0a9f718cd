import ArgumentParser
import Base
import Control
import JSON

struct CtlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl", abstract: "Control and query a running phone.",
        subcommands: [
            Dial.self, Answer.self, HangUp.self, Hold.self, Resume.self, ToggleHold.self, Mute.self, DTMF.self,
            Transfer.self, Park.self, PickUp.self, AcceptTransfer.self, DeclineTransfer.self, Conference.self,
            Words.self, Record.self, Play.self, PageGroup.self, TestSound.self,
            Route.self, Speaker.self, Volume.self, DoNotDisturb.self, Silence.self, Connect.self, Disconnect.self,
            Reconnect.self, Reset.self, Reload.self, Restart.self, Missed.self,
            Relay.self, History.self, Contacts.self, Accounts.self, Token.self, SignIn.self, SignOut.self,
            Organization.self,
            Status.self, Events.self,
            Watch.self, Display.self, Connection.self, Statistics.self, Metrics.self, Ping.self, Lift.self,
            Replace.self, Press.self,
            Line.self, Call.self,
        ])

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show the phone's present state.")
        @OptionGroup var phone: AskedPhone
        func run() throws {
            phone.show(try phone.connect().snapshot(), StatusText.lines)
        }
    }

    struct Events: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "events", abstract: "Show events as they happen, until interrupted.")
        @OptionGroup var phone: AskedPhone
        func run() throws {
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

    struct Metrics: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "metrics", abstract: "Print all metrics in Prometheus format.")
        @OptionGroup var phone: AskedPhone
        func run() throws {
            let answer = try phone.connect().call("getMetrics")
            print(phone.json ? answer.text + "\n" : answer["text"]?.string ?? "", terminator: "")
        }
    }
}

/// Commands that query the phone, and `call`, which reaches every method.
extension CtlCommand {
    struct Connection: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "connection", abstract: "Print whether the phone can call and be called.",
            discussion: "Prints connected, connecting or disconnected; exits 1 unless it is connected.")
        @OptionGroup var phone: AskedPhone
        func run() throws {
            let answer = try phone.connect().call("getConnectionState")
            let state = answer["state"]?.string ?? "?"
            phone.show(answer) { _ in [state] }
            if state != "connected" { throw ExitCode.failure }
        }
    }

    struct Display: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "display", abstract: "Print the rows that the display shows.")
        @OptionGroup var phone: AskedPhone
        func run() throws {
            phone.show(try phone.connect().call("getDisplay")) { answer in
                (answer["rows"]?.array?.compactMap(\.string) ?? []).map(\.withoutCommands)
            }
        }
    }

    struct Statistics: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "statistics", abstract: "Print the phone's counters as JSON.")
        @OptionGroup var phone: AskedPhone
        func run() throws { phone.show(try phone.connect().call("getStatistics")) { [$0.text] } }
    }

    struct Ping: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ping", abstract: "Print the version of the running phone.")
        @OptionGroup var phone: AskedPhone
        func run() throws {
            phone.show(try phone.connect().call("ping")) { [$0["version"]?.string ?? "?"] }
        }
    }

    struct Call: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "call", abstract: "Call any method of the interface, and print its result as JSON.",
            discussion: "`offhook ctl call rpc.discover` prints all methods and their parameters.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "Name of the method.", completion: .list(MethodName.allCases.map(\.rawValue))) var method:
            String
        @Argument(help: "Parameters of the method, each as name=value.") var parameters: [String] = []

        func validate() throws { _ = try params() }

        func run() throws {
            phone.show(try phone.connect().call(method, try params())) { $0 == [:] ? [] : [$0.text] }
        }

        private func params() throws -> [String: JSONValue] {
            guard let name = MethodName(rawValue: method) else {
                throw ValidationError("there is no method \(method); `offhook ctl call rpc.discover` lists all")
            }
            let known = name.reference.parameters
            var params: [String: JSONValue] = [:]
            for text in parameters {
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2 else { throw ValidationError("\(text): expected name=value") }
                guard let parameter = known.first(where: { $0.name == parts[0] }) else {
                    let names = known.isEmpty ? "none" : known.map(\.name).joined(separator: ", ")
                    throw ValidationError("\(method) takes \(names), found \(parts[0])")
                }
                guard let value = parameter.kind.value(of: parts[1]) else {
                    throw ValidationError("\(parts[0]): expected \(parameter.kind.words), found \(parts[1])")
                }
                params[parts[0]] = value
            }
            return params
        }
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
