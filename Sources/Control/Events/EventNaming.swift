import JSON
import PhoneCore

/// Translates the machine's notices to the events of spec §11.
///
/// The machine reports states, but the interface reports events. A call that is now active was answered, resumed or
/// reconnected, depending on its previous state. So this type keeps the last summary of each live call.
struct EventNaming: Sendable {
    typealias Event = (name: EventName, fields: [String: JSONValue])

    /// The largest number of remembered calls. The machine allows fewer, so no call is lost.
    static let maximumCalls = 64

    private var known: [CallID: CallSummary] = [:]
    /// Whether the voice goes to the speaker. Nil until the first route was reported.
    private var speaker: Bool?
    /// The accounts that are ready for calls.
    private var ready: Set<AccountID> = []
    private let qrCode: ControlHost.QRCodeMaker

    init(qrCode: @escaping ControlHost.QRCodeMaker) { self.qrCode = qrCode }

    /// The events for a notice, in order. Empty if another notice gives a better event.
    mutating func events(for notice: Notice) -> [Event] {
        switch notice {
        case .callChanged(let summary): changed(summary)
        case .callEnded(let summary, let reason): [ended(summary, reason)]
        case .missedCall(let summary, let reason): [(.missedCall, summary.members(["reason": .string(reason.code)]))]
        case .missedCallsSeen: [(.missedCallsSeen, [:])]
        case .answeredElsewhere(let summary): [(.answeredElsewhere, summary.members())]
        case .callRefused(let call): [(.callRefused, call.members)]
        case .transferAsked(let summary, let question): [(.transferRequested, summary.members(question.members))]
        case .transferAnswered(let call, let asked, let answer): [(.transferAnswered, asked.members(of: call, answer))]
        case .transferFailed(let summary, let target): [(.transferFailed, summary.members(ofTransferTo: target))]
        case .codeTried(let call, let outcome): [(.codeTried, outcome.members(of: call))]
        case .callDuration(let call, let seconds): [(.callDurationUpdated, call.members(seconds: seconds))]
        case .registrationChanged(let account, let state): changed(account, state)
        case .hookChanged(let position): [(.panelChanged, ["hook": .string(position.name)])]
        case .keyPressed(let key): [(.panelChanged, ["key": .string(key.name)])]
        case .inputChanged(let name, let active): [(.panelChanged, ["input": .string(name), "active": .bool(active)])]
        case .relayChanged(let number, let on): [(.panelChanged, ["relay": .integer(Int64(number)), "on": .bool(on)])]
        case .alarmRaised(let input, let outcome): [(.alarmRaised, outcome.members(of: input))]
        case .toneChanged(let tone): [(.toneChanged, ["tone": .text(tone?.rawValue)])]
        case .ringerChanged(let on): [(.ringerChanged, ["on": .bool(on)])]
        case .muteChanged(let on): [(.muteStateChanged, ["muted": .bool(on)])]
        case .routeChanged(let route, let before): changed(route, from: before)
        case .volumeChanged(let kind, let level): [(.volumeChanged, kind.members(level: level))]
        case .doNotDisturbChanged(let on): [(.doNotDisturbChanged, ["on": .bool(on)])]
        case .messagesWaiting(let account, let count): [(.messagesWaiting, account.members(waiting: count))]
        case .firstVoice(let call): [(.firstVoice, ["call": call.json])]
        case .dtmfReceived(let call, let digit): [(.dtmfReceived, call.members(digit: digit))]
        case .dtmfSent(let call): [(.dtmfSent, ["call": call.json])]
        case .textReceived(let message): [(.textReceived, message.members)]
        case .recordingStarted(let call, let file): [(.recordingStarted, ["call": call.json, "file": .string(file)])]
        case .recordingEnded(let call, let end): [(.recordingEnded, end.members.with(["call": call.json]))]
        case .playbackStarted(let playback): [(.playbackStarted, playback.members)]
        case .playbackEnded(let playback, let end): [(.playbackEnded, end.members.with(playback.members))]
        case .pageStarted(let page): [(.pageStarted, page.members)]
        case .pageEnded(let page): [(.pageEnded, page.members)]
        case .pageNotHeard(let page, let obstacle): [(.pageNotHeard, page.members(obstacle.rawValue))]
        case .pageSendingStarted(let page): [(.pageSendingStarted, page.members)]
        case .pageSendingEnded(let page, let end): [(.pageSendingEnded, page.members(end.rawValue))]
        case .soundTested(let result): [(.soundTested, result.members)]
        case .qualityUpdated(let call, let quality): [(.callQualityUpdated, call.members(quality: quality))]
        case .networkChanged(let status, let kind): [(.networkStatusChanged, kind.members(status))]
        case .displayChanged(let content): [(.displayChanged, content.members)]
        case .networkTransition(let old, let new): [(.networkTransition, old.members(to: new))]
        case .networkTimeout(let call): [(.networkTimeout, ["call": call.json])]
        case .interruptionChanged(let on): [(.interruptionChanged, ["on": .bool(on)])]
        case .organisationSwitching(let id): [(.organizationSwitching, ["organization": .string(id.rawValue)])]
        case .organisationSwitched(let new): [(.organizationSwitched, new.members)]
        case .organisationSwitchFailed(let failure): [(.organizationSwitchFailed, failure.messageMembers)]
        case .signInCode(let code): [(.signInCode, code.fields(qrCode))]
        case .signInFailed(let failure): [(.signInFailed, failure.messageMembers)]
        case .signedIn(let user): [(.signedIn, user.fields)]
        case .signedOut: [(.signedOut, [:])]
        case .signInNeeded(let need): [(.signInNeeded, need.members)]
        case .credentialsRenewed(let organisation): [(.credentialsRenewed, organisation.members)]
        case .credentialsExpiring(let days): [(.credentialsExpiring, ["days": .integer(Int64(days))])]
        case .trouble(let text, let code):
            [(.error, ["code": .string((code ?? .other).rawValue), "message": .string(text)])]
        }
    }

