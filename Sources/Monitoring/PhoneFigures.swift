import Base
import PhoneCore

/// Metrics of the phone's past and present, counted from its notices.
///
/// Nothing in it grows without limit: it remembers no more calls than the machine allows.
public struct PhoneFigures: Sendable {
    /// Limit of calls to remember. The machine allows fewer.
    static let mostCalls = 64

    struct Call: Sendable {
        var phase: CallSummary.Phase
        /// When a person, or the phone itself, decided to answer it.
        var answering: Instant?
    }

    struct Result: Hashable, Sendable {
        let direction: CallSummary.Direction
        let outcome: Outcome
    }

    enum Outcome: String, CaseIterable, Sendable { case answered, unanswered, refused, failed }

    /// The result of a relay code that a far end dialled.
    enum CodeResult: String, CaseIterable, Sendable { case right, wrong, locked }

    private(set) var calls: [CallID: Call] = [:]
    /// When calls arrived that do not ring yet.
    private var arrivals: [CallID: Instant] = [:]
    private(set) var results: [Result: Int] = [:]
    private(set) var ends: [String: Int] = [:]
    private(set) var missed: [String: Int] = [:]
    private(set) var protections: [CallProtection: Int] = [:]
    /// Missed calls of this run that nobody has seen.
    private(set) var unseenMissedCalls = 0
    private(set) var refused: [CallRefusal: Int] = [:]
    private(set) var codes: [CodeResult: Int] = [:]
    private(set) var registrations: [AccountID: RegistrationState] = [:]
    private(set) var registrationFailures: [AccountID: Int] = [:]
    private(set) var messagesWaiting: [AccountID: Int] = [:]
    private(set) var network = NetworkStatus.connected
    /// Changes of the organisation, by their result.
    private(set) var switches: [String: Int] = [:]
    private(set) var isSignInNeeded = false
    private(set) var faults = 0
    /// The result of the last test of each route's loudspeaker and microphone.
    private(set) var soundTests: [Route: SoundTestVerdict] = [:]
    private(set) var times = CallTimes()
    private(set) var voice = VoiceFigures()

    public init() {}

    /// A line offers a call, which reached this machine at `arrived`.
    public mutating func offered(_ call: CallID, arrived: Instant) {
        if arrivals.count < Self.mostCalls { arrivals[call] = arrivals[call] ?? arrived }
    }

    /// The caller hears that the phone rings, and the bell is on.
    public mutating func announced(_ call: CallID, at now: Instant) {
        if let arrived = arrivals.removeValue(forKey: call) { times.announce.observe(now - arrived) }
    }

    /// The line rejected a call that never rang.
    public mutating func turnedDown(_ call: CallID) { arrivals[call] = nil }

    public mutating func take(_ notice: Notice, at now: Instant) {
        switch notice {
        case .callChanged(let summary): changed(summary, at: now)
        case .callEnded(let summary, let reason): ended(summary, reason, at: now)
        case .missedCall(_, let reason):
            missed[reason.code, default: 0] += 1
            unseenMissedCalls += 1
        case .missedCallsSeen: unseenMissedCalls = 0
        case .callRefused(let call): refused[call.reason, default: 0] += 1
        case .codeTried(_, let outcome): codes[CodeResult(outcome), default: 0] += 1
        case .registrationChanged(let account, let state): changed(account, state)
        case .messagesWaiting(let account, let count): messagesWaiting[account] = count
        case .networkChanged(let status, _): network = status
        case .qualityUpdated(_, let quality): voice.take(quality)
        case .organisationSwitched: switches["switched", default: 0] += 1
        case .organisationSwitchFailed(let failure): switches[failure.code, default: 0] += 1
        case .signInNeeded: isSignInNeeded = true
        case .signedIn, .signedOut: isSignInNeeded = false
        case .soundTested(let result): soundTests[result.route] = result.verdict
        case .trouble, .transferFailed: faults += 1
        case .answeredElsewhere, .transferAsked, .transferAnswered, .alarmRaised, .callDuration,
            .hookChanged,
            .keyPressed, .toneChanged, .ringerChanged, .muteChanged, .routeChanged, .volumeChanged,
            .doNotDisturbChanged, .inputChanged, .relayChanged, .displayChanged, .firstVoice, .dtmfReceived, .dtmfSent,
            .textReceived, .recordingStarted, .recordingEnded, .playbackStarted, .playbackEnded, .pageStarted,
            .pageEnded, .pageNotHeard, .pageSendingStarted, .pageSendingEnded, .networkTransition, .networkTimeout,
            .interruptionChanged,
            .organisationSwitching, .signInCode, .signInFailed, .credentialsRenewed, .credentialsExpiring:
            break
        }
    }

    private mutating func changed(_ summary: CallSummary, at now: Instant) {
        guard calls[summary.call] != nil || calls.count < Self.mostCalls else { return }
        var call = calls[summary.call] ?? Call(phase: summary.phase)
        call.phase = summary.phase
        switch summary.phase {
        case .connecting where summary.direction == .incoming: call.answering = call.answering ?? now
        case .active, .onHold:
            if let answering = call.answering.take() { times.answer.observe(now - answering) }
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed: break
        }
        calls[summary.call] = call
    }

