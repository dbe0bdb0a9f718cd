import SIPCore

/// What a line can be told.
public enum LineInput: Equatable, Sendable {
    /// Begin: register, where that is configured.
    case start
    /// A datagram, or one message of a stream.
    case received([UInt8], Flow)
    /// The answer to `locate`: the way there, or nil when there is none.
    case located(Hop, Flow?)
    /// What was sent over this flow may not have arrived, and nothing will come from it.
    case transportFailed(Flow)
    case command(LineCommand)
    /// The machine's deadline may have passed; a stale one changes nothing.
    case deadline
}

/// What a line's user asks. A command that makes no sense for its leg any more changes nothing.
public enum LineCommand: Equatable, Sendable {
    /// - Parameters:
    ///   - target: A number, or a SIP URI.
    ///   - mediaPort: Where this phone receives voice; the host follows from the way that is taken.
    case place(LegID, target: String, mediaPort: UInt16)
    /// Tell the caller that a person is being alerted.
    case alert(LegID)
    case answer(LegID, mediaPort: UInt16)
    case refuse(LegID, LegRefusal)
    /// Say goodbye, in the way that the leg's progress asks for.
    case end(LegID)
    case hold(LegID, Bool)
    /// End every call and unregister; `finished` follows within `LineMachine.goodbye`.
    case shutDown
}
