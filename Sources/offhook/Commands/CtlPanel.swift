import ArgumentParser
import Control
import JSON
import PhoneCore

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
