/// The direction of voice, from the point of view of the end that states it (RFC 8866 §6.7).
public enum Direction: String, CaseIterable, Sendable {
    case sendrecv, sendonly, recvonly, inactive

    public init(sends: Bool, receives: Bool) {
        self =
            switch (sends, receives) {
            case (true, true): .sendrecv
            case (true, false): .sendonly
            case (false, true): .recvonly
            case (false, false): .inactive
            }
    }

    public var sends: Bool { self == .sendrecv || self == .sendonly }
    public var receives: Bool { self == .sendrecv || self == .recvonly }

    /// The same direction from the other end's point of view.
    public var mirrored: Direction { Direction(sends: receives, receives: sends) }

    /// The direction that both allow.
    public func intersection(_ other: Direction) -> Direction {
        Direction(sends: sends && other.sends, receives: receives && other.receives)
    }

    /// The media line's own direction, else the session's, else both ways.
    init(of media: MediaDescription, in session: SessionDescription) {
        self =
            (media.attributes + session.attributes).lazy.compactMap {
                $0.value == nil ? Direction(rawValue: $0.name.lowercased()) : nil
            }.first ?? .sendrecv
    }
}
