import ArgumentParser
import Control
import JSON
import PhoneCore

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
