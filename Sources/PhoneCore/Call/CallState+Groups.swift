/// Groups of states that several rules use. Each group is defined only here.
extension CallState {
    /// The talk of a call that is up: both ends have agreed, with or without a network path.
    var talk: Talk? {
        switch self {
        case .active(let talk), .onHold(let talk), .reconnecting(let talk, _): talk
        case .idle, .ringingIn, .ringingOut, .connecting, .disconnecting, .ended, .failed: nil
        }
    }

    /// The terms of a call that has, or is about to have, sound from its far end.
    var negotiated: NegotiatedMedia? {
        switch self {
        case .active(let talk), .onHold(let talk), .reconnecting(let talk, _): talk.negotiated
        case .connecting(let connecting): connecting.stage.negotiated
        case .ringingOut(.dialled(_, _, let early)): early.negotiated
        case .idle, .ringingIn, .ringingOut(.preparing), .ringingOut(.dialling), .disconnecting, .ended, .failed: nil
        }
    }

    /// The talk of a call that is up and whose far end can be asked for something.
    var reachableTalk: Talk? {
        switch self {
        case .active(let talk), .onHold(let talk): talk
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed: nil
        }
    }

    /// Changes the data of an incoming call that has no answer on the wire. It rings, or was answered here and waits for
    /// the line, the offer, the organisation or the sockets.
    /// - Returns: False in any other state.
    mutating func editRinging(_ change: (inout Ringing) -> Void) -> Bool {
        switch self {
        case .ringingIn(var ringing):
            change(&ringing)
            self = .ringingIn(ringing)
            return true
        case .connecting(var connecting):
            guard case .preparing(var ringing) = connecting.stage else { return false }
            change(&ringing)
            connecting.stage = .preparing(ringing)
            self = .connecting(connecting)
            return true
        case .idle, .ringingOut, .active, .onHold, .reconnecting, .disconnecting, .ended, .failed: return false
        }
    }

    /// The call counts against the limit of calls: it is neither ended nor disconnecting.
    var isLive: Bool {
        switch self {
        case .ringingIn, .ringingOut, .connecting, .active, .onHold, .reconnecting: true
        case .idle, .disconnecting, .ended, .failed: false
        }
    }
}
