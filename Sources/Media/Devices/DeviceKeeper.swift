import Base
import CALSA
import PhoneCore
import Platform

/// Opens and closes sound devices and lends them to the audio thread. It has its own thread, because opening allocates
/// and may take long. Confined to that thread.
///
/// A device that cannot be opened or that breaks is reported once. The keeper tries it again each second and whenever a
/// sound card comes, and reports when it is back. A device that another program uses counts as an interruption.
struct DeviceKeeper {
    /// One direction of the wanted route.
    private enum Half {
        case closed
        /// Open, and about to be lent.
        case ready(SoundStream, name: String)
        case lent(SoundStream, Route, name: String)
        /// Requested back from the audio thread.
        case recalled(SoundStream)
        case missing(Route, Absence, retry: Instant)

        /// This half, to be tried again at once if its device is missing.
        var hurried: Half {
            if case .missing(let route, let absence, _) = self { .missing(route, absence, retry: .zero) } else { self }
        }

        var absence: Absence? { if case .missing(_, let absence, _) = self { absence } else { nil } }
    }

    private enum Absence {
        /// The device is missing, and its loss was reported.
        case lost
        /// Another program uses the device.
        case taken
    }

    private let settings: MediaSettings
    private let watch: DeviceWatch
    private let requests: ThreadQueue<DeviceRequest>
    private let replies: ThreadQueue<DeviceReply>
    private let wake: WakeSignal
    private let stop: StopFlag
    private let counters: MediaCounters
    private let probe: ThreadProbe
    private let audioProbe: ThreadProbe
    private let post: @Sendable (MediaEvent) -> Void
    private let notice: @Sendable (MediaNotice) -> Void
    /// Devices for which missing mixer controls were reported.
    private var lacking: Set<String> = []
    private var wanted: Route?
    private var capture = Half.closed
    private var playback = Half.closed
    /// The wanted route, while its loss is reported.
    private var told: Route?
    /// Whether an interruption was reported and its end was not.
    private var isInterrupted = false
    /// When to ask the audio thread next whether it still uses its devices, and the number of questions since its last
    /// answer.
    private var nextLook = Instant.zero
    private var unanswered = 0
    private var hotplug: DeviceHotplug
    /// The handset's and the speaker's route, if their devices were missing at the start and reported as lost.
    private var missing: Set<Route> = []

    init(
        settings: MediaSettings, requests: ThreadQueue<DeviceRequest>, replies: ThreadQueue<DeviceReply>,
        wake: WakeSignal,
        stop: StopFlag, counters: MediaCounters, probe: ThreadProbe, audioProbe: ThreadProbe,
        post: @escaping @Sendable (MediaEvent) -> Void, notice: @escaping @Sendable (MediaNotice) -> Void
    ) {
        self.settings = settings
        watch = DeviceWatch(folder: settings.cardFolder)
        hotplug = DeviceHotplug(settings)
        self.requests = requests
        self.replies = replies
        self.wake = wake
        self.stop = stop
        self.counters = counters
        (self.probe, self.audioProbe) = (probe, audioProbe)
        self.post = post
        self.notice = notice
    }

    mutating func run() {
        // Reads ALSA's configuration now, so that the first device does not wait for it. Opens nothing.
        snd_config_update()
        for route in hotplug.begin() { post(.devicePresent(route)) }
        lookAround()
        while !stop.isRaised {
            let isTold = wake.wait(until: deadline, beside: watch.descriptor)
            probe.answer()
            if isTold {
                watch.clear()
                (capture, playback) = (capture.hurried, playback.hurried)
            }
            while let request = requests.receive() { take(request) }
            capture = settle(capture, .capture)
            playback = settle(playback, .playback)
            lend()
            lookAfterAudio()
            tellFound()
            tellInterruption()
            tellChanges(isTold: isTold)
        }
    }

    /// Reports missing devices of handset and speaker now, and not only when the user lifts the handset.
    private mutating func lookAround() {
        for route in [Route.handset, .speaker] {
            for direction in [SoundStream.Direction.capture, .playback] where !missing.contains(route) {
                guard let name = name(direction, of: route) else { continue }
                probe.answer()
                do throws(SoundStream.OpenFailure) {
                    unsafe snd_pcm_close(try SoundStream.openDevice(name, direction))
                } catch {
                    // A device that another program uses is not missing.
                    guard error.code != -EBUSY else { continue }
                    missing.insert(route)
                    tellLost(route, direction, name: name, reason: error.reason)
                }
            }
        }
    }

