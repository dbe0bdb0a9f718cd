import Base
import Control
import Logging
import PhoneCore

/// Writes the phone's log. Each event that a person may look for later gets one line, with the account's label.
/// Confined to the control loop.
final class PhoneLog {
    private let log: Logger
    private let names: AccountNames
    private var lines = PhoneLogLines(labels: [:])

    init(_ log: Logger, _ names: AccountNames) { (self.log, self.names) = (log, names) }

    func tell(_ notice: Notice) {
        let current = names.all
        (lines.labels, lines.hints) = (current.labels, current.hints)
        if let line = lines.line(for: notice) { log.log(level: line.isWarning ? .warning : .info, "\(line.text)") }
    }
}

/// Makes the log's lines, as values.
package struct PhoneLogLines {
    package struct Line: Equatable {
        package let isWarning: Bool
        package let text: String
    }

    var labels: [AccountID: String]
    /// What to change about an account so that more far ends can share its media.
    var hints: [AccountID: String]
    /// A call whose start was logged.
    private struct Begun {
        /// The other party's number and name.
        var party: String
        /// Whether the answer was logged.
        var isAnswered = false
        /// Whether the phone fails to send its voice.
        var isFaulty = false
    }

    private var begun: [CallID: Begun] = [:]
    /// The call that `callRefused` logged last. Its end, which follows for the history, is not logged again.
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
            told("\(call.call): the far end requests a transfer to \(Self.quoted(question.target))")
        case .transferAnswered(let call, let question, let answer):
            told("\(call): the transfer to \(Self.quoted(question.target)) was \(answer.rawValue)")
        case .transferFailed(let call, let target):
            warned(
                "\(label(call.account)): transfer of \(party(call.number, call.name)), call \(call.call), to "
                    + "\(Self.quoted(target)) failed")
        case .codeTried(let call, let outcome): code(call, outcome)
        case .alarmRaised(let input, let outcome): alarm(input, outcome)
        case .networkChanged(let status, let kind):
            told("network \(status.rawValue), \(kind.rawValue)")
        case .pageStarted(let page): told("playing the page of \(page.label)")
        case .pageEnded(let page): told("the page of \(page.label) ended")
        case .pageNotHeard(let page, let obstacle):
            told("the page of \(page.label) is not played: \(obstacle.words)")
        case .pageSendingStarted(let page): told("sending a page to \(page.label)")
        case .pageSendingEnded(let page, let end):
            Line(isWarning: end == .failed, text: "the page to \(page.label) ended: \(end.words)")
        case .soundTested(let result): Line(isWarning: result.verdict != .ok, text: result.words)
        case .trouble(let text, _): warned(text)
        default: backend(notice)
        }
    }

    private mutating func changed(_ call: CallSummary) -> Line? {
        switch begun[call.call] {
        case nil:
            let party = party(call.number, call.name)
            begun[call.call] = Begun(party: party)
            let way = call.direction == .incoming ? "from" : "to"
            return told("\(label(call.account)): call \(call.call) \(way) \(party)")
        case .some(let known) where !known.isAnswered && call.answered != nil:
            begun[call.call]?.isAnswered = true
            return told("\(label(call.account)): call \(call.call) answered")
        case .some(let known) where known.isFaulty != (call.sendFault != nil):
            begun[call.call]?.isFaulty = !known.isFaulty
            // The reason was logged as trouble.
            guard known.isFaulty else { return nil }
            return told("\(label(call.account)): sending the voice of call \(call.call) again")
        case .some: return nil
        }
    }

    private mutating func refused(_ call: RefusedCall) -> Line {
        turnedAway = call
        let place = call.from.map { " at \($0)" } ?? ""
        return warned(
            "\(label(call.account)): rejected a call from \(party(call.number, call.name))\(place): "
                + call.reason.words)
    }

    private mutating func ended(_ call: CallSummary, _ reason: EndReason) -> Line? {
        let wasTold = begun.removeValue(forKey: call.call) != nil
        if wasTold {
            return told("\(label(call.account)): call \(call.call) ended: \(sentence(reason, call.account))")
        }
        if call.call.origin == .info, let known = turnedAway, known.number == call.number, known.account == call.account
        {
            turnedAway = nil
            return nil
        }
        return told(
            "\(label(call.account)): did not accept a call from \(party(call.number, call.name)): "
                + sentence(reason, call.account))
    }

    private func sentence(_ reason: EndReason, _ account: AccountID) -> String {
        guard reason == .incompatible, let hint = hints[account] else { return reason.sentence }
        return "\(reason.sentence); \(hint)"
    }

    private func registration(_ account: AccountID, _ state: RegistrationState) -> Line? {
        switch state {
        case .registered: told("\(label(account)): registered")
        case .failed(let why): warned("\(label(account)): registration failed: \(why)")
        case .disconnected:
            told("\(label(account)): unregistered on request; nobody can call it")
        case .notNeeded, .registering: nil
        }
    }

    private func code(_ call: CallID, _ outcome: CodeOutcome) -> Line {
        let who = begun[call].map { "\($0.party), call \(call)," } ?? "\(call)"
        return switch outcome {
        case .right(let relay): told("\(who) dialled the code of relay \(relay)")
        case .wrong(let left):
            warned("\(who) dialled a wrong code; after \(left) more the phone ignores this caller's codes for a time")
        case .locked(let seconds):
            warned("\(who) dialled a code; the phone ignores this caller's codes for \(seconds) s")
        }
    }

    private func alarm(_ input: String, _ outcome: AlarmOutcome) -> Line {
        switch outcome {
        case .called(let call): warned("alarm: \(input) is active; call \(call)")
        case .waiting:
            warned("alarm: \(input) is active; its call must wait until phone and line are free and the pause is over")
        case .givenUp: warned("alarm: \(input) is active, but no call succeeded")
        }
    }

    private func label(_ account: AccountID) -> String { labels.name(of: account) }

    private func party(_ number: String, _ name: String?) -> String {
        let number = number.isEmpty ? "an unknown caller" : Self.quoted(number)
        return name.map { "\(number) (\(Self.quoted($0)))" } ?? number
    }

    /// Quotes a far end's text, so that it cannot imitate the phone's own words.
    static func quoted(_ text: String) -> String {
        "\"" + text.parts(between: "\"").joined(separator: "'") + "\""
    }
}

