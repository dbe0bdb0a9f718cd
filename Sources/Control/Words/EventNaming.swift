import PhoneCore

/// Names the machine's notices as spec §11 does.
///
/// The machine says *what is*, the interface says *what happened*: a call that is active was answered, resumed or
/// reconnected, depending on what it was before. So the last summary of each call that lives is kept here.
struct EventNaming: Sendable {
    /// Calls that are remembered at most. More than the machine allows, so nothing is lost; a bound all the same.
    static let maximumCalls = 64

    private var known: [CallID: CallSummary] = [:]

    /// The event's name and fields; nil when there is nothing to tell that another event does not tell better.
    mutating func event(for notice: Notice) -> (name: String, fields: [String: JSONValue])? {
        switch notice {
        case .callChanged(let summary): changed(summary)
        case .callEnded(let summary, let reason): ended(summary, reason)
        case .missedCall(let summary, let reason): ("missedCall", summary.members(reason))
        case .registrationChanged(let account, let state): ("registrationChanged", state.members(of: account))
        case .hookChanged(let position): ("panelChanged", ["hook": .string(position.name)])
        case .keyPressed(let key): ("panelChanged", ["key": .string(key.name)])
        case .toneChanged(let tone): ("toneChanged", ["tone": tone.map { .string($0.rawValue) } ?? .null])
        case .ringerChanged(let on): ("ringerChanged", ["on": .bool(on)])
        case .muteChanged(let on): ("muteStateChanged", ["muted": .bool(on)])
        case .routeChanged(let route): ("audioRouteChanged", ["route": .string(route.rawValue)])
        case .firstVoice(let call): ("firstVoice", ["call": call.json])
        case .dtmfReceived(let call, let digit):
            ("dtmfReceived", ["call": call.json, "digit": .string(String(digit.character))])
        case .dtmfSent(let call): ("dtmfSent", ["call": call.json])
        case .qualityUpdated(let call, let quality):
            ("callQualityUpdated", ["call": call.json, "quality": quality.json])
        case .trouble(let text): ("error", ["message": .string(text)])
        }
    }

    private mutating func changed(_ summary: CallSummary) -> (String, [String: JSONValue])? {
        let before = known[summary.call]
        guard let name = Self.name(from: before, to: summary) else { return nil }
        if before != nil || known.count < Self.maximumCalls { known[summary.call] = summary }
        return (name, summary.members())
    }

    private mutating func ended(_ summary: CallSummary, _ reason: EndReason) -> (String, [String: JSONValue]) {
        known[summary.call] = nil
        return (Self.name(of: reason), summary.members(reason))
    }

    private static func name(from before: CallSummary?, to now: CallSummary) -> String? {
        switch (before?.phase, now.phase) {
        case (.ringingIn, .ringingIn), (.connecting, .connecting), (.active, .active), (.reconnecting, .reconnecting),
            (.disconnecting, .disconnecting):
            "callDisplayUpdated"
        case (.ringingOut, .ringingOut):
            before?.farEndRings == false && now.farEndRings ? "callRinging" : "callDisplayUpdated"
        case (.onHold, .onHold):
            before?.heldHere == now.heldHere && before?.heldThere == now.heldThere ? "callDisplayUpdated" : "callHeld"
        case (_, .ringingIn): "incomingCall"
        case (_, .ringingOut): "callStarted"
        case (_, .connecting): "callConnecting"
        case (.onHold, .active): "callResumed"
        case (.reconnecting, .active): "callReconnected"
        case (_, .active): "callAnswered"
        case (_, .onHold): "callHeld"
        case (_, .reconnecting): "callReconnecting"
        case (_, .disconnecting): "callDisconnecting"
        // The end is told once, with its reason, by the notice that carries it.
        case (_, .idle), (_, .ended), (_, .failed): nil
        }
    }

    /// Spec §4: `ended` is a normal finish, `failed` is not; §6: a call answered elsewhere is neither.
    private static func name(of reason: EndReason) -> String {
        switch reason {
        case .hungUpHere, .hungUpThere, .declined, .refusedBusy, .noAnswer, .busyThere, .declinedThere, .cancelledThere,
            .shutDown:
            "callEnded"
        case .answeredElsewhere: "answeredElsewhere"
        case .rejected, .unreachable, .lineNotReady, .incompatible, .mediaFailed, .mediaLost, .networkLost, .timedOut,
            .interrupted:
            "callFailed"
        }
    }
}

extension CallID {
    fileprivate var json: JSONValue { .string(description) }
}

extension CallSummary {
    fileprivate func members(_ reason: EndReason? = nil) -> [String: JSONValue] {
        var members = reason?.members ?? [:]
        members["call"] = .string(call.description)
        members["summary"] = json
        return members
    }
}