    private mutating func changed(_ summary: CallSummary) -> [Event] {
        let before = known[summary.call]
        guard let name = Self.name(from: before, to: summary) else { return [] }
        if before != nil || known.count < Self.maximumCalls { known[summary.call] = summary }
        let event: Event = (name, summary.members())
        // The first talking state of a call may already be held or without network. Report the answer first.
        let wasTalk = before?.phase.isTalk ?? true
        let isAnsweredToo = !wasTalk && summary.phase.isTalk && name != .callAnswered
        return isAnsweredToo ? [(.callAnswered, summary.members()), event] : [event]
    }

    private mutating func ended(_ summary: CallSummary, _ reason: EndReason) -> Event {
        known[summary.call] = nil
        let more: [String: JSONValue] = [
            "seconds": .integer(Int64(summary.seconds ?? 0)), "server": summary.serverEnd?.json ?? .null,
        ]
        let members = reason.members.merging(more) { own, _ in own }
        return (reason.isFailure ? .callFailed : .callEnded, summary.members(members))
    }

    private mutating func changed(_ route: Route, from former: Route) -> [Event] {
        let before = speaker
        let isSpeaker = route == .speaker
        speaker = isSpeaker
        let event: Event = (
            .audioRouteChanged, ["route": .string(route.rawValue), "former": .string(former.rawValue)]
        )
        return before == isSpeaker ? [event] : [event, (.speakerStateChanged, ["on": .bool(isSpeaker)])]
    }

    /// Adds `disconnected` after the last ready account is lost, and `connected` after the first appears.
    private mutating func changed(_ account: AccountID, _ state: RegistrationState) -> [Event] {
        let event: Event = (.registrationChanged, state.members(of: account))
        let wasConnected = !ready.isEmpty
        if state.isReady { ready.insert(account) } else { ready.remove(account) }
        guard ready.isEmpty == wasConnected else { return [event] }
        return [event, (wasConnected ? .disconnected : .connected, [:])]
    }

    private static func name(from before: CallSummary?, to now: CallSummary) -> EventName? {
        switch (before?.phase, now.phase) {
        case (.ringingIn, .ringingIn), (.connecting, .connecting), (.active, .active), (.reconnecting, .reconnecting),
            (.disconnecting, .disconnecting):
            .callDisplayUpdated
        case (.ringingOut, .ringingOut):
            before?.farEndRings == false && now.farEndRings ? .callRinging : .callDisplayUpdated
        case (.onHold, .onHold):
            before?.heldHere == now.heldHere && before?.heldThere == now.heldThere ? .callDisplayUpdated : .callHeld
        case (_, .ringingIn): .incomingCall
        case (_, .ringingOut): .callStarted
        case (_, .connecting): .callConnecting
        case (.onHold, .active): .callResumed
        case (.reconnecting, .active), (.reconnecting, .onHold): .callReconnected
        case (_, .active): .callAnswered
        case (_, .onHold): .callHeld
        case (_, .reconnecting): .callReconnecting
        case (_, .disconnecting): .callDisconnecting
        // The notice of the end reports the end once, with its reason.
        case (_, .idle), (_, .ended), (_, .failed): nil
        }
    }
}

