import Base

/// One call has the audio focus. A call needs it for an answer, a start or a resume. It waits until every other call is
/// held, and until the line, the offer, the organisation and the sockets are ready. Any event may bring what was
/// missing.
extension Transition {
    mutating func advance() {
        guard let call = phone.claimant else { return }
        // The focus is requested first, because holding the other call takes a while. The rest may get ready in the
        // same time.
        let focusIsFree = clearAudioFocus(for: call)
        guard focusIsFree else { return }
        let addresses = phone.network.believed?.addresses
        switch call.state {
        case .connecting(let connecting):
            guard case .preparing(let ringing) = connecting.stage else { return }
            // A call that only caller info announced may be offered only after the change of the organisation.
            if call.leg == nil, !worksForItsOrganisation(call) { return }
            guard let endpoint = ringing.endpoint, phone.isReady(for: call), let leg = call.leg,
                worksForItsOrganisation(call)
            else { return }
            phone[call.id]?.state = .connecting(Connecting(stage: .answering, until: connecting.until))
            phone[call.id]?.addresses = addresses
            emit(.line(.answer(leg, endpoint, awaitingACK: call.answerer != .person)))
        case .ringingOut(let dialling):
            guard case .preparing(let endpoint?) = dialling, phone.isReady(for: call) else { return }
            phone[call.id]?.state = .ringingOut(.dialling)
            phone[call.id]?.addresses = addresses
            if let replacement = call.replacement {
                emit(.line(.follow(call.id, after: replacement.leg, account: call.account, endpoint)))
            } else if let number = call.pickup {
                emit(.line(.pickUp(call.id, number, endpoint)))
            } else {
                emit(
                    .line(
                        .dial(
                            call.id, target: call.who.number, account: call.account, endpoint,
                            presentation: call.presentation)))
            }
        case .active, .onHold, .reconnecting:
            guard let leg = call.leg else { return }
            editTalk(call.id) { talk, transition in
                talk.ownHold = .releasing(until: transition.now + transition.policy.negotiationTime)
            }
            emit(.line(.hold(leg, false)))
        case .idle, .ringingIn, .disconnecting, .ended, .failed:
            return
        }
    }

    /// Whether no other call has the audio focus. Asks every other call that has it to be held, unless the two are to
    /// share it.
    private mutating func clearAudioFocus(for call: Call) -> Bool {
        if phone.conference && call.isUp { return true }
        var isFree = true
        for other in phone.calls where other.id != call.id && !call.takesOver(from: other) {
            switch other.state {
            case .idle, .ringingIn, .disconnecting, .ended, .failed:
                continue
            case .ringingOut, .connecting:
                isFree = false
            case .active(let talk), .onHold(let talk):
                if talk.ownHold == .off { hold(other.id, as: panelAction()) }
                isFree = isFree && talk.isHeldHere
            case .reconnecting(let talk, _):
                isFree = isFree && talk.isHeldHere
            }
        }
        return isFree
    }

    /// The call with the audio focus did not release it. The call that waited for it returns to its former state.
    mutating func withdrawClaim(_ failure: ActionFailure) {
        guard let call = phone.claimant else { return }
        switch call.state {
        case .connecting(let connecting):
            guard case .preparing(let ringing) = connecting.stage else { return }
            settle(.answer, of: call.id, .failed(failure))
            phone[call.id]?.state = .ringingIn(ringing)
            // The call went on ringing while it waited.
            if ringing.due <= now { end(call.id, .noAnswer) }
        case .ringingOut:
            settle(.start, of: call.id, .failed(failure))
            end(call.id, .timedOut)
        case .active, .onHold, .reconnecting:
            settle(.resume, of: call.id, .failed(failure))
            stopQueueing(call.id)
        case .idle, .ringingIn, .disconnecting, .ended, .failed:
            return
        }
    }
}

/// Interruptions of the sound devices.
extension Transition {
    /// Something more important takes the sound devices. The calls wait, and neither end hears anything.
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

    /// The interruption lasts long, so the far ends are put on hold.
    mutating func interruptionDue() {
        phone.interruption = .lasting
        for call in phone.calls where call.state.reachableTalk?.ownHold == .off { hold(call.id, as: panelAction()) }
    }
}

/// The sounds that a person at the phone hears besides voice, and their times.
extension Transition {
    mutating func listenForDigits(account: AccountID? = nil) {
        phone.userAudio = .collecting(DigitCollection(until: now + policy.offHookTime, account: account))
    }

    /// A call starts. A person who hears a tone, or was dialling, now hears the call.
    mutating func attendCall() {
        switch phone.userAudio {
        case .closed, .inCall: break
        case .collecting, .paging, .told: phone.userAudio = .inCall
        }
    }

    mutating func tellUser(_ tone: Tone) {
        let isBrief = isHandsFree || phone.isEngaged
        phone.userAudio = .told(tone, until: now + (isBrief ? policy.handsFreeToneTime : policy.offHookTime))
    }

    /// A call released the audio focus. The person hears the tone for its end. Without such a tone, and if it was the
    /// last call, the dial tone follows.
    mutating func callLeftUserAudio(_ reason: EndReason) {
        guard phone.userAudio == .inCall, !phone.calls.contains(where: \.hasUserAudio) else { return }
        let tone = isHandsFree && reason == .hungUpThere ? nil : reason.consequences.tone
        if let tone {
            tellUser(tone)
        } else if phone.isEngaged {
            return  // Another call is held; the person resumes it.
        } else if isHandsFree {
            phone.userAudio = .closed
        } else {
            listenForDigits()
        }
    }

    /// The time is up in which a person should dial, or replace the handset.
    mutating func userAudioDue() {
        switch phone.userAudio {
        case .closed, .inCall: return
        case .collecting(let collection) where !collection.digits.isEmpty: dialHere(collection.wanted)
        case .paging: endSentPage(.tooLong)
        case .collecting, .told:
            if phone.isEngaged { phone.userAudio = .inCall } else { remind() }
        }
    }

    /// Reminds the person of a handset off the hook: by the congestion tone, then the howler, then silence. A
    /// loudspeaker is simply switched off.
    private mutating func remind() {
        switch phone.userAudio {
        case .told(.howler, _): phone.userAudio = .closed
        case .told(.congestion, _) where !isHandsFree:
            phone.userAudio = .told(.howler, until: now + policy.howlerTime)
        case .closed, .inCall, .collecting, .paging, .told:
            phone.userAudio = isHandsFree ? .closed : .told(.congestion, until: now + policy.congestionTime)
        }
    }

    var isHandsFree: Bool { phone.hook != .offHook || phone.route != handsetRoute }
}

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
