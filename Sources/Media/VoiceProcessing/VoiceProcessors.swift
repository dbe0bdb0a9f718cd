import PhoneCore
import SoundCore

/// Processes the microphone's sound on its way to the calls, as its route is configured. The loudspeaker's sound is the
/// reference.
///
/// Every route with processing has its own processor, so that a change to another route and back keeps what the
/// canceller learned. All are made in `init`; for the audio thread.
struct VoiceProcessors: ~Copyable {
    private let owned: [VoiceProcessor?]
    /// The same processors, indexed by `Route.number`.
    private let processors: [Borrowed<VoiceProcessor>?]
    /// Nil if no route cancels echo.
    private var reference: EchoReference?
    private let played: Workspace<Int16>
    /// The route whose microphone is used, and the index of its processor.
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

    /// Sets the route whose microphone is used from now on.
    mutating func turn(to route: Route) {
        guard route != current?.route else { return }
        rest()
        current = (route, Int(route.number))
    }

    /// Takes sound that goes to the loudspeaker.
    mutating func play(_ samples: Span<Int16>) { reference?.write(samples) }

    /// - Parameters:
    ///   - samples: the captured sound. Anything but a whole quantum passes unchanged.
    ///   - lag: nil while one of the devices is missing or does not run.
    mutating func clean(_ samples: inout MutableSpan<Int16>, _ lag: EchoReference.Lag?) {
        guard samples.count == played.count else { return rest() }
        let isKnown = find(lag)
        guard let processor else { return }
        played.read(played.all) { played in
            processor.use { $0.clean(&samples, beside: isKnown ? played : nil) }
        }
    }

    /// Writes the sound played for the last quantum to `played`. False if that is not known.
    private mutating func find(_ lag: EchoReference.Lag?) -> Bool {
        guard let lag else {
            reference?.interrupt()
            return false
        }
        return played.write(played.all) { reference?.read(into: &$0, lag) ?? false }
    }

    /// Pauses while no call needs the microphone.
    mutating func rest() {
        reference?.interrupt()
        processor?.use { $0.rest() }
        current = nil
    }
}
