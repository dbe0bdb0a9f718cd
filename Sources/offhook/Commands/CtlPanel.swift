import ArgumentParser
import Control
import PhoneCore

extension CtlCommand {
    struct Lift: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lift the handset of a simulated panel.")
        @OptionGroup var phone: RunningPhone
        func run() throws { try phone.ask("liftHook") }
    }

    struct Replace: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Replace the handset of a simulated panel.")
        @OptionGroup var phone: RunningPhone
        func run() throws { try phone.ask("replaceHook") }
    }

    struct Press: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Press keys of a simulated panel, one after another.")
        @OptionGroup var phone: RunningPhone
        @Argument(help: "\(Key.listed).")
        var keys: [String]

        /// A key is down for so long, and up for as long before the next.
        private static let holdMilliseconds: Int64 = 80

        func run() throws {
            for key in keys {
                try phone.ask("pressKey", ["key": .string(key), "holdMs": .integer(Self.holdMilliseconds)])
                Pause.milliseconds(2 * Self.holdMilliseconds)
            }
        }
    }
}
