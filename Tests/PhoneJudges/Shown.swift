import Base
import PhoneCore

/// The last state for the panel, the audio and watchers. Reported once, and always true.
struct Shown: Equatable, Sendable {
    /// The lamps that are not off.
    private var lit: [Lamp: LampPattern] = [:]
    private var ring: RingCadence?
    private var ringer: Ring?
    private var tone: Tone?
    private var route: Route
    private var isPaused = false
    private var recording: CallID?
    private var playback: Playback?
    private var page: UInt8?
    private var sentPage: PageSending?
    private var soundTest: SoundTest?
    private var volumes: [VolumeKind: Int] = [.call: PhoneSettings().callVolume, .ring: PhoneSettings().ringVolume]
    private var muted = false
    private var conferees: Set<CallID> = []
    private var network = NetworkStatus.connected
    /// Whether "do not disturb" was on after the last transition.
    private var doesNotDisturb = false
    /// The relays that are on, with the end of a pulse.
    private var relays: [UInt8: Instant?] = [:]
    private var calls: [CallID: CallSummary] = [:]
    private var display: DisplayContent?
    private let bellIsOurs: Bool

    init(policy: PhonePolicy) {
        route = policy.defaultRoute
        display = PhoneMachine(policy: policy).snapshot.display
        bellIsOurs = policy.announcer != .interface
    }

    mutating func take(_ effect: PhoneEffect) throws(Violation) {
        switch effect {
        case .panel(let effect): try take(effect)
        case .media(let effect): try take(effect)
        case .control(.notice(let notice)): try take(notice)
        case .display(let next): try Self.tell(&display, next, "a display is updated once")
        case .line, .vault, .callerInfo, .backend, .control, .stopped: break
        }
    }

    private mutating func take(_ effect: MediaEffect) throws(Violation) {
        switch effect {
        case .tone(let next): try Self.tell(&tone, next, "a tone is ordered once")
        case .ring(let next): try Self.tell(&ringer, next, "the ringer is ordered once")
        case .route(let next): try Self.tell(&route, next, "a route is ordered once")
        case .pause(let next): try Self.tell(&isPaused, next, "a pause is ordered once")
        case .record(let next): try Self.tell(&recording, next, "a recording is ordered once")
        case .play(let next): try Self.tell(&playback, next, "a playback is ordered once")
        case .page(let next): try Self.tell(&page, next, "a page is ordered once")
        case .sendPage(let next): try Self.tell(&sentPage, next, "a sent page is ordered once")
        case .testSound(let next): try Self.tell(&soundTest, next, "a sound test is ordered once")
        case .conference(let call, let joined):
            guard conferees.contains(call) != joined else { throw Violation("a conference is ordered once") }
            if joined { conferees.insert(call) } else { conferees.remove(call) }
        case .volume(let kind, let level):
            guard volumes[kind] != level, (0...PhoneSettings.loudest).contains(level) else {
                throw Violation("a volume is ordered once, and in its range")
            }
            volumes[kind] = level
        case .open, .gather, .connect, .update, .activate, .microphone, .holdMusic, .release, .dtmf, .keyClick,
            .joinPages:
            break
        }
    }

    private static func tell<Value: Equatable>(
        _ known: inout Value, _ next: Value, _ rule: String
    ) throws(Violation) {
        guard known != next else { throw Violation(rule) }
        known = next
    }

    private mutating func take(_ effect: PanelEffect) throws(Violation) {
        switch effect {
        case .lamp(let lamp, let pattern):
            let next = pattern == .off ? nil : pattern
            guard lit[lamp] != next else { throw Violation("a lamp is ordered once") }
            lit[lamp] = next
        case .bell(let cadence):
            guard ring != cadence else { throw Violation("the bell is ordered once") }
            ring = cadence
        case .relay(let number, let on):
            guard relays[number] != (on ? .some(nil) : nil) else { throw Violation("a relay is ordered once") }
            relays[number] = on ? .some(nil) : nil
        case .pulse(let number, let end):
            guard relays[number] != end else { throw Violation("a pulse is ordered once") }
            relays[number] = end
        }
    }

