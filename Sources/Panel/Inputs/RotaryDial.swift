import Base
import PhoneCore

/// Counts the pulses of a rotary dial.
///
///     resting ──off-normal, or a break without off-normal contact──► turning
///        ▲                                                              │ each accepted break: one pulse
///        └──────off-normal over, or silence: a digit, or a fault────────┘
///
/// It reports a digit only when the count is certain. A lost edge leaves a rhythm that no dial produces. It is a break
/// or a gap as long as two pulses, or a make without a break before it. Then the whole turn is a fault and gives no
/// digit.
package struct RotaryDial: Equatable, Sendable {
    package enum Contact: Sendable { case pulse, offNormal }

    private struct Turn: Equatable {
        /// Nil once the count is uncertain.
        var pulses: Int?
        var brokenAt: Instant?
        var madeAt: Instant?
        /// When to end the turn, or to read the levels again while the dial is still away from its rest position.
        var lookAt: Instant
    }

    private enum State: Equatable {
        /// The contacts were not read yet. The dial may already be turning, after some pulses.
        case unknown
        case resting
        case turning(Turn)
    }

    private let timing: DialTiming
    private let map: DialMap
    private var pulse: Debouncer
    private var offNormal: Debouncer?
    /// Whether the last edge of each contact made it active. A level that is read later can only clear this.
    private var isToldBroken = false
    private var isToldTurned = false
    /// When the contact closed without an earlier opening edge: a spike, or the end of a pulse whose break was lost.
    private var doubt: Instant?
    private var state: State

    /// The number of turns that gave no digit: no pulse, more than ten, lost edges, noise.
    package private(set) var faults = 0

    package init(timing: DialTiming, map: DialMap, hasOffNormal: Bool) {
        self.timing = timing
        self.map = map
        let contact = Debouncer(level: false, activation: timing.debounce, deactivation: timing.debounce)
        pulse = contact
        offNormal = hasOffNormal ? contact : nil
        state = .unknown
    }

    /// When to look again at the latest; nil while the dial rests.
    package var deadline: Instant? { [pulse.deadline, offNormal?.deadline, lookAt].compactMap { $0 }.min() }

    /// A contact became active (the pulse contact: open) or inactive. Edges come in the order of their times.
    package mutating func edge(of contact: Contact, to active: Bool, at time: Instant) -> [DTMFSymbol] {
        let digits = advance(to: time)
        switch contact {
        case .pulse:
            if !active && !pulse.level && !isToldBroken { doubtfulMake(at: time) }
            isToldBroken = active
            // `advance` has already accepted the earlier level.
            _ = pulse.edge(to: active, at: time)
        case .offNormal:
            isToldTurned = active
            _ = offNormal?.edge(to: active, at: time)
        }
        return digits
    }

    /// The contacts have these levels now, after all edges so far.
    package mutating func looked(isBroken: Bool, isTurned: Bool, at now: Instant) -> [DTMFSymbol] {
        // Drop a change that did not last before accepting any due change. If no edge reported that the contact closed,
        // the length of the break is unknown.
        if !isBroken, !pulse.level, let due = pulse.deadline, due <= now { doubtfulMake(at: now) }
        if isBroken == pulse.level { _ = pulse.sample(isBroken, at: now) }
        if isTurned == offNormal?.level { _ = offNormal?.sample(isTurned, at: now) }
        // If the last edge differs from the current level, a later edge was lost. So that edge no longer counts.
        isToldBroken = isToldBroken && isBroken
        isToldTurned = isToldTurned && isTurned
        let digits = advance(to: now)
        _ = pulse.sample(isBroken, at: now)
        _ = offNormal?.sample(isTurned, at: now)
        switch state {
        case .unknown: state = offNormal == nil ? .turning(Turn(lookAt: now + timing.silence)) : .resting
        case .resting, .turning: break
        }
        return digits
    }

    /// The same as `looked`, after edges were lost: only the levels count, and this turn gives no digit.
    package mutating func lostEdges(isBroken: Bool, isTurned: Bool, at now: Instant) {
        _ = looked(isBroken: isBroken, isTurned: isTurned, at: now)
        spoil(at: now)
    }

    private var lookAt: Instant? {
        switch state {
        case .unknown, .resting: nil
        case .turning(let turn): turn.lookAt
        }
    }

    /// Does everything that is due, each thing at its own time, even if late.
    private mutating func advance(to now: Instant) -> [DTMFSymbol] {
        var digits: [DTMFSymbol] = []
        while let due = deadline, due <= now {
            if let broken = pulse.settle(at: due) {
                if broken { pulseBroken(at: due) } else { pulseMade(at: due) }
            } else if let turned = offNormal?.settle(at: due) {
                if turned { turnBegun(at: due) } else { digits += turnEnded() }
            } else {
                digits += lookDue(at: due)
            }
        }
        return digits
    }
}

