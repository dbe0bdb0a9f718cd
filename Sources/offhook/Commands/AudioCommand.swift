import ArgumentParser
import Media
import PhoneCore
import SoundCore

/// Checks sound without a call: lists the devices, and tries them as the phone would use them.
struct AudioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audio",
        abstract: "List and try the sound devices. Not during a call: a device has one user at a time.",
        subcommands: [List.self, Test.self, Level.self, Echo.self, Latency.self])

    /// The route whose devices the command tries.
    struct Trial: ParsableArguments {
        @OptionGroup var phone: ConfigurationOption
        @Option(help: "Route to try: handset, speaker, headset or bluetooth.") var route = Route.handset

        func settings() throws -> MediaSettings { try phone.load().media }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the machine's sound cards, and try to open the configured devices.")

        @OptionGroup var phone: ConfigurationOption

        func run() throws {
            let cards = SoundCardList.all()
            print(cards.isEmpty ? "This machine has no sound card." : "Cards:")
            for card in cards {
                let port = card.port.map { "  (or plughw:USB=\($0))" } ?? ""
                print("  \(card.device)\(port)  \(card.name), \(card.place)")
            }
            // A person needs the cards to write the configuration, so it need not exist yet.
            guard phone.exists else {
                return print("There is no configuration at \(phone.config), so no route was tried.")
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
        @Option(help: "Duration, 1 to 60 s.") var seconds = 3

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

    /// Reports interruptions: each is a gap in the sound, which a listener would otherwise blame on the device.
    static func tellInterruptions(_ devices: SoundTrial) {
        print("Gaps in the sound (interruptions): \(devices.interruptions).")
    }

    static func check(_ seconds: Int) throws {
        guard 1...60 ~= seconds else { throw ValidationError("--seconds must be 1 to 60") }
    }
}
