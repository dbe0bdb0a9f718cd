import ArgumentParser
import Base
import Control
import Glibc
import JSON
import PhoneCore

/// Commands for the phone itself.
extension CtlCommand {
    struct Route: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "route", abstract: "Switch the sound to another route.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "Route: handset, speaker, headset or bluetooth.") var route: PhoneCore.Route
        func run() throws { try phone.ask("setRoute", ["route": .string(route.rawValue)]) }
    }

    struct Speaker: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "speaker", abstract: "Turn the speaker on or off; toggle acts like the speaker key.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "on, off or toggle.") var state: OnOffToggle
        func run() throws { try phone.ask(state, set: "setSpeaker", toggle: "toggleSpeaker") }
    }

    struct Volume: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "volume", abstract: "Set the volume of calls or of the bell.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "Volume to set: call or ring.") var kind: VolumeKind
        @Argument(help: "Level from 0 (silent) to \(PhoneSettings.loudest).") var level: Int

        func validate() throws {
            guard 0...PhoneSettings.loudest ~= level else {
                throw ValidationError("expected a level from 0 to \(PhoneSettings.loudest), found \(level)")
            }
        }

        func run() throws {
            try phone.ask("setVolume", ["kind": .string(kind.rawValue), "level": .integer(Int64(level))])
        }
    }

    struct DoNotDisturb: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dnd", abstract: "Turn do-not-disturb on or off: reject all calls, or accept them again.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "on or off.") var state: OnOff
        func run() throws { try phone.ask("setDoNotDisturb", ["on": .bool(state == .on)]) }
    }

    struct Silence: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "silence", abstract: "Silence bell and ringer for the calls that ring now.")
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.ask("silenceRinger") }
    }

    struct Connect: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "connect", abstract: "Register the accounts that are not registered.")
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.ask("connect") }
    }

    struct Disconnect: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disconnect",
            abstract: "Unregister all accounts, so that no call arrives. Present calls continue.")
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.ask("disconnect") }
    }

    struct Reconnect: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reconnect", abstract: "Register all accounts again.")
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.ask("reconnect") }
    }

    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "End every call at once and give up everything that is under way.")
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.ask("reset") }
    }

    struct Reload: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reload", abstract: "Read the configuration again, also during a call.",
            discussion: """
                Prints the changed keys that are in effect now, and those that need a restart. A wrong file changes \
                nothing: every error is listed, and the exit code is 1.
                """)
        @OptionGroup var phone: AskedPhone
        func run() throws {
            let client = try phone.connect()
            let answer: JSONValue
            do throws(ControlClientError) {
                answer = try client.call("reload")
            } catch {
                guard case .refused(_, _, let data) = error, let errors = data["errors"]?.array else { throw error }
                if phone.json { print(JSONValue.object(["error": data]).text) }
                let lines = errors.compactMap(\.string).map(\.withoutCommands)
                throw CommandError((lines + ["nothing has changed"]).joined(separator: "\n"))
            }
            phone.show(answer) { answer in
                let (applied, restart) = (Self.list(answer["applied"]), Self.list(answer["restart"]))
                let lines = [
                    applied.isEmpty ? nil : "in effect now: \(applied)",
                    restart.isEmpty ? nil : "needs a restart (offhook ctl restart): \(restart)",
                ].compactMap(\.self)
                return lines.isEmpty ? ["nothing has changed"] : lines
            }
        }

        private static func list(_ keys: JSONValue?) -> String {
            (keys?.array ?? []).compactMap(\.string).joined(separator: ", ").withoutCommands
        }
    }

    struct Restart: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restart",
            abstract: "Restart the phone, so that it reads its files again. Not during a call.")
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.ask("restart") }
    }

    struct Missed: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "missed", abstract: "List or clear the missed calls that nobody has seen.",
            subcommands: [List.self, Clear.self],
            defaultSubcommand: List.self)

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list",
                abstract: "Show the missed calls that nobody has seen; with --json the newest 20.")
            @OptionGroup var phone: AskedPhone
            func run() throws {
                let client = try phone.connect()
                if phone.json { return print(try client.call("getMissedCalls").text) }
                for line in StatusText.missed(try client.snapshot()) { print(line) }
            }
        }

        struct Clear: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "clear", abstract: "Mark all missed calls as seen, or the one named by --call.")
            @OptionGroup var phone: AskedPhone
            @OptionGroup var which: WhichCall
            func run() throws { try phone.ask("clearMissedCalls", which.params) }
        }
    }

    struct Relay: ParsableCommand {
        enum Order: String, ExpressibleByArgument, CaseIterable { case on, off, pulse }

        static let configuration = CommandConfiguration(
            commandName: "relay", abstract: "Switch a relay of the board, for example of a door, a lamp or a gate.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "Number of the relay, from 1.") var number: UInt8
        @Argument(help: "on, off, or pulse: on for the relay's configured time.") var order: Order
        func run() throws {
            try phone.ask("relay", ["number": .integer(Int64(number)), "order": .string(order.rawValue)])
        }
    }
}

