import Base

/// One conversation with one far end, from its first ring or dial to its single end.
struct Call: Equatable, Codable, Sendable {
    let id: CallID
    let direction: CallSummary.Direction
    var who: Identity
    var account: AccountID
    let started: Instant
    /// The name under which its line knows it. Nil: announced by caller info, and not offered yet.
    var leg: CallID?
    /// The addresses at which the far end knows us. Nil: nobody knows.
    var addresses: [String]?
    /// What a later process needs to say goodbye.
    var memo: String?
    var answered: Instant?
    /// The longest time it may take is over.
    var endsBy: Instant?
    /// Whole seconds since the answer that were told.
    var secondsTold = 0
    var quality: VoiceQuality?
    /// Nothing is heard; at this instant the call counts as lost if it may not be silent (`silenceDue`). One that was
    /// allowed to be is given its whole time when it becomes active.
    var lostAt: Instant?
    /// The number that it counts as when rights go by it. Nil: nobody vouches for one.
    var vouched: VouchedNumber?
    /// Nil: nobody has answered here.
    var answerer: Answerer?
    /// The far end wants us to call somebody else, and a person is asked.
    var question: TransferQuestion?
    /// What the far end dialled last, for relays, and which relays it worked.
    var entry = CodeEntry()
    var relaysWorked: Set<UInt8> = []
    /// Whom to dial when nobody answers.
    var untried: [String] = []
    /// The far end was asked to call somebody else.
    var handover: CallTransfer?
    /// The number whose ringing call it is to take. Nil: it rings there itself.
    var pickup: WatchedNumber?
    /// The call whose place it is about to take.
    var succession: CallReplacement?
    var state = CallState.idle

    var talk: Talk? { state.talk }

    /// Our own hold of a call that is up. Nil: it is not.
    var ownHold: OwnHold? { talk?.ownHold }

    var isUp: Bool { ownHold != nil }

    var isHeldHere: Bool { ownHold?.holds ?? false }

    var isLive: Bool { state.isLive }

    var isRinging: Bool { if case .ringingIn = state { true } else { false } }

    var isReconnecting: Bool { if case .reconnecting = state { true } else { false } }

    /// A person is in it, or on the way into it: another call can only wait.
    var isEngaged: Bool { isLive && !isRinging }

    /// On its way to the sound; no other call may set out meanwhile.
    var isTakingAudioFocus: Bool {
        switch state {
        case .ringingOut, .connecting: true
        case .active(let talk), .onHold(let talk), .reconnecting(let talk, _):
            switch talk.ownHold {
            case .queued, .releasing: true
            case .off, .asking, .on: false
            }
        case .idle, .ringingIn, .disconnecting, .ended, .failed: false
        }
    }

    /// It has the sound, or is on its way to it.
    var hasUserAudio: Bool { isTakingAudioFocus || isUp && !isHeldHere }

    /// It waits for the floor, and perhaps for line, offer, organisation and sockets.
    var isClaiming: Bool {
        switch state {
        case .ringingOut(.preparing): true
        case .ringingOut(.placing), .ringingOut(.placed): false
        case .connecting(let connecting):
            switch connecting.stage {
            case .preparing: true
            case .answering, .settingUp: false
            }
        case .active(let talk), .onHold(let talk), .reconnecting(let talk, _): talk.ownHold == .queued
        case .idle, .ringingIn, .disconnecting, .ended, .failed: false
        }
    }

    /// Whether voice is on, and if so, whether this call lets the microphone be open. A far end that has not answered
    /// hears nothing.
    var microphone: Bool? {
        if case .ringingOut(.placed(_, _, .audible)) = state { return false }
        return talk?.microphoneOpen
    }

    /// Nobody answered it by hand, so nobody would hang up.
    var isUnattended: Bool { direction == .incoming && answerer != .person }

    /// When silence ends the call. A far end that is held, or holds, may be silent; one that nobody attends to only while
    /// it is held here, since it could hold a line for ever else.
    var silenceDue: Instant? {
        switch state {
        case .active: lostAt
        case .onHold(let talk): isUnattended && !talk.isHeldHere ? lostAt : nil
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed: nil
        }
    }

    /// The next instant at which this call does something by itself.
    var due: Instant? {
        switch state {
        case .idle, .ended, .failed: nil
        case .ringingIn(let ringing): ringing.due
        case .ringingOut(.preparing), .ringingOut(.placing): nil
        case .ringingOut(.placed(let until, _, _)): until
        case .connecting(let connecting): connecting.due
        case .active(let talk), .onHold(let talk): .earliest(talk.ownHold.until, silenceDue, endsBy)
        case .reconnecting(let talk, let recovery): .earliest(talk.ownHold.until, recovery.until, endsBy)
        case .disconnecting(let disconnecting): disconnecting.until
        }
    }

    /// When the next second of the call is to be told.
    var secondDue: Instant? { isUp ? answered.map { $0 + .seconds(secondsTold + 1) } : nil }
}
