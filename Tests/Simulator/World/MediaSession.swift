import Base
import PhoneCore

/// The media of one call of one phone: sockets, agreement, and received packets.
struct MediaSession: Sendable {
    /// The received packets.
    enum Inflow: Equatable, Sendable {
        /// Nothing is expected: voice is off, or held.
        case off
        /// Packets should come. Reported as silence when the turn of this number comes without any.
        case awaited(turn: UInt64, since: Instant)
        case flowing
        case silent(since: Instant)
    }

    let name: UInt64
    let phone: Int
    let call: CallID
    var address: MediaAddress
    var plan: NegotiatedMedia?
    var isActive = false
    var isMicrophoneOpen = false
    var wasHeard = false
    var inflow = Inflow.off

    var expectsVoice: Bool { isActive && plan?.receives ?? false }

    /// The start of the silence.
    var silentSince: Instant? {
        switch inflow {
        case .off, .flowing: nil
        case .awaited(_, let since), .silent(let since): since
        }
    }

    /// Whether packets leave for the other: voice is on, and the other's address and a key were agreed.
    func sends(to other: MediaSession) -> Bool {
        guard isActive, let plan, plan.sends, plan.remote == other.address, let theirs = other.plan else {
            return false
        }
        return plan.sdes?.sendKey == theirs.sdes?.receiveKey
    }
}