    /// Closes the devices that are open, after the audio thread has ended.
    mutating func closeAll() {
        for half in [capture, playback] {
            switch half {
            case .ready(let stream, _), .lent(let stream, _, _), .recalled(let stream): stream.close()
            case .closed, .missing: break
            }
        }
        capture = .closed
        playback = .closed
    }

    private var deadline: Instant? {
        var retries = [capture, playback].compactMap { if case .missing(_, _, let retry) = $0 { retry } else { nil } }
        if let next = hotplug.next { retries.append(next) }
        let due = wanted == nil ? nil : retries.min()
        return isLending ? Instant.earliest(due, nextLook) : due
    }

    /// Whether the audio thread has a device.
    private var isLending: Bool {
        [capture, playback].contains { half in
            switch half {
            case .lent, .recalled: true
            case .closed, .ready, .missing: false
            }
        }
    }

    private mutating func take(_ request: DeviceRequest) {
        switch request {
        case .want(let number): wanted = Route(number: number)
        case .rest:
            wanted = nil
            hotplug.rest()
        case .returned(let stream, let code):
            stream.close()
            switch stream.direction {
            case .capture: capture = afterReturn(of: capture, .capture, code: code)
            case .playback: playback = afterReturn(of: playback, .playback, code: code)
            }
        }
    }

    private mutating func afterReturn(of half: Half, _ direction: SoundStream.Direction, code: Int32) -> Half {
        guard code != 0, case .lent(_, let route, let name) = half else { return .closed }
        counters.devicesLost.count()
        tellLost(route, direction, name: name, reason: SoundStream.OpenFailure(code: code).reason)
        guard route == wanted else { return .closed }
        return .missing(route, .lost, retry: MonotonicClock.now() + settings.retryInterval)
    }

    /// Brings one direction nearer to the wanted state.
    private mutating func settle(_ half: Half, _ direction: SoundStream.Direction) -> Half {
        switch half {
        case .recalled, .ready:
            return half
        case .closed:
            guard let wanted else { return .closed }
            return open(wanted, direction, was: nil)
        case .lent(let stream, let route, let name):
            guard let wanted, name == self.name(direction, of: wanted) else {
                return replies.send(.giveBack(direction)) ? .recalled(stream) : half
            }
            // The wanted route uses the same device.
            if route != wanted { adjust(stream, of: wanted, name: name) }
            return .lent(stream, wanted, name: name)
        case .missing(let route, let absence, let retry):
            guard let wanted else { return .closed }
            guard wanted == route else { return open(wanted, direction, was: nil) }
            return MonotonicClock.now() < retry ? half : open(wanted, direction, was: absence)
        }
    }

    private mutating func open(_ route: Route, _ direction: SoundStream.Direction, was absence: Absence?) -> Half {
        let retry = MonotonicClock.now() + settings.retryInterval
        guard let name = name(direction, of: route) else {
            if absence != .lost { post(.deviceLost(route, "no device is configured for the \(route.rawValue)")) }
            return .missing(route, .lost, retry: retry)
        }
        do throws(SoundStream.OpenFailure) {
            let stream = try SoundStream.open(name, direction, quantum: settings.quantum)
            adjust(stream, of: route, name: name)
            return .ready(stream, name: name)
        } catch {
            guard error.code != -EBUSY else { return .missing(route, .taken, retry: retry) }
            if absence != .lost { tellLost(route, direction, name: name, reason: error.reason) }
            return .missing(route, .lost, retry: retry)
        }
    }

    /// Lends opened devices to the audio thread. Both directions of one card are linked first.
    private mutating func lend() {
        if case .ready(let microphone, let name) = capture, case .ready(let earpiece, let other) = playback {
            let pair = SoundStream.link(microphone, earpiece)
            (capture, playback) = (.ready(pair.capture, name: name), .ready(pair.playback, name: other))
        }
        (capture, playback) = (lend(capture), lend(playback))
    }

    private mutating func lend(_ half: Half) -> Half {
        guard case .ready(let stream, let name) = half, let wanted else { return half }
        if replies.send(.use(stream, isRinger: name == settings.ringer?.device)) {
            if hotplug.opened(wanted) { post(.devicePresent(wanted)) }
            return .lent(stream, wanted, name: name)
        }
        stream.close()
        return .missing(wanted, .lost, retry: MonotonicClock.now() + settings.retryInterval)
    }

