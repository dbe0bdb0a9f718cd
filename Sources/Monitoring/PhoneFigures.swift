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

    enum Outcome: String, CaseIterable, Sendable { case answered, unanswered, refused, failed }

    /// The result of a relay code that a far end dialled.
    enum CodeResult: String, CaseIterable, Sendable { case right, wrong, locked }

    private(set) var calls: [CallID: Call] = [:]
    /// When calls arrived that do not ring yet.
    private var arrivals: [CallID: Instant] = [:]
    /// The metrics that only count, by the values of their labels.
    private var counts: [Metric: [[String]: Int]] = [.faults: [[]: 0]]
    private var histograms: [Metric: Histogram] = [:]
    /// Missed calls of this run that nobody has seen.
    private(set) var unseenMissedCalls = 0
    private(set) var registrations: [AccountID: RegistrationState] = [:]
    private(set) var registrationFailures: [AccountID: Int] = [:]
    private(set) var messagesWaiting: [AccountID: Int] = [:]
    private(set) var network = NetworkStatus.connected
    private(set) var isSignInNeeded = false
    /// The result of the last test of each route's loudspeaker and microphone.
    private(set) var soundTests: [Route: SoundTestVerdict] = [:]

    public init() {}

    /// A line offers a call, which reached this machine at `arrived`.
    public mutating func offered(_ call: CallID, arrived: Instant) {
        if arrivals.count < Self.mostCalls { arrivals[call] = arrivals[call] ?? arrived }
    }

    /// The caller hears that the phone rings, and the bell is on.
    public mutating func announced(_ call: CallID, at now: Instant) {
        if let arrived = arrivals.removeValue(forKey: call) { observe(.announceTime, now - arrived) }
    }

    /// The line rejected a call that never rang.
    public mutating func turnedDown(_ call: CallID) { arrivals[call] = nil }

    public mutating func take(_ notice: Notice, at now: Instant) {
        switch notice {
        case .callChanged(let summary): changed(summary, at: now)
        case .callEnded(let summary, let reason): ended(summary, reason, at: now)
        case .missedCall(_, let reason):
            count(.callsMissed, reason.code)
            unseenMissedCalls += 1
        case .missedCallsSeen: unseenMissedCalls = 0
        case .callRefused(let call): count(.callsRefused, call.reason.rawValue)
        case .codeTried(_, let outcome): count(.codes, CodeResult(outcome).rawValue)
        case .registrationChanged(let account, let state): changed(account, state)
        case .messagesWaiting(let account, let count): messagesWaiting[account] = count
        case .networkChanged(let status, _): network = status
        case .qualityUpdated(_, let quality): observe(quality)
        case .organisationSwitched: count(.organisationSwitches, "switched")
        case .organisationSwitchFailed(let failure): count(.organisationSwitches, failure.code)
        case .signInNeeded: isSignInNeeded = true
        case .signedIn, .signedOut: isSignInNeeded = false
        case .soundTested(let result): soundTests[result.route] = result.verdict
        case .trouble, .transferFailed: count(.faults)
        // Most notices count nothing.
        default: break
        }
    }

    private mutating func changed(_ summary: CallSummary, at now: Instant) {
        guard calls[summary.call] != nil || calls.count < Self.mostCalls else { return }
        var call = calls[summary.call] ?? Call(phase: summary.phase)
        call.phase = summary.phase
        switch summary.phase {
        case .connecting where summary.direction == .incoming: call.answering = call.answering ?? now
        case .active, .onHold:
            if let answering = call.answering.take() { observe(.answerTime, now - answering) }
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed: break
        }
        calls[summary.call] = call
    }

    private mutating func ended(_ summary: CallSummary, _ reason: EndReason, at now: Instant) {
        calls[summary.call] = nil
        arrivals[summary.call] = nil
        let outcome = Outcome(reason, wasAnswered: summary.answered != nil)
        count(.calls, summary.direction.rawValue, outcome.rawValue)
        count(.callEnds, reason.code)
        guard let answered = summary.answered else { return }
        observe(.callTime, max(.zero, now - answered))
        if let protection = summary.protection { count(.callsProtected, protection.rawValue) }
    }

    private mutating func changed(_ account: AccountID, _ state: RegistrationState) {
        registrations[account] = state
        if case .failed = state { registrationFailures[account, default: 0] += 1 }
    }

    /// The quality of voice over all calls; each report of a call counts once.
    private mutating func observe(_ quality: VoiceQuality) {
        observe(.opinionScore, quality.opinionScore)
        observe(.jitter, quality.jitterMilliseconds.map { $0 / 1_000 })
        observe(.roundTrip, quality.roundTripMilliseconds.map { $0 / 1_000 })
        observe(.loss, quality.lossPercent.map { $0 / 100 })
        observe(.concealment, quality.concealedPercent.map { $0 / 100 })
        observe(.bufferLevel, quality.bufferMilliseconds.map { $0 / 1_000 })
    }

    /// - Parameter labels: The values of the metric's labels, in the order of its reference.
    private mutating func count(_ metric: Metric, _ labels: String...) {
        counts[metric, default: [:]][labels, default: 0] += 1
    }

    private mutating func observe(_ metric: Metric, _ duration: Duration) {
        observe(metric, Double(duration.nanoseconds) / 1e9)
    }

    /// - Parameter value: Nil: not measured.
    private mutating func observe(_ metric: Metric, _ value: Double?) {
        guard let value else { return }
        guard case .histogram(let bounds) = metric.reference.kind else {
            preconditionFailure("\(metric) is not a histogram")
        }
        histograms[metric, default: Histogram(bounds)].observe(value)
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

extension PhoneFigures {
    /// Puts the figures on a page.
    /// - Parameter names: The names of accounts.
    public func write(to page: inout MetricPage, names: LineNames) {
        writeAccounts(to: &page, names)
        page.add(.networkUp, network == .disconnected ? 0 : 1)
        page.add(.signInNeeded, isSignInNeeded ? 1 : 0)
        page.add(.callsCurrent, calls.count)
        for (route, verdict) in soundTests.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for one in SoundTestVerdict.allCases {
                page.add(.soundTest, one == verdict ? 1 : 0, route.rawValue, one.rawValue)
            }
        }
        for metric in Metric.allCases { write(metric, to: &page) }
    }

    private func write(_ metric: Metric, to page: inout MetricPage) {
        let reference = metric.reference
        if case .histogram(let bounds) = reference.kind { page.add(metric, histograms[metric] ?? Histogram(bounds)) }
        guard reference.kind == .counter else { return }
        let counts = counts[metric] ?? [:]
        // A series that begins with its first event would hide that event from increase().
        for labels in reference.knownSeries { page.add(metric, counts[labels] ?? 0, labels: labels) }
        // The page ignores a series that it already has.
        for (labels, count) in counts.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            page.add(metric, count, labels: labels)
        }
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
