import Base

/// One event being taken: the phone as it will be, and what to do on the way there.
///
/// The files of this folder are its parts, one concern each, in the order of a call: `Requests` and `Actions`,
/// `Incoming`, `Outgoing`, `Floor`, `MediaSide`, `Holding`, `Ending`, `Time`; then the person's side: `Handset`, `Keys`,
/// `EarSide`, `Routes`; at last `Telling`. Where a call's state matters all ten are written out.
struct Turn {
    var phone: PhoneState
    let policy: PhonePolicy
    let now: Instant
    private(set) var effects: [PhoneEffect] = []

    init(phone: PhoneState, policy: PhonePolicy, now: Instant) {
        self.phone = phone
        self.policy = policy
        self.now = now
    }

    mutating func take(_ event: PhoneEvent) {
        switch event {
        case .panel(let event): takePanel(event)
        case .line(let event): takeLine(event)
        case .media(let event): takeMedia(event)
        case .vault(let event): takeVault(event)
        case .network(let event): takeNetwork(event)
        case .request(let id, let request): perform(request, as: id)
        case .deadline: break  // What was due has happened already.
        case .shutDown: shutDown()
        }
    }

    private mutating func takePanel(_ event: PanelEvent) {
        switch event {
        case .hookFound(let position): hookFound(position)
        case .hook(let position): hookMoved(position)
        case .pressed(let key): pressed(key)
        case .released: break  // Nothing is decided by how long a key is held.
        case .failed(let text): notice(.trouble(text))
        }
    }

    private mutating func takeLine(_ event: LineEvent) {
        switch event {
        case .registration(let account, let registration): registered(account, registration)
        case .offered(let id, let caller): offered(id, caller)
        case .offerSent(let id): offerSent(id)
        case .ringing(let id): ringingThere(id)
        case .earlyMedia(let id, let plan): earlyMedia(id, plan)
        case .answered(let id, let plan): answered(id, plan)
        case .renegotiated(let id, let plan, let held): renegotiated(id, plan, heldThere: held)
        case .holdSettled(let id, let plan): holdSettled(id, plan)
        case .ended(let id, let reason): end(id, reason, overOnTheWire: true)
        }
    }

    private mutating func takeVault(_ event: VaultEvent) {
        switch event {
        case .orphanFound(let orphan): orphanFound(orphan)
        case .failed(let text): notice(.trouble(text))
        }
    }

    private mutating func registered(_ account: AccountID, _ registration: RegistrationState) {
        let known = phone.registrations[account]
        guard known != registration, known != nil || phone.registrations.count < PhoneState.mostAccounts else { return }
        phone.registrations[account] = registration
        notice(.registrationChanged(account, registration))
    }

    mutating func emit(_ effect: PhoneEffect) { effects.append(effect) }
    mutating func notice(_ notice: Notice) { emit(.control(.notice(notice))) }
}
