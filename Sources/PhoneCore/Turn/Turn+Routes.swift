import Base

/// Where the voice goes, and who else wants the devices. A change of route never touches a call.
extension Turn {
    mutating func setRoute(_ route: Route) {
        guard route != phone.route else { return }
        phone.routeBefore = phone.route
        phone.route = route
    }

    /// What a person just put on takes the voice.
    mutating func deviceFound(_ route: Route) {
        phone.lostDevices.remove(route)
        switch route {
        case .handset, .speaker: return
        case .headset, .bluetooth: if phone.isBusy { setRoute(route) }
        }
    }

    mutating func deviceLost(_ route: Route, _ text: String) {
        phone.lostDevices.insert(route)
        notice(.trouble(text))
        guard route == phone.route else { return }
        switch route {
        case .handset, .speaker: return  // The call lives on in silence until the device is back.
        case .headset, .bluetooth:
            setRoute(phone.routeBefore == route ? policy.defaultRoute : phone.routeBefore)
            // Not to what is gone: two that fall back to each other would never end.
            phone.routeBefore = policy.defaultRoute
        }
    }

    /// Something more important takes the sound. Calls wait for it, unheard and unhearing.
    mutating func interrupted() {
        guard phone.interruption == .none else { return }
        phone.interruption = .waiting(until: now + policy.interruptionTime)
        notice(.interruptionChanged(true))
    }

    mutating func interruptionEnded() {
        guard phone.interruption != .none else { return }
        phone.interruption = .none
        notice(.interruptionChanged(false))
    }

    /// It takes long: the far end is told, by being held.
    mutating func interruptionDue() {
        phone.interruption = .lasting
        for call in phone.calls {
            switch call.state {
            case .active(let talk), .onHold(let talk):
                if talk.ownHold == .off { hold(call.id, as: panelAction()) }
            case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed:
                continue
            }
        }
    }
}
