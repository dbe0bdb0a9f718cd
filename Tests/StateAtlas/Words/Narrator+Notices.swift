import PhoneCore

extension Narrator {
    func remark(_ notice: Notice) -> Remark {
        switch notice {
        case .callChanged(let summary): .shown(summary.call)
        case .callEnded: .silence  // The phase and the record have it.
        case .missedCall(let summary, let reason): .deedOf(summary.call, "missed: \(reason.rawValue)")
        case .answeredElsewhere(let summary): .deedOf(summary.call, "notice: answered elsewhere")
        case .transferAsked(let summary, _): .deedOf(summary.call, "ask a person")
        case .transferAnswered(let id, _, let answer): .deedOf(id, "notice: transfer \(answer.rawValue)")
        case .transferFailed(let summary, _): .deedOf(summary.call, "notice: transfer failed")
        case .hookChanged, .keyPressed, .networkTransition, .callDuration: .silence
        case .toneChanged, .ringerChanged, .routeChanged, .volumeChanged, .relayChanged: .silence
        case .missedCallsSeen, .doNotDisturbChanged: .silence  // The vault's stored data has it.
        case .muteChanged(let isMuted): .deed(isMuted ? "notice: muted" : "notice: not muted")
        case .registrationChanged(_, let state): .deed(state.isReady ? "notice: line ready" : "notice: line not ready")
        case .pageSendingEnded(_, let end): .deed("notice: page sending ended (\(end.rawValue))")
        case .soundTested(let result): .deed("notice: test \(result.verdict.rawValue)")
        case .networkChanged(let status, _): .deed("notice: network \(status)")
        case .interruptionChanged(let isOn): .deed(isOn ? "notice: interrupted" : "notice: interruption ended")
        case .organisationSwitching(let organisation): .deed("notice: switching to \(organisation)")
        case .organisationSwitched(let organisation): .deed("notice: switched to \(organisation.id)")
        case .organisationSwitchFailed(let failure): .deed("notice: switch failed (\(failure))")
        default: .deed("notice: \(Self.name(of: notice))")
        }
    }

    /// The name of the notice's case as text: `signedIn` is "signed in".
    private static func name(of notice: Notice) -> String {
        let name = Mirror(reflecting: notice).children.first?.label ?? "\(notice)"
        return name.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
    }
}
