import ArgumentParser
import Base
import Control

struct CtlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl", abstract: "Ask something of a running phone.",
        subcommands: [
            Dial.self, Answer.self, HangUp.self, Hold.self, Resume.self, Mute.self, DTMF.self, Status.self, Events.self,
            Lift.self, Replace.self, Press.self,
        ])

    struct Dial: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Call a number or a SIP address.")
        @OptionGroup var phone: RunningPhone
        @Argument(help: "Digits, or sip:user@host.") var target: String
        func run() throws { try phone.ask("dial", ["target": .string(target)]) }
    }

    struct Answer: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Answer the call that rings.")
        @OptionGroup var phone: RunningPhone
        @OptionGroup var which: WhichCall
        func run() throws { try phone.ask("answer", which.params) }
    }

    struct HangUp: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hangup", abstract: "End a call, or decline the one that rings.")
        @OptionGroup var phone: RunningPhone
        @OptionGroup var which: WhichCall
        func run() throws { try phone.ask("hangup", which.params) }
    }

    struct Hold: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Put a call on hold.")
        @OptionGroup var phone: RunningPhone
        @OptionGroup var which: WhichCall
        func run() throws { try phone.ask("hold", which.params) }
    }

    struct Resume: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take a call off hold.")
        @OptionGroup var phone: RunningPhone
        @OptionGroup var which: WhichCall
        func run() throws { try phone.ask("resume", which.params) }
    }

    struct Mute: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Close or open the microphone.")
        @OptionGroup var phone: RunningPhone
        @Argument(help: "on or off.") var state: OnOff
        func run() throws { try phone.ask("setMute", ["on": .bool(state == .on)]) }
    }

    struct DTMF: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dtmf", abstract: "Send digits in the call; a comma waits two seconds.")
        @OptionGroup var phone: RunningPhone
        @OptionGroup var which: WhichCall
        @Argument(help: "0-9 * # A-D and commas.") var digits: String
        func run() throws {
            try phone.ask("sendDTMF", which.params.merging(["digits": .string(digits)]) { own, _ in own })
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the phone as it is now.")
        @OptionGroup var phone: RunningPhone
        @Flag(help: "Print JSON.") var json = false
        func run() throws {
            let snapshot = try phone.connect().call("getSnapshot")
            print(json ? snapshot.text : StatusText.lines(snapshot).joined(separator: "\n"))
        }
    }

    struct Events: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show what happens, until interrupted.")
        @OptionGroup var phone: RunningPhone
        @Flag(help: "Print one JSON object a line.") var json = false
        func run() throws {
            let client = try phone.connect()
            try client.subscribe()
            var origin: Instant?
            while true {
                guard let event = try client.nextEvent(timeout: .seconds(3_600)) else { continue }
                origin = origin ?? event.at
                print(json ? event.json.text : EventText.line(event, since: origin ?? event.at))
                try StandardOutput.flush()
            }
        }
    }
}

enum OnOff: String, ExpressibleByArgument, CaseIterable { case on, off }

/// The phone to talk to, by its configuration or by its socket.
struct RunningPhone: ParsableArguments {
    @OptionGroup var phone: ConfigurationOption
    @Option(help: "The phone's control socket, instead of its configuration.") var socket: String?

    func connect() throws -> ControlClient { try ControlClient(path: socket ?? phone.load().socket) }

    func ask(_ method: String, _ params: [String: JSONValue]) throws {
        _ = try connect().call(method, params)
    }
}

struct WhichCall: ParsableArguments {
    @Option(help: "The call as status names it, when there are several.") var call: String?
    var params: [String: JSONValue] { call.map { ["call": .string($0)] } ?? [:] }
}
