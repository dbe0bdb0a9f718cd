import Base

/// What a person at the phone hears besides voice, and for how long.
extension Turn {
    mutating func listenForDigits() {
        phone.ear = .collecting(DigitCollection(until: now + policy.offHookTime))
    }

    /// A call sets out. Whoever listens to a tone listens to the call now.
    mutating func attendCall() {
        switch phone.ear {
        case .closed, .inCall: break
        case .collecting, .told: phone.ear = .inCall
        }
    }

    mutating func tellEar(_ tone: Tone) {
        let time = isHandsFree ? policy.handsFreeToneTime : policy.offHookTime
        phone.ear = .told(tone, until: now + time)
    }

    /// A call released its sound. If it was the last, its end is heard, or the dial tone again.
    mutating func callLeftEar(_ reason: EndReason) {
        guard phone.ear == .inCall, !phone.isEngaged else { return }
        if let tone = reason.tone, !(isHandsFree && reason == .hungUpThere) {
            tellEar(tone)
        } else if isHandsFree {
            phone.ear = .closed
        } else {
            listenForDigits()
        }
    }

    /// Nobody dials, or nobody replaces the handset.
    mutating func earDue() {
        switch phone.ear {
        case .closed, .inCall: return
        case .collecting(let collection):
            if collection.digits.isEmpty { remind() } else { dialCollected(collection) }
        case .told(.howler, _): phone.ear = .closed
        case .told(.congestion, _) where !isHandsFree:
            phone.ear = .told(.howler, until: now + policy.howlerTime)
        case .told: remind()
        }
    }

    /// A handset off the hook is called back by sound; a loudspeaker is simply switched off.
    private mutating func remind() {
        phone.ear = isHandsFree ? .closed : .told(.congestion, until: now + policy.congestionTime)
    }

    private var isHandsFree: Bool { phone.hook != .offHook || phone.route != .handset }
}
