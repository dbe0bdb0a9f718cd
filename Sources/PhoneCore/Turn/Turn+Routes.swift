import Base

/// Where the voice goes. A change of route never touches a call.
extension Turn {
    mutating func setRoute(_ route: Route) {
        guard route != phone.route else { return }
        phone.routeBefore = phone.route
        phone.route = route
    }

    /// What a person just put on takes the voice.
    mutating func deviceFound(_ route: Route) {
        switch route {
        case .handset, .speaker: return
        case .headset, .bluetooth: if phone.isBusy { setRoute(route) }
        }
    }

    mutating func deviceLost(_ route: Route, _ text: String) {
        notice(.trouble(text))
        guard route == phone.route else { return }
        switch route {
        case .handset, .speaker: return  // The call lives on in silence until the device is back.
        case .headset, .bluetooth:
            setRoute(phone.routeBefore == route ? policy.defaultRoute : phone.routeBefore)
        }
    }
}
