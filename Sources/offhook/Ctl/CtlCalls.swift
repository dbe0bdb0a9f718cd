import Commands
import Control
import JSON
import PhoneCore

/// Commands for calls.
extension CtlCommand {
    static var calls: [Command] {
        [
            dial, row("answer", .answer, "Answer the ringing call.", [.call]),
            row("hangup", .hangup, "End a call, or decline a ringing one.", [.call]),
            row("hold", .hold, "Put a call on hold.", [.call]),
            row("resume", .resume, "Take a call off hold.", [.call]),
            row("toggle-hold", .toggleHold, "Put a call on hold, or take it off.", [.call]),
            row(
                "dtmf", .sendDTMF, "Send DTMF digits in the call; a comma waits two seconds.",
                example: "offhook ctl dtmf 1,,23#", [.call, .argument("digits", "Digits: 0-9 * # A-D and commas.")]),
            transfer, park,
            row(
                "pickup", .pickup, "Pick up a call that rings at another number.", example: "offhook ctl pickup 102",
                [
                    .argument("target", "The number that rings."),
                    .option(
                        "account", "Label of the account to use, instead of the default account.",
                        RunningPhone.account),
                ]),
            row("accept-transfer", .acceptTransfer, "Accept a transfer that the far end requests.", [.call]),
            row("decline-transfer", .declineTransfer, "Decline a transfer that the far end requests.", [.call]),
            row("conference", .conference, "Join all calls into a conference."), words, record, play,
        ]
    }

    private static var dial: Command {
        Command(
            "dial", "Call a number, a SIP address, or a tel: or sip: link.",
            example: "offhook ctl dial 'tel:+49-30-1234' --account office", AskedPhone.input,
            Parameter.argument(
                "target", "Digits, sip:user@host, or a link such as tel:+49-30-1234;ext=5.", RunningPhone.number),
            MethodInput.all(
                [
                    .option(
                        "account", "Label of the account to call with, instead of the default account.",
                        RunningPhone.account),
                    .option("callerName", "Name shown to the far end, if the server allows it."),
                    .option("callerNumber", "Number shown to the far end, if the server allows it."),
                ], .dial), headers
        ) { phone, target, more, headers in
            let link = try DialLink(target)
            let number = link?.target ?? target
            var params = more
            params["target"] = .string(number)
            if !headers.isEmpty { params["headers"] = .object(headers) }
            if let why = try phone.connect().dial(params) { throw CommandError("\(number): \(why)") }
            phone.show(["extension": (link?.extensionDigits).map { .string($0) } ?? .null]) { _ in
                guard let digits = link?.extensionDigits else { return [] }
                return [
                    "The link has extension \(digits). When the call is answered, run `offhook ctl dtmf \(digits)`."
                ]
            }
        }
    }

    private static var headers: Input<[String: JSONValue]> {
        Parameter.options("header", "Header to add to the call; may be repeated.", valueName: "X-NAME=VALUE")
            .map { texts throws(UsageError) in
                var headers: [String: JSONValue] = [:]
                for text in texts {
                    guard let sign = text.firstIndex(of: "=") else {
                        throw UsageError("--header: expected X-NAME=VALUE, found \(text)")
                    }
                    headers[String(text[..<sign])] = .string(String(text[text.index(after: sign)...]))
                }
                return headers
            }
    }

    private static var transfer: Command {
        Command(
            "transfer", "Transfer a call: blind to a number, or attended to another call.",
            discussion: "Waits for the outcome, at most three minutes; exits 1 if the transfer failed.",
            example: "offhook ctl transfer 102\noffhook ctl transfer --call out-1 --to-call out-2", AskedPhone.input,
            MethodInput.all(
                [
                    .call,
                    .argument(
                        "to", as: "target", "Target of a blind transfer: digits, or sip:user@host.",
                        RunningPhone.number),
                    .option(
                        "toCall", "Identifier of the other call, as in `offhook ctl status`; needs --call.",
                        RunningPhone.call),
                ], .transfer)
        ) { phone, params in
            guard (params["to"] == nil) != (params["toCall"] == nil) else {
                throw UsageError("give either a number or --to-call")
            }
            guard params["toCall"] == nil || params["call"] != nil else { throw UsageError("--to-call needs --call") }
            try phone.transfer(.transfer, params)
        }
    }

