import Base

/// Changing to another organisation: asked of the backend, kept in the vault, registered by the line; or undone.
extension Turn {
    /// Whether the phone works for the organisation that this call is for. If not, it begins to change.
    mutating func worksForItsOrganisation(_ call: Call) -> Bool {
        guard let target = phone.foreignOrganisation(of: call) else { return phone.switching == nil }
        if phone.switching == nil { startSwitch(to: target, for: .call(call.id)) }
        return false
    }

    /// A person changes it by hand.
    mutating func switchOrganisation(_ target: OrganisationID, as action: ActionID) throws(ActionFailure) {
        guard let context = phone.context else { throw .notSupported }
        guard phone.switching == nil else { throw .alreadyUnderWay }
        guard phone.calls.isEmpty else { throw .wrongState }
        guard context.organisation.id != target else { return settleAtOnce(action, .fulfilled) }
        startSwitch(to: target, for: .action(action))
    }

    private mutating func startSwitch(to target: OrganisationID, for cause: OrganisationSwitch.Cause) {
        guard let before = phone.context else { return }
        phone.switching = OrganisationSwitch(
            target: target, cause: cause, before: before, step: .asking(until: now + policy.switchAnswerTime),
            until: now + policy.switchTime)
        notice(.organisationSwitching(target))
        emit(.backend(.switchOrganisation(target)))
    }

    mutating func takeBackend(_ event: BackendEvent) {
        guard let switching = phone.switching else { return }
        switch (switching.step, event) {
        case (.asking, .switched(let context)):
            guard context.organisation.id == switching.target else { return failSwitch(.parse) }
            phone.contextWrites += 1
            phone.switching?.step = .storing(context, ticket: phone.contextWrites)
            emit(.vault(.keepContext(context, ticket: phone.contextWrites)))
        case (.asking, .switchFailed(let failure)): failSwitch(failure)
        case (.storing, _), (.connecting, _): return
        }
    }

    mutating func contextKept(_ ticket: UInt32, _ isKept: Bool) {
        guard let switching = phone.switching else { return }
        switch switching.step {
        case .storing(let context, ticket):
            guard isKept else { return failSwitch(.credentialStore) }
            phone.switching?.step = .connecting(context)
            reconfigure(context)
        case .asking, .storing, .connecting: return
        }
    }

    /// The line says how registering with the new credentials went.
    mutating func switchRegistered(_ account: AccountID, _ registration: RegistrationState) {
        guard let switching = phone.switching else { return }
        switch (switching.step, registration) {
        case (.connecting(let context), .registered) where context.account == account,
            (.connecting(let context), .notNeeded) where context.account == account:
            phone.context = context
            phone.switching = nil
            notice(.organisationSwitched(context.organisation))
            settleSwitch(switching.cause, .fulfilled)
        case (.connecting(let context), .failed) where context.account == account: failSwitch(.connection)
        case (.asking, _), (.storing, _), (.connecting, _): return
        }
    }

    /// Nobody waits for it any more: the call that asked for it ended.
    mutating func abandonSwitch(for id: CallID) {
        if phone.switching?.cause == .call(id) { failSwitch(.abandoned) }
    }

    /// Its time is up.
    mutating func switchDue() { failSwitch(.timeout) }

    /// The phone stops.
    mutating func abandonSwitch() { failSwitch(.abandoned) }

    /// Makes everything as it was before, as far as it was changed.
    private mutating func failSwitch(_ failure: SwitchFailure) {
        guard let switching = phone.switching else { return }
        phone.switching = nil
        switch switching.step {
        case .asking: break
        case .storing: keepAgain(switching.before)
        case .connecting:
            keepAgain(switching.before)
            reconfigure(switching.before)
        }
        notice(.organisationSwitchFailed(failure))
        settleSwitch(switching.cause, .failed(.organisation(failure)))
        if case .call(let id) = switching.cause { end(id, .organisation(failure)) }
    }

    private mutating func keepAgain(_ context: OrganisationContext) {
        phone.contextWrites += 1
        emit(.vault(.keepContext(context, ticket: phone.contextWrites)))
    }

    private mutating func reconfigure(_ context: OrganisationContext) {
        emit(.line(.reconfigure(context.account, context.credentials)))
        guard phone.registrations[context.account] != .registering else { return }
        phone.registrations[context.account] = .registering
        notice(.registrationChanged(context.account, .registering))
    }

    private mutating func settleSwitch(_ cause: OrganisationSwitch.Cause, _ outcome: ActionOutcome) {
        switch cause {
        case .action(let id): settleAtOnce(id, outcome)
        case .call: break  // Its answer goes on, or ends with the call.
        }
    }
}
