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

/// The running phone to ask, named by its configuration or its socket.
struct RunningPhone: ParsableArguments {
    @OptionGroup var phone: ConfigurationOption
    @Option(help: "Control socket of the phone, instead of its configuration.", completion: .file())
    var socket: String?

    var path: String { get throws { try socket ?? phone.load().socket } }

    func connect() throws -> ControlClient { try ControlClient(path: path) }
}

struct WhichCall: ParsableArguments {
    @Option(
        help: "Identifier of the call, as in `offhook ctl status`, if there are several.",
        completion: RunningPhone.calls)
    var call: String?

    var params: [String: JSONValue] { call.map { ["call": .string($0)] } ?? [:] }

    func params(and more: [String: JSONValue]) -> [String: JSONValue] { params.merging(more) { own, _ in own } }
}