extension PageSendingEnd {
    fileprivate var words: String {
        switch self {
        case .stopped: "ended at this phone"
        case .tooLong: "the longest time was reached"
        case .call: "a call took the sound device"
        case .priority: "a page with higher priority took over"
        case .interruption: "the sound device is in use"
        case .failed: "the network did not accept it"
        }
    }
}

extension SoundTestResult {
    /// The result, with the measured levels.
    fileprivate var words: String {
        guard let before, let during else { return sentence }
        return "\(sentence) (\(Int(before.rounded())) dB before the sound, \(Int(during.rounded())) dB with it)"
    }
}

extension PageObstacle {
    fileprivate var words: String {
        switch self {
        case .busy: "the phone is in use"
        case .doNotDisturb: "do-not-disturb is on"
        case .priority: "another page is playing"
        case .interruption: "the sound device is in use"
        }
    }
}

extension PhoneLogLines {
    /// The line for a notice about the backend. No line contains a code. Nil: no line.
    private func backend(_ notice: Notice) -> Line? {
        switch notice {
        case .organisationSwitching(let organisation):
            told("organization: switching to \(Self.quoted(organisation.rawValue))")
        case .organisationSwitched(let organisation): told("organization: now \(Self.quoted(organisation.name))")
        case .organisationSwitchFailed(let failure):
            warned("organization: the switch failed and the former one stays: \(failure.sentence)")
        case .signInCode(let code): told("sign-in: a person has to enter the code at \(code.address)")
        case .signInFailed(let failure): warned("sign-in failed: \(failure.sentence)")
        case .signedIn(let user): told("signed in as \(Self.quoted(user.shown))")
        case .signedOut: told("signed out; the account of the sign-in is unregistered")
        case .signInNeeded(let need): warned("\(need.sentence); run `offhook ctl sign-in`")
        case .credentialsRenewed(let organisation):
            told("the credentials for \(Self.quoted(organisation.name)) were renewed")
        case .credentialsExpiring(let days):
            warned("the credentials expire in \(days) days and could not be renewed; run `offhook ctl sign-in`")
        default: nil
        }
    }

    private func told(_ text: String) -> Line { Line(isWarning: false, text: text) }
    private func warned(_ text: String) -> Line { Line(isWarning: true, text: text) }
}
