import Base

/// What a person at the phone hears besides voice, and for how long.
extension Turn {
    mutating func listenForDigits(account: AccountID? = nil) {
        phone.ear = .collecting(DigitCollection(until: now + policy.offHookTime, account: account))
    }

    /// A call sets out. Whoever listens to a tone listens to the call now.
    mutating func attendCall() {
        switch phone.ear {
        case .closed, .inCall: break
        case .collecting, .told: phone.ear = .inCall
        }
    }

    mutating func tellEar(_ tone: Tone) {
        let isBrief = isHandsFree || phone.isEngaged
        phone.ear = .told(tone, until: now + (isBrief ? policy.handsFreeToneTime : policy.offHookTime))
    }

    /// A call released its sound. Its end is heard; if it was the last, then the dial tone again.
    mutating func callLeftEar(_ reason: EndReason) {
        guard phone.ear == .inCall, !phone.calls.contains(where: \.hasUserAudio) else { return }
        let tone = isHandsFree && reason == .hungUpThere ? nil : reason.tone
        if let tone {
            tellEar(tone)
        } else if phone.isEngaged {
            return  // Another call is held; whoever put it there takes it back.
        } else if isHandsFree {
            phone.ear = .closed
        } else {
            listenForDigits()
        }
    }

    /// Nobody dials, or nobody replaces the handset.
    mutating func userAudioDue() {
        switch phone.ear {
        case .closed, .inCall: return
        case .collecting(let collection) where !collection.digits.isEmpty: dialCollected(collection)
        case .collecting, .told:
            if phone.isEngaged { phone.ear = .inCall } else { remind() }
        }
    }

    /// A handset off the hook is called back by sound: congestion, then the howler, then quiet. A loudspeaker is simply
    /// switched off.
    private mutating func remind() {
        switch phone.ear {
        case .told(.howler, _): phone.ear = .closed
        case .told(.congestion, _) where !isHandsFree:
            phone.ear = .told(.howler, until: now + policy.howlerTime)
        case .closed, .inCall, .collecting, .told:
            phone.ear = isHandsFree ? .closed : .told(.congestion, until: now + policy.congestionTime)
        }
    }

    private var isHandsFree: Bool { phone.hook != .offHook || phone.route != .handset }
}
