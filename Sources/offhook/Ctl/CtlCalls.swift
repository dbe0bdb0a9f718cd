import ArgumentParser
import Control
import JSON

/// Commands for calls.
extension CtlCommand {
    struct Dial: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dial", abstract: "Call a number, a SIP address, or a tel: or sip: link.")
        @OptionGroup var phone: AskedPhone
        @Argument(
            help: "Digits, sip:user@host, or a link such as tel:+49-30-1234;ext=5.", completion: RunningPhone.numbers)
        var target: String
        @Option(
            help: "Label of the account to call with, instead of the default account.",
            completion: RunningPhone.accounts)
        var account: String?
        @Option(help: "Name shown to the far end, if the server allows it.")
        var callerName: String?
        @Option(help: "Number shown to the far end, if the server allows it.")
        var callerNumber: String?
        @Option(help: ArgumentHelp("Header to add to the call; may be repeated.", valueName: "X-NAME=VALUE"))
        var header: [String] = []
        func run() throws {
            let link = try DialLink(target)
            let number = link?.target ?? target
            var params: [String: JSONValue] = ["target": .string(number)]
            params["account"] = account.map { .string($0) }
            params["callerName"] = callerName.map { .string($0) }
            params["callerNumber"] = callerNumber.map { .string($0) }
            if !header.isEmpty { params["headers"] = .object(try headers()) }
            if let why = try phone.connect().dial(params) { throw CommandError("\(number): \(why)") }
            phone.show(["extension": (link?.extensionDigits).map { .string($0) } ?? .null]) { _ in
                guard let digits = link?.extensionDigits else { return [] }
                return [
                    "The link has extension \(digits). When the call is answered, run `offhook ctl dtmf \(digits)`."
                ]
            }
        }

        private func headers() throws -> [String: JSONValue] {
            var headers: [String: JSONValue] = [:]
            for header in header {
                guard let sign = header.firstIndex(of: "=") else {
                    throw ValidationError("--header: expected X-NAME=VALUE, found \(header)")
                }
                headers[String(header[..<sign])] = .string(String(header[header.index(after: sign)...]))
            }
            return headers
        }
    }

    struct Answer: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "answer", abstract: "Answer the ringing call.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        func run() throws { try phone.ask("answer", which.params) }
    }

    struct HangUp: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hangup", abstract: "End a call, or decline a ringing one.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        func run() throws { try phone.ask("hangup", which.params) }
    }

    struct Hold: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "hold", abstract: "Put a call on hold.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        func run() throws { try phone.ask("hold", which.params) }
    }

    struct Resume: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "resume", abstract: "Take a call off hold.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        func run() throws { try phone.ask("resume", which.params) }
    }

    struct ToggleHold: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "toggle-hold", abstract: "Put a call on hold, or take it off.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        func run() throws { try phone.ask("toggleHold", which.params) }
    }

    struct Mute: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "mute", abstract: "Mute or unmute the microphone.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "on, off or toggle.") var state: OnOffToggle
        func run() throws { try phone.ask(state, set: "setMute", toggle: "toggleMute") }
    }

    struct DTMF: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dtmf", abstract: "Send DTMF digits in the call; a comma waits two seconds.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        @Argument(help: "Digits: 0-9 * # A-D and commas.") var digits: String
        func run() throws { try phone.ask("sendDTMF", which.params(and: ["digits": .string(digits)])) }
    }

    struct Transfer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "transfer",
            abstract: "Transfer a call: blind to a number, or attended to another call.",
            discussion: "Waits for the outcome, at most three minutes; exits 1 if the transfer failed.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        @Argument(help: "Target of a blind transfer: digits, or sip:user@host.", completion: RunningPhone.numbers)
        var target: String?
        @Option(
            help: "Identifier of the other call, as in `offhook ctl status`; needs --call.",
            completion: RunningPhone.calls)
        var toCall: String?

        func validate() throws {
            guard (target == nil) != (toCall == nil) else {
                throw ValidationError("give either a number or --to-call")
            }
            guard toCall == nil || which.call != nil else { throw ValidationError("--to-call needs --call") }
        }

        func run() throws {
            var more: [String: JSONValue] = [:]
            more["to"] = target.map { .string($0) }
            more["toCall"] = toCall.map { .string($0) }
            try phone.transfer("transfer", which.params(and: more))
        }
    }

    struct Park: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "park", abstract: "Park a call at an orbit of the server, where any phone can take it.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        @Argument(help: "Number of the orbit, as configured at the server.") var orbit: String
        func run() throws { try phone.transfer("park", which.params(and: ["orbit": .string(orbit)])) }
    }

    struct PickUp: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pickup", abstract: "Pick up a call that rings at another number.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "The number that rings.") var target: String
        @Option(
            help: "Label of the account to use, instead of the default account.", completion: RunningPhone.accounts)
        var account: String?
        func run() throws {
            var params: [String: JSONValue] = ["target": .string(target)]
            params["account"] = account.map { .string($0) }
            try phone.ask("pickup", params)
        }
    }

    struct AcceptTransfer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept-transfer", abstract: "Accept a transfer that the far end requests.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        func run() throws { try phone.ask("acceptTransfer", which.params) }
    }

    struct DeclineTransfer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "decline-transfer", abstract: "Decline a transfer that the far end requests.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        func run() throws { try phone.ask("declineTransfer", which.params) }
    }

    struct Record: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "record",
            abstract: "Start or stop recording a call into a file, if the configuration allows it.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        @Argument(help: "on or off.") var state: OnOff

        func validate() throws {
            guard state == .on || which.call == nil else { throw ValidationError("off takes no --call") }
        }

        func run() throws {
            try phone.ask(state == .on ? "startRecording" : "stopRecording", which.params)
        }
    }

    struct Play: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "play",
            abstract: "Play a WAVE file into a call, or stop it, if the configuration allows it.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        @Argument(help: "Name of a file in the configured folder, or off.") var file: String

        private var isOff: Bool { file == "off" }

        func validate() throws {
            guard !isOff || which.call == nil else { throw ValidationError("off takes no --call") }
        }

        func run() throws {
            if isOff {
                try phone.ask("stopPlayback")
            } else {
                try phone.ask("startPlayback", which.params(and: ["file": .string(file)]))
            }
        }
    }

    struct Conference: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "conference", abstract: "Join all calls into a conference.")
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.ask("conference") }
    }
}

extension CtlCommand {
    struct Words: ParsableCommand {
        enum Verdict: String, ExpressibleByArgument, CaseIterable { case agree, differ }

        static let configuration = CommandConfiguration(
            commandName: "words",
            abstract: "Confirm or deny that both ends of a call show the same four words (SAS).",
            discussion:
                "`offhook ctl status` shows the words. After agree, the phone remembers the far end's key and "
                + "verifies later calls by it."
        )
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        @Argument(help: "agree if the far end reads the same words, otherwise differ.") var verdict: Verdict
        func run() throws { try phone.ask("compareWords", which.params(and: ["agree": .bool(verdict == .agree)])) }
    }
}
