import Base

/// The keys.
extension Turn {
    mutating func pressed(_ key: Key) {
        notice(.keyPressed(key))
        guard phone.mode == .running else { return }
        switch key {
        case .digit(let symbol): digitPressed(symbol)
        case .hold: holdPressed()
        case .mute: mutePressed()
        case .speaker: handsFreePressed(.speaker)
        case .headset: handsFreePressed(.headset)
        case .redial: redialPressed()
        case .volumeUp, .volumeDown: break  // Whoever sets the volume hears the notice.
        }
    }

    private mutating func digitPressed(_ symbol: DialSymbol) {
        switch phone.ear {
        case .collecting(var collection):
            emit(.media(.keyClick(symbol)))
            let outcome = collection.press(symbol, until: now + policy.digitTime)
            phone.ear = .collecting(collection)
            switch outcome {
            case .collecting: break
            case .complete: dialCollected(collection)
            }
        case .closed, .inCall, .told:
            guard let call = phone.focus, case .active = call.state else { return }
            emit(.media(.keyClick(symbol)))
            perform(.dtmf(call.id, [.symbol(symbol)]), as: panelAction())
        }
    }

    mutating func dialCollected(_ collection: DigitCollection) {
        dialFromPanel(collection.digits)
    }

    private mutating func dialFromPanel(_ text: String) {
        let failure = perform(.dial(text, account: nil), as: panelAction())
        if let failure { tellEar(failure == .invalidTarget ? .specialInformation : .congestion) }
    }

    /// Answers a call that knocks, swaps two calls, holds one or takes it back.
    private mutating func holdPressed() {
        let held = phone.calls.first { $0.talk?.isHeldHere ?? false }
        if phone.isEngaged || phone.ear != .closed, let knocking = phone.calls.first(where: \.isRinging) {
            perform(.answer(knocking.id), as: panelAction())
        } else if let held {
            perform(.resume(held.id), as: panelAction())
        } else if let call = phone.focus, call.talk != nil {
            perform(.hold(call.id), as: panelAction())
        }
    }

    /// Silences the bell, or the microphone.
    private mutating func mutePressed() {
        if phone.summons != nil {
            for call in phone.calls {
                guard case .ringingIn(var ringing) = call.state else { continue }
                ringing.silenced = true
                phone[call.id]?.state = .ringingIn(ringing)
            }
        } else if let talk = phone.focus?.talk {
            perform(.mute(!talk.muted), as: panelAction())
        }
    }

    /// Speaker and headset: answer, open, move the voice there; pressed again, back to the lifted handset, or away.
    private mutating func handsFreePressed(_ route: Route) {
        if let summons = phone.summons {
            setRoute(route)
            listenForDigits()
            perform(.answer(summons.id), as: panelAction())
        } else if !phone.isEngaged && phone.ear == .closed {
            setRoute(route)
            listenForDigits()
        } else if phone.route != route {
            setRoute(route)
            if phone.ear == .closed { phone.ear = .inCall }
        } else if phone.hook == .offHook {
            setRoute(.handset)
        } else {
            leave()
        }
    }

    /// Dials the last number again, on the speaker when nobody is at the phone.
    private mutating func redialPressed() {
        guard let number = phone.lastDialled, !phone.isEngaged, phone.summons == nil else { return }
        switch phone.ear {
        case .closed:
            setRoute(.speaker)
            listenForDigits()
        case .collecting, .told: break
        case .inCall: return
        }
        dialFromPanel(number)
    }
}
