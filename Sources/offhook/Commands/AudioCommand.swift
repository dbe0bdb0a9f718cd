import Commands
import JSON
import Media
import PhoneCore
import SoundCore

/// Checks sound without a call: lists the devices, and tries them as the phone would use them.
enum AudioCommand {
    static var command: Command {
        .group(
            "audio", "List and try the sound devices. Not during a call: a device has one user at a time.",
            [list, test, level, echo, latency])
    }

    /// The route whose devices the command tries.
    private struct Trial {
        let phone: ConfigurationOption
        let route: Route

        static var input: Input<Trial> {
            .all(
                ConfigurationOption.input,
                Parameter.option(
                    "route", "Route to try: handset, speaker, headset or bluetooth.", .choice(Route.self)
                ).usual(.handset)
            ) { Trial(phone: $0, route: $1) }
        }

        func settings() throws -> MediaSettings { try phone.load().media }
    }

    private static func seconds(_ usual: Int) -> Input<Int> {
        Parameter.option("seconds", "Duration, 1 to 60 s.", .number(1...60)).usual(usual)
    }

    private static var list: Command {
        Command(
            "list", "List the machine's sound cards, and try to open the configured devices.",
            discussion: """
                With --json, an object: cards (device, usb, name, place), routes (route, works, text) and ringer \
                (works, text). Without a configuration, routes and ringer are null.
                """, ConfigurationOption.input, Parameter.flag("json", "Print JSON.")
        ) { phone, isJSON in
            let cards = SoundCardList.all()
            // A person needs the cards to write the configuration, so it need not exist yet.
            let trials = phone.exists ? Self.trials(try phone.load().media) : nil
            isJSON ? print(json(cards, trials).text) : tell(cards, trials, phone.config)
        }
    }

    /// The results of opening all configured devices.
    private struct Trials {
        var routes: [(route: Route, result: Result<String, MediaError>)] = []
        var ringer: Result<String, MediaError>?
    }

    private static func trials(_ settings: MediaSettings) -> Trials {
        var trials = Trials()
        for route in Route.allCases where settings.devices[route] != nil {
            let result = Result { () throws(MediaError) in try SoundTrial(settings, route: route).sizes }
            trials.routes.append((route, result))
        }
        if settings.ringer != nil {
            trials.ringer = Result { () throws(MediaError) in try SoundTrial.ringer(settings) }
        }
        return trials
    }

    private static func tell(_ cards: [SoundCardList.Card], _ trials: Trials?, _ configuration: String) {
        print(cards.isEmpty ? "This machine has no sound card." : "Cards:")
        for card in cards {
            let port = card.port.map { "  (or plughw:USB=\($0))" } ?? ""
            print("  \(card.device)\(port)  \(card.name), \(card.place)")
        }
        guard let trials else { return print("There is no configuration at \(configuration), so no route was tried.") }
        print("Routes:")
        for trial in trials.routes { print("  \(trial.route.rawValue): \(text(trial.result))") }
        if let ringer = trials.ringer { print("Ringer: \(text(ringer))") }
    }

    private static func json(_ cards: [SoundCardList.Card], _ trials: Trials?) -> JSONValue {
        func outcome(_ result: Result<String, MediaError>) -> [String: JSONValue] {
            ["works": .bool((try? result.get()) != nil), "text": .string(text(result))]
        }
        let known = cards.map { card -> JSONValue in
            [
                "device": .string(card.device), "usb": card.port.map { .string("plughw:USB=\($0)") } ?? .null,
                "name": .string(card.name), "place": .string(card.place),
            ]
        }
        let routes = trials?.routes.map { trial -> JSONValue in
            .object(outcome(trial.result).merging(["route": .string(trial.route.rawValue)]) { own, _ in own })
        }
        return [
            "cards": .array(known), "routes": routes.map { .array($0) } ?? .null,
            "ringer": trials?.ringer.map { .object(outcome($0)) } ?? .null,
        ]
    }

