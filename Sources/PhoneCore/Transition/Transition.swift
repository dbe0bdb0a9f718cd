import Base

/// The handling of one event: the phone's next state, and the effects on the way to it.
///
/// The files of this folder are its parts, one concern each. A call: `Incoming`, `Answering`, `Outgoing`, `Holding`,
/// `Transfer`, `Permissions` (what far ends may ask for), `Fingerprints` (who they are), `Ending`. What a call needs: `Sound`,
/// `Files` (recordings and playback), `Candidates` (of ICE), `Network` (paths and organisations), `Backend` (sign-in and
/// credentials). The person: `Panel`
/// (hook and keys), `Dialling`. Inputs: `Alarms`.
/// Beside calls: `Pages` (heard and spoken), `SoundTests`. Programs: `Requests`. Last come `Time` and `Telling`.
/// Where a call's state matters, the code lists all ten states.
struct Transition {
    var phone: PhoneState
    private(set) var policy: PhonePolicy
    /// The policy before this event, if the event changes it.
    private(set) var formerPolicy: PhonePolicy?
    let now: Instant
    private(set) var effects: [PhoneEffect] = []
    /// Whether nothing has happened except that calls became a second longer. Then nothing else has to be reported.
    var onlySecondsPassed = true
    /// What became of a message of caller info.
    var receipt: (ticket: UInt32, outcome: CallerInfoOutcome)?
    /// Why the page that the person spoke is over, if that is known.
    var pageEnd: PageSendingEnd?

    init(phone: PhoneState, policy: PhonePolicy, now: Instant) {
        self.phone = phone
        self.policy = policy
        self.now = now
    }

    mutating func take(_ event: PhoneEvent) {
        onlySecondsPassed = onlySecondsPassed && event == .deadline
        switch event {
        case .panel(let event): takePanel(event)
        case .line(let event): takeLine(event)
        case .media(let event): takeMedia(event)
        case .vault(let event): takeVault(event)
        case .network(.path(let path)): pathSeen(path)
        case .callerInfo(let event): takeCallerInfo(event)
        case .backend(let event): takeBackend(event)
        case .request(let id, let request): perform(request, as: id)
        case .clock(let time): phone.clock = time
        case .policyChanged(let policy): policyChanged(policy)
        case .deadline: break  // `expire` has done what was due.
        case .shutDown: shutDown()
        }
    }

    private mutating func takeLine(_ event: LineEvent) {
        switch event {
        case .registration(let account, let registration): registered(account, registration)
        case .messagesWaiting(let account, let count): messagesWait(account, count)
        case .watched(let number, let state): watched(number, state)
        case .offered(let leg, let caller): offered(leg, caller)
        case .refused(let caller, let address, let reason): refused(caller, from: address, because: reason)
        case .offerSent(let leg): phone.call(ofLeg: leg).map { offerSent($0) }
        case .ringing(let leg): phone.call(ofLeg: leg).map { ringingThere($0) }
        case .earlyMedia(let leg, let negotiated): phone.call(ofLeg: leg).map { earlyMedia($0, negotiated) }
        case .answered(let leg, let negotiated): phone.call(ofLeg: leg).map { answered($0, negotiated) }
        case .memo(let leg, let memo): phone.call(ofLeg: leg).map { remember($0, memo) }
        case .renegotiated(let leg, let negotiated, let held):
            phone.call(ofLeg: leg).map { renegotiated($0.id, negotiated, heldThere: held) }
        case .displayUpdated(let leg, let name, let number, let standing):
            phone.call(ofLeg: leg).map { displayUpdated($0, name: name, number: number, standing) }
        case .holdSettled(let leg, let negotiated): phone.call(ofLeg: leg).map { holdSettled($0.id, negotiated) }
        case .holdDelayed(let leg, let delay): phone.call(ofLeg: leg).map { holdDelayed($0, by: delay) }
        case .moved(let leg, let negotiated): phone.call(ofLeg: leg).map { moved($0, negotiated) }
        case .transferSettled(let leg, let accepted): phone.call(ofLeg: leg).map { transferSettled($0, accepted) }
        case .transferred(let leg, let isDone): phone.call(ofLeg: leg).map { transferred($0, isDone) }
        case .referred(let leg, let number): phone.call(ofLeg: leg).map { referred($0, to: number) }
        case .redirected(let leg, let number): phone.call(ofLeg: leg).map { redirected($0, to: number) }
        case .dtmfSent(let leg, let unsent): phone.call(ofLeg: leg).map { digitsLeft($0, unsent: unsent) }
        case .dtmfReceived(let leg, let symbol): phone.call(ofLeg: leg).map { digitInformed($0.id, symbol) }
        case .text(let sender, let text): textCame(from: sender, text)
        case .endTold(let leg, let told): phone.call(ofLeg: leg).map { endTold($0.id, told) }
        case .ended(let leg, let reason):
            phone.call(ofLeg: leg).map { legEnded($0, reason) }
        }
    }

    private mutating func legEnded(_ call: Call, _ reason: EndReason) {
        if isLostBySwitch(call, reason) { return }
        end(call.id, reasonOnTheWire(call, reason), overOnTheWire: true)
    }

    private mutating func takeVault(_ event: VaultEvent) {
        switch event {
        case .orphanFound(let orphan): orphanFound(orphan)
        case .ringingFound(let call): ringingFound(call)
        case .remembered(let memory): remember(memory)
        case .contacts(let contacts): learn(contacts)
        case .contextKept(let ticket, let isKept): contextKept(ticket, isKept)
        case .failed(let text): notice(.trouble(text, .vault))
        }
    }

    private mutating func registered(_ account: AccountID, _ registration: RegistrationState) {
        // A line reports its end, too.
        guard policy.has(account) else { return }
        let known = phone.registrations[account]
        guard known != registration, known != nil || phone.registrations.count < PhoneState.mostAccounts else { return }
        phone.registrations[account] = registration
        notice(.registrationChanged(account, registration))
        signallingChanged(of: account, from: known, to: registration)
        switchRegistered(account, registration)
    }

    /// Calls and actions keep the deadlines that they have. Everything else follows the new policy from now on, the
    /// rights of callers too.
    private mutating func policyChanged(_ new: PhonePolicy) {
        // An event log is untrusted.
        guard new != policy, new.isSound else { return }
        (formerPolicy, policy) = (policy, new)
        // Nobody could switch off a relay that is no longer configured.
        phone.relays = phone.relays.filter { new.relays[$0.key] != nil }
        phone.alarms = phone.alarms.filter { new.alarms[$0.key] != nil }
        phone.registrations = phone.registrations.filter { new.has($0.key) }
        phone.messages = phone.messages.filter { new.has($0.key) }
        let watched = new.watchedNumbers
        phone.watched = phone.watched.filter { watched.contains($0.key) }
        if formerPolicy?.soundTest != new.soundTest { phone.soundTest.due = nil }
        // Without flashes, a cradle that is down hangs up.
        if new.flash == nil, phone.cradleDown != nil { hungUp() }
    }

    mutating func emit(_ effect: PhoneEffect) { effects.append(effect) }
    mutating func notice(_ notice: Notice) { emit(.control(.notice(notice))) }
}
