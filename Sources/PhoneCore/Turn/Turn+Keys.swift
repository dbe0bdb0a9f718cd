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
        case .redial: if let number = phone.lastDialled { dialFromPanel(SpeedDial([number])) }
        case .flash: if phone.isEngaged { flashed() }
        case .transfer: transferPressed()
        case .conference: conferencePressed()
        case .doNotDisturb: perform(.doNotDisturb(!phone.settings.doNotDisturb), as: panelAction())
        case .voicemail: voicemailPressed()
        case .volumeUp: volumePressed(1)
        case .volumeDown: volumePressed(-1)
        case .line(let number): linePressed(number)
        case .speedDial(let number): if let wanted = policy.speedDials[number] { speedDialPressed(wanted) }
        }
    }

    private mutating func digitPressed(_ symbol: DTMFSymbol) {
        switch phone.ear {
        case .collecting(var collection):
            emit(.media(.keyClick(symbol)))
            let outcome = collection.press(symbol, until: now + policy.digitTime, plan: policy.dialPlan)
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

    /// Answers a call that knocks, swaps two calls, holds one or takes it back.
    private mutating func holdPressed() {
        if answerKnocking() { return }
        if let held = phone.heldHere {
            perform(.resume(held.id), as: panelAction())
        } else if let call = phone.focus, call.isUp {
            perform(.hold(call.id), as: panelAction())
        }
    }

    /// Silences the bell, or the microphone.
    private mutating func mutePressed() {
        if phone.summons != nil {
            perform(.silenceRinger, as: panelAction())
        } else if phone.focus?.talk != nil {
            perform(.toggleMute, as: panelAction())
        }
    }

    /// Speaker and headset: answer, open, move the voice there; pressed again, back to the lifted handset, or away.
    mutating func handsFreePressed(_ route: Route) {
        if let summons = phone.summons {
            answer(summons, on: route)
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

    /// The bell's loudness while it rings, else the voice's.
    private mutating func volumePressed(_ step: Int) {
        let kind: VolumeKind = phone.summons == nil ? .call : .ring
        perform(.volume(kind, phone.settings.volume(kind) + step), as: panelAction())
    }

    /// An account's key: answers its call, takes it back, or dials with it.
    private mutating func linePressed(_ number: UInt8) {
        guard let account = policy.account(ofLineKey: number) else { return }
        let calls = phone.calls.filter { $0.account == account }
        if let ringing = calls.first(where: \.isRinging) {
            answerHere(ringing)
        } else if let held = calls.first(where: { $0.ownHold == .on }) {
            perform(.resume(held.id), as: panelAction())
        } else if !calls.contains(where: \.isEngaged) {
            openEar(.talk, account: account)
        }
    }
}