extension RotaryDial {
    private mutating func pulseBroken(at time: Instant) {
        let begun = time - timing.debounce
        let followsDoubt = doubt.map { begun - $0 >= timing.debounce && begun - $0 < timing.longestMake } ?? false
        doubt = nil
        switch state {
        case .unknown, .resting:
            // With an off-normal contact, pulses of a dial at rest are noise.
            guard offNormal == nil, !followsDoubt, state == .resting else { return spoil(at: time) }
            state = .turning(Turn(pulses: 1, brokenAt: time, lookAt: time + timing.silence))
        case .turning(var turn):
            let isGap = turn.brokenAt.map { time - $0 > timing.period } ?? false
            let isDoubtful = isGap || (followsDoubt && turn.pulses == 0)
            guard let pulses = turn.pulses, pulses < 10, !isDoubtful else { return spoil(at: time) }
            turn = Turn(pulses: pulses + 1, brokenAt: time, madeAt: turn.madeAt, lookAt: time + timing.silence)
            state = .turning(turn)
        }
    }

    private mutating func pulseMade(at time: Instant) {
        switch state {
        case .unknown, .resting: break
        case .turning(var turn):
            if let brokenAt = turn.brokenAt, time - brokenAt > timing.longestBreak { return spoil(at: time) }
            turn.madeAt = time
            turn.lookAt = time + timing.silence
            state = .turning(turn)
        }
    }

    private mutating func doubtfulMake(at time: Instant) {
        doubt = time
        switch state {
        case .unknown, .resting: break
        case .turning(let turn):
            guard let madeAt = turn.madeAt, turn.pulses != nil else { return }
            let way = time - (madeAt - timing.debounce)
            if way > timing.longestMake && way <= timing.period { spoil(at: time) }
        }
    }

    /// The dial has left its rest position. If no edge reported that, it may have left long ago, with pulses since.
    private mutating func turnBegun(at time: Instant) {
        guard isToldTurned else { return spoil(at: time) }
        state = .turning(Turn(pulses: 0, lookAt: time + timing.silence))
    }

    private mutating func turnEnded() -> [DTMFSymbol] {
        defer { state = .resting }
        switch state {
        case .unknown, .resting: return []
        case .turning(let turn):
            guard let pulses = turn.pulses else { return [] }
            guard pulses > 0 else {
                faults += 1
                return []
            }
            return [map.digit(pulses: pulses)]
        }
    }

    private mutating func lookDue(at time: Instant) -> [DTMFSymbol] {
        switch state {
        case .unknown, .resting: return []
        case .turning(var turn):
            if offNormal?.level == true {
                turn.lookAt = time + timing.silence
                state = .turning(turn)
                return []
            }
            // A contact that is open for so long is not a pulse: a make was lost, or a wire is disconnected. The dial
            // is at rest again once the contact closes.
            if pulse.level {
                spoil(at: time)
                return []
            }
            return turnEnded()
        }
    }

    /// This turn gives no digit. It ends like other turns.
    private mutating func spoil(at time: Instant) {
        switch state {
        case .unknown, .resting: faults += 1
        case .turning(let turn): faults += turn.pulses == nil ? 0 : 1
        }
        state = .turning(Turn(lookAt: time + timing.silence))
    }
}
