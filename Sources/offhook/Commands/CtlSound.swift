import ArgumentParser
import Control
import JSON
import PhoneCore

/// Commands for sound that belongs to no call.
extension CtlCommand {
    struct PageGroup: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "page", abstract: "Speak to a group of phones, where the configuration allows it.",
            subcommands: [Start.self, Stop.self])

        struct Start: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "start", abstract: "Let the person at the phone speak to a group.")
            @OptionGroup var phone: AskedPhone
            @Argument(help: "The group, counted from 1 in the configuration's order.") var group: UInt8
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
            discussion: "Two short notes are played. Exits with 1 unless they were heard.")
        @OptionGroup var phone: AskedPhone
        @Argument(help: "The route: speaker, headset or bluetooth.") var route: PhoneCore.Route?

        func run() throws {
            let client = try phone.connect()
            _ = try client.call("testSound", route.map { ["route": .string($0.rawValue)] } ?? [:])
            let result = try client.snapshot()["soundTest"] ?? .null
            phone.show(result) { [$0["message"]?.string ?? "no result"] }
            if result["result"] != "ok" { throw ExitCode.failure }
        }
    }
}
