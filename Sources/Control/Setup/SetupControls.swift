import PhoneCore

/// Who sets the phone up behind the interface. Both are called on the control thread and do not block.
public struct SetupControls: Sendable {
    /// Takes a request with the phone as it is now, and answers it once, by `Control.answer` with the same action.
    public var ask: @Sendable (ActionID, SetupRequest, PhoneSnapshot) -> Void
    /// Nobody waits for the answer any longer: a trial ends.
    public var stop: @Sendable (ActionID) -> Void

    public init(
        ask: @escaping @Sendable (ActionID, SetupRequest, PhoneSnapshot) -> Void,
        stop: @escaping @Sendable (ActionID) -> Void
    ) {
        (self.ask, self.stop) = (ask, stop)
    }
}
