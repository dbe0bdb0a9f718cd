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
        let tone = isHandsFree && reason == .hungUpThere ? nil : reason.tone
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
