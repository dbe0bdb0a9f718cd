import Base

/// The hook: lifted, replaced, tapped.
extension Turn {
    /// The level at start. A handset that lies beside the phone neither dials nor listens until it was replaced and
    /// lifted; a call that comes meanwhile rings aloud and is answered by another key, or by doing just that.
    mutating func hookFound(_ position: HookPosition) {
        // Later it is a level read again, because edges were lost.
        guard phone.hook == nil else { return hookMoved(position) }
        phone.hook = position
        notice(.hookChanged(position))
    }

    mutating func hookMoved(_ position: HookPosition) {
        guard phone.hook != position else { return }
        let wasLifted = phone.hook == .offHook
        phone.hook = position
        notice(.hookChanged(position))
        guard phone.mode == .running else { return }
        switch position {
        case .offHook: cradleReleased()
        case .onHook: if wasLifted { cradlePressed() }
        }
    }

    /// In a call it is not clear yet whether this is a flash. Until it is, nothing is heard at either end.
    private mutating func cradlePressed() {
        guard phone.route == .handset else { return }
        if let ringing = phone.summons, phone.ear == .closed {
            if policy.onHookDeclines { perform(.hangUp(ringing.id), as: panelAction()) }
        } else if policy.flash != nil && phone.calls.contains(where: \.isUp) {
            phone.cradleDown = now
        } else {
            leave()
        }
    }

    private mutating func cradleReleased() {
        guard let down = phone.cradleDown, let flash = policy.flash, phone.isEngaged else {
            phone.cradleDown = nil
            return lifted()
        }
        phone.cradleDown = nil
        // Shorter is the shake of a hand.
        if now - down >= flash.shortest { flashed() }
    }

    /// The cradle has been down for longer than a flash.
    mutating func hungUp() {
        phone.cradleDown = nil
        leave()
    }

    private mutating func lifted() {
        setRoute(.handset)
        if let summons = phone.summons {
            listenForDigits()
            perform(.answer(summons.id), as: panelAction())
        } else if !isDialling {
            if phone.isEngaged { phone.ear = .inCall } else { listenForDigits() }
        }
    }

    /// Whoever began to dial on the speaker goes on at the handset.
    private var isDialling: Bool {
        switch phone.ear {
        case .collecting(let collection): phone.isEngaged || !collection.digits.isEmpty
        case .closed, .inCall, .told: false
        }
    }

    /// A person goes away from the phone: all quiet. Whatever has the sound, or is on its way to it, ends; if nothing
    /// has, the only call does. A call held beside another one stays.
    mutating func leave() {
        phone.ear = .closed
        let near = phone.calls.filter(\.hasUserAudio)
        let left = near.isEmpty ? phone.focus.map { [$0] } ?? [] : near
        for call in left { perform(.hangUp(call.id), as: panelAction()) }
    }
}
