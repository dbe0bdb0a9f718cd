import Base

/// A change to another organisation that is under way. Until it ends, the former state still applies or can be
/// restored.
struct OrganisationSwitch: Equatable, Codable, Sendable {
    enum Cause: Equatable, Codable, Sendable {
        case call(CallID)
        case action(ActionID)
    }

    enum Step: Equatable, Codable, Sendable {
        /// The backend is asked.
        case asking(until: Instant)
        /// The vault is storing the new credentials.
        case storing(OrganisationContext, ticket: UInt32)
        /// The line is registering with them.
        case connecting(OrganisationContext)
    }

    let target: OrganisationID
    let cause: Cause
    let before: OrganisationContext
    var step: Step
    let until: Instant

    var due: Instant {
        switch step {
        case .asking(let answerBy): min(answerBy, until)
        case .storing, .connecting: until
        }
    }
}

/// Changing to another organisation: the backend is asked, the vault keeps the credentials, and the line registers with
/// them. A failure undoes it, and so does a power cut: until the line has registered, a restart finds the former
/// organisation.
extension Transition {
    /// Whether the phone works for the organisation that this call is for. If not, the change begins.
    mutating func worksForItsOrganisation(_ call: Call) -> Bool {
        guard let target = phone.foreignOrganisation(of: call, policy) else { return phone.switching == nil }
        if phone.switching == nil { startSwitch(to: target, for: .call(call.id)) }
        return false
    }

    /// Changes the organisation on request.
    mutating func switchOrganisation(_ target: OrganisationID, as action: ActionID) throws(ActionFailure) {
        guard let context = phone.context else { throw .notSupported }
        guard phone.switching == nil else { throw .alreadyUnderWay }
        guard phone.calls.isEmpty else { throw .wrongState }
        guard context.organisation.id != target else { return settleAtOnce(action, .fulfilled) }
        startSwitch(to: target, for: .action(action))
    }

    /// Changes the organisation for a person at the panel. No program waits for the answer, so a refusal is reported.
    mutating func organisationPressed(_ target: OrganisationID) {
        guard let refusal = perform(.switchOrganisation(target), as: panelAction()) else { return }
        let text = "the key did not switch to organization \(target.rawValue): \(refusal.switchWords)"
        notice(.trouble(text, .switchRefused))
    }

    private mutating func startSwitch(to target: OrganisationID, for cause: OrganisationSwitch.Cause) {
        guard let before = phone.context else { return }
        phone.switching = OrganisationSwitch(
            target: target, cause: cause, before: before, step: .asking(until: now + policy.switchAnswerTime),
            until: now + policy.switchTime)
        notice(.organisationSwitching(target))
        emit(.backend(.switchOrganisation(target)))
        if case .call(let id) = cause { awaitOffer(id, from: now + policy.switchTime) }
    }

    mutating func switched(to context: OrganisationContext) {
        guard let switching = phone.switching else { return }
        switch switching.step {
        case .asking:
            guard !context.organisation.id.rawValue.isEmpty else { return failSwitch(.noOrganisation) }
            guard context.organisation.id == switching.target else { return failSwitch(.parse) }
            phone.contextWrites += 1
            phone.switching?.step = .storing(context, ticket: phone.contextWrites)
            emit(.vault(.tryContext(context, ticket: phone.contextWrites)))
        case .storing, .connecting: return
        }
    }

    mutating func switchFailed(_ failure: SwitchFailure) {
        guard let switching = phone.switching else { return }
        switch switching.step {
        case .asking: failSwitch(failure.bounded, isKnownThere: true)
        case .storing, .connecting: return
        }
    }

    mutating func contextKept(_ ticket: UInt32, _ isKept: Bool) {
        guard let switching = phone.switching else {
            // The backend's record may now say that these credentials are the newest.
            if isKept, ticket == phone.contextWrites, let context = phone.context {
                emit(.backend(.credentialsKept(context.organisation.id)))
            }
            return
        }
        switch switching.step {
        case .storing(let context, ticket):
            guard isKept else { return failSwitch(.credentialStore) }
            phone.switching?.step = .connecting(context)
            reconfigure(context)
        case .asking, .storing, .connecting: return
        }
    }

