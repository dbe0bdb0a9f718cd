import Base

/// The panel's other parts, and what a person changes there.
extension Turn {
    mutating func takePanel(_ event: PanelEvent) {
        switch event {
        case .hookFound(let position):
            phone.panelFailed = false
            hookFound(position)
        case .hook(let position): hookMoved(position)
        case .pressed(let key): pressed(key)
        case .released: break  // Nothing is decided by how long a key is held.
        case .input(let name, let active): notice(.inputChanged(name, active: active))
        case .failed(let text):
            phone.panelFailed = true
            notice(.trouble(text))
        }
    }

    // MARK: Relays

    mutating func workRelay(_ number: UInt8, _ order: RelayOrder) throws(ActionFailure) {
        guard let relay = policy.relays[number] else { throw .notSupported }
        switch order {
        case .on: phone.relays[number] = .lasting
        case .off: phone.relays[number] = nil
        case .pulse: phone.relays[number] = .pulse(until: now + relay.pulse)
        }
    }

    // MARK: What is kept

    /// Changes the settings, and has them kept.
    mutating func change(_ edit: (inout PhoneSettings) -> Void) {
        var settings = phone.settings
        edit(&settings)
        guard settings != phone.settings else { return }
        phone.settings = settings
        emit(.vault(.keep(settings)))
    }

    mutating func remember(_ memory: PhoneMemory) {
        let wrongCodes = max(phone.settings.wrongCodes, memory.settings.wrongCodes)
        phone.settings = memory.settings
        phone.settings.wrongCodes = wrongCodes
        rememberWrongCodes(memory.settings.wrongCodes)
        phone.missedBefore += max(0, memory.unseenMissedCalls)
        phone.lastDialled = phone.lastDialled ?? memory.lastDialled
        if phone.switching == nil { phone.context = memory.context }
        learn(memory.contacts)
    }

    mutating func learn(_ contacts: [Contact]) {
        phone.contacts = Array(contacts.prefix(PhoneState.mostContacts))
        for index in phone.calls.indices { phone.calls[index].who.find(in: phone.contacts) }
    }

    mutating func messagesWait(_ account: AccountID, _ count: Int) {
        let isKnown = phone.messages[account] != nil
        guard phone.messages[account] != count, isKnown || phone.messages.count < PhoneState.mostAccounts else {
            return
        }
        phone.messages[account] = max(0, count)
        notice(.messagesWaiting(account, max(0, count)))
    }
}