    private mutating func take(_ notice: Notice) throws(Violation) {
        switch notice {
        case .muteChanged(let next):
            guard muted != next else { throw Violation("mute is reported once") }
            muted = next
        case .callChanged(let summary):
            guard calls[summary.call] != summary else { throw Violation("a change is reported once") }
            // A replacement of an active far end is no new call.
            let isNew = calls[summary.call] == nil && summary.replaces == nil
            if summary.phase == .ringingIn && isNew && doesNotDisturb {
                throw Violation("do not disturb admits no call: \(summary.call)")
            }
            calls[summary.call] = summary
        case .callEnded(let summary, let reason):
            let known = calls.removeValue(forKey: summary.call)
            // A line gets no BYE for a call that it has not offered.
            if reason == .noOffer && known?.phase == .disconnecting {
                throw Violation("an offered call does not end for lack of an offer: \(summary.call)")
            }
        case .ringerChanged(let on):
            guard on == (ring != nil) else { throw Violation("watchers know the real bell") }
        case .toneChanged(let next):
            guard tone == next else { throw Violation("watchers know the real tone") }
        case .routeChanged(let next, let before):
            guard route == next, before != next else { throw Violation("watchers know the real route") }
        case .networkChanged(let next, _):
            guard network != next else { throw Violation("the network is reported once") }
            network = next
        default: return
        }
    }

    mutating func compare(with snapshot: PhoneSnapshot) throws(Violation) {
        let lamps = snapshot.lamps
        let areTrue = lamps.values.count { $0 != .off } == lit.count && lit.allSatisfy { lamps[$0] == $1 }
        guard lamps.count == Lamp.allCases.count, areTrue else { throw Violation("lamps match the snapshot") }
        guard (ring != nil) == snapshot.ringing else { throw Violation("the bell rings when the snapshot has it") }
        guard ringer?.cadence == ring else { throw Violation("the ringer follows the bell") }
        guard tone == snapshot.tone else { throw Violation("the ear hears the tone of the snapshot") }
        guard display == snapshot.display else { throw Violation("the display matches the snapshot") }
        guard route == snapshot.route, muted == snapshot.muted else { throw Violation("route and mute are reported") }
        guard network == snapshot.network else { throw Violation("the network is reported") }
        let joined = snapshot.calls.filter { conferees.contains($0.call) }
        guard joined.isEmpty || snapshot.conference, joined.allSatisfy({ !$0.heldHere && $0.answered != nil }) else {
            throw Violation("a conferee is in a conference, active and not held")
        }
        guard volumes[.call] == snapshot.settings.callVolume, volumes[.ring] == snapshot.settings.ringVolume else {
            throw Violation("volumes are reported")
        }
        try compareFiles(with: snapshot)
        let isTrue = calls.count == snapshot.calls.count && snapshot.calls.allSatisfy { calls[$0.call] == $0 }
        guard isTrue else { throw Violation("watchers know the real state of every call") }
        let ringing = snapshot.calls.contains { $0.phase == .ringingIn }
        let engaged = snapshot.calls.contains { $0.phase != .ringingIn && $0.phase != .disconnecting }
        // The phone rings for a held caller, too.
        let isLeft =
            engaged
            && snapshot.calls.allSatisfy { $0.heldHere || $0.phase == .ringingIn || $0.phase == .disconnecting }
        if ring != nil && (!ringing || engaged) && !isLeft {
            throw Violation("the bell is for a ringing call, and no other")
        }
        doesNotDisturb = snapshot.settings.doNotDisturb
        if ringing && bellIsOurs && snapshot.lamps[.ringing] == .off { throw Violation("a ringing call is shown") }
    }

    private func compareFiles(with snapshot: PhoneSnapshot) throws(Violation) {
        guard recording == snapshot.recording else { throw Violation("a recording is reported") }
        if let recording, !snapshot.calls.contains(where: { $0.call == recording && $0.answered != nil }) {
            throw Violation("a recorded call is active")
        }
        guard page == snapshot.page?.group else { throw Violation("the heard page is reported") }
        guard sentPage?.group == snapshot.sentPage?.group, sentPage.map({ $0.isOpen == !snapshot.muted }) ?? true else {
            throw Violation("the sent page is reported")
        }
        let talking = snapshot.calls.contains { $0.phase == .active || $0.phase == .reconnecting && !$0.heldHere }
        if sentPage != nil && (talking || page != nil) { throw Violation("a page sender hears neither call nor page") }
        if soundTest != nil && !(snapshot.calls.isEmpty && sentPage == nil && page == nil && snapshot.hook != .offHook)
        {
            throw Violation("a phone is tested at rest")
        }
        guard playback == snapshot.playback else { throw Violation("a playback is reported") }
        let hears: [CallSummary.Phase] = [.active, .reconnecting]
        if let playback, !snapshot.calls.contains(where: { $0.call == playback.call && hears.contains($0.phase) }) {
            throw Violation("a call with a played file is active and not held")
        }
    }
}
