/// What the phone shows, as a function of what it knows. Told as differences, so that nothing is told twice and
/// nothing is forgotten.
struct Outward: Equatable, Sendable {
    let rings: Bool
    let tone: Tone?
    let muted: Bool
    let route: Route
    let lamps: [LampPattern]

    init(_ phone: PhoneState) {
        rings = Outward.bell(phone)
        tone = Outward.tone(phone)
        muted = phone.focus?.talk?.muted ?? false
        route = phone.route
        let speaker = phone.route == .speaker && phone.isBusy
        let running = phone.mode == .running
        let held = phone.calls.contains { $0.phase == .onHold || $0.talk?.isHeldHere ?? false }
        let (muted, engaged, ringing) = (muted, phone.isEngaged, phone.calls.contains(where: \.isRinging))
        lamps = Lamp.allCases.map { lamp in
            guard running else { return .off }
            return switch lamp {
            case .line: engaged ? .on : .off
            case .ringing: ringing ? .fastBlink : .off
            case .message: phone.unseenMissedCalls > 0 ? .on : .off
            case .mute: muted ? .on : .off
            case .hold: held ? .slowBlink : .off
            case .speaker: speaker ? .on : .off
            }
        }
    }

    /// The bell is for a person who is not at the phone.
    private static func bell(_ phone: PhoneState) -> Bool {
        phone.summons != nil && phone.ear == .closed
            && phone.calls.contains { if case .ringingIn(let ringing) = $0.state { !ringing.silenced } else { false } }
    }

    /// What matters most to the ear: the far end's bell, a knocking call, then the phone's own tone.
    private static func tone(_ phone: PhoneState) -> Tone? {
        if phone.calls.contains(where: \.ringsThereUnheard) { return .ringback }
        let knocks = phone.calls.contains(where: \.isRinging) && (phone.isEngaged || phone.ear != .closed)
        if knocks { return .callWaiting }
        return switch phone.ear {
        case .closed, .inCall: nil
        case .collecting(let collection): collection.digits.isEmpty ? .dial : nil
        case .told(let tone, _): tone
        }
    }
}

extension Call {
    /// The far end's phone rings and sends no sound of its own.
    fileprivate var ringsThereUnheard: Bool {
        switch state {
        case .ringingOut(.placed(_, let alerting, .none)), .ringingOut(.placed(_, let alerting, .connecting)): alerting
        case .ringingOut, .idle, .ringingIn, .connecting, .active, .onHold, .reconnecting, .disconnecting, .ended,
            .failed:
            false
        }
    }
}
