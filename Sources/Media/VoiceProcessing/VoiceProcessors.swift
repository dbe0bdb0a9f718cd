import PhoneCore
import SoundCore

/// The microphone's sound on its way to the calls: cleaned as its route is configured, with what the loudspeaker plays
/// as the reference.
///
/// Every route that asks for something has a processor of its own, so that going to another and back unlearns nothing. All
/// of them are made in `init`; for the audio thread.
struct VoiceProcessors: ~Copyable {
    private let owned: [VoiceProcessor?]
    /// The same, by `Route.number`.
    private let processors: [Borrowed<VoiceProcessor>?]
    /// Nil where no route cancels echo.
    private var reference: EchoReference?
    private let played: Workspace<Int16>
    /// The route that hears, and its processor's place.
    private var current: (route: Route, number: Int)?

    init(settings: MediaSettings) {
        owned = Route.allCases.map { route in
            let processing = settings.devices[route]?.processing ?? VoiceProcessingSettings()
            return processing.isNeeded ? VoiceProcessor(processing) : nil
        }
        processors = owned.map { $0.map { Borrowed($0) } }
        if settings.devices.values.contains(where: \.processing.cancelsEcho) {
            reference = EchoReference(quantum: settings.quantum)
        }
        played = Workspace(count: settings.quantum, filler: 0)
    }

    /// Whether the lag between the devices must be known.
    var cancelsEcho: Bool { processor?.use { $0.cancelsEcho } ?? false }

    private var processor: Borrowed<VoiceProcessor>? { current.flatMap { processors[$0.number] } }

    /// This one hears from now on.
    mutating func turn(to route: Route) {
        guard route != current?.route else { return }
        rest()
        current = (route, Int(route.number))
    }

    /// This goes to the loudspeaker.
    mutating func play(_ samples: Span<Int16>) { reference?.write(samples) }

    /// - Parameters:
    ///   - samples: what was captured just now. What is no whole quantum passes as it is.
    ///   - lag: nil while one of the devices is missing or does not run.
    mutating func clean(_ samples: inout MutableSpan<Int16>, _ lag: EchoReference.Lag?) {
        guard samples.count == played.count else { return rest() }
        let isKnown = find(lag)
        guard let processor else { return }
        played.read(played.all) { played in
            processor.use { $0.clean(&samples, beside: isKnown ? played : nil) }
        }
    }

    /// What was played for the last quantum goes to `played`. False if that is not known.
    private mutating func find(_ lag: EchoReference.Lag?) -> Bool {
        guard let lag else {
            reference?.interrupt()
            return false
        }
        return played.write(played.all) { reference?.read(into: &$0, lag) ?? false }
    }

    /// Nobody listens.
    mutating func rest() {
        reference?.interrupt()
        processor?.use { $0.rest() }
        current = nil
    }
}