    /// The result of a trial, or its error.
    private static func text(_ result: Result<String, MediaError>) -> String {
        switch result {
        case .success(let sizes): sizes
        case .failure(let error): "\(error)"
        }
    }

    private static var test: Command {
        Command(
            "test", "Play the dial tone.", example: "offhook audio test --route speaker --seconds 5", Trial.input,
            seconds(3)
        ) { trial, seconds in
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
            tellInterruptions(devices)
        }
    }

    /// Reports interruptions: each is a gap in the sound, which a listener would otherwise blame on the device.
    private static func tellInterruptions(_ devices: SoundTrial) {
        print("Gaps in the sound (interruptions): \(devices.interruptions).")
    }
}

/// Commands that listen to the microphone.
extension AudioCommand {
    /// In dBFS. A quieter level has an empty bar.
    private static let faintest = -60

    private static var level: Command {
        Command(
            "level", "Show the microphone's level five times a second. Full scale is 0 dBFS.", Trial.input, seconds(10)
        ) { trial, seconds in
            let devices = try SoundTrial(try trial.settings(), route: trial.route)
            var window: [Int16] = []
            var failure: CommandError?
            var left = seconds * 5
            try devices.run { captured, _ in
                window += captured
                guard window.count >= SoundFormat.sampleRate / 5 else { return true }
                print(line(Level(of: window.span)))
                window.removeAll(keepingCapacity: true)
                left -= 1
                do throws(CommandError) { try StandardOutput.flush() } catch { failure = error }
                return left > 0 && failure == nil
            }
            if let failure { throw failure }
        }
    }

    private static func line(_ level: Level) -> String {
        let figure = "\(Int(level.rms.rounded())) dBFS"
        let bar = String(repeating: "#", count: max(0, Int(level.rms) - faintest))
        return String(repeating: " ", count: max(0, 9 - figure.count)) + figure + "  " + bar
    }

    private static var echo: Command {
        Command("echo", "Hear yourself a second later.", Trial.input, seconds(10)) { trial, seconds in
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
            tellInterruptions(devices)
        }
    }
}

/// The measurement of the round trip.
extension AudioCommand {
    /// Samples between two chirps. With a longer delay, a chirp would be taken for the next one.
    private static let interval = SoundFormat.sampleRate / 2

    private static var latency: Command {
        Command(
            "latency", "Measure the round trip from the program through earpiece, air and microphone and back.",
            discussion: "Hold the earpiece near the microphone. A call adds packets, network and jitter buffer.",
            Trial.input, Parameter.option("times", "Number of chirps, 1 to 100.", .number(1...100)).usual(10)
        ) { trial, times in
            let devices = try SoundTrial(try trial.settings(), route: trial.route)
            var heard: [Int16] = []
            var said = 0
            try devices.run { captured, played in
                heard += captured
                for index in played.indices {
                    let place = said % interval
                    played[index] = place < Chirp.count ? Chirp.samples[place] : 0
                    said += 1
                }
                return said <= times * interval
            }
            tellInterruptions(devices)
            try tell(heard, times)
        }
    }

    private static func tell(_ heard: [Int16], _ times: Int) throws(CommandError) {
        let chances = (0..<times).map { Array(heard[$0 * interval..<($0 + 1) * interval]) }
        let found = chances.compactMap(Chirp.place).sorted()
        guard let shortest = found.first, let longest = found.last else {
            throw CommandError(
                "none of \(times) chirps was heard: hold the earpiece nearer to the microphone, or make it louder")
        }
        print("Heard \(found.count) of \(times) chirps.")
        let median = milliseconds(found[found.count / 2])
        let (least, most) = (milliseconds(shortest), milliseconds(longest))
        print("Round trip: median \(median) ms, from \(least) to \(most) ms.")
    }

    private static func milliseconds(_ samples: Int) -> Double {
        (Double(samples) / Double(SoundFormat.samplesPerMillisecond) * 10).rounded() / 10
    }
}