    /// Sets the mixer's controls. A card that was plugged in again may have forgotten their levels.
    private mutating func adjust(_ stream: SoundStream, of route: Route, name: String) {
        let missing = CardMixer.set(settings.devices[route]?.mixer ?? [:], for: stream, named: name)
        if !missing.isEmpty, lacking.insert(name).inserted { notice(.noControls(missing, device: name)) }
    }

    // MARK: An audio thread that hangs in a device

    /// How often the keeper probes an audio thread that has a device, and how many probes may stay without an answer.
    /// After that the audio thread counts as hung in the device's library, for example because a sound server died.
    /// The keeper then reports the route as lost, and nothing waits for the sound.
    private static let lookInterval = Duration.seconds(1)
    private static let unansweredLimit = 3

    private var isAudioStuck: Bool { unanswered >= Self.unansweredLimit }

    private mutating func lookAfterAudio() {
        let now = MonotonicClock.now()
        guard isLending, now >= nextLook else { return }
        nextLook = now + Self.lookInterval
        let wasStuck = isAudioStuck
        unanswered = audioProbe.ask(at: now) == nil ? 0 : unanswered + 1
        guard isAudioStuck, !wasStuck else { return }
        let reason = MediaError.hanging(thread: audioProbe.name).description
        for (half, direction) in [(capture, SoundStream.Direction.capture), (playback, .playback)] {
            guard case .lent(_, let route, let name) = half else { continue }
            counters.devicesLost.count()
            tellLost(route, direction, name: name, reason: reason)
            told = route
        }
    }

    /// Reports a route as found when all its devices are back.
    private mutating func tellFound() {
        guard !isAudioStuck else { return }
        let absences = [capture, playback].compactMap(\.absence)
        if let told, told == wanted, absences.isEmpty { post(.deviceFound(told)) }
        if let wanted, absences.isEmpty, missing.remove(wanted) != nil, told != wanted { post(.deviceFound(wanted)) }
        told = absences.contains(.lost) ? wanted : absences.isEmpty ? nil : told
    }

    private mutating func tellChanges(isTold: Bool) {
        guard isTold || wanted != nil && hotplug.next.map({ $0 <= MonotonicClock.now() }) == true else { return }
        for change in hotplug.look(except: wanted, isTold: isTold) {
            switch change {
            case .arrived(let route): post(.deviceFound(route))
            case .present(let route): post(.devicePresent(route))
            case .left(let route): post(.deviceAbsent(route))
            }
        }
    }

    private mutating func tellInterruption() {
        let isTaken = [capture, playback].contains { $0.absence == .taken }
        guard isTaken != isInterrupted else { return }
        isInterrupted = isTaken
        post(isTaken ? .interrupted : .interruptionEnded)
    }

    private mutating func tellLost(_ route: Route, _ direction: SoundStream.Direction, name: String, reason: String) {
        hotplug.lost(route)
        let part = direction == .capture ? "microphone" : "earpiece"
        post(.deviceLost(route, "\(route.rawValue) \(part) \"\(name)\": \(reason)"))
    }

    private func name(_ direction: SoundStream.Direction, of route: Route?) -> String? {
        guard let device = route.flatMap({ settings.devices[$0] }) else { return nil }
        return direction == .capture ? device.capture : device.playback
    }
}

/// A request from the audio thread to the device keeper.
enum DeviceRequest: BitwiseCopyable, Sendable {
    /// Sound is needed on this route (`Route.number`) or, with `rest`, on no route any more.
    case want(UInt8)
    case rest
    /// A stream comes back: on request (code 0), or broken, with ALSA's negative code.
    case returned(SoundStream, code: Int32)
}

/// A message from the device keeper to the audio thread.
enum DeviceReply: BitwiseCopyable, Sendable {
    /// `isRinger`: the device is also the ringer.
    case use(SoundStream, isRinger: Bool)
    case giveBack(SoundStream.Direction)
}

extension Route {
    /// Index in `allCases`.
    var number: UInt8 {
        guard let index = Route.allCases.firstIndex(of: self) else { preconditionFailure("every case is in allCases") }
        return UInt8(index)
    }

    init(number: UInt8) { self = Route.allCases[Int(number)] }
}