extension CallSummary.Phase {
    /// Whether both persons are in the call.
    fileprivate var isTalk: Bool {
        switch self {
        case .active, .onHold, .reconnecting: true
        case .idle, .ringingIn, .ringingOut, .connecting, .disconnecting, .ended, .failed: false
        }
    }
}

extension ServerEnd {
    fileprivate var json: JSONValue {
        [
            "cause": .text(cause), "code": code.map { .integer(Int64($0)) } ?? .null,
            "text": .text(text?.withoutPassword),
        ]
    }
}

extension TextMessage {
    fileprivate var members: [String: JSONValue] {
        [
            "account": .integer(account.rawValue), "from": .string(number.withoutPassword),
            "displayName": .text(name), "text": .string(text),
        ]
    }
}

extension Organisation {
    fileprivate var members: [String: JSONValue] {
        ["organization": .string(id.rawValue), "organizationName": .string(name)]
    }
}

extension Playback {
    var members: [String: JSONValue] { ["call": call.json, "file": .string(file)] }
}

extension Page {
    var members: [String: JSONValue] { ["group": .integer(Int64(group)), "label": .string(label)] }

    fileprivate func members(_ reason: String) -> [String: JSONValue] {
        members.merging(["reason": .string(reason)]) { own, _ in own }
    }
}

extension SoundTestResult {
    var members: [String: JSONValue] {
        [
            "route": .string(route.rawValue), "result": .string(verdict.rawValue), "message": .string(sentence),
            "beforeDb": before.map { .number($0) } ?? .null, "duringDb": during.map { .number($0) } ?? .null,
        ]
    }
}

extension PlaybackEnd {
    fileprivate var members: [String: JSONValue] {
        switch self {
        case .finished: ["reason": "finished"]
        case .stopped: ["reason": "stopped"]
        case .failed(let text): ["reason": "failed", "message": .string(text)]
        }
    }
}

extension RecordingEnd {
    fileprivate var members: [String: JSONValue] {
        switch self {
        case .stopped: ["reason": "stopped"]
        case .tooLong: ["reason": "tooLong"]
        case .failed(let text): ["reason": "failed", "message": .string(text)]
        }
    }
}

extension [String: JSONValue] {
    fileprivate func with(_ more: [String: JSONValue]) -> [String: JSONValue] { merging(more) { own, _ in own } }
}

extension AccountID {
    fileprivate func members(waiting count: Int) -> [String: JSONValue] {
        ["account": .integer(rawValue), "count": .integer(Int64(count))]
    }
}

extension VolumeKind {
    fileprivate func members(level: Int) -> [String: JSONValue] {
        ["kind": .string(rawValue), "level": .integer(Int64(level))]
    }
}

extension NetworkPath.Kind {
    fileprivate func members(_ status: NetworkStatus) -> [String: JSONValue] {
        ["status": .string(status.rawValue), "kind": .string(rawValue)]
    }

    fileprivate func members(to new: NetworkPath.Kind) -> [String: JSONValue] {
        ["from": .string(rawValue), "to": .string(new.rawValue)]
    }
}

extension SwitchFailure {
    fileprivate var messageMembers: [String: JSONValue] { members.with(["message": .string(sentence)]) }
}

extension SignInFailure {
    fileprivate var messageMembers: [String: JSONValue] { members.with(["message": .string(sentence)]) }
}

extension SignInNeed {
    fileprivate var members: [String: JSONValue] { ["reason": .string(rawValue), "message": .string(sentence)] }
}

extension CallID {
    fileprivate func members(digit: DTMFSymbol) -> [String: JSONValue] {
        ["call": json, "digit": .string(String(digit.character))]
    }

    fileprivate func members(quality: VoiceQuality) -> [String: JSONValue] { ["call": json, "quality": quality.json] }

    fileprivate func members(seconds: Int) -> [String: JSONValue] {
        let text = CallSummary.durationText(seconds: seconds)
        return ["call": json, "seconds": .integer(Int64(seconds)), "text": .string(text)]
    }
}

extension CallSummary {
    /// `to`, and a `message` for people that names the party instead of the call.
    fileprivate func members(ofTransferTo target: String) -> [String: JSONValue] {
        let (number, target) = (number.withoutPassword, target.withoutPassword)
        let party = isWithheld ? "the caller" : name ?? (number.isEmpty ? "the far end" : number)
        return members([
            "to": .string(target), "message": .string("transfer of \(party) to \(target) failed"),
        ])
    }

    /// `call` and `summary`, with the event's other members.
    fileprivate func members(_ more: [String: JSONValue] = [:]) -> [String: JSONValue] {
        more.merging(["call": call.json, "summary": json]) { _, own in own }
    }
}
