import Control
import Logging
import PhoneCore

/// Writes the phone's lines in the program's log: one for each event that a person may look for later, with the
/// account's label. Confined to the control loop.
final class PhoneLog {
    private let log: Logger
    private var lines: PhoneLogLines

    init(_ log: Logger, labels: [AccountID: String], hints: [AccountID: String]) {
        (self.log, lines) = (log, PhoneLogLines(labels: labels, hints: hints))
    }

    func tell(_ notice: Notice) {
        if let line = lines.line(for: notice) { log.log(level: line.isWarning ? .warning : .info, "\(line.text)") }
    }
}

/// The lines of the log as values.
package struct PhoneLogLines {
    package struct Line: Equatable {
        package let isWarning: Bool
        package let text: String
    }

    private let labels: [AccountID: String]
    /// What a person may change about an account so that more far ends share its media.
    private let hints: [AccountID: String]
    /// A call whose beginning was logged.
    private struct Begun {
        /// The other party of the call, in words.
        var party: String
        /// Whether its answer was logged.
        var isAnswered = false
        /// Whether its voice is not sent.
        var isFaulty = false
    }

    private var begun: [CallID: Begun] = [:]
    /// The call that was logged by `callRefused` last. Its end, which follows for the history, is not logged again.
    private var turnedAway: RefusedCall?

    package init(labels: [AccountID: String], hints: [AccountID: String] = [:]) {
        (self.labels, self.hints) = (labels, hints)
    }

    /// Nil for a notice that another notice covers, or that matters only to programs that watch the phone.
    package mutating func line(for notice: Notice) -> Line? {
        switch notice {
        case .callChanged(let call): changed(call)
        case .callEnded(let call, let reason): ended(call, reason)
        case .callRefused(let call): refused(call)
        case .registrationChanged(let account, let state): registration(account, state)
        case .transferAsked(let call, let question):
            Line(isWarning: false, text: "\(call.call): the far end asks for a call to \(Self.quoted(question.target))")
        case .transferAnswered(let call, let question, let answer):
            Line(isWarning: false, text: "\(call): a call to \(Self.quoted(question.target)) was \(answer.rawValue)")
        case .transferFailed(let call, let target):
            Line(
                isWarning: true,
                text: "\(label(call.account)): \(party(call.number, call.name)), call \(call.call), could not be "
                    + "transferred to \(Self.quoted(target))")
        case .codeTried(let call, let outcome): code(call, outcome)
        case .alarmRaised(let input, let outcome): alarm(input, outcome)
        case .networkChanged(let status, let kind):
            Line(isWarning: false, text: "network \(status.rawValue), \(kind.rawValue)")
        case .pageStarted(let page): Line(isWarning: false, text: "page of \(page.label)")
        case .pageEnded(let page): Line(isWarning: false, text: "page of \(page.label) is over")
        case .pageNotHeard(let page, let obstacle):
            Line(isWarning: false, text: "page of \(page.label) is not heard: \(obstacle.words)")
        case .pageSendingStarted(let page): Line(isWarning: false, text: "page to \(page.label)")
        case .pageSendingEnded(let page, let end):
            Line(isWarning: end == .failed, text: "page to \(page.label) is over: \(end.words)")
        case .soundTested(let result): Line(isWarning: result.verdict != .ok, text: result.words)
        case .trouble(let text): Line(isWarning: true, text: text)
        case .missedCall, .missedCallsSeen, .answeredElsewhere, .callDuration, .hookChanged, .keyPressed, .toneChanged,
            .ringerChanged, .muteChanged, .routeChanged, .volumeChanged, .doNotDisturbChanged, .messagesWaiting,
            .inputChanged, .relayChanged, .firstVoice, .dtmfReceived, .dtmfSent, .textReceived, .recordingStarted,
            .recordingEnded, .playbackStarted, .playbackEnded, .qualityUpdated, .displayChanged, .networkTransition,
            .networkTimeout,
            .interruptionChanged, .organisationSwitching, .organisationSwitched, .organisationSwitchFailed:
            nil
        }
    }

    private mutating func changed(_ call: CallSummary) -> Line? {
        switch begun[call.call] {
        case nil:
            let party = party(call.number, call.name)
            begun[call.call] = Begun(party: party)
            let way = call.direction == .incoming ? "from" : "to"
            return Line(isWarning: false, text: "\(label(call.account)): call \(call.call) \(way) \(party)")
        case .some(let known) where !known.isAnswered && call.answered != nil:
            begun[call.call]?.isAnswered = true
            return Line(isWarning: false, text: "\(label(call.account)): call \(call.call) answered")
        case .some(let known) where known.isFaulty != (call.sendFault != nil):
            begun[call.call]?.isFaulty = !known.isFaulty
            // Why it is not sent was logged as trouble.
            guard known.isFaulty else { return nil }
            return Line(isWarning: false, text: "\(label(call.account)): the voice of call \(call.call) is sent again")
        case .some: return nil
        }
    }

    private mutating func refused(_ call: RefusedCall) -> Line {
        turnedAway = call
        let place = call.from.map { " at \($0)" } ?? ""
        return Line(
            isWarning: true,
            text: "\(label(call.account)): a call of \(party(call.number, call.name))\(place) was turned away: "
                + call.reason.words)
    }

    private mutating func ended(_ call: CallSummary, _ reason: EndReason) -> Line? {
        let wasTold = begun.removeValue(forKey: call.call) != nil
        if wasTold {
            return Line(
                isWarning: false,
                text: "\(label(call.account)): call \(call.call) ended: \(sentence(reason, call.account))")
        }
        if call.call.origin == .info, let known = turnedAway, known.number == call.number, known.account == call.account
        {
            turnedAway = nil
            return nil
        }
        return Line(
            isWarning: false,
            text: "\(label(call.account)): a call of \(party(call.number, call.name)) was not taken: "
                + sentence(reason, call.account))
    }

    private func sentence(_ reason: EndReason, _ account: AccountID) -> String {
        guard reason == .incompatible, let hint = hints[account] else { return reason.sentence }
        return "\(reason.sentence); \(hint)"
    }

    private func registration(_ account: AccountID, _ state: RegistrationState) -> Line? {
        switch state {
        case .registered: Line(isWarning: false, text: "\(label(account)) is registered")
        case .failed(let why): Line(isWarning: true, text: "\(label(account)) is not registered: \(why)")
        case .disconnected:
            Line(isWarning: false, text: "\(label(account)) is disconnected on request, and not reachable")
        case .notNeeded, .registering: nil
        }
    }

    private func code(_ call: CallID, _ outcome: CodeOutcome) -> Line {
        let who = begun[call].map { "\($0.party), call \(call)," } ?? "\(call)"
        return switch outcome {
        case .right(let relay): Line(isWarning: false, text: "\(who) dialled the code of relay \(relay)")
        case .wrong(let left):
            Line(isWarning: true, text: "\(who) dialled a wrong code; \(left) more lock this caller's codes")
        case .locked(let seconds):
            Line(isWarning: true, text: "\(who) dialled a code; this caller's codes are locked for \(seconds) s")
        }
    }

    private func alarm(_ input: String, _ outcome: AlarmOutcome) -> Line {
        switch outcome {
        case .called(let call): Line(isWarning: true, text: "alarm: \(input) is active; call \(call)")
        case .waiting:
            Line(
                isWarning: true, text: "alarm: \(input) is active; its call waits for the phone, its line or the pause")
        case .givenUp: Line(isWarning: true, text: "alarm: \(input) is active, and nobody could be called")
        }
    }

    private func label(_ account: AccountID) -> String { labels.name(of: account) }

    private func party(_ number: String, _ name: String?) -> String {
        let number = number.isEmpty ? "somebody" : Self.quoted(number)
        return name.map { "\(number) (\(Self.quoted($0)))" } ?? number
    }

    /// A text of a far end: nothing in it may look like the words of this phone.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\"", with: "'") + "\""
    }
}

extension PageSendingEnd {
    fileprivate var words: String {
        switch self {
        case .stopped: "ended here"
        case .tooLong: "it was as long as it may be"
        case .call: "a call has the sound"
        case .priority: "a page that comes first is heard"
        case .interruption: "the sound device is in use"
        case .failed: "it could not be sent"
        }
    }
}

extension SoundTestResult {
    /// The result, with what was measured.
    fileprivate var words: String {
        guard let before, let during else { return sentence }
        return "\(sentence) (\(Int(before.rounded())) dB before the sound, \(Int(during.rounded())) dB with it)"
    }
}

extension PageObstacle {
    fileprivate var words: String {
        switch self {
        case .busy: "somebody uses the phone"
        case .doNotDisturb: "the phone is not to disturb"
        case .priority: "another page is heard"
        case .interruption: "the sound device is in use"
        }
    }
}
