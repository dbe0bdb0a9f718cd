import Base

/// The network path breaks, comes back, or changes. Calls wait for it, and then move to the new addresses.
extension Transition {
    mutating func pathSeen(_ path: NetworkPath) {
        guard let change = phone.network.see(path, at: now) else { return }
        guard change.to.isUp else { return pathLost(since: change.since) }
        // Calls that are older than the first path report use that path.
        for index in phone.calls.indices { phone.calls[index].addresses = change.to.addresses }
    }

    /// The new path has lasted longer than a blip.
    mutating func pathDue() {
        guard let change = phone.network.believe() else { return }
        if change.from.kind != change.to.kind {
            notice(.networkTransition(from: change.from.kind, to: change.to.kind))
        }
        guard change.to.isUp else { return pathLost(since: change.since) }
        reconnectAccounts { $0 != .disconnected }
        for call in phone.calls { meetPath(call.id, since: change.since) }
    }

    /// Registers at once the accounts whose registration meets a condition.
    mutating func reconnectAccounts(where isMeant: (RegistrationState) -> Bool) {
        for account in accounts(where: isMeant) { emit(.line(.reconnect(account))) }
    }

    mutating func connectAccounts() {
        reconnectAccounts {
            switch $0 {
            case .failed, .disconnected: true
            case .notNeeded, .registering, .registered: false
            }
        }
    }

    mutating func disconnectAccounts() throws(ActionFailure) {
        // The change of the organisation registers, and would undo this.
        guard phone.switching == nil else { throw .alreadyUnderWay }
        for account in accounts(where: { $0 != .disconnected }) { emit(.line(.disconnect(account))) }
    }

    private func accounts(where isMeant: (RegistrationState) -> Bool) -> [AccountID] {
        phone.registrations.filter { isMeant($0.value) }.keys.sorted { $0.rawValue < $1.rawValue }
    }

    private mutating func pathLost(since: Instant) {
        for call in phone.calls { waitForPath(call.id, since: since) }
    }

    /// Adapts a call to the current path. The call has just come up, or waits for a path.
    mutating func meetPath(_ id: CallID, since: Instant) {
        guard phone.network.isUp else { return waitForPath(id, since: since) }
        guard let call = phone[id], let path = phone.network.believed else { return }
        switch call.state {
        case .active(let talk), .onHold(let talk):
            if call.addresses != path.addresses { move(call, talk, since: since) }
        case .reconnecting(let talk, let recovery):
            if call.addresses == path.addresses {
                talkAgain(call, talk)
            } else {
                move(call, talk, since: recovery.since)
            }
        case .idle, .ringingIn, .ringingOut, .connecting, .disconnecting, .ended, .failed:
            return
        }
    }

    private mutating func waitForPath(_ id: CallID, since: Instant) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .active(let talk), .onHold(let talk):
            phone[id]?.state = .reconnecting(talk, Recovery(since: since, until: since + policy.networkTime))
        case .reconnecting(let talk, let recovery):
            // The path broke again before the far end had our new addresses.
            let until = min(since + policy.networkTime, recovery.since + policy.reconnectTime)
            phone[id]?.state = .reconnecting(talk, Recovery(since: recovery.since, until: until))
        case .idle, .ringingIn, .ringingOut, .connecting, .disconnecting, .ended, .failed:
            return
        }
    }

    /// Tells the far end our new addresses. Until it answers, it is not known which of our addresses it uses.
    private mutating func move(_ call: Call, _ talk: Talk, since: Instant) {
        guard let leg = call.leg else { return }
        let hasICE = talk.negotiated.ice != nil
        let until = since + policy.reconnectTime
        let recovery = Recovery(since: since, until: until, isMoving: true, isGathering: hasICE)
        phone[call.id]?.state = .reconnecting(talk, recovery)
        phone[call.id]?.addresses = nil
        emit(hasICE ? .media(.gather(call.id)) : .line(.move(leg, nil)))
    }

    /// ICE lost the path of a call, or doubts it. Candidates are gathered again, as if our addresses had changed.
    mutating func pathDoubted(_ id: CallID) {
        guard let call = phone[id], phone.network.isUp else { return }
        switch call.state {
        case .active(let talk), .onHold(let talk): if talk.negotiated.ice != nil { move(call, talk, since: now) }
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed: return
        }
    }

    /// The candidates of our new addresses are gathered. The far end needs them before there can be a path.
    mutating func gathered(_ id: CallID, _ endpoint: MediaEndpoint) {
        guard let call = phone[id], let leg = call.leg else { return }
        switch call.state {
        case .reconnecting(let talk, var recovery):
            guard recovery.isMoving else { return }
            recovery.isGathering = false
            phone[id]?.state = .reconnecting(talk, recovery)
            emit(.line(.move(leg, endpoint)))
        case .idle, .ringingIn, .ringingOut, .connecting, .active, .onHold, .disconnecting, .ended, .failed:
            return
        }
    }

    /// The far end has answered our move. Nil: it does not follow.
    mutating func moved(_ call: Call, _ negotiated: NegotiatedMedia?) {
        switch call.state {
        case .reconnecting(let talk, let recovery):
            guard recovery.isMoving else { return }
            var (call, talk) = (call, talk)
            // The addresses have changed again since that move was requested. The next move follows when its candidates
            // are known, whatever this answer says.
            guard !recovery.isGathering else {
                talk.negotiated = negotiated ?? talk.negotiated
                phone[call.id]?.state = .reconnecting(talk, recovery)
                return
            }
            guard let negotiated else { return end(call.id, .networkLost) }
            talk.negotiated = negotiated
            call.addresses = phone.network.believed?.addresses
            emit(.media(.update(call.id, talk.negotiatedForMedia(playsMusic: policy.playsHoldMusic))))
            talkAgain(call, talk)
        case .idle, .ringingIn, .ringingOut, .connecting, .active, .onHold, .disconnecting, .ended, .failed:
            return
        }
    }

    /// An account lost its registration, or has it again. Without it its calls keep their voice, but no
    /// request reaches their far ends.
    mutating func signallingChanged(
        of account: AccountID, from known: RegistrationState?, to registration: RegistrationState
    ) {
        let isLost: Bool
        switch registration {
        case .registering, .failed: isLost = true
        case .notNeeded, .registered, .disconnected: isLost = false
        }
        guard !isLost || known == .registered else { return }
        for index in phone.calls.indices where phone.calls[index].account == account {
            phone.calls[index].isSignallingLost = isLost && phone.calls[index].isUp ? true : nil
        }
    }

    private mutating func talkAgain(_ call: Call, _ talk: Talk) {
        var call = call
        becomeTalking(&call, talk)
        phone[call.id] = call
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
    /// - Parameter isKnownThere: Whether the backend knows that the phone stays with the former organisation.
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
            reason.isLossOfSession
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