    /// The line reports the result of registering with the new credentials.
    mutating func switchRegistered(_ account: AccountID, _ registration: RegistrationState) {
        guard let switching = phone.switching else { return }
        switch (switching.step, registration) {
        case (.connecting(let context), .registered) where context.account == account,
            (.connecting(let context), .notNeeded) where context.account == account:
            phone.context = context
            phone.switching = nil
            keep(context)
            if case .call(let id) = switching.cause { awaitOffer(id, from: now) }
            notice(.organisationSwitched(context.organisation))
            settleSwitch(switching.cause, .fulfilled)
        case (.connecting(let context), .failed) where context.account == account,
            (.connecting(let context), .disconnected) where context.account == account:
            failSwitch(.connection)
        case (.asking, _), (.storing, _), (.connecting, _): return
        }
    }

    /// The call that asked for the change has ended, so the change is abandoned.
    mutating func abandonSwitch(for id: CallID) {
        if phone.switching?.cause == .call(id) { failSwitch(.abandoned) }
    }

    /// The time for the change is up.
    mutating func switchDue() { failSwitch(.timeout) }

    /// The phone stops, so the change is abandoned.
    mutating func abandonSwitch() { failSwitch(.abandoned) }

    /// Restores everything that was changed.
    /// - Parameter isKnownThere: Whether the backend has reported the failure. It may still have switched, if its answer
    ///   was lost; the next renewal of the credentials finds that.
    private mutating func failSwitch(_ failure: SwitchFailure, isKnownThere: Bool = false) {
        guard let switching = phone.switching else { return }
        phone.switching = nil
        if !isKnownThere { emit(.backend(.worksFor(switching.before.organisation.id))) }
        switch switching.step {
        case .asking: break
        case .storing: keep(switching.before)
        case .connecting:
            keep(switching.before)
            reconfigure(switching.before)
        }
        notice(.organisationSwitchFailed(failure))
        settleSwitch(switching.cause, .failed(.organisation(failure)))
        if case .call(let id) = switching.cause { end(id, .organisation(failure)) }
    }

    mutating func keep(_ context: OrganisationContext) {
        phone.contextWrites += 1
        emit(.vault(.keepContext(context, ticket: phone.contextWrites)))
    }

    mutating func reconfigure(_ context: OrganisationContext) {
        // The line gets newer credentials than those that waited for the end of a call.
        if case .taken = phone.backend.adoption { phone.backend.adoption = nil }
        emit(.line(.reconfigure(context.account, context.credentials)))
        guard phone.registrations[context.account] != .registering else { return }
        phone.registrations[context.account] = .registering
        notice(.registrationChanged(context.account, .registering))
    }

    /// The offer of a call may take its whole time from the change of the organisation on.
    private mutating func awaitOffer(_ id: CallID, from instant: Instant) {
        guard let call = phone[id], call.leg == nil else { return }
        let due = instant + policy.offerTime
        let isWaiting = phone[id]?.state.editRinging { $0.offerDue = due } ?? false
        if isWaiting { allowTime(id, until: due) }
    }

    /// The line lost the offer of the call for which the organisation changes, because it left its session for that. The
    /// line of the other organisation offers the call again.
    /// - Returns: Whether that is the only reason. A caller who gives up, and an answer elsewhere, end the call.
    mutating func isLostBySwitch(_ call: Call, _ reason: EndReason) -> Bool {
        guard let switching = phone.switching, switching.cause == .call(call.id), case .connecting = switching.step,
            reason.consequences.isLossOfSession
        else { return false }
        phone[call.id]?.leg = nil
        phone[call.id]?.memo = nil
        awaitOffer(call.id, from: switching.until)
        return true
    }

    private mutating func settleSwitch(_ cause: OrganisationSwitch.Cause, _ outcome: ActionOutcome) {
        switch cause {
        case .action(let id): settleAtOnce(id, outcome)
        case .call: break  // Answering the call continues, or ends with the call.
        }
    }
}

extension ActionFailure {
    /// Why a change of the organisation was refused, for people.
    fileprivate var switchWords: String {
        switch self {
        case .wrongState: "not during a call"
        case .alreadyUnderWay: "another switch is in progress"
        case .notSupported: "nobody has signed this phone in"
        case .noSuchCall, .noRoom, .invalidTarget, .lineNotReady, .refusedThere, .soundInUse, .timedOut, .callEnded,
            .organisation, .signIn, .notSignedIn, .backend, .file, .shuttingDown:
            "not now"
        }
    }
}