extension Route: ExpressibleByArgument {}
extension VolumeKind: ExpressibleByArgument {}

/// Commands for sound outside of calls.
extension CtlCommand {
    struct PageGroup: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "page", abstract: "Page a group of phones, if the configuration allows it.",
            subcommands: [Start.self, Stop.self])

        struct Start: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "start", abstract: "Start a page from this phone's microphone to a group.")
            @OptionGroup var phone: AskedPhone
            @Argument(help: "Number of the group, from 1, in the configuration's order.") var group: UInt8
            func run() throws { try phone.ask("startPage", ["group": .integer(Int64(group))]) }
        }

        struct Stop: ParsableCommand {
            static let configuration = CommandConfiguration(commandName: "stop", abstract: "End the page.")
            @OptionGroup var phone: AskedPhone
            func run() throws { try phone.ask("stopPage") }
        }
    }

    struct TestSound: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test-sound", abstract: "Test whether the microphone hears the loudspeaker.",
            discussion: "Plays two short notes. Exits 1 unless the microphone hears them.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "Route to test: speaker, headset or bluetooth.") var route: PhoneCore.Route?

        func run() throws {
            let client = try phone.connect()
            _ = try client.call("testSound", route.map { ["route": .string($0.rawValue)] } ?? [:])
            let result = try client.snapshot()["soundTest"] ?? .null
            phone.show(result) { [$0["message"]?.string ?? "no result"] }
            if result["result"] != "ok" { throw ExitCode.failure }
        }
    }
}

extension CtlCommand {
    struct Lift: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lift", abstract: "Lift the handset of a simulated panel.")
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.ask("liftHook") }
    }

    struct Replace: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replace", abstract: "Replace the handset of a simulated panel.")
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.ask("replaceHook") }
    }

    struct Press: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "press", abstract: "Press keys of a simulated panel, one after another.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "Keys to press: \(Key.listed).")
        var keys: [String]

        /// How long a key is down, and how long it is up before the next key.
        private static let holdMilliseconds: Int64 = 80

        func run() throws {
            let client = try phone.connect()
            for key in keys {
                _ = try client.call("pressKey", ["key": .string(key), "holdMs": .integer(Self.holdMilliseconds)])
                Pause.milliseconds(2 * Self.holdMilliseconds)
            }
            phone.show([:]) { _ in [] }
        }
    }

    struct Line: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "line", abstract: "Set an input line of a simulated panel.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "Name of the line in the board file.") var name: String
        @Argument(help: "Level of the line: 0 or 1.") var level: Int64
        func run() throws { try phone.ask("setLine", ["name": .string(name), "level": .integer(level)]) }
    }
}

/// Sleeps, for commands that act like a person at the panel.
enum Pause {
    static func milliseconds(_ count: Int64) {
        _ = poll(nil, 0, Int32(clamping: count))
    }
}