    private static var park: Command {
        Command(
            "park", "Park a call at an orbit of the server, where any phone can take it.",
            example: "offhook ctl park 701", AskedPhone.input,
            MethodInput.all(
                [.call, .argument("orbit", "Number of the orbit, as configured at the server.")], .park)
        ) { phone, params in try phone.transfer(.park, params) }
    }

    private enum Verdict: String, CaseIterable { case agree, differ }

    private static var words: Command {
        Command(
            "words", "Confirm or deny that both ends of a call show the same four words (SAS).",
            discussion: """
                `offhook ctl status` shows the words. After agree, the phone remembers the far end's key and verifies \
                later calls by it.
                """, example: "offhook ctl words agree", AskedPhone.input, MethodInput.all([.call], .compareWords),
            Parameter.argument(
                "verdict", "agree if the far end reads the same words, otherwise differ.", .choice(Verdict.self))
        ) { phone, call, verdict in
            try phone.ask(.compareWords, call.merging(["agree": .bool(verdict == .agree)]) { $1 })
        }
    }

    private static var record: Command {
        Command(
            "record", "Start or stop recording a call into a file, if the configuration allows it.", AskedPhone.input,
            MethodInput.all([.call], .startRecording), Parameter.argument("state", "on or off.", .choice(OnOff.self))
        ) { phone, call, state in
            guard state == .on || call.isEmpty else { throw UsageError("off takes no --call") }
            try phone.ask(state == .on ? .startRecording : .stopRecording, call)
        }
    }

    private static var play: Command {
        Command(
            "play", "Play a WAVE file into a call, or stop it, if the configuration allows it.",
            example: "offhook ctl play menu/hello.wav", AskedPhone.input, MethodInput.all([.call], .startPlayback),
            Parameter.argument("file", "Name of a file in the configured folder, or off.", .likely(["off"]))
        ) { phone, call, file in
            guard file == "off" else {
                return try phone.ask(.startPlayback, call.merging(["file": .string(file)]) { $1 })
            }
            guard call.isEmpty else { throw UsageError("off takes no --call") }
            try phone.ask(.stopPlayback)
        }
    }
}

extension MethodInput {
    static var call: MethodInput {
        option(
            "call", "Identifier of the call, as in `offhook ctl status`, if there are several.", RunningPhone.call)
    }
}

/// Commands for sound.
extension CtlCommand {
    static var sound: [Command] {
        [
            switching("mute", "Mute or unmute the microphone.", set: .setMute, toggle: .toggleMute),
            row(
                "route", .setRoute, "Switch the sound to another route.",
                [.argument("route", "Route: handset, speaker, headset or bluetooth.")]),
            switching(
                "speaker", "Turn the speaker on or off; toggle acts like the speaker key.", set: .setSpeaker,
                toggle: .toggleSpeaker),
            row(
                "volume", .setVolume, "Set the volume of calls or of the bell.", example: "offhook ctl volume ring 8",
                [
                    .argument("kind", "Volume to set: call or ring."),
                    .argument("level", "Level from 0 (silent) to \(PhoneSettings.loudest)."),
                ]), row("silence", .silenceRinger, "Silence bell and ringer for the calls that ring now."),
            .group(
                "page", "Page a group of phones, if the configuration allows it.",
                [
                    row(
                        "start", .startPage, "Start a page from this phone's microphone to a group.",
                        example: "offhook ctl page start 2",
                        [.argument("group", "Number of the group, from 1, in the configuration's order.")]),
                    row("stop", .stopPage, "End the page."),
                ]), testSound,
        ]
    }

    private static func switching(
        _ name: String, _ purpose: String, set: MethodName, toggle: MethodName
    ) -> Command {
        Command(
            name, purpose, AskedPhone.input,
            Parameter.argument("state", "on, off or toggle.", .choice(OnOffToggle.self))
        ) { phone, state in
            if let isOn = state.isOn {
                try phone.ask(set, ["on": .bool(isOn)])
            } else {
                try phone.ask(toggle)
            }
        }
    }

    private static var testSound: Command {
        Command(
            "test-sound", "Test whether the microphone hears the loudspeaker.",
            discussion: "Plays two short notes. Exits 1 unless the microphone hears them.", AskedPhone.input,
            MethodInput.all([.argument("route", "Route to test: speaker, headset or bluetooth.")], .testSound)
        ) { phone, params in
            let client = try phone.connect()
            _ = try client.call("testSound", params)
            let result = try client.snapshot()["soundTest"] ?? .null
            phone.show(result) { [$0["message"]?.string ?? "no result"] }
            if result["result"] != "ok" { throw ExitCode.failure }
        }
    }
}
