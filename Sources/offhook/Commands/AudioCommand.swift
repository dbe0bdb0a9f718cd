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

/// Commands that listen to the microphone.
extension AudioCommand {
    struct Level: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "level",
            abstract: "Show the microphone's level five times a second. Full scale is 0 dBFS.")

        @OptionGroup var trial: Trial
        @Option(help: "Duration, 1 to 60 s.") var seconds = 10

        /// In dBFS. A quieter level has an empty bar.
        private static let faintest = -60

        func validate() throws { try AudioCommand.check(seconds) }

        func run() throws {
            let devices = try SoundTrial(try trial.settings(), route: trial.route)
            var window: [Int16] = []
            var failure: CommandError?
            var left = seconds * 5
            try devices.run { captured, _ in
                window += captured
                guard window.count >= SoundFormat.sampleRate / 5 else { return true }
                print(Self.line(SoundCore.Level(of: window.span)))
                window.removeAll(keepingCapacity: true)
                left -= 1
                do throws(CommandError) { try StandardOutput.flush() } catch { failure = error }
                return left > 0 && failure == nil
            }
            if let failure { throw failure }
        }

        private static func line(_ level: SoundCore.Level) -> String {
            let figure = "\(Int(level.rms.rounded())) dBFS"
            let bar = String(repeating: "#", count: max(0, Int(level.rms) - faintest))
            return String(repeating: " ", count: max(0, 9 - figure.count)) + figure + "  " + bar
        }
    }

    struct Echo: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "echo", abstract: "Hear yourself a second later.")

        @OptionGroup var trial: Trial
        @Option(help: "Duration, 1 to 60 s.") var seconds = 10

        func validate() throws { try AudioCommand.check(seconds) }

        func run() throws {
            let devices = try SoundTrial(try trial.settings(), route: trial.route)
            print("For \(seconds) s you hear everything that you say a second later.")
            try StandardOutput.flush()
            var waiting = [Int16](repeating: 0, count: SoundFormat.sampleRate)
            var left = seconds * SoundFormat.sampleRate
            try devices.run { captured, played in
                waiting += captured
                for index in played.indices { played[index] = waiting[index] }
                waiting.removeFirst(played.count)
                left -= captured.count
                return left > 0
            }
            AudioCommand.tellInterruptions(devices)
        }
    }

    struct Latency: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "latency",
            abstract: "Measure the round trip from the program through earpiece, air and microphone and back.",
            discussion: "Hold the earpiece near the microphone. A call adds packets, network and jitter buffer.")

        @OptionGroup var trial: Trial
        @Option(help: "Number of chirps, 1 to 100.") var times = 10

        /// Samples between two chirps. With a longer delay, a chirp would be taken for the next one.
        private static let interval = SoundFormat.sampleRate / 2

        func validate() throws {
            guard 1...100 ~= times else { throw ValidationError("--times must be 1 to 100") }
        }

        func run() throws {
            let devices = try SoundTrial(try trial.settings(), route: trial.route)
            var heard: [Int16] = []
            var said = 0
            try devices.run { captured, played in
                heard += captured
                for index in played.indices {
                    let place = said % Self.interval
                    played[index] = place < Chirp.count ? Chirp.samples[place] : 0
                    said += 1
                }
                return said <= times * Self.interval
            }
            AudioCommand.tellInterruptions(devices)
            try tell(heard)
        }

        private func tell(_ heard: [Int16]) throws {
            let chances = (0..<times).map { Array(heard[$0 * Self.interval..<($0 + 1) * Self.interval]) }
            let found = chances.compactMap(Chirp.place).sorted()
            guard let shortest = found.first, let longest = found.last else {
                throw CommandError(
                    "none of \(times) chirps was heard: hold the earpiece nearer to the microphone, or make it louder")
            }
            print("Heard \(found.count) of \(times) chirps.")
            let median = Self.milliseconds(found[found.count / 2])
            let (least, most) = (Self.milliseconds(shortest), Self.milliseconds(longest))
            print("Round trip: median \(median) ms, from \(least) to \(most) ms.")
        }

        private static func milliseconds(_ samples: Int) -> Double {
            (Double(samples) / Double(SoundFormat.samplesPerMillisecond) * 10).rounded() / 10
        }
    }
}
