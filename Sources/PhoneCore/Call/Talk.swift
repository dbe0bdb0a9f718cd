import Base

/// Two people with voice between them, flowing or held.
///
/// The person's own mute is never overwritten: the microphone's gate is derived from it and from the hold, so that
/// after a hold, settled or failed, everything is as the person had it.
struct Talk: Equatable, Codable, Sendable {
    var negotiated: NegotiatedMedia
    var muted = false
    var ownHold = OwnHold.off
    var heldThere = false

    /// As recordings have them.
    private enum CodingKeys: String, CodingKey {
        case negotiated = "plan"
        case muted, ownHold, heldThere
    }

    init(negotiated: NegotiatedMedia) { self.negotiated = negotiated }

    var isHeldHere: Bool { ownHold.holds }
    var microphoneOpen: Bool { !muted && ownHold == .off }
    var state: CallState { isHeldHere || heldThere ? .onHold(self) : .active(self) }

    /// The terms that Media gets. While held here nothing sounds, whatever the far end offers.
    var negotiatedForMedia: NegotiatedMedia {
        var negotiated = negotiated
        negotiated.sends = negotiated.sends && !isHeldHere
        negotiated.receives = negotiated.receives && !isHeldHere
        return negotiated
    }
}

/// Our own hold and its negotiation. The far end's is another matter.
enum OwnHold: Equatable, Codable, Sendable {
    case off
    /// Asked for; the microphone is closed already, the terms are the old ones.
    case asking(until: Instant)
    case on
    /// A person wants to resume; another call has to be held first. Bounded by the resume action.
    case queued
    /// Asked to resume; still held.
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
