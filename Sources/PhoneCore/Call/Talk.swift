import Base

/// The data of a call that is up. Its voice flows or is held.
///
/// The microphone's gate is derived from the person's mute and from our hold. So a hold that succeeds does not change
/// the mute. A hold that fails may set it (`Transition.holdSettled`).
struct Talk: Equatable, Codable, Sendable {
    var negotiated: NegotiatedMedia
    var muted = false
    var ownHold = OwnHold.off
    var heldThere = false

    /// The names that recordings contain.
    private enum CodingKeys: String, CodingKey {
        case negotiated = "plan"
        case muted, ownHold, heldThere
    }

    init(negotiated: NegotiatedMedia) { self.negotiated = negotiated }

    var isHeldHere: Bool { ownHold.holds }
    var microphoneOpen: Bool { !muted && ownHold == .off }
    var state: CallState { isHeldHere || heldThere ? .onHold(self) : .active(self) }

    /// The terms that Media gets. While the call is held here, no voice is sent or received, whatever the far end
    /// offers.
    /// - Parameter playsMusic: Whether a far end that is held here hears music.
    func negotiatedForMedia(playsMusic: Bool) -> NegotiatedMedia {
        var negotiated = negotiated
        negotiated.sends = negotiated.sends && (!isHeldHere || playsMusic)
        negotiated.receives = negotiated.receives && !isHeldHere
        return negotiated
    }
}

/// Our own hold and its negotiation. The far end's hold is independent of it.
enum OwnHold: Equatable, Codable, Sendable {
    case off
    /// The hold was requested. The microphone is closed already, but the old terms still apply.
    case asking(until: Instant)
    case on
    /// The call is to be resumed and waits for the audio focus: another call may have to be held first. Bounded by the
    /// resume action.
    case queued
    /// The line was asked to resume the call. The call is still held.
    case releasing(until: Instant)

    var holds: Bool {
        switch self {
        case .off, .asking: false
        case .on, .queued, .releasing: true
        }
    }

    /// When the negotiation counts as failed.
    var until: Instant? {
        switch self {
        case .asking(let until), .releasing(let until): until
        case .off, .on, .queued: nil
        }
    }
}
