import Base

/// The targets that the phone calls when an input of the board becomes active: a case that was opened, a door.
///
/// The call is hands-free. Each activation of the input places one call, and only while there is no other call.
public struct AlarmPolicy: Equatable, Codable, Sendable {
    /// The targets, tried in turn, with the account and the hours.
    public var dial: SpeedDial
    /// How long the call may wait for the end of another call, or for its line. Then it is given up.
    public var wait: Duration
    /// The shortest time between two calls of this alarm, so that a loose contact does not call all day.
    public var pause: Duration

    public static let usualWait = Duration.seconds(300)
    public static let usualPause = Duration.seconds(300)

    /// - Precondition: times that are positive.
    public init(_ dial: SpeedDial, wait: Duration = usualWait, pause: Duration = usualPause) {
        precondition(wait > .zero && pause > .zero, "an alarm's times are positive")
        (self.dial, self.wait, self.pause) = (dial, wait, pause)
    }
}

/// The outcome of an alarm: an input that calls somebody became active.
public enum AlarmOutcome: Equatable, Codable, Sendable {
    /// This call goes to the first target. If that cannot be reached, further calls go to the others.
    case called(CallID)
    /// There is another call, the line is not ready, or the last call of the alarm was too short a time ago.
    case waiting
    /// The wait took too long, or no target can be dialled. Nobody was called.
    case givenUp
}

/// An input that calls somebody when it becomes active.
///
/// ```
///            active, pause is over                call placed, or given up
///   quiet ───────────────────────────► waiting ───────────────────────────► over
///     └──────► resting ────────────────┘  ▲
///      active     the pause is over ──────┘        each of the three becomes quiet when the input does
/// ```
struct AlarmState: Equatable, Codable, Sendable {
    enum Stage: Equatable, Codable, Sendable {
        /// The input is not active.
        case quiet
        /// It is active again too soon after its last call.
        case resting(until: Instant)
        /// It is active, and nobody was called yet.
        case waiting(until: Instant)
        /// It is still active, and this activation calls nobody any more.
        case over
    }

    var stage = Stage.quiet
    /// When it last called, or gave up.
    var triedAt: Instant?
    /// Whether a notice has reported that the next call waits. A loose contact must not fill the log.
    var isTold = false

    var due: Instant? {
        switch stage {
        case .quiet, .over: nil
        case .resting(let until), .waiting(let until): until
        }
    }
}

/// Inputs of the board that call somebody (spec §13).
extension Transition {
    /// An input moved, or its level was read again. Only a movement counts.
    mutating func inputChanged(_ name: String, active: Bool) {
        notice(.inputChanged(name, active: active))
        if !active { phone.inputs.remove(name) }
        // No board has so many inputs, but an event log may.
        if active, phone.inputs.count < PhoneState.mostInputs { phone.inputs.insert(name) }
        guard phone.mode == .running, let alarm = policy.alarms[name] else { return }
        let known = phone.alarms[name] ?? AlarmState()
        switch (known.stage, active) {
        case (.quiet, false), (.resting, true), (.waiting, true), (.over, true): return
        case (.resting, false), (.waiting, false), (.over, false): phone.alarms[name] = known.with(.quiet)
        case (.quiet, true):
            if let triedAt = known.triedAt, triedAt + alarm.pause > now {
                phone.alarms[name] = known.with(.resting(until: triedAt + alarm.pause))
            } else {
                phone.alarms[name] = known.with(.waiting(until: now + alarm.wait))
            }
            raiseAlarms()
            tellThatItWaits(name)
        }
    }

    private mutating func tellThatItWaits(_ name: String) {
        guard let known = phone.alarms[name], known.due != nil, !known.isTold else { return }
        phone.alarms[name]?.isTold = true
        notice(.alarmRaised(name, .waiting))
    }

    /// The pause is over, or the wait has taken too long.
    mutating func alarmDue(_ name: String) {
        // An event log is untrusted: it may name an input that the policy does not have.
        guard let known = phone.alarms[name], let alarm = policy.alarms[name] else {
            phone.alarms[name] = nil
            return
        }
        switch known.stage {
        case .resting: phone.alarms[name] = known.with(.waiting(until: now + alarm.wait))
        case .waiting:
            phone.alarms[name] = AlarmState(stage: .over, triedAt: known.triedAt)
            notice(.alarmRaised(name, .givenUp))
        case .quiet, .over: return
        }
    }

    /// Calls for one alarm that waits, if the phone is free. Any event may have freed it. The others wait for the end
    /// of that call.
    mutating func raiseAlarms() {
        guard phone.mode == .running, !phone.alarms.isEmpty else { return }
        for name in phone.alarms.keys.sorted() {
            guard !phone.calls.contains(where: \.isLive), hasSpareCall else { return }
            guard case .waiting = phone.alarms[name]?.stage, let alarm = policy.alarms[name],
                phone.isReady(alarm.dial.account ?? policy.defaultAccount)
            else { continue }
            raise(name, alarm)
        }
    }

    /// Dials on the speaker, whatever a person was doing at the handset: the handset may have been torn off.
    private mutating func raise(_ name: String, _ alarm: AlarmPolicy) {
        phone.alarms[name] = AlarmState(stage: .over, triedAt: now)
        let action = panelAction()
        do throws(ActionFailure) {
            try dial(alarm.dial.at(phone.clock), as: action)
        } catch {
            settleAtOnce(action, .failed(error))
            return notice(.alarmRaised(name, .givenUp))
        }
        setRoute(.speaker)
        phone.userAudio = .inCall
        notice(.alarmRaised(name, .called(CallID(.phone, phone.callsMade))))
    }
}

extension AlarmState {
    fileprivate func with(_ stage: Stage) -> AlarmState {
        AlarmState(stage: stage, triedAt: triedAt, isTold: isTold)
    }
}
