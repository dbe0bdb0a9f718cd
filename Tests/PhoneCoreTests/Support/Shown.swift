import PhoneCore

/// What the panel, the ear and watchers were told last. Told once, and always the truth.
struct Shown {
    typealias Violation = Invariants.Violation

    private var lamps: [Lamp: LampPattern] = Dictionary(uniqueKeysWithValues: Lamp.allCases.map { ($0, .off) })
    private var ring: RingCadence?
    private var ringer: Ring?
    private var isPaused = false
    private var conferees: Set<CallID> = []
    private var recording: CallID?
    private var playback: Playback?
    private var volumes: [VolumeKind: Int] = [.call: PhoneSettings().callVolume, .ring: PhoneSettings().ringVolume]
    private var relays: Set<UInt8> = []
    private var network = NetworkStatus.connected
    private var tone: Tone?
    private var route: Route
    private var muted = false
    private var calls: [CallID: CallSummary] = [:]

    init(route: Route) { self.route = route }

    mutating func take(_ effect: PhoneEffect) throws(Violation) {
        switch effect {
        case .panel(.lamp(let lamp, let pattern)):
            guard lamps[lamp] != pattern else { throw Violation(rule: "a lamp is told once") }
            lamps[lamp] = pattern
        case .panel(.bell(let cadence)):
            guard ring != cadence else { throw Violation(rule: "the bell is told once") }
            ring = cadence
        case .panel(.relay(let number, let on)):
            guard relays.contains(number) != on else { throw Violation(rule: "a relay is told once") }
            if on { relays.insert(number) } else { relays.remove(number) }
        case .media(.pause(let next)):
            guard isPaused != next else { throw Violation(rule: "a pause is told once") }
            isPaused = next
        case .media(.conference(let call, let joined)):
            guard conferees.contains(call) != joined else { throw Violation(rule: "a conference is told once") }
            if joined { conferees.insert(call) } else { conferees.remove(call) }
        case .media(.record(let next)):
            guard recording != next else { throw Violation(rule: "a recording is told once") }
            recording = next
        case .media(.play(let next)):
            guard playback != next else { throw Violation(rule: "a playback is told once") }
            playback = next
        case .media(.volume(let kind, let level)):
            guard volumes[kind] != level, (0...PhoneSettings.loudest).contains(level) else {
                throw Violation(rule: "a volume is told once, and in its range")
            }
            volumes[kind] = level
        case .media(.tone(let next)):
            guard tone != next else { throw Violation(rule: "a tone is told once") }
            tone = next
        case .media(.ring(let next)):
            guard ringer != next else { throw Violation(rule: "the ringer is told once") }
            ringer = next
        case .media(.route(let next)):
            guard route != next else { throw Violation(rule: "a route is told once") }
            route = next
        case .control(.notice(let notice)): try take(notice)
        case .line, .media, .vault, .backend, .control, .stopped: break
        }
    }

    private mutating func take(_ notice: Notice) throws(Violation) {
        switch notice {
        case .muteChanged(let next):
            guard muted != next else { throw Violation(rule: "mute is told once") }
            muted = next
        case .callChanged(let summary):
            guard calls[summary.call] != summary else { throw Violation(rule: "a change is told once") }
            calls[summary.call] = summary
        case .callEnded(let summary, _): calls[summary.call] = nil
        case .ringerChanged(let on):
            guard on == (ring != nil) else { throw Violation(rule: "watchers hear the bell as it is") }
        case .toneChanged(let next):
            guard tone == next else { throw Violation(rule: "watchers hear the tone as it is") }
        case .routeChanged(let next):
            guard route == next else { throw Violation(rule: "watchers see the route as it is") }
        case .networkChanged(let next, _):
            guard network != next else { throw Violation(rule: "the network is told once") }
            network = next
        case .missedCall, .callRefused, .transferAsked, .transferAnswered, .codeTried, .registrationChanged,
            .hookChanged, .keyPressed, .firstVoice, .dtmfReceived, .dtmfSent,
            .qualityUpdated, .missedCallsSeen, .answeredElsewhere, .callDuration, .volumeChanged,
            .doNotDisturbChanged, .messagesWaiting, .inputChanged, .relayChanged, .networkTransition, .networkTimeout,
            .interruptionChanged, .organisationSwitching, .organisationSwitched, .organisationSwitchFailed,
            .textReceived, .recordingStarted, .recordingEnded, .playbackStarted, .playbackEnded, .trouble:
            break
        }
    }

    func compare(with snapshot: PhoneSnapshot) throws(Violation) {
        guard lamps == snapshot.lamps else { throw Violation(rule: "lamps show the truth") }
        let rings = ring != nil
        guard rings == snapshot.ringing else { throw Violation(rule: "the bell rings when it says so") }
        guard ringer?.cadence == ring else { throw Violation(rule: "the ringer does as the bell does") }
        guard tone == snapshot.tone else { throw Violation(rule: "the ear hears the tone of the snapshot") }
        guard route == snapshot.route, muted == snapshot.muted else { throw Violation(rule: "route and mute are told") }
        guard volumes[.call] == snapshot.settings.callVolume, volumes[.ring] == snapshot.settings.ringVolume else {
            throw Violation(rule: "volumes are told")
        }
        guard network == snapshot.network else { throw Violation(rule: "the network is told") }
        let joined = snapshot.calls.filter { conferees.contains($0.call) }
        guard joined.isEmpty || snapshot.conference, joined.allSatisfy({ !$0.heldHere && $0.answered != nil }) else {
            throw Violation(rule: "who hears others is in a conference, up and not held")
        }
        guard recording == snapshot.recording else { throw Violation(rule: "what is recorded is told") }
        if let recording, !snapshot.calls.contains(where: { $0.call == recording && $0.answered != nil }) {
            throw Violation(rule: "what is recorded is up")
        }
        guard playback == snapshot.playback else { throw Violation(rule: "what is played is told") }
        let hears: [CallSummary.Phase] = [.active, .reconnecting]
        if let playback, !snapshot.calls.contains(where: { $0.call == playback.call && hears.contains($0.phase) }) {
            throw Violation(rule: "who hears a file is up and not held")
        }
        let isTrue = calls.count == snapshot.calls.count && snapshot.calls.allSatisfy { calls[$0.call] == $0 }
        guard isTrue else { throw Violation(rule: "watchers know every call as it is") }
        let ringing = snapshot.calls.contains { $0.phase == .ringingIn }
        let engaged = snapshot.calls.contains { $0.phase != .ringingIn && $0.phase != .disconnecting }
        if rings && (!ringing || engaged) { throw Violation(rule: "the bell is for a ringing call, and no other") }
    }
}
