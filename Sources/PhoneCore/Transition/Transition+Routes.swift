/// The route of the voice: its choice, and its fallback when a device is lost. A change of route does not change any
/// call.
extension Transition {
    /// - Parameter isChosen: whether a person or a program wants this route. If not, a device that is there takes it.
    mutating func setRoute(_ route: Route, isChosen: Bool = true) {
        phone.routeIsChosen = isChosen
        guard route != phone.route else { return }
        phone.routeBefore = phone.route
        phone.route = route
    }

    /// The route of a lifted handset, and of a phone whose route nobody has changed. Without a handset it is the
    /// speaker.
    var handsetRoute: Route { policy.defaultRoute == .speaker ? .speaker : .handset }

    /// Gives the voice of a phone that is used from now on to the headset or Bluetooth device that is there. When the
    /// phone is no longer in use, the route is the default one again.
    mutating func settleRoute(wasBusy: Bool) {
        if !wasBusy && phone.isBusy { takePresentDevice() }
        guard wasBusy && !phone.isBusy else { return }
        setRoute(policy.defaultRoute, isChosen: false)
        phone.routeBefore = policy.defaultRoute
    }

    private mutating func takePresentDevice() {
        guard !phone.routeIsChosen, !isAtHandset, let device = phone.presentDevices.last else { return }
        setRoute(device, isChosen: false)
    }

    /// Whether the handset is lifted and has the route.
    private var isAtHandset: Bool { phone.route == handsetRoute && phone.hook == .offHook }

    // MARK: Devices

    /// A device came, or works again. A headset that comes while the phone is in use takes the voice.
    mutating func deviceFound(_ route: Route) {
        phone.lostDevices.remove(route)
        guard route.isRemovable else { return }
        keepPresent(route)
        if phone.isBusy { setRoute(route) }
    }

    /// A device is there, and may have been for a while. It takes the voice like a device that was there at the start
    /// of the call.
    mutating func devicePresent(_ route: Route) {
        phone.lostDevices.remove(route)
        guard route.isRemovable else { return }
        keepPresent(route)
        if phone.isBusy { takePresentDevice() }
    }

    /// A device that had no voice went away, which is no fault.
    mutating func deviceAbsent(_ route: Route) {
        phone.presentDevices.removeAll { $0 == route }
        fallBack(from: route)
    }

    mutating func deviceLost(_ route: Route, _ text: String) {
        phone.lostDevices.insert(route)
        phone.presentDevices.removeAll { $0 == route }
        notice(.trouble(text, .soundDevice))
        fallBack(from: route)
    }

    private mutating func keepPresent(_ route: Route) {
        phone.presentDevices.removeAll { $0 == route }
        phone.presentDevices.append(route)
    }

    /// A call whose handset or loudspeaker is lost continues in silence until the device is back.
    private mutating func fallBack(from route: Route) {
        guard route == phone.route, route.isRemovable else { return }
        guard phone.isBusy else { return setRoute(policy.defaultRoute, isChosen: false) }
        let isUsable = !phone.routeBefore.isRemovable || phone.presentDevices.contains(phone.routeBefore)
        setRoute(isUsable ? phone.routeBefore : phone.presentDevices.last ?? policy.defaultRoute)
    }

    // MARK: The speaker

    /// The headset or Bluetooth device that had the voice before the speaker, if it is still there, or else another
    /// one. Nil: there is no such device.
    var deviceBehindSpeaker: Route? {
        guard phone.route == .speaker, phone.routeBefore.isRemovable else { return nil }
        return phone.presentDevices.contains(phone.routeBefore) ? phone.routeBefore : phone.presentDevices.last
    }

    /// A program switches the speaker on or off. Switching it off ends no call, unlike the key when no device is left.
    mutating func switchSpeaker(on: Bool) {
        if on { return setRoute(.speaker) }
        guard phone.route == .speaker else { return }
        guard phone.isBusy else { return setRoute(handsetRoute, isChosen: false) }
        let isLifted = phone.hook == .offHook
        setRoute(deviceBehindSpeaker ?? (isLifted ? handsetRoute : phone.presentDevices.last ?? handsetRoute))
    }
}