    private mutating func ended(_ summary: CallSummary, _ reason: EndReason, at now: Instant) {
        calls[summary.call] = nil
        arrivals[summary.call] = nil
        let outcome = Outcome(reason, wasAnswered: summary.answered != nil)
        results[Result(direction: summary.direction, outcome: outcome), default: 0] += 1
        ends[reason.code, default: 0] += 1
        if let answered = summary.answered { times.length.observe(max(.zero, now - answered)) }
        if summary.answered != nil, let protection = summary.protection { protections[protection, default: 0] += 1 }
    }

    private mutating func changed(_ account: AccountID, _ state: RegistrationState) {
        registrations[account] = state
        if case .failed = state { registrationFailures[account, default: 0] += 1 }
    }
}

extension PhoneFigures.CodeResult {
    init(_ outcome: CodeOutcome) {
        switch outcome {
        case .right: self = .right
        case .wrong: self = .wrong
        case .locked: self = .locked
        }
    }
}

extension PhoneFigures.Outcome {
    init(_ reason: EndReason, wasAnswered: Bool) {
        switch reason {
        case _ where reason.isFailure: self = .failed
        case _ where wasAnswered: self = .answered
        case .declined, .refusedBusy, .doNotDisturb, .blocked: self = .refused
        default: self = .unanswered
        }
    }
}

/// Durations that a person notices.
struct CallTimes: Equatable, Sendable {
    /// The time from the arrival of a call until it rings; the goal is a few milliseconds.
    var announce = Histogram([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5])
    /// The time from the decision to answer until voice may flow.
    var answer = Histogram([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])
    var length = Histogram([10, 30, 60, 300, 900, 3_600])
}

/// The quality of voice over all calls; each report of a call counts once.
struct VoiceFigures: Equatable, Sendable {
    var opinionScore = Histogram([1.5, 2, 2.5, 3, 3.5, 4, 4.3])
    var jitter = Histogram([0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1])
    var roundTrip = Histogram([0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 1])
    var loss = Histogram([0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25])
    var concealment = Histogram([0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25])
    var bufferLevel = Histogram([0.02, 0.04, 0.06, 0.08, 0.12, 0.2, 0.4])

    mutating func take(_ quality: VoiceQuality) {
        if let score = quality.opinionScore { opinionScore.observe(score) }
        if let milliseconds = quality.jitterMilliseconds { jitter.observe(milliseconds / 1_000) }
        if let milliseconds = quality.roundTripMilliseconds { roundTrip.observe(milliseconds / 1_000) }
        if let percent = quality.lossPercent { loss.observe(percent / 100) }
        if let percent = quality.concealedPercent { concealment.observe(percent / 100) }
        if let milliseconds = quality.bufferMilliseconds { bufferLevel.observe(milliseconds / 1_000) }
    }
}

extension PhoneFigures {
    /// Puts the figures on a page.
    /// - Parameter names: The names of accounts.
    public func write(to page: inout MetricPage, names: LineNames) {
        writeAccounts(to: &page, names)
        page.add(.networkUp, network == .disconnected ? 0 : 1)
        page.add(.faults, faults)
        for (result, count) in switches.sorted(by: { $0.key < $1.key }) {
            page.add(.organisationSwitches, count, result)
        }
        page.add(.signInNeeded, isSignInNeeded ? 1 : 0)
        page.add(.callsCurrent, calls.count)
        for direction in CallSummary.Direction.allCases {
            for outcome in Outcome.allCases {
                let count = results[Result(direction: direction, outcome: outcome)] ?? 0
                page.add(.calls, count, direction.rawValue, outcome.rawValue)
            }
        }
        for (reason, count) in ends.sorted(by: { $0.key < $1.key }) { page.add(.callEnds, count, reason) }
        // A series that begins with its first call would hide that call from increase().
        for reason in MissedReason.allCases.map(\.code).sorted() { page.add(.callsMissed, missed[reason] ?? 0, reason) }
        for protection in CallProtection.allCases {
            page.add(.callsProtected, protections[protection] ?? 0, protection.rawValue)
        }
        for reason in CallRefusal.allCases { page.add(.callsRefused, refused[reason] ?? 0, reason.rawValue) }
        for result in CodeResult.allCases { page.add(.codes, codes[result] ?? 0, result.rawValue) }
        for (route, verdict) in soundTests.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for one in SoundTestVerdict.allCases {
                page.add(.soundTest, one == verdict ? 1 : 0, route.rawValue, one.rawValue)
            }
        }
        page.add(.announceTime, times.announce)
        page.add(.answerTime, times.answer)
        page.add(.callTime, times.length)
        page.add(.opinionScore, voice.opinionScore)
        page.add(.jitter, voice.jitter)
        page.add(.roundTrip, voice.roundTrip)
        page.add(.loss, voice.loss)
        page.add(.concealment, voice.concealment)
        page.add(.bufferLevel, voice.bufferLevel)
    }

    private func writeAccounts(to page: inout MetricPage, _ names: LineNames) {
        for (account, state) in registrations.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let name = names[account]
            for code in RegistrationState.codes {
                page.add(.registration, state.code == code ? 1 : 0, name, code)
            }
            page.add(.registrationFailures, registrationFailures[account] ?? 0, name)
        }
        for (account, count) in messagesWaiting.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            page.add(.messagesWaiting, count, names[account])
        }
    }
}
