import ArgumentParser
import Media
import PhoneCore
import SoundCore

/// Checks of sound without a call: which devices there are, and whether they work as the phone would use them.
struct AudioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audio",
        abstract: "Look at and listen to the sound devices. Not during a call: a device has one user.",
        subcommands: [List.self, Test.self, Level.self, Echo.self, Latency.self])

    /// The route whose devices are tried.
    struct Trial: ParsableArguments {
        @OptionGroup var phone: ConfigurationOption
        @Option(help: "handset, speaker, headset or bluetooth.") var route = Route.handset

        func settings() throws -> MediaSettings { try phone.load().media }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "The machine's sound cards, and whether the configured devices can be opened.")

        @OptionGroup var phone: ConfigurationOption

        func run() throws {
            let cards = SoundCardList.all()
            print(cards.isEmpty ? "This machine has no sound card." : "Cards:")
            for card in cards {
                let port = card.port.map { "  (or plughw:USB=\($0))" } ?? ""
                print("  \(card.device)\(port)  \(card.name), \(card.place)")
            }
            // A person needs the cards to write the configuration, so they are listed without one.
            guard phone.exists else {
                return print("There is no configuration at \(phone.config), so no route is tried.")
            }
            let settings = try phone.load().media
            print("Routes:")
            for route in Route.allCases where settings.devices[route] != nil {
                let sizes = Self.told { () throws(MediaError) in try SoundTrial(settings, route: route).sizes }
                print("  \(route.rawValue): \(sizes)")
            }
            if settings.ringer != nil {
                let sizes = Self.told { () throws(MediaError) in try SoundTrial.ringer(settings) }
                print("Ringer: \(sizes)")
            }
        }

        /// The result of a trial, or its error, as text.
        private static func told(_ trial: () throws(MediaError) -> String) -> String {
            do throws(MediaError) {
                return try trial()
            } catch {
                return "\(error)"
            }
        }
    }

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "test", abstract: "Play the dial tone.")

        @OptionGroup var trial: Trial
        @Option(help: "For how long, 1 to 60 s.") var seconds = 3

        func validate() throws { try AudioCommand.check(seconds) }

        func run() throws {
            let settings = try trial.settings()
            let devices = try SoundTrial(settings, route: trial.route)
            print("Dial tone in the \(trial.route.rawValue) for \(seconds) s.")
            var generator = ToneGenerator()
            generator.start(settings.country.plan.dial)
            var left = seconds * SoundFormat.sampleRate
            try devices.run { captured, played in
                generator.render(into: &played)
                left -= captured.count
                return left > 0
            }
            AudioCommand.tellInterruptions(devices)
        }
    }

    /// What was heard is judged by it: each interruption is a hole.
    static func tellInterruptions(_ devices: SoundTrial) {
        print("Interruptions of the devices: \(devices.interruptions).")
    }

    static func check(_ seconds: Int) throws {
        guard 1...60 ~= seconds else { throw ValidationError("--seconds must be 1 to 60") }
    }
}
