import ArgumentParser
import Control
import JSON
import PhoneCore

/// Commands for the phone itself.
extension CtlCommand {
    struct Route: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "route", abstract: "Say where the voice goes.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "handset, speaker, headset or bluetooth.") var route: PhoneCore.Route
        func run() throws { try phone.ask("setRoute", ["route": .string(route.rawValue)]) }
    }

    struct Speaker: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "speaker", abstract: "Turn the speaker on or off; toggle does what the speaker key does.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "on, off or toggle.") var state: OnOffToggle
        func run() throws { try phone.ask(state, set: "setSpeaker", toggle: "toggleSpeaker") }
    }

    struct Volume: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "volume", abstract: "Set the loudness of calls or of the bell.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "call or ring.") var kind: VolumeKind
        @Argument(help: "From 0, silent, to \(PhoneSettings.loudest).") var level: Int

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
            commandName: "dnd", abstract: "Refuse calls, or take them again.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "on or off.") var state: OnOff
        func run() throws { try phone.ask("setDoNotDisturb", ["on": .bool(state == .on)]) }
    }

    struct Silence: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "silence", abstract: "Silence bell and ringer for what rings now.")
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
            abstract: "Unregister all accounts: no call arrives. Calls that are up go on.")
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.ask("disconnect") }
    }

    struct Reconnect: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reconnect", abstract: "Register all accounts anew.")
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.ask("reconnect") }
    }

    struct Restart: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restart",
            abstract: "End the phone and start it again, with its files as they are now. Not in a call.")
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.ask("restart") }
    }

    struct Missed: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "missed", abstract: "The missed calls that nobody has seen.",
            subcommands: [List.self, Clear.self],
            defaultSubcommand: List.self)

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list", abstract: "Show the missed calls of this run; as JSON the newest 20.")
            @OptionGroup var phone: AskedPhone
            func run() throws {
                let client = try phone.connect()
                if phone.json { return print(try client.call("getMissedCalls").text) }
                for line in StatusText.missed(try client.snapshot()) { print(line) }
            }
        }

        struct Clear: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "clear", abstract: "Say that all were seen, or the one named.")
            @OptionGroup var phone: AskedPhone
            @OptionGroup var which: WhichCall
            func run() throws { try phone.ask("clearMissedCalls", which.params) }
        }
    }

    struct Relay: ParsableCommand {
        enum Order: String, ExpressibleByArgument, CaseIterable { case on, off, pulse }

        static let configuration = CommandConfiguration(
            commandName: "relay", abstract: "Work a relay of the board: a door, a lamp, a gate.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "The relay, counted from 1.") var number: UInt8
        @Argument(help: "on, off, or pulse for the relay's own time.") var order: Order
        func run() throws {
            try phone.ask("relay", ["number": .integer(Int64(number)), "order": .string(order.rawValue)])
        }
    }

    struct SwitchOrganization: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "switch-organization", abstract: "Let the phone work for another organization.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "The organization as its backend names it.") var organization: String
        func run() throws { try phone.ask("switchOrganization", ["organization": .string(organization)]) }
    }
}

extension Route: ExpressibleByArgument {}
extension VolumeKind: ExpressibleByArgument {}
